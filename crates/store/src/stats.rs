//! Sums for the dashboard's figures and the landing page's.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;

use crate::{Error, Tx, all, one, scalar};

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

/// How many tasks, or cities of tasks, have had their last answered poll then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Answered {
    /// The last answered poll, or the beginning of the watch where it came later (portal time).
    pub at: DateTime<Utc>,
    /// How many.
    pub count: i64,
}

/// The last answered polls of everything that is watched.
#[derive(Clone, Debug, Default)]
pub struct LastAnswers {
    /// Of each active task: of any of its cities.
    pub tasks: Vec<Answered>,
    /// Of each city of each active task.
    pub cities: Vec<Answered>,
    /// The last visit of each account of an active task.
    pub accounts: Vec<Answered>,
}

/// Reads the last answered polls and visits of everything that is watched.
pub async fn last_answers(tx: &mut Tx) -> Result<LastAnswers, Error> {
    let tasks = all!(
        tx,
        Answered,
        "SELECT at, COUNT(*) AS count FROM (
           SELECT MAX(CASE WHEN COALESCE(c.answered_at, c.last_look_at) > w.since
             THEN COALESCE(c.answered_at, c.last_look_at) ELSE w.since END) AS at
           FROM watch w LEFT JOIN calendar c ON c.key = w.calendar_key
           WHERE w.until IS NULL GROUP BY w.task_id) AS answered GROUP BY at"
    )?;
    let cities = all!(
        tx,
        Answered,
        "SELECT at, COUNT(*) AS count FROM (
           SELECT CASE WHEN COALESCE(c.answered_at, c.last_look_at) > w.since
             THEN COALESCE(c.answered_at, c.last_look_at) ELSE w.since END AS at
           FROM watch w LEFT JOIN calendar c ON c.key = w.calendar_key
           WHERE w.until IS NULL) AS answered GROUP BY at"
    )?;
    let accounts = all!(
        tx,
        Answered,
        "SELECT at, COUNT(*) AS count FROM (
           SELECT COALESCE(a.visited_at, MIN(w.since)) AS at
           FROM watch w JOIN task t ON t.id = w.task_id JOIN portal_account a ON a.id = t.portal_account_id
           WHERE w.until IS NULL GROUP BY a.id, a.visited_at) AS visited GROUP BY at"
    )?;
    Ok(LastAnswers { tasks, cities, accounts })
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
