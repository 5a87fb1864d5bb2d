//! Migrations, embedded and only ever added: one text for both databases, and a small one for each.
//! A build refuses a database with migrations that it does not know, unless these allow older
//! builds to run (ADR 29).

use sha2::{Digest, Sha256};

use crate::{Db, Error, Tx, all, exec};

struct Migration {
    name: &'static str,
    both: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

/// First line of a migration that allows builds without it to run.
const OLDER_MAY_RUN: &str = "-- older-builds: may-run\n";
/// Migration that added the column for this permission.
const SAYS_SO: &str = "0042_older_builds";

impl Migration {
    fn older_may_run(&self) -> bool {
        self.both.starts_with(OLDER_MAY_RUN)
    }
}

/// Relation between this build and the schema of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Schema {
    /// The build knows every applied migration.
    Known,
    /// A newer build applied these migrations, and all of them allow older builds to run.
    Ahead(Vec<String>),
    /// A newer build applied these migrations, and not all of them allow older builds to run.
    Incompatible(Vec<String>),
}

macro_rules! migration {
    ($name:literal) => {
        Migration {
            name: $name,
            both: include_str!(concat!("../../../../migrations/", $name, ".sql")),
            sqlite: include_str!(concat!("../../../../migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!("../../../../migrations/postgres/", $name, ".sql")),
        }
    };
}

/// Migrations in the order of their application. A released one never changes: its checksum is
/// stored in the database.
const MIGRATIONS: &[Migration] = &[
    migration!("0001_accounts"),
    migration!("0002_tasks"),
    migration!("0005_operator"),
    migration!("0006_passed_on"),
    migration!("0007_many_tasks"),
    migration!("0008_learned"),
    migration!("0009_counted"),
    migration!("0012_password"),
    migration!("0013_sign_in"),
    migration!("0014_identity"),
    migration!("0015_credentials"),
    migration!("0016_seen"),
    migration!("0017_money"),
    migration!("0018_card"),
    migration!("0021_doubt"),
    migration!("0023_outward"),
    migration!("0024_secrets"),
    migration!("0025_one_engine"),
    migration!("0027_under_way"),
    migration!("0029_late"),
    migration!("0030_refunds"),
    migration!("0031_newcomers"),
    migration!("0032_questions"),
    migration!("0033_channels"),
    migration!("0034_display_name"),
    migration!("0035_wallets"),
    migration!("0036_outbox"),
    migration!("0037_question_attempt"),
    migration!("0038_alarms"),
    migration!("0042_older_builds"),
    migration!("0044_answers"),
    migration!("0045_watchdog"),
    migration!("0054_ends"),
    migration!("0055_restore"),
    migration!("0060_security"),
    migration!("0061_audit_chain"),
    migration!("0063_google_links"),
    migration!("0070_nodes"),
    migration!("0071_google_address"),
    migration!("0072_restore_progress"),
    migration!("0075_answered"),
    migration!("0080_visits"),
    migration!("0090_insert_guards"),
    migration!("0091_sign_in_links"),
    migration!("0101_facilities"),
    migration!("0102_fingerprints"),
    migration!("0103_question_repeats"),
    migration!("0104_sign_in_mails"),
    migration!("0105_passkeys"),
    migration!("0110_default_settings"),
];

#[derive(sqlx::FromRow)]
struct Row {
    name: String,
    checksum: Vec<u8>,
}

/// Applies the missing migrations in one transaction. Returns the names of the applied ones. Safe
/// to run from several processes.
///
/// # Errors
/// Returns [`Error::NewerSchema`], with nothing changed, if a newer build applied migrations that
/// exclude this build.
pub async fn migrate(db: &Db) -> Result<Vec<&'static str>, Error> {
    migrate_through(db, "9999").await
}

/// Does the same as [`migrate`], but only for migrations whose name does not sort after `last`.
/// Stories use it to create a database of an older version.
pub async fn migrate_through(db: &Db, last: &str) -> Result<Vec<&'static str>, Error> {
    let mut tx = db.begin().await?;
    if let Tx::Postgres(_) = tx {
        // Concurrent starters queue here. The lock is released with the transaction.
        exec!(&mut tx, "SELECT pg_advisory_xact_lock(5873401122)")?;
        // Building an index over many rows takes longer than a request's statement may.
        exec!(&mut tx, "SET LOCAL statement_timeout = 0")?;
    }
    exec!(&mut tx, "CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, checksum BYTEA NOT NULL)")?;
    if let Schema::Incompatible(unknown) = schema(&mut tx).await? {
        return Err(Error::NewerSchema(unknown.join(", ")));
    }
    let done = all!(&mut tx, Row, "SELECT name, checksum FROM migration")?;
    let mut applied = Vec::new();
    for migration in MIGRATIONS.iter().filter(|m| m.name <= last) {
        let checksum = checksum(migration);
        match done.iter().find(|row| row.name == migration.name) {
            Some(row) if row.checksum == checksum => {}
            Some(_) => {
                return Err(Error::Refused(format!("migration {} was changed after it ran", migration.name)));
            }
            None => {
                apply(&mut tx, migration).await?;
                exec!(
                    &mut tx,
                    "INSERT INTO migration (name, checksum) VALUES ($1, $2)",
                    migration.name,
                    checksum
                )?;
                applied.push(migration.name);
            }
        }
    }
    let says_so = applied.contains(&SAYS_SO) || done.iter().any(|row| row.name == SAYS_SO);
    if says_so && !applied.is_empty() {
        for migration in MIGRATIONS.iter().filter(|m| m.older_may_run()) {
            let sql = "UPDATE migration SET older_may_run = TRUE WHERE name = $1";
            exec!(&mut tx, sql, migration.name)?;
        }
    }
    tx.commit().await?;
    Ok(applied)
}

