//! Two pools behind one face, and the transactions they give.

mod queue;

use std::ops::{Deref, DerefMut};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::pool::PoolOptions;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqliteSynchronous,
};
use sqlx::{Connection as _, Database, Postgres, Sqlite, Transaction};
use tokio::sync::Notify;

use crate::Error;
pub use queue::longest_turns;
use queue::{Queue, Turn, Urgency};

/// The first SQLite whose WAL cannot be corrupted by two connections checkpointing at once.
const SQLITE_AT_LEAST: (u32, u32, u32) = (3, 51, 3);

/// How the pools are built.
#[derive(Clone, Debug)]
pub struct Options {
    /// Connections to PostgreSQL, and readers of SQLite (which always has one writer).
    pub connections: u32,
    /// How long to wait for a connection.
    pub acquire_timeout: Duration,
    /// Roll back whatever a returned connection still has open. Off only in the test that shows what it prevents.
    pub rollback_on_release: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { connections: 8, acquire_timeout: Duration::from_secs(10), rollback_on_release: true }
    }
}

/// The database, by URL: `sqlite:path` or `postgres://…`.
#[derive(Clone, Debug)]
pub enum Db {
    /// One file, one process.
    Sqlite {
        /// The only connection that writes.
        writer: Writer,
        /// Connections that cannot write.
        readers: SqlitePool,
    },
    /// A server, any number of processes.
    Postgres {
        /// Connections to it.
        pool: PgPool,
        /// See [`Db::queued`].
        queued: Arc<Notify>,
    },
}

/// SQLite's only connection that writes, and the line before it.
#[derive(Clone, Debug)]
pub struct Writer {
    pool: SqlitePool,
    queue: Queue,
    read_back_policy: Duration,
    queued: Arc<Notify>,
}

/// How many connections each part of a server opens at most: what one part does keeps no other waiting for a connection.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// The engine.
    pub engine: u32,
    /// Requests, and streams of open pages.
    pub requests: u32,
    /// Mail, card payments, housekeeping.
    pub background: u32,
}

/// One database, with connections apart for each part of a server.
#[derive(Clone, Debug)]
pub struct Pools {
    /// The engine's.
    pub engine: Db,
    /// The requests'.
    pub requests: Db,
    /// The other loops'.
    pub background: Db,
}

impl Pools {
    /// Opens the database at `url`. On SQLite all share its one writer, and have readers of their own.
    pub async fn open(url: &str, shares: &Shares) -> Result<Self, Error> {
        let with = |connections| Options { connections, ..Options::default() };
        let engine = Db::open_with(url, &with(shares.engine)).await?;
        let beside = async |connections| {
            let mut db = Db::open_with(url, &with(connections)).await?;
            if let (Db::Sqlite { writer: own, .. }, Db::Sqlite { writer, .. }) = (&mut db, &engine) {
                own.pool.close().await;
                *own = writer.clone();
            }
            if let (Db::Postgres { queued: own, .. }, Db::Postgres { queued, .. }) = (&mut db, &engine) {
                *own = queued.clone();
            }
            Ok::<_, Error>(db)
        };
        let (requests, background) = (beside(shares.requests).await?, beside(shares.background).await?);
        Ok(Self { engine, requests, background })
    }
}

/// A transaction; dropped without [`Tx::commit`] it rolls back.
pub enum Tx {
    /// On SQLite.
    Sqlite(SqliteTx),
    /// On PostgreSQL.
    Postgres(PostgresTx),
}

/// What is said once a transaction has made it last.
struct AtCommit {
    queued: Arc<Notify>,
    has_queued: bool,
}

impl AtCommit {
    fn of(queued: &Arc<Notify>) -> Self {
        Self { queued: queued.clone(), has_queued: false }
    }

    fn say(self) {
        if self.has_queued {
            self.queued.notify_one();
        }
    }
}

/// A transaction on PostgreSQL.
pub struct PostgresTx {
    transaction: Transaction<'static, Postgres>,
    at_commit: AtCommit,
}

impl Deref for PostgresTx {
    type Target = PgConnection;
    fn deref(&self) -> &PgConnection {
        &self.transaction
    }
}

