//! Connection pools for SQLite and PostgreSQL behind one type, and their transactions.

mod commits;
pub mod facility;
mod pooler;
mod postgres;
mod queue;
mod sqlite;

use std::sync::Arc;
use std::time::Duration;

use sqlx::pool::PoolOptions;
use sqlx::postgres::PgPool;
use sqlx::sqlite::SqlitePool;
use sqlx::{Connection as _, Database};
use tokio::sync::Notify;

use crate::Error;
pub use postgres::{PostgresTx, SENDING_CONNECTIONS, Server};
use queue::Urgency;
pub use queue::longest_turns;
pub use sqlite::{SqliteTx, Writer};

/// Settings of the connection pools.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of connections to PostgreSQL, or of readers of SQLite (which always has one writer).
    pub connections: u32,
    /// Maximum wait for a connection.
    pub acquire_timeout: Duration,
    /// Maximum wait for PostgreSQL's response to one statement. It exceeds the server's own
    /// statement limit, whose error is more precise. It covers a server that disappears without
    /// closing the connection.
    pub deadline: Duration,
    /// `true` to roll back a transaction that a released connection still has open. `false` only in
    /// the test that shows what this prevents.
    pub rollback_on_release: bool,
    /// `true` to commit to a booking only if PostgreSQL waits for a synchronous standby.
    pub requires_standby: bool,
    /// `true` to open the connections for booking commits in advance, because a slot is free for
    /// seconds only.
    pub ready_to_send: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connections: 8,
            acquire_timeout: Duration::from_secs(10),
            deadline: Duration::from_secs(20),
            rollback_on_release: true,
            requires_standby: false,
            ready_to_send: false,
        }
    }
}

/// Database, opened by URL: `sqlite:path` or `postgres://…`.
#[derive(Clone, Debug)]
pub enum Db {
    /// One file, used by one process.
    Sqlite {
        /// Only connection that writes.
        writer: Writer,
        /// Connections that cannot write.
        readers: SqlitePool,
    },
    /// A PostgreSQL server, used by any number of processes.
    Postgres {
        /// Connections to the server.
        pool: PgPool,
        /// State shared by all pools of this process.
        server: Arc<Server>,
    },
}

/// Connection limits for each part of a server. Separate limits keep one part from making another
/// wait.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// Limit of the engine.
    pub engine: u32,
    /// Limit of HTTP requests and event streams.
    pub requests: u32,
    /// Limit of the loops for mail, card payments and cleanup.
    pub background: u32,
    /// See [`Options::requires_standby`].
    pub requires_standby: bool,
}

/// One database, with separate connections for each part of a server.
#[derive(Clone, Debug)]
pub struct Pools {
    /// Connections of the engine.
    pub engine: Db,
    /// Connections of HTTP requests.
    pub requests: Db,
    /// Connections of the background loops.
    pub background: Db,
}

impl Pools {
    /// Opens the database at `url`. On SQLite all parts share the only writer and have separate
    /// readers.
    pub async fn open(url: &str, shares: &Shares) -> Result<Self, Error> {
        let requires_standby = shares.requires_standby;
        let with = |connections| Options { connections, requires_standby, ..Options::default() };
        let engine = Options { ready_to_send: true, ..with(shares.engine) };
        let engine = Db::open_with(url, &engine).await?;
        let beside = async |connections| {
            let mut db = Db::open_with(url, &with(connections)).await?;
            if let (Db::Sqlite { writer: own, .. }, Db::Sqlite { writer, .. }) = (&mut db, &engine) {
                own.pool().close().await;
                *own = writer.clone();
            }
            if let (Db::Postgres { server: own, .. }, Db::Postgres { server, .. }) = (&mut db, &engine) {
                *own = server.clone();
            }
            Ok::<_, Error>(db)
        };
        let (requests, background) = (beside(shares.requests).await?, beside(shares.background).await?);
        Ok(Self { engine, requests, background })
    }
}

/// Transaction. It rolls back if it is dropped without [`Tx::commit`].
pub enum Tx {
    /// Transaction on SQLite.
    Sqlite(SqliteTx),
    /// Transaction on PostgreSQL.
    Postgres(PostgresTx),
}

/// Notification that is sent after a transaction is committed.
struct AtCommit {
    queued: Arc<Notify>,
    has_queued: bool,
}

impl AtCommit {
    fn of(queued: &Arc<Notify>) -> Self {
        Self { queued: queued.clone(), has_queued: false }
    }

    fn notify(&self) {
        if self.has_queued {
            self.queued.notify_one();
        }
    }
}

impl Db {
    /// Opens the database at `url`. Creates the SQLite file and its folder if they are missing.
    pub async fn open(url: &str) -> Result<Self, Error> {
        Self::open_with(url, &Options::default()).await
    }

    /// Opens the database at `url` with the given pool settings.
    pub async fn open_with(url: &str, options: &Options) -> Result<Self, Error> {
        if url.starts_with("sqlite:") {
            sqlite::open(url, options).await
        } else {
            postgres::open(url, options).await
        }
    }

    /// Starts a transaction that may write. On SQLite it is exclusive from its first statement.
    pub async fn begin(&self) -> Result<Tx, Error> {
        self.begin_as(Urgency::Ordinary).await
    }