/// Compares the applied migrations with those of this build. The database must have been migrated
/// at least once.
///
/// # Errors
/// Returns a database error.
pub async fn schema(tx: &mut Tx) -> Result<Schema, Error> {
    let applied = all!(tx, (String,), "SELECT name FROM migration ORDER BY name")?;
    let is_known = |name: &str| MIGRATIONS.iter().any(|m| m.name == name);
    let says_so = applied.iter().any(|(name,)| name == SAYS_SO);
    let unknown: Vec<_> = applied.into_iter().map(|(name,)| name).filter(|name| !is_known(name)).collect();
    if unknown.is_empty() {
        return Ok(Schema::Known);
    }
    if !says_so {
        return Ok(Schema::Incompatible(unknown));
    }
    let alike = all!(tx, (String,), "SELECT name FROM migration WHERE older_may_run")?;
    let may_run = unknown.iter().all(|name| alike.iter().any(|(alike,)| alike == name));
    Ok(if may_run { Schema::Ahead(unknown) } else { Schema::Incompatible(unknown) })
}

/// Returns the migrations of this binary that were not applied to `db` yet.
pub async fn pending(db: &Db) -> Result<Vec<&'static str>, Error> {
    let mut tx = db.read().await?;
    let table = crate::scalar!(
        &mut tx,
        i64,
        tx.pick(
            "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'migration'",
            "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migration'",
        )
    )?;
    let done =
        if table == 0 { Vec::new() } else { all!(&mut tx, Row, "SELECT name, checksum FROM migration")? };
    let missing = MIGRATIONS.iter().filter(|m| !done.iter().any(|row| row.name == m.name));
    Ok(missing.map(|m| m.name).collect())
}

fn checksum(migration: &Migration) -> Vec<u8> {
    let mut hash = Sha256::new();
    for text in [migration.both, migration.sqlite, migration.postgres] {
        hash.update(text);
        hash.update([0]);
    }
    hash.finalize().to_vec()
}

async fn apply(tx: &mut Tx, migration: &Migration) -> Result<(), Error> {
    match tx {
        Tx::Sqlite(t) => {
            sqlx::raw_sql(migration.both).execute(&mut **t).await?;
            sqlx::raw_sql(migration.sqlite).execute(&mut **t).await?;
        }
        Tx::Postgres(t) => {
            sqlx::raw_sql(migration.both).execute(&mut **t).await?;
            sqlx::raw_sql(migration.postgres).execute(&mut **t).await?;
        }
    }
    Ok(())
}