impl DerefMut for PostgresTx {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.transaction
    }
}

/// A transaction on SQLite, and its place at the writer if it may write.
pub struct SqliteTx {
    transaction: Transaction<'static, Sqlite>,
    at_commit: AtCommit,
    // Given on when the transaction is over: fields are dropped in this order.
    _turn: Option<Turn>,
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

impl Writer {
    async fn begin(&self, urgency: Urgency) -> Result<SqliteTx, Error> {
        let turn = self.queue.turn(urgency, self.read_back_policy).await?;
        let transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        Ok(SqliteTx { transaction, at_commit: AtCommit::of(&self.queued), _turn: Some(turn) })
    }

    /// The pool with the one connection, for what is no transaction.
    #[must_use]
    pub const fn pool(&self) -> &SqlitePool {
        &self.pool
    }
}

impl Db {
    /// Opens the database at `url`, making the SQLite file and its folder when missing.
    pub async fn open(url: &str) -> Result<Self, Error> {
        Self::open_with(url, &Options::default()).await
    }

    /// Opens the database at `url` with chosen pool settings.
    pub async fn open_with(url: &str, options: &Options) -> Result<Self, Error> {
        if url.starts_with("sqlite:") { sqlite(url, options).await } else { postgres(url, options).await }
    }

    /// Starts a transaction that may write. On SQLite it is exclusive from its first statement.
    pub async fn begin(&self) -> Result<Tx, Error> {
        self.begin_as(Urgency::Ordinary).await
    }

    /// The same for what may not wait behind others' transactions: the lease, a booking about to be sent, what came of
    /// one. It is short: on SQLite everybody else waits for it.
    pub async fn begin_first(&self) -> Result<Tx, Error> {
        self.begin_as(Urgency::First).await
    }

    async fn begin_as(&self, urgency: Urgency) -> Result<Tx, Error> {
        crate::sent();
        Ok(match self {
            Self::Sqlite { writer, .. } => Tx::Sqlite(writer.begin(urgency).await?),
            Self::Postgres { pool, queued } => {
                Tx::Postgres(PostgresTx { transaction: pool.begin().await?, at_commit: AtCommit::of(queued) })
            }
        })
    }

    /// Starts a transaction that only reads: one consistent state of everything it looks at.
    pub async fn read(&self) -> Result<Tx, Error> {
        crate::sent();
        Ok(match self {
            Self::Sqlite { writer, readers } => {
                let (transaction, at_commit) = (readers.begin().await?, AtCommit::of(&writer.queued));
                Tx::Sqlite(SqliteTx { transaction, at_commit, _turn: None })
            }
            Self::Postgres { pool, queued } => {
                let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                let transaction = pool.begin_with(begin).await?;
                Tx::Postgres(PostgresTx { transaction, at_commit: AtCommit::of(queued) })
            }
        })
    }

    /// Told when something is committed that was queued in the outbox through this database's connections in this process.
    #[must_use]
    pub const fn queued(&self) -> &Arc<Notify> {
        match self {
            Self::Sqlite { writer, .. } => &writer.queued,
            Self::Postgres { queued, .. } => queued,
        }
    }

    /// Whether this is PostgreSQL, where several processes may work on one database.
    #[must_use]
    pub const fn is_postgres(&self) -> bool {
        matches!(self, Self::Postgres { .. })
    }

    /// Whether no connection is lent out: nobody waits for the database. Drivers of virtual time ask this.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let idle = |size: u32, idle: usize| usize::try_from(size).is_ok_and(|size| size == idle);
        match self {
            Self::Sqlite { writer, readers } => {
                let pool = &writer.pool;
                writer.queue.is_idle()
                    && idle(pool.size(), pool.num_idle())
                    && idle(readers.size(), readers.num_idle())
            }
            Self::Postgres { pool, .. } => idle(pool.size(), pool.num_idle()),
        }
    }

    /// Closes all connections; on SQLite this also folds the WAL into the file.
    pub async fn close(&self) {
        Self::close_all(&[self]).await;
    }