    /// Starts a transaction that goes ahead of queued ordinary ones: the lease, a booking about to
    /// be sent, the outcome of a booking. It must be short: on SQLite every other writer waits for
    /// it.
    pub async fn begin_first(&self) -> Result<Tx, Error> {
        self.begin_as(Urgency::First).await
    }

    /// Starts a transaction that commits to a booking. An acknowledged commit survives the loss of
    /// the machine, because a synchronous standby has it. Otherwise the commit ends with
    /// [`Error::Unsure`]. On PostgreSQL it uses separate connections.
    ///
    /// # Errors
    /// Also returns an error if no booking may begin: too many such commits wait, or a standby is
    /// required and there is none.
    pub async fn begin_sending(&self) -> Result<Tx, Error> {
        match self {
            Self::Sqlite { .. } => self.begin_first().await,
            Self::Postgres { server, .. } => {
                crate::sent();
                Ok(Tx::Postgres(server.begin_sending().await?))
            }
        }
    }

    async fn begin_as(&self, urgency: Urgency) -> Result<Tx, Error> {
        crate::sent();
        let tx = match self {
            Self::Sqlite { writer, .. } => Tx::Sqlite(writer.begin(urgency).await?),
            Self::Postgres { pool, server } => Tx::Postgres(server.begin(pool, urgency).await?),
        };
        tx.with_all_cities().await
    }

    /// Starts a read-only transaction, which sees one consistent state of the database.
    pub async fn read(&self) -> Result<Tx, Error> {
        crate::sent();
        let tx = match self {
            Self::Sqlite { writer, readers } => Tx::Sqlite(writer.read(readers).await?),
            Self::Postgres { pool, server } => Tx::Postgres(server.read(pool).await?),
        };
        tx.with_all_cities().await
    }

    /// Returns the notifier for outbox rows. It fires after a transaction of this process that
    /// queued rows through this database's connections is committed.
    #[must_use]
    pub fn queued(&self) -> &Arc<Notify> {
        match self {
            Self::Sqlite { writer, .. } => writer.queued(),
            Self::Postgres { server, .. } => server.queued(),
        }
    }

    /// Returns `true` if this is PostgreSQL, where several processes may use one database.
    #[must_use]
    pub const fn is_postgres(&self) -> bool {
        matches!(self, Self::Postgres { .. })
    }

    /// Returns `true` if commits are known to be confirmed. If they are not, no transaction can
    /// write, so callers need not begin work.
    #[must_use]
    pub fn confirms(&self) -> bool {
        match self {
            Self::Sqlite { .. } => true,
            Self::Postgres { server, .. } => server.confirms(),
        }
    }

    /// Returns `true` if no connection is in use, so no caller waits for the database. Used by
    /// drivers of virtual time.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let idle = |size: u32, idle: usize| usize::try_from(size).is_ok_and(|size| size == idle);
        match self {
            Self::Sqlite { writer, readers } => writer.is_idle() && idle(readers.size(), readers.num_idle()),
            Self::Postgres { pool, server } => idle(pool.size(), pool.num_idle()) && server.is_idle(),
        }
    }

    /// Closes all connections. On SQLite this also folds the WAL into the file.
    pub async fn close(&self) {
        Self::close_all(&[self]).await;
    }

    /// Closes several handles of one database. On SQLite the writer is closed last, because readers
    /// cannot fold the WAL.
    pub async fn close_all(several: &[&Self]) {
        for db in several {
            match db {
                Self::Sqlite { readers, .. } => readers.close().await,
                Self::Postgres { pool, server } => {
                    pool.close().await;
                    server.close().await;
                }
            }
        }
        for db in several {
            if let Self::Sqlite { writer, .. } = db {
                writer.pool().close().await;
            }
        }
    }
}

impl Tx {
    /// Loads the stored numbers of cities if this process has met an unknown one. Another process
    /// may have stored it.
    async fn with_all_cities(mut self) -> Result<Self, Error> {
        if domain::facility::take_missed() {
            facility::load(&mut self).await?;
        }
        Ok(self)
    }

    /// Commits the transaction.
    pub async fn commit(self) -> Result<(), Error> {
        crate::sent();
        match self {
            Self::Sqlite(t) => t.commit().await?,
            Self::Postgres(t) => t.commit().await?,
        }
        Ok(())
    }

    /// Marks the transaction as having queued outbox rows. The delivery loop is notified after the
    /// commit.
    pub(crate) const fn has_queued(&mut self) {
        match self {
            Self::Sqlite(t) => t.has_queued(),
            Self::Postgres(t) => t.has_queued(),
        }
    }

    /// Rolls the transaction back.
    pub async fn rollback(self) -> Result<(), Error> {
        match self {
            Self::Sqlite(t) => t.rollback().await?,
            Self::Postgres(t) => t.rollback().await?,
        }
        Ok(())
    }

    /// Returns the SQL text for this database, where one text cannot serve both.
    #[must_use]
    pub const fn pick(&self, sqlite: &'static str, postgres: &'static str) -> &'static str {
        match self {
            Self::Sqlite(_) => sqlite,
            Self::Postgres(_) => postgres,
        }
    }
}

fn pool<DB: Database>(options: &Options) -> PoolOptions<DB> {
    PoolOptions::<DB>::new()
        .acquire_timeout(options.acquire_timeout)
        .test_before_acquire(false)
        // On a full disk or a failed write SQLite rolls a transaction back by itself. sqlx 0.9
        // still counts it, so no transaction could begin on that connection. The pool replaces the
        // connection instead.
        .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
}
