//! Commits that do not end: with a synchronous standby away PostgreSQL keeps them waiting, and no time-out of its own ends
//! that. Each is given up after its time, but its server process waits on; so after a few nothing more is written until a
//! commit that was made to try has succeeded.

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

/// Commits given up before nothing more is written.
const MOST: u32 = 2;
/// A try is made again after this, and given up after so long: each leaves a waiting process at the server, which has a limited number.
const TRY_AGAIN: Duration = Duration::from_secs(2);
const TRY_FOR: Duration = Duration::from_secs(60);
/// No try is made while this many wait, of all our servers: what lets the next one end lets these end.
const MOST_WAITING: i64 = 5;

/// What is known of commits that were given up.
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

    /// Whether something may be written.
    pub fn allow(&self) -> Result<(), Error> {
        if self.given_up.load(Ordering::Acquire) < MOST {
            return Ok(());
        }
        let why = "commits do not end (is a synchronous standby away?): nothing is written until one does";
        Err(Error::Unavailable(sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, why))))
    }

    /// One more was given up; from now on it is tried whether commits end.
    pub fn gave_up(self: &Arc<Self>) {
        let given_up = self.given_up.fetch_add(1, Ordering::AcqRel) + 1;
        tracing::error!(given_up, "the database did not confirm a commit in time");
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
                Ok(Err(error)) => tracing::debug!(%error, "the database cannot be written to"),
            }
            sleep(TRY_AGAIN).await;
        }
        // In this order: a commit that is given up from now on is tried for again.
        self.is_trying.store(false, Ordering::Release);
        self.given_up.store(0, Ordering::Release);
        tracing::info!("the database confirms commits again");
    }

    /// Whether a commit that writes something is confirmed.
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

/// Waits for a commit; whether PostgreSQL warned that its wait for a standby was cancelled: what it then acknowledges a
/// failover may lose. sqlx gives such words to the log and to nobody else, so they are taken from there.
pub(super) async fn warned_of_its_wait<T>(commit: impl Future<Output = T>) -> (T, bool) {
    static LISTENER: std::sync::OnceLock<Dispatch> = std::sync::OnceLock::new();
    let listener = LISTENER.get_or_init(|| Dispatch::new(Listener)).clone();
    let listened = async {
        let ended = commit.with_subscriber(listener).await;
        (ended, WARNED.with(Cell::get))
    };
    let (ended, warned) = WARNED.scope(Cell::new(false), listened).await;
    if warned {
        tracing::error!("a commit's wait for the synchronous standby was cancelled: a failover may lose it");
    }
    (ended, warned)
}

/// Hears the server's warnings, and nothing else.
struct Listener;

impl Listener {
    fn hears(metadata: &Metadata<'_>) -> bool {
        // An event, or sqlx asking whether it is wanted (`enabled!`).
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

    // Without it every other event of the process would be made, to be refused here.
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

/// The words of PostgreSQL's `SyncRepWaitForLSN`, in the language that the server speaks.
struct OfAWait;

impl Visit for OfAWait {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" && is_of_a_wait(&format!("{value:?}")) {
            let _ = WARNED.try_with(|warned| warned.set(true));
        }
    }
}

/// COMMIT gives no other warning within a transaction, so every warning counts, in any language, except the known ones.
fn is_of_a_wait(message: &str) -> bool {
    !message.contains("there is no transaction in progress")
}

#[cfg(test)]
mod tests {
    use super::warned_of_its_wait;

    #[tokio::test]
    async fn only_the_servers_warnings_during_a_commit_count() {
        let words = "canceling wait for synchronous replication due to user request";
        let (_, warned) = warned_of_its_wait(async {
            tokio::task::yield_now().await;
            // As sqlx does: it asks first.
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
