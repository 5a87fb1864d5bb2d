//! Commits that PostgreSQL does not confirm. If a synchronous standby is away, PostgreSQL keeps
//! commits waiting, and none of its time-outs ends that wait. This process gives up each commit
//! after a time limit, but the server process keeps waiting. After a few given-up commits nothing
//! is written until a probe commit succeeds.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::time::{sleep, timeout};
use tracing::field::{Field, Visit};
use tracing::instrument::WithSubscriber as _;
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Dispatch, Event, Level, Metadata, Subscriber};

use crate::Error;

/// Number of given-up commits after which nothing is written.
const MOST: u32 = 2;
/// Pause between two probes, and time limit of one. Each given-up probe leaves a waiting server
/// process, and the server has a limited number of them.
const TRY_AGAIN: Duration = Duration::from_secs(2);
const TRY_FOR: Duration = Duration::from_secs(60);
/// Number of waiting commits, over all servers of this database, at which no probe is made. The
/// event that ends the next probe also ends these.
const MOST_WAITING: i64 = 5;

/// State of commits that were given up.
#[derive(Debug)]
pub(super) struct Commits {
    given_up: AtomicU32,
    is_trying: AtomicBool,
    connect: PgConnectOptions,
}

impl Commits {
    pub const fn new(connect: PgConnectOptions) -> Self {
        Self { given_up: AtomicU32::new(0), is_trying: AtomicBool::new(false), connect }
    }

    /// Fails if nothing may be written now.
    pub fn allow(&self) -> Result<(), Error> {
        if self.given_up.load(Ordering::Acquire) < MOST {
            return Ok(());
        }
        let why =
            "commits do not complete (is a synchronous standby down?); nothing is written until one does";
        Err(Error::Unavailable(sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, why))))
    }

    /// Counts one more given-up commit and starts the probe loop if it is not running.
    pub fn gave_up(self: &Arc<Self>) {
        let given_up = self.given_up.fetch_add(1, Ordering::AcqRel) + 1;
        tracing::error!(given_up, "database did not confirm a commit in time");
        if !self.is_trying.swap(true, Ordering::AcqRel) {
            let commits = self.clone();
            tokio::spawn(async move { commits.try_until_one_ends().await });
        }
    }

    async fn try_until_one_ends(&self) {
        loop {
            match timeout(TRY_FOR, self.try_once()).await {
                Ok(Ok(true)) => break,
                Ok(Ok(false)) | Err(_) => {}
                Ok(Err(error)) => tracing::debug!(%error, "probe commit failed"),
            }
            sleep(TRY_AGAIN).await;
        }
        // This order matters: a commit that is given up from now on starts a new probe loop.
        self.is_trying.store(false, Ordering::Release);
        self.given_up.store(0, Ordering::Release);
        tracing::info!("database confirms commits again");
    }

    /// Sends a probe commit that writes a message. Returns `true` if PostgreSQL confirmed it.
    async fn try_once(&self) -> Result<bool, sqlx::Error> {
        let mut connection = PgConnection::connect_with(&self.connect).await?;
        let sql =
            "SELECT count(*) FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep'";
        let waiting: i64 = sqlx::Row::try_get(&sqlx::raw_sql(sql).fetch_one(&mut connection).await?, 0)?;
        if waiting >= MOST_WAITING {
            connection.close().await?;
            return Ok(false);
        }
        let sql =
            "BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_logical_emit_message(true, 'sooner', 'try')";
        sqlx::raw_sql(sql).execute(&mut connection).await?;
        let (ended, warned) = warned_of_its_wait(sqlx::raw_sql("COMMIT").execute(&mut connection)).await;
        ended?;
        Ok(!warned)
    }
}

tokio::task_local! {
    static WARNED: Cell<bool>;
}

/// Waits for a commit. Returns its result, and `true` if PostgreSQL warned that the wait for a
/// standby was cancelled: a failover may lose such a commit. sqlx passes these warnings only to the
/// log, so this function reads them from there.
pub(super) async fn warned_of_its_wait<T>(commit: impl Future<Output = T>) -> (T, bool) {
    static LISTENER: std::sync::OnceLock<Dispatch> = std::sync::OnceLock::new();
    let listener = LISTENER.get_or_init(|| Dispatch::new(Listener)).clone();
    let listened = async {
        let ended = commit.with_subscriber(listener).await;
        (ended, WARNED.with(Cell::get))
    };
    let (ended, warned) = WARNED.scope(Cell::new(false), listened).await;
    if warned {
        tracing::error!(
            "wait of a commit for the synchronous standby was cancelled; a failover may lose the commit"
        );
    }
    (ended, warned)
}

/// Log subscriber that receives the server's warnings and no other event.
struct Listener;

impl Listener {
    fn hears(metadata: &Metadata<'_>) -> bool {
        // Accepts an event, or sqlx's check if the event is wanted (`enabled!`).
        !metadata.is_span()
            && *metadata.level() <= Level::WARN
            && metadata.target() == "sqlx::postgres::notice"
    }
}

impl Subscriber for Listener {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if Self::hears(metadata) { Interest::always() } else { Interest::never() }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        Self::hears(metadata)
    }

    // Without this hint the process would build every other event, only for this subscriber to drop
    // it.
    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::WARN)
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut OfAWait);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Visitor for the warning of PostgreSQL's `SyncRepWaitForLSN`, in the server's language.
struct OfAWait;

impl Visit for OfAWait {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" && is_of_a_wait(&format!("{value:?}")) {
            let _ = WARNED.try_with(|warned| warned.set(true));
        }
    }
}

/// Returns `true` for every warning except the known ones, in any language. Within a transaction
/// COMMIT gives no other warning.
fn is_of_a_wait(message: &str) -> bool {
    !message.contains("there is no transaction in progress")
}

#[cfg(test)]
mod tests {
    use super::warned_of_its_wait;

    #[tokio::test]
    async fn only_server_warnings_during_a_commit_count() {
        let words = "canceling wait for synchronous replication due to user request";
        let (_, warned) = warned_of_its_wait(async {
            tokio::task::yield_now().await;
            // sqlx also calls `enabled!` first.
            if tracing::enabled!(target: "sqlx::postgres::notice", tracing::Level::WARN) {
                tracing::warn!(target: "sqlx::postgres::notice", message = words);
            }
        })
        .await;
        assert!(warned);
        let (_, warned) = warned_of_its_wait(async {
            tracing::info!(target: "sqlx::postgres::notice", message = "a notice");
            tracing::warn!("something else");
        })
        .await;
        assert!(!warned);
    }
}
