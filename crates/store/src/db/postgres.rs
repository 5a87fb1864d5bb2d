//! Connections to PostgreSQL and their transactions: time limits, replacement of broken
//! connections, and the separate connections for booking commits.

use std::ops::{Deref, DerefMut};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::pool::{PoolConnection, PoolConnectionMetadata};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, Database, Postgres, SqlSafeStr as _, SqlStr};
use sqlx_core::transaction::TransactionManager;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::commits::{Commits, warned_of_its_wait};
use super::queue::Urgency;
use super::{AtCommit, Db, Options, pooler};
use crate::error::is_connection_over;
use crate::{Error, within};

type Manager = <Postgres as Database>::TransactionManager;

/// Number of connections for booking commits, so also the most booking commits that may wait for a
/// standby at one time.
pub const SENDING_CONNECTIONS: u32 = 2;

/// Time limits of a commit, by urgency, and of a booking about to be sent.
const COMMITS_WITHIN: Duration = Duration::from_secs(10);
const COMMITS_FIRST_WITHIN: Duration = Duration::from_secs(5);
const SENDING_WITHIN: Duration = Duration::from_secs(3);
/// Time limit for leaving a transaction on release, and for the check that the server is the
/// primary.
const TIDY_WITHIN: Duration = Duration::from_secs(3);
/// Idle time after which a connection is checked for leading to the primary.
const IDLES: Duration = Duration::from_secs(5);

/// Limits of the server. Each is set per transaction if the role (`ALTER ROLE … SET`) does not set
/// it.
const LIMITS: [(&str, &str); 3] =
    [("statement_timeout", "15s"), ("lock_timeout", "10s"), ("idle_in_transaction_session_timeout", "30s")];

fn no_answer(within: Duration) -> sqlx::Error {
    let what = format!("no answer within {} s", within.as_secs());
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, what))
}

/// Returns `true` if the server did not respond in time. Another connection would wait as long.
fn is_silence(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Io(io) if io.kind() == std::io::ErrorKind::TimedOut)
}

/// State shared by all pools of a process over one server.
#[derive(Debug)]
pub struct Server {
    queued: Arc<Notify>,
    sending: PgPool,
    commits: Arc<Commits>,
    requires_standby: bool,
    /// See [`Options::deadline`].
    deadline: Duration,
    keeps_statements: bool,
    begin: Begin,
}

/// Statements that begin each kind of transaction.
#[derive(Debug)]
struct Begin {
    write: SqlStr,
    read: SqlStr,
    sending: SqlStr,
}

