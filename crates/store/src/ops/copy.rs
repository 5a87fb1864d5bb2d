//! Copies an SQLite database into an empty PostgreSQL database in one transaction, and compares
//! every row and checks the ledger.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use futures_util::TryStreamExt as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::{AssertSqlSafe, PgConnection, Row as _, SqliteConnection};

use crate::{Db, Error, Tx, all, migrate};

/// Number of rows per INSERT statement.
const BATCH: i64 = 500;
/// Tables that each database creates by itself.
const OWN: [&str; 1] = ["migration"];

/// Copied table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Name of the table.
    pub table: String,
    /// Number of its rows.
    pub rows: u64,
}

/// Column as PostgreSQL defines it.
#[derive(Clone, Debug, sqlx::FromRow)]
struct Column {
    name: String,
    kind: String,
}

/// Copies all tables of `from` into `to`. Migrates `to` first; it must be empty.
///
/// # Errors
/// Returns an error if a row differs after the copy, the ledger is inconsistent, or a database
/// fails. `to` then contains only empty tables.
pub async fn sqlite_to_postgres(from: &Db, to: &Db) -> Result<Vec<Copied>, Error> {
    migrate::migrate(to).await?;
    let (mut source, mut target) = (from.read().await?, to.begin().await?);
    let (Tx::Sqlite(_), Tx::Postgres(_)) = (&source, &target) else {
        return Err(Error::Refused(
            "only an SQLite database can be copied, and only to PostgreSQL".to_owned(),
        ));
    };
    let unlike = unlike(&mut source, &mut target).await?;
    if !unlike.is_empty() {
        return Err(Error::Refused(format!(
            "migrate the SQLite database first; missing: {}",
            unlike.join(", ")
        )));
    }
    crate::exec!(&mut target, "SET LOCAL statement_timeout = 0")?;
    // Rows from builds before the audit chain have no number.
    crate::exec!(&mut target, "ALTER TABLE audit DROP CONSTRAINT audit_chained")?;
    let mut copied = Vec::new();
    for table in in_order(&mut source).await? {
        let columns = columns(&mut target, &table).await?;
        let (Tx::Sqlite(s), Tx::Postgres(t)) = (&mut source, &mut target) else { break };
        refuse_full(t, &table).await?;
        let sent = send(s, t, &table, &columns).await?;
        let found = read(t, &table, &columns).await?;
        if sent != found {
            return Err(Error::Refused(format!(
                "{table} differs after the copy: {} rows were sent, {} are there",
                sent.rows, found.rows
            )));
        }
        // Without statistics a server takes minutes to read a million tasks.
        sqlx::raw_sql(AssertSqlSafe(format!("ANALYZE {table}"))).execute(&mut **t).await?;
        copied.push(Copied { table, rows: sent.rows });
    }
    crate::exec!(
        &mut target,
        "ALTER TABLE audit ADD CONSTRAINT audit_chained
           CHECK (number > 0 AND number IS NOT NULL AND hash IS NOT NULL) NOT VALID"
    )?;
    crate::exec!(&mut target, "UPDATE lease SET expires_us = 0")?;
    let wrong = crate::ledger::check(&mut target).await?;
    if let Some(first) = wrong.first() {
        return Err(Error::Refused(format!("the ledger does not balance after the copy: {first:?}")));
    }
    target.commit().await?;
    Ok(copied)
}

/// Returns the migrations that only one of the two databases has.
async fn unlike(source: &mut Tx, target: &mut Tx) -> Result<Vec<String>, Error> {
    let sql = "SELECT name FROM migration";
    let names = |rows: Vec<(String,)>| rows.into_iter().map(|(name,)| name).collect::<BTreeSet<_>>();
    let (here, there) = (names(all!(source, (String,), sql)?), names(all!(target, (String,), sql)?));
    Ok(here.symmetric_difference(&there).cloned().collect())
}

/// Returns the tables of the source, each after the tables that it references.
async fn in_order(source: &mut Tx) -> Result<Vec<String>, Error> {
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let tables = all!(source, (String,), sql)?;
    let mut waits: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (table,) in tables.into_iter().filter(|(name,)| !OWN.contains(&name.as_str())) {
        let refers = "SELECT \"table\" FROM pragma_foreign_key_list($1)";
        let parents = all!(source, (String,), refers, table.clone())?;
        let parents = parents.into_iter().map(|(parent,)| parent).filter(|parent| *parent != table).collect();
        waits.insert(table, parents);
    }
    let mut order = Vec::new();
    while !waits.is_empty() {
        let next = waits.iter().find(|(_, parents)| parents.iter().all(|parent| !waits.contains_key(parent)));
        let next =
            next.map(|(table, _)| table.clone()).ok_or(Error::Corrupt("tables that refer to each other"))?;
        waits.remove(&next);
        order.push(next);
    }
    Ok(order)
}

async fn columns(target: &mut Tx, table: &str) -> Result<Vec<Column>, Error> {
    let columns = all!(
        target,
        Column,
        "SELECT CAST(column_name AS TEXT) AS name, CAST(udt_name AS TEXT) AS kind FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position",
        table.to_owned()
    )?;
    if columns.is_empty() {
        return Err(Error::Refused(format!("the PostgreSQL database has no table {table}")));
    }
    Ok(columns)
}

async fn refuse_full(target: &mut PgConnection, table: &str) -> Result<(), Error> {
    let sql = AssertSqlSafe(format!("SELECT EXISTS (SELECT 1 FROM {table})"));
    if sqlx::query_scalar::<_, bool>(sql).persistent(false).fetch_one(target).await? {
        return Err(Error::Refused(format!("{table} is not empty; copy into an empty database")));
    }
    Ok(())
}

