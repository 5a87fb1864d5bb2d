//! Sums for the dashboard's figures and the landing page's.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;

use crate::{Error, Tx, one, scalar};

/// What all users' tasks came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Everybody {
    /// Tasks with at least one success.
    pub finished: i64,
    /// Days gained over all successes.
    pub days_saved: i64,
    /// Looks made.
    #[sqlx(rename = "looks")]
    pub polls: i64,
}

/// Sums everybody up.
pub async fn everybody(tx: &mut Tx) -> Result<Everybody, Error> {
    let row = one!(
        tx,
        Everybody,
        "SELECT (SELECT COUNT(DISTINCT task_id) FROM success) AS finished,
           (SELECT CAST(COALESCE(SUM(days_advanced), 0) AS BIGINT) FROM success) AS days_saved,
           (SELECT CAST(COALESCE(SUM(looks), 0) AS BIGINT) FROM calendar) AS looks"
    )?;
    row.ok_or(Error::Corrupt("figures"))
}

/// What stands under a user's figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Context {
    /// The most days one booking gained.
    pub most_days_saved: Option<i64>,
    /// Bookings.
    pub booked: i64,
    /// Booking attempts of which something was sent.
    pub attempts: i64,
}

/// What stands under a user's figures.
pub async fn context(tx: &mut Tx, user: UserId) -> Result<Context, Error> {
    let row = one!(
        tx,
        Context,
        "SELECT (SELECT MAX(days_advanced) FROM success WHERE task_id IN (SELECT id FROM task WHERE user_id = $1))
             AS most_days_saved,
           (SELECT COUNT(*) FROM success WHERE task_id IN (SELECT id FROM task WHERE user_id = $1)) AS booked,
           (SELECT COUNT(*) FROM intent WHERE acting_at IS NOT NULL
             AND task_id IN (SELECT id FROM task WHERE user_id = $1)) AS attempts",
        user.0
    )?;
    row.ok_or(Error::Corrupt("figures"))
}

/// The next look after `now` of any calendar that answers a task, as things stand; a calendar that nobody watches any more keeps the
/// time that was planned for it.
pub async fn next_poll(tx: &mut Tx, now: Instant) -> Result<Option<Instant>, Error> {
    scalar!(
        tx,
        Option<Instant>,
        "SELECT MIN(next_look_at) FROM calendar
         WHERE next_look_at >= $1 AND key IN (SELECT calendar_key FROM watch WHERE until IS NULL)",
        now
    )
}

/// How the calendars are doing that some task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Watching {
    /// Calendars that answer a task now.
    pub calendars: i64,
    /// The earliest look announced for one of them that lies in the past.
    pub overdue_at: Option<DateTime<Utc>>,
}

/// Counts the calendars that are watched, and finds the poll that should have been made before `now`.
pub async fn watching(tx: &mut Tx, now: Instant) -> Result<Watching, Error> {
    let row = one!(
        tx,
        Watching,
        "SELECT COUNT(*) AS calendars, MIN(CASE WHEN next_look_at < $1 THEN next_look_at END) AS overdue_at
         FROM calendar WHERE key IN (SELECT calendar_key FROM watch WHERE until IS NULL)",
        now
    )?;
    row.ok_or(Error::Corrupt("calendar"))
}

/// When any calendar was last looked at.
pub async fn last_poll(tx: &mut Tx) -> Result<Option<Instant>, Error> {
    scalar!(tx, Option<Instant>, "SELECT MAX(last_look_at) FROM calendar")
}

/// How mails go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Mails {
    /// Waiting to be sent.
    pub waiting: i64,
    /// Of these, tried before in vain.
    pub failing: i64,
    /// When the one that waits longest was written.
    pub oldest_at: Option<DateTime<Utc>>,
    /// Taken by the mail server since the instant that was asked for.
    pub delivered: i64,
}

/// Counts mails that wait, and those delivered since `since`.
pub async fn mails(tx: &mut Tx, since: Instant) -> Result<Mails, Error> {
    let row = one!(
        tx,
        Mails,
        "SELECT (SELECT COUNT(*) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL) AS waiting,
           (SELECT COUNT(*) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL AND last_error IS NOT NULL)
             AS failing,
           (SELECT MIN(created_at) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL) AS oldest_at,
           (SELECT COUNT(*) FROM outbox WHERE delivered_at >= $1) AS delivered",
        since
    )?;
    row.ok_or(Error::Corrupt("outbox"))
}