impl Begin {
    /// Builds the statements with the limits that the role does not set.
    fn with(limits: &[(&str, &str)]) -> Self {
        let limits = |but: &str| -> String {
            let own = limits.iter().filter(|(name, _)| *name != but);
            own.map(|(name, value)| format!("; SET LOCAL {name} = '{value}'")).collect()
        };
        let statement = |text: String| AssertSqlSafe(text).into_sql_str();
        let sending = format!(
            "BEGIN; SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = '{}s'{}",
            SENDING_WITHIN.as_secs(),
            limits("lock_timeout")
        );
        Self {
            write: statement(format!("BEGIN{}", limits(""))),
            read: statement(format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY{}", limits(""))),
            sending: statement(sending),
        }
    }
}

/// Opens a pool on the server at `url`.
pub(super) async fn open(url: &str, options: &Options) -> Result<Db, Error> {
    // No start-up `options`: poolers refuse or drop them.
    let connect = PgConnectOptions::from_str(url)?.application_name("sooner");
    let keeps_statements = pooler::keeps_statements(url);
    let pool = pool(options, options.connections).connect_with(connect.clone()).await?;
    let limits = limits_left(&pool, options.acquire_timeout).await?;
    let sending = Options { acquire_timeout: SENDING_WITHIN, ..options.clone() };
    let ready = if options.ready_to_send { SENDING_CONNECTIONS } else { 0 };
    // The pool reopens as many after long idle times.
    let sending = self::pool(&sending, SENDING_CONNECTIONS).min_connections(ready);
    let sending = sending.connect_lazy_with(connect.clone());
    if options.ready_to_send {
        // Both are acquired at once, otherwise the second would be the first connection again.
        let (mut one, mut other) = tokio::try_join!(sending.acquire(), sending.acquire())?;
        if keeps_statements {
            within(options.acquire_timeout, pooler::refuse(&mut one, &mut other)).await?;
        }
    }
    let server = Server {
        queued: Arc::default(),
        sending,
        commits: Arc::new(Commits::new(connect)),
        requires_standby: options.requires_standby,
        deadline: options.deadline,
        keeps_statements,
        begin: Begin::with(&limits),
    };
    Ok(Db::Postgres { pool, server: Arc::new(server) })
}

fn pool(options: &Options, connections: u32) -> PgPoolOptions {
    let pool = super::pool::<Postgres>(options).max_connections(connections);
    let pool = pool.before_acquire(|connection, known| Box::pin(is_usable(connection, known)));
    if !options.rollback_on_release {
        return pool;
    }
    // sqlx 0.9 returns a connection inside an open transaction when a future is dropped during
    // BEGIN. The writes of the next caller on that connection would be acknowledged and then lost.
    pool.after_release(|connection, _| Box::pin(leave_transaction(connection)))
}

/// Returns the limits that neither the role nor the server sets.
async fn limits_left(pool: &PgPool, longest: Duration) -> Result<Vec<(&'static str, &'static str)>, Error> {
    let mut left = Vec::new();
    for (name, value) in LIMITS {
        let show = sqlx::raw_sql(AssertSqlSafe(format!("SHOW {name}")));
        let shown: String = sqlx::Row::try_get(&within(longest, show.fetch_one(pool)).await?, 0)?;
        if shown == "0" {
            left.push((name, value));
        }
    }
    Ok(left)
}

/// Returns `true` if the pool may hand out a connection. After a failover an idle connection may
/// lead to a read-only server.
async fn is_usable(
    connection: &mut PgConnection,
    known: PoolConnectionMetadata,
) -> Result<bool, sqlx::Error> {
    if connection.is_in_transaction() || known.idle_for < IDLES {
        return Ok(!connection.is_in_transaction());
    }
    let asked = sqlx::raw_sql("SELECT pg_is_in_recovery()").fetch_one(connection);
    let answer = timeout(TIDY_WITHIN, asked).await.map_err(|_| no_answer(TIDY_WITHIN))??;
    Ok(!sqlx::Row::try_get::<bool, _>(&answer, 0)?)
}

/// Ends the open transaction of a connection, if any. A bare ROLLBACK outside a transaction makes
/// the server log a warning after every transaction, so a BEGIN comes first. In a failed
/// transaction BEGIN is refused, and a ROLLBACK follows.
async fn leave_transaction(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let left = async {
        if sqlx::raw_sql("BEGIN; ROLLBACK").execute(&mut *connection).await.is_err() {
            sqlx::raw_sql("ROLLBACK").execute(connection).await?;
        }
        Ok(true)
    };
    timeout(TIDY_WITHIN, left).await.map_err(|_| no_answer(TIDY_WITHIN))?
}

impl Server {
    /// Starts a transaction that may write.
    pub(super) async fn begin(&self, pool: &PgPool, urgency: Urgency) -> Result<PostgresTx, Error> {
        self.commits.allow()?;
        let commits_within = match urgency {
            Urgency::First => COMMITS_FIRST_WITHIN,
            // A caller that allows statements more time also writes more.
            Urgency::Ordinary => COMMITS_WITHIN.max(self.deadline / 2),
        };
        self.start(pool, &self.begin.write, commits_within).await
    }

    /// Starts a read-only transaction.
    pub(super) async fn read(&self, pool: &PgPool) -> Result<PostgresTx, Error> {
        self.start(pool, &self.begin.read, COMMITS_WITHIN).await
    }

    /// Starts a transaction that commits to a booking.
    pub(super) async fn begin_sending(&self) -> Result<PostgresTx, Error> {
        self.commits.allow()?;
        let mut tx = self.start(&self.sending, &self.begin.sending, SENDING_WITHIN).await?;
        if self.requires_standby {
            let sql = "SELECT current_setting('synchronous_standby_names') <> ''";
            let asked = sqlx::query_scalar::<_, bool>(sql).persistent(self.keeps_statements);
            let waits = within(self.deadline, asked.fetch_one(&mut *tx)).await;
            if !tx.checked(waits)? {
                let why = "a synchronous standby is required, and synchronous_standby_names is empty";
                return Err(Error::Unavailable(sqlx::Error::Protocol(why.to_owned())));
            }
        }
        Ok(tx)
    }

    /// Begins a transaction. Retries over another connection if this one was closed, as all are
    /// when a server restarts: nothing was sent over it yet. The pool size limits the retries.
    async fn start(
        &self,
        pool: &PgPool,
        begin: &SqlStr,
        commits_within: Duration,
    ) -> Result<PostgresTx, Error> {
        let mut closed = pool.size();
        loop {
            let mut tx = self.unbegun(pool.acquire().await?, commits_within);
            let begun = within(self.deadline, Manager::begin(&mut tx, Some(begin.clone()))).await;
            match tx.checked(begun) {
                Err(error) if closed > 0 && tx.is_over && !is_silence(&error) => closed -= 1,
                begun => {
                    begun?;
                    tx.is_open = true;
                    return Ok(tx);
                }
            }
        }
    }