/// Number of rows, and the sum of their hashes, which does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TableChecksum {
    rows: u64,
    hashes: [u64; 4],
}

impl TableChecksum {
    fn add(&mut self, row: &[Option<String>]) {
        let mut hash = Sha256::new();
        for value in row {
            match value {
                None => hash.update([0]),
                Some(text) => {
                    hash.update([1]);
                    hash.update((text.len() as u64).to_le_bytes());
                    hash.update(text);
                }
            }
        }
        let digest = hash.finalize();
        for (sum, part) in self.hashes.iter_mut().zip(digest.chunks_exact(8)) {
            let part = part.try_into().map_or(0, u64::from_le_bytes);
            *sum = sum.wrapping_add(part);
        }
        self.rows += 1;
    }
}

/// Sends all rows of a table. Returns the sum of the sent rows.
async fn send(
    source: &mut SqliteConnection,
    target: &mut PgConnection,
    table: &str,
    columns: &[Column],
) -> Result<TableChecksum, Error> {
    let as_text = |column: &Column| match column.kind.as_str() {
        "uuid" | "bytea" => format!("lower(hex(\"{0}\")) AS \"{0}\", \"{0}\" IS NULL", column.name),
        _ => format!("CAST(\"{0}\" AS TEXT), \"{0}\" IS NULL", column.name),
    };
    let list: Vec<_> = columns.iter().map(as_text).collect();
    let select = format!(
        "SELECT rowid, {} FROM {table} WHERE rowid > $1 ORDER BY rowid LIMIT {BATCH}",
        list.join(", ")
    );
    let (mut sum, mut after) = (TableChecksum::default(), i64::MIN);
    loop {
        let rows = sqlx::query(AssertSqlSafe(select.clone())).bind(after).fetch_all(&mut *source).await?;
        let Some(last) = rows.last() else { return Ok(sum) };
        after = last.try_get(0)?;
        let mut values: Vec<Vec<Option<String>>> = vec![Vec::new(); columns.len()];
        for row in &rows {
            let mut plain = Vec::new();
            for (n, column) in columns.iter().enumerate() {
                let is_null: bool = row.try_get(2 + 2 * n)?;
                let text: Option<String> = if is_null { None } else { row.try_get(1 + 2 * n)? };
                plain.push(text.as_deref().map(|text| normal(&column.kind, text)).transpose()?);
                values[n].push(text);
            }
            sum.add(&plain);
        }
        insert(target, table, columns, values).await?;
    }
}

async fn insert(
    target: &mut PgConnection,
    table: &str,
    columns: &[Column],
    values: Vec<Vec<Option<String>>>,
) -> Result<(), Error> {
    let names: Vec<_> = columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
    let casts: Vec<_> = columns
        .iter()
        .enumerate()
        .map(|(n, column)| match column.kind.as_str() {
            "bytea" => format!("decode(v.c{n}, 'hex')"),
            kind => format!("CAST(v.c{n} AS {kind})"),
        })
        .collect();
    let arrays: Vec<_> = (1..=columns.len()).map(|n| format!("${n}::TEXT[]")).collect();
    let aliases: Vec<_> = (0..columns.len()).map(|n| format!("c{n}")).collect();
    let sql = format!(
        "INSERT INTO {table} ({}) SELECT {} FROM unnest({}) AS v ({})",
        names.join(", "),
        casts.join(", "),
        arrays.join(", "),
        aliases.join(", ")
    );
    let mut query = sqlx::query(AssertSqlSafe(sql)).persistent(false);
    for column in values {
        query = query.bind(column);
    }
    crate::sent();
    query.execute(target).await?;
    Ok(())
}

/// Returns the sum of the rows in a table of the target.
async fn read(target: &mut PgConnection, table: &str, columns: &[Column]) -> Result<TableChecksum, Error> {
    let as_text = |column: &Column| match column.kind.as_str() {
        "uuid" => format!("replace(CAST(\"{}\" AS TEXT), '-', '')", column.name),
        "bytea" => format!("encode(\"{}\", 'hex')", column.name),
        "timestamptz" => {
            format!(
                "to_char(\"{}\" AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"+00:00\"')",
                column.name
            )
        }
        _ => format!("CAST(\"{}\" AS TEXT)", column.name),
    };
    let list: Vec<_> = columns.iter().map(as_text).collect();
    let sql = format!("SELECT {} FROM {table}", list.join(", "));
    let mut rows = sqlx::query(AssertSqlSafe(sql)).persistent(false).fetch(target);
    let mut sum = TableChecksum::default();
    while let Some(row) = rows.try_next().await? {
        let mut plain = Vec::new();
        for (n, column) in columns.iter().enumerate() {
            let text: Option<String> = row.try_get(n)?;
            plain.push(text.as_deref().map(|text| normal(&column.kind, text)).transpose()?);
        }
        sum.add(&plain);
    }
    Ok(sum)
}

/// Converts values that the two databases write differently to one form.
fn normal(kind: &str, text: &str) -> Result<String, Error> {
    let corrupt = || Error::Corrupt("a value that PostgreSQL would read otherwise");
    Ok(match kind {
        "timestamptz" => {
            let at: DateTime<Utc> = text.parse().map_err(|_| corrupt())?;
            at.timestamp_micros().to_string()
        }
        "jsonb" => {
            let value: Value = serde_json::from_str(text).map_err(|_| corrupt())?;
            value.to_string()
        }
        "bool" => match text {
            "1" | "true" | "t" => "true".to_owned(),
            "0" | "false" | "f" => "false".to_owned(),
            _ => return Err(corrupt()),
        },
        _ => text.to_owned(),
    })
}
