//! The SQLite file: its only writing connection, its readers, and their transactions.

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqliteSynchronous,
};
use sqlx::{Sqlite, Transaction};
use tokio::sync::Notify;

use super::queue::{Queue, Urgency, WriterPermit};
use super::{AtCommit, Db, Options, pool};
use crate::Error;

/// Oldest SQLite version whose WAL two simultaneous checkpoints cannot corrupt.
const SQLITE_AT_LEAST: (u32, u32, u32) = (3, 51, 3);

/// SQLite's only writing connection, and the queue for it.
#[derive(Clone, Debug)]
pub struct Writer {
    pool: SqlitePool,
    queue: Queue,
    patience: Duration,
    queued: Arc<Notify>,
}

/// Transaction on SQLite, with its permit for the writer if it may write.
pub struct SqliteTx {
    transaction: Transaction<'static, Sqlite>,
    at_commit: AtCommit,
    // Released after the transaction has ended: fields are dropped in this order.
    _permit: Option<WriterPermit>,
}

impl Deref for SqliteTx {
    type Target = SqliteConnection;
    fn deref(&self) -> &SqliteConnection {
        &self.transaction
    }
}

impl DerefMut for SqliteTx {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.transaction
    }
}

impl SqliteTx {
    pub(super) async fn commit(self) -> Result<(), Error> {
        self.transaction.commit().await?;
        self.at_commit.notify();
        Ok(())
    }

    pub(super) async fn rollback(self) -> Result<(), Error> {
        Ok(self.transaction.rollback().await?)
    }

    pub(super) const fn has_queued(&mut self) {
        self.at_commit.has_queued = true;
    }
}

impl Writer {
    /// Waits for the writer and starts a transaction that may write.
    pub(super) async fn begin(&self, urgency: Urgency) -> Result<SqliteTx, Error> {
        let permit = self.queue.acquire(urgency, self.patience).await?;
        let transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        Ok(SqliteTx { transaction, at_commit: AtCommit::of(&self.queued), _permit: Some(permit) })
    }

    /// Starts a read-only transaction.
    pub(super) async fn read(&self, readers: &SqlitePool) -> Result<SqliteTx, Error> {
        let (transaction, at_commit) = (readers.begin().await?, AtCommit::of(&self.queued));
        Ok(SqliteTx { transaction, at_commit, _permit: None })
    }

    pub(super) const fn queued(&self) -> &Arc<Notify> {
        &self.queued
    }

    /// Returns `true` if no transaction writes and none waits to write.
    pub(super) fn is_idle(&self) -> bool {
        let (size, idle) = (self.pool.size(), self.pool.num_idle());
        self.queue.is_idle() && usize::try_from(size).is_ok_and(|size| size == idle)
    }

    /// Returns the pool with the one writing connection, for statements outside a transaction.
    #[must_use]
    pub const fn pool(&self) -> &SqlitePool {
        &self.pool
    }
}

/// Opens the file at `url`. Creates it and its folder if they are missing.
pub(super) async fn open(url: &str, options: &Options) -> Result<Db, Error> {
    let base = SqliteConnectOptions::from_str(url)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(10));
    if let Some(folder) = base.get_filename().parent() {
        std::fs::create_dir_all(folder).map_err(sqlx::Error::Io)?;
    }
    own_only(base.get_filename());
    // A writer waits in the queue of this module, so its wait may exceed any transaction.
    let patience = options.acquire_timeout * 3;
    let writer = pool::<Sqlite>(options).max_connections(1).acquire_timeout(patience);
    let writer = writer.connect_with(base.clone()).await?;
    check_sqlite_version(&writer).await?;
    let writer = Writer { pool: writer, queue: Queue::default(), patience, queued: Arc::default() };
    let readers = pool::<Sqlite>(options).max_connections(options.connections);
    let readers = readers.connect_with(base.read_only(true)).await?;
    Ok(Db::Sqlite { writer, readers })
}

/// Creates a database file that only its owner can read, before SQLite creates it with wider
/// permissions. SQLite gives its other files the same permissions. The files contain names,
/// addresses and encrypted secrets.
fn own_only(file: &Path) {
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
    if file.as_os_str().is_empty() || file.to_string_lossy().contains(":memory:") {
        return;
    }
    // An existing file stays as it is. If the file cannot be created, SQLite reports a better
    // error.
    let _ = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    for suffix in ["", "-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(suffix);
        let Ok(meta) = std::fs::metadata(&name) else { continue };
        if meta.permissions().mode() & 0o077 != 0
            && let Err(error) = std::fs::set_permissions(&name, std::fs::Permissions::from_mode(0o600))
        {
            tracing::warn!(file = %name.display(), %error, "failed to restrict a database file; other users of this machine can read it");
        }
    }
}

async fn check_sqlite_version(pool: &SqlitePool) -> Result<(), Error> {
    let text: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(pool).await?;
    let mut parts = text.split('.').map(|p| p.parse::<u32>().unwrap_or_default());
    let mut next = || parts.next().unwrap_or_default();
    let version = (next(), next(), next());
    if version < SQLITE_AT_LEAST {
        return Err(Error::Refused(format!(
            "SQLite {text} can corrupt its WAL; 3.51.3 is the oldest accepted"
        )));
    }
    Ok(())
}
