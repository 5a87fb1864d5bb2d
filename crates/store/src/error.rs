//! Errors of the store, by the caller's possible reaction.

use sqlx::error::ErrorKind;

/// Error of the store.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database cannot be reached or was too slow. The caller retries later.
    #[error("the database is unavailable: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// It is unknown if the transaction was committed, or if a failover would keep it. The caller
    /// checks later.
    #[error("the outcome of a commit is unknown: {0}")]
    Unsure(#[source] sqlx::Error),
    /// Another transaction interfered (deadlock, serialisation, lock timeout). The caller runs the
    /// transaction again.
    #[error("the transaction must be run again: {0}")]
    Retry(#[source] sqlx::Error),
    /// A unique constraint was violated. Carries `table_column[_column…]` or the index's name.
    #[error("conflict on {0}")]
    Conflict(String),
    /// A CHECK, NOT NULL, foreign key or trigger refused the statement. This is a bug, never a
    /// user's mistake.
    #[error("the database refused: {0}")]
    Refused(String),
    /// A stored value cannot be read. Carries the name of the value.
    #[error("stored value is corrupt: {0}")]
    Corrupt(&'static str),
    /// The product has no such state transition.
    #[error("illegal transition from {0} to {1}")]
    Illegal(&'static str, &'static str),
    /// Transfers are frozen until an operator has intervened. Carries the reason.
    #[error("the ledger is frozen: {0}")]
    Frozen(String),
    /// A newer build migrated the database. Carries the migrations that this build does not know.
    #[error(
        "a newer version of Sooner migrated the database ({0}): start that version, or restore the backup from before the \
         upgrade"
    )]
    NewerSchema(String),
    /// A prepared statement belongs to another client, or is missing, because a pooler is in
    /// between.
    #[error(
        "a pooler assigns connections by transaction; connect to PostgreSQL itself, or add statement-cache-capacity=0 to \
         the database's URL ({0})"
    )]
    Pooled(#[source] sqlx::Error),
    /// A bug in a query or the schema.
    #[error("query failed: {0}")]
    Query(#[source] sqlx::Error),
}

impl Error {
    /// Returns `true` for a violation of the unique constraint `name` (`table_column[_column…]` or
    /// an index's name).
    #[must_use]
    pub fn is_conflict(&self, name: &str) -> bool {
        matches!(self, Self::Conflict(found) if found == name)
    }

    /// Returns `true` if the same transaction may succeed if it is run again at once.
    #[must_use]
    pub const fn is_retry(&self) -> bool {
        matches!(self, Self::Retry(_))
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::BeginFailed => Self::Unavailable(error),
            sqlx::Error::Database(inner) => match inner.kind() {
                ErrorKind::UniqueViolation => Self::Conflict(constraint(inner.as_ref())),
                ErrorKind::CheckViolation | ErrorKind::NotNullViolation | ErrorKind::ForeignKeyViolation => {
                    Self::Refused(inner.message().to_owned())
                }
                _ => by_code(error),
            },
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
                tracing::error!(%error, "failed to decode a stored value");
                Self::Corrupt("column")
            }
            _ => Self::Query(error),
        }
    }
}

/// Returns the name of the violated constraint. PostgreSQL gives the name. SQLite's message is
/// `UNIQUE constraint failed: t.a, t.b` or `index 'name'`.
fn constraint(error: &dyn sqlx::error::DatabaseError) -> String {
    if let Some(name) = error.constraint() {
        let name = name.strip_suffix("_key").unwrap_or(name);
        return name.strip_suffix("_pkey").map_or_else(|| name.to_owned(), |t| format!("{t}_id"));
    }
    let message = error.message();
    let columns = message.rsplit_once("failed: ").map_or(message, |(_, c)| c);
    if let Some(index) = columns.strip_prefix("index '") {
        return index.trim_end_matches('\'').to_owned();
    }
    let mut name = String::new();
    for column in columns.split(", ") {
        let (table, column) = column.split_once('.').unwrap_or(("", column));
        if name.is_empty() {
            name.push_str(table);
        }
        name.push('_');
        name.push_str(column);
    }
    name
}

/// Returns `true` if the error makes its connection unusable.
pub(crate) fn is_connection_over(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => {
            true
        }
        sqlx::Error::Database(inner) => inner.code().is_some_and(|code| ends_connection(&code)),
        _ => false,
    }
}

/// Returns `true` for PostgreSQL codes after which a connection is unusable:
///
/// - connection exceptions (08)
/// - `read_only_sql_transaction`: this server is not the primary any more
/// - a shutdown, a start-up or a terminated connection (57P)
/// - `idle_in_transaction_session_timeout`
fn ends_connection(code: &str) -> bool {
    code.len() == 5
        && (code.starts_with("08") || code.starts_with("57P") || matches!(code, "25006" | "25P03"))
}

fn by_code(error: sqlx::Error) -> Error {
    let code = match &error {
        sqlx::Error::Database(inner) => inner.code().unwrap_or_default().into_owned(),
        _ => String::new(),
    };
    // PostgreSQL's codes have five characters. SQLite's are numbers whose lowest byte is the kind
    // of failure.
    if let Some(number) = code.parse::<u32>().ok().filter(|_| code.len() < 5) {
        return match number & 0xff {
            // SQLITE_BUSY.
            5 => Error::Retry(error),
            // SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN: the disk.
            10 | 13 | 14 => Error::Unavailable(error),
            // SQLITE_CONSTRAINT raised by a trigger: rows that are never edited.
            19 if number == 1811 => Error::Refused(error.to_string()),
            _ => Error::Query(error),
        };
    }
    match code.as_str() {
        // serialization_failure, deadlock_detected, lock_not_available.
        "40001" | "40P01" | "55P03" => Error::Retry(error),
        // query_canceled (statement_timeout), too many connections, disk_full, io_error.
        "57014" | "53300" | "53100" | "58030" => Error::Unavailable(error),
        code if ends_connection(code) => Error::Unavailable(error),
        // duplicate_prepared_statement, invalid_sql_statement_name.
        "42P05" | "26000" => Error::Pooled(error),
        // raise_exception: rows that are never edited.
        "P0001" => Error::Refused(error.to_string()),
        _ => Error::Query(error),
    }
}