    /// The same for several that are one database: on SQLite the writer is closed last, for readers cannot fold the WAL.
    pub async fn close_all(several: &[&Self]) {
        for db in several {
            match db {
                Self::Sqlite { readers, .. } => readers.close().await,
                Self::Postgres { pool, .. } => pool.close().await,
            }
        }
        for db in several {
            if let Self::Sqlite { writer, .. } = db {
                writer.pool.close().await;
            }
        }
    }
}

impl Tx {
    /// Makes everything done in this transaction last.
    pub async fn commit(self) -> Result<(), Error> {
        crate::sent();
        match self {
            Self::Sqlite(t) => {
                t.transaction.commit().await?;
                t.at_commit.say();
            }
            Self::Postgres(t) => {
                t.transaction.commit().await?;
                t.at_commit.say();
            }
        }
        Ok(())
    }

    /// The outbox has something new: its delivery is told when this is committed.
    pub(crate) const fn has_queued(&mut self) {
        match self {
            Self::Sqlite(t) => t.at_commit.has_queued = true,
            Self::Postgres(t) => t.at_commit.has_queued = true,
        }
    }

    /// Undoes everything done in this transaction.
    pub async fn rollback(self) -> Result<(), Error> {
        match self {
            Self::Sqlite(t) => t.transaction.rollback().await?,
            Self::Postgres(t) => t.transaction.rollback().await?,
        }
        Ok(())
    }

    /// The text for the database at hand, where one text cannot serve both.
    #[must_use]
    pub const fn pick(&self, sqlite: &'static str, postgres: &'static str) -> &'static str {
        match self {
            Self::Sqlite(_) => sqlite,
            Self::Postgres(_) => postgres,
        }
    }
}

async fn sqlite(url: &str, options: &Options) -> Result<Db, Error> {
    let base = SqliteConnectOptions::from_str(url)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(10));
    if let Some(folder) = base.get_filename().parent() {
        std::fs::create_dir_all(folder).map_err(sqlx::Error::Io)?;
    }
    // A writer waits its turn here, so its patience is longer than any transaction.
    let read_back_policy = options.acquire_timeout * 3;
    let writer = pool::<Sqlite>(options).max_connections(1).acquire_timeout(read_back_policy);
    let writer = writer.connect_with(base.clone()).await?;
    check_sqlite_version(&writer).await?;
    let writer = Writer { pool: writer, queue: Queue::default(), read_back_policy, queued: Arc::default() };
    let readers = pool::<Sqlite>(options).max_connections(options.connections);
    let readers = readers.connect_with(base.read_only(true)).await?;
    Ok(Db::Sqlite { writer, readers })
}

fn pool<DB: Database>(options: &Options) -> PoolOptions<DB> {
    PoolOptions::<DB>::new()
        .acquire_timeout(options.acquire_timeout)
        .test_before_acquire(false)
        // On a full disk or a failed write SQLite undoes a transaction by itself; sqlx 0.9 still counts it, and nothing
        // could be begun on that connection any more. It is replaced instead.
        .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
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

async fn postgres(url: &str, options: &Options) -> Result<Db, Error> {
    let connect = PgConnectOptions::from_str(url)?.application_name("sooner").options([
        ("statement_timeout", "15s"),
        ("lock_timeout", "10s"),
        ("idle_in_transaction_session_timeout", "30s"),
    ]);
    let mut pool =
        PgPoolOptions::new().max_connections(options.connections).acquire_timeout(options.acquire_timeout);
    if options.rollback_on_release {
        // sqlx 0.9 returns a connection inside an open transaction when a future is dropped during BEGIN; the next
        // borrower's writes would be acknowledged and then lost.
        pool = pool.after_release(|connection, _| Box::pin(leave_transaction(connection)));
    }
    Ok(Db::Postgres { pool: pool.connect_with(connect).await?, queued: Arc::default() })
}

/// Ends whatever transaction a connection is in. A ROLLBACK of its own would make the server log a warning where there is
/// none, that is after every transaction: it is given one to end. In a transaction that failed BEGIN is refused.
async fn leave_transaction(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    if sqlx::raw_sql("BEGIN; ROLLBACK").execute(&mut *connection).await.is_err() {
        sqlx::raw_sql("ROLLBACK").execute(connection).await?;
    }
    Ok(true)
}
