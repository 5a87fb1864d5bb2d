//! Reading of lists in which one corrupt row must not hide the others.

use sqlx::{ColumnIndex, Database, Decode, FromRow, Row, Type};
use uuid::Uuid;

use crate::Error;

/// Row that may be corrupt, with the column `id` or `key` that names it in the log.
pub(crate) struct Stored<R> {
    id: Option<String>,
    row: Result<R, sqlx::Error>,
}

impl<'r, O, R> FromRow<'r, O> for Stored<R>
where
    O: Row,
    R: FromRow<'r, O>,
    Uuid: Decode<'r, O::Database> + Type<O::Database>,
    String: Decode<'r, O::Database> + Type<O::Database>,
    &'static str: ColumnIndex<O>,
    O::Database: Database,
{
    fn from_row(row: &'r O) -> Result<Self, sqlx::Error> {
        let id = row.try_get("id").map(|id: Uuid| id.to_string());
        let id = id.or_else(|_| row.try_get("key")).ok();
        Ok(Self { id, row: R::from_row(row) })
    }
}

/// Converts rows of `table` for the engine's rounds and sweeps. Logs a row that cannot be read and
/// leaves it out, because one corrupt row must not stop the work for all others.
pub(crate) fn readable<R, T>(rows: Vec<Stored<R>>, table: &'static str) -> Vec<T>
where
    T: TryFrom<R, Error = Error>,
{
    let convert = |Stored { id, row }: Stored<R>| {
        let read = row.map_err(Error::from).and_then(T::try_from);
        if let Err(error) = &read {
            tracing::error!(%error, table, id, "failed to read a stored row; skipping it");
        }
        read.ok()
    };
    rows.into_iter().filter_map(convert).collect()
}