    /// Builds a transaction that has not begun.
    fn unbegun(&self, connection: PoolConnection<Postgres>, commits_within: Duration) -> PostgresTx {
        PostgresTx {
            connection: Some(connection),
            is_open: false,
            is_over: false,
            deadline: self.deadline,
            keeps_statements: self.keeps_statements,
            commits_within,
            commits: self.commits.clone(),
            at_commit: AtCommit::of(&self.queued),
        }
    }

    pub(super) const fn queued(&self) -> &Arc<Notify> {
        &self.queued
    }

    /// Returns `true` if commits are known to be confirmed.
    pub(super) fn confirms(&self) -> bool {
        self.commits.allow().is_ok()
    }

    /// Returns `true` if no booking commit holds a connection.
    pub(super) fn is_idle(&self) -> bool {
        usize::try_from(self.sending.size()).is_ok_and(|size| size == self.sending.num_idle())
    }

    pub(super) async fn close(&self) {
        self.sending.close().await;
    }
}

/// Transaction on PostgreSQL.
pub struct PostgresTx {
    // `None` after the connection was closed or returned to the pool.
    connection: Option<PoolConnection<Postgres>>,
    is_open: bool,
    /// `true` if the connection cannot be used again.
    is_over: bool,
    /// See [`Options::deadline`].
    deadline: Duration,
    /// See [`Self::keeps_statements`].
    keeps_statements: bool,
    commits_within: Duration,
    commits: Arc<Commits>,
    at_commit: AtCommit,
}

impl Deref for PostgresTx {
    type Target = PgConnection;
    #[allow(
        clippy::expect_used,
        reason = "it is there until the transaction ends, which takes the transaction"
    )]
    fn deref(&self) -> &PgConnection {
        self.connection.as_ref().expect("a transaction has its connection")
    }
}

impl DerefMut for PostgresTx {
    #[allow(clippy::expect_used, reason = "as above")]
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect("a transaction has its connection")
    }
}

impl PostgresTx {
    /// Returns the time limit of one statement, independent of the server's own limits.
    #[doc(hidden)]
    #[must_use]
    pub const fn deadline(&self) -> Duration {
        self.deadline
    }

    /// Returns `true` if later transactions on this connection may reuse the statements prepared
    /// here. They may not behind a pooler.
    #[doc(hidden)]
    #[must_use]
    pub const fn keeps_statements(&self) -> bool {
        self.keeps_statements
    }

    /// Returns the result unchanged. Marks the connection as unusable if the error broke it, so
    /// that the pool does not hand it out again.
    #[doc(hidden)]
    pub fn checked<T>(&mut self, answer: Result<T, sqlx::Error>) -> Result<T, sqlx::Error> {
        if let Err(error) = &answer {
            self.is_over |= is_connection_over(error);
        }
        answer
    }

    pub(super) const fn has_queued(&mut self) {
        self.at_commit.has_queued = true;
    }

    pub(super) async fn rollback(mut self) -> Result<(), Error> {
        let ended = within(self.deadline, Manager::rollback(&mut self)).await;
        self.is_open = false;
        Ok(self.checked(ended)?)
    }

    /// Commits within the time limit.
    ///
    /// # Errors
    /// Returns [`Error::Unsure`] if the limit passes, the connection ends, or the wait for the
    /// standby was cancelled: the commit may or may not last.
    pub(super) async fn commit(mut self) -> Result<(), Error> {
        let commits_within = self.commits_within;
        match timeout(commits_within, warned_of_its_wait(Manager::commit(&mut self))).await {
            Ok((Ok(()), warned)) => {
                self.is_open = false;
                self.at_commit.notify();
                if warned {
                    self.is_over = true;
                    self.commits.gave_up();
                    let why = "its wait for the synchronous standby was cancelled";
                    return Err(Error::Unsure(sqlx::Error::Protocol(why.to_owned())));
                }
                Ok(())
            }
            Ok((Err(error), _)) => match self.checked(Err(error)) {
                Err(error) if self.is_over => Err(Error::Unsure(error)),
                ended => Ok(ended?),
            },
            Err(_) => {
                self.is_over = true;
                self.at_commit.notify();
                self.commits.gave_up();
                Err(Error::Unsure(no_answer(commits_within)))
            }
        }
    }
}

impl Drop for PostgresTx {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        if self.is_over {
            // The connection is dropped without PostgreSQL's message *Terminate*: the server may
            // not respond, and a server process in a waiting commit does not read it.
            drop(connection.detach());
        } else if self.is_open {
            Manager::start_rollback(&mut connection);
        }
    }
}
