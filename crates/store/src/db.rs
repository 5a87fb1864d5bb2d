//! Two pools behind one face, and the transactions they give.

mod commits;
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

/// How the pools are built.
#[derive(Clone, Debug)]
pub struct Options {
    /// Connections to PostgreSQL, and readers of SQLite (which always has one writer).
    pub connections: u32,
    /// How long to wait for a connection.
    pub acquire_timeout: Duration,
    /// How long PostgreSQL may take to answer one statement: longer than its own limit, which says more. A server that is gone without
    /// a word says nothing.
    pub deadline: Duration,
    /// Roll back whatever a returned connection still has open. Off only in the test that shows what it prevents.
    pub rollback_on_release: bool,
    /// A booking is committed to only where PostgreSQL waits for a synchronous standby.
    pub requires_standby: bool,
    /// The connections over which bookings are committed to are opened before there is one: a slot lives for seconds.
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
        /// What all pools of this process share.
        server: Arc<Server>,
    },
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
    /// See [`Options::requires_standby`].
    pub requires_standby: bool,
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

    fn say(&self) {
        if self.has_queued {
            self.queued.notify_one();
        }
    }
}

impl Db {
    /// Opens the database at `url`, making the SQLite file and its folder when missing.
    pub async fn open(url: &str) -> Result<Self, Error> {
        Self::open_with(url, &Options::default()).await
    }

    /// Opens the database at `url` with chosen pool settings.
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

    /// The same for what may not wait behind others' transactions: the lease, a booking about to be sent, what came of
    /// one. It is short: on SQLite everybody else waits for it.
    pub async fn begin_first(&self) -> Result<Tx, Error> {
        self.begin_as(Urgency::First).await
    }

    /// The same for committing to a booking: what is acknowledged is not lost with the machine (a synchronous standby has
    /// it), or the commit ends with [`Error::Unsure`]. On PostgreSQL over connections of its own.
    ///
    /// # Errors
    /// Also when no booking may begin: too many such commits wait, or there is no standby and one is required.
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
        Ok(match self {
            Self::Sqlite { writer, .. } => Tx::Sqlite(writer.begin(urgency).await?),
            Self::Postgres { pool, server } => Tx::Postgres(server.begin(pool, urgency).await?),
        })
    }

    /// Starts a transaction that only reads: one consistent state of everything it looks at.
    pub async fn read(&self) -> Result<Tx, Error> {
        crate::sent();
        Ok(match self {
            Self::Sqlite { writer, readers } => Tx::Sqlite(writer.read(readers).await?),
            Self::Postgres { pool, server } => Tx::Postgres(server.read(pool).await?),
        })
    }

    /// Told when something is committed that was queued in the outbox through this database's connections in this process.
    #[must_use]
    pub fn queued(&self) -> &Arc<Notify> {
        match self {
            Self::Sqlite { writer, .. } => writer.queued(),
            Self::Postgres { server, .. } => server.queued(),
        }
    }

    /// Whether this is PostgreSQL, where several processes may work on one database.
    #[must_use]
    pub const fn is_postgres(&self) -> bool {
        matches!(self, Self::Postgres { .. })
    }

    /// Whether commits end, as far as is known: where they do not nothing is written, so nothing need be begun.
    #[must_use]
    pub fn confirms(&self) -> bool {
        match self {
            Self::Sqlite { .. } => true,
            Self::Postgres { server, .. } => server.confirms(),
        }
    }

    /// Whether no connection is lent out: nobody waits for the database. Drivers of virtual time ask this.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let idle = |size: u32, idle: usize| usize::try_from(size).is_ok_and(|size| size == idle);
        match self {
            Self::Sqlite { writer, readers } => writer.is_idle() && idle(readers.size(), readers.num_idle()),
            Self::Postgres { pool, server } => idle(pool.size(), pool.num_idle()) && server.is_idle(),
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
    /// Makes everything done in this transaction last.
    pub async fn commit(self) -> Result<(), Error> {
        crate::sent();
        match self {
            Self::Sqlite(t) => t.commit().await?,
            Self::Postgres(t) => t.commit().await?,
        }
        Ok(())
    }

    /// The outbox has something new: its delivery is told when this is committed.
    pub(crate) const fn has_queued(&mut self) {
        match self {
            Self::Sqlite(t) => t.has_queued(),
            Self::Postgres(t) => t.has_queued(),
        }
    }

    /// Undoes everything done in this transaction.
    pub async fn rollback(self) -> Result<(), Error> {
        match self {
            Self::Sqlite(t) => t.rollback().await?,
            Self::Postgres(t) => t.rollback().await?,
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

fn pool<DB: Database>(options: &Options) -> PoolOptions<DB> {
    PoolOptions::<DB>::new()
        .acquire_timeout(options.acquire_timeout)
        .test_before_acquire(false)
        // On a full disk or a failed write SQLite undoes a transaction by itself; sqlx 0.9 still counts it, and nothing
        // could be begun on that connection any more. It is replaced instead.
        .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
}
