//! Figures for the dashboard and the landing page.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;

use crate::{Error, Tx, all, one, scalar};

/// Totals over all users' tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct TaskTotals {
    /// Number of tasks with at least one success.
    pub finished: i64,
    /// Number of days gained by all successes.
    pub days_saved: i64,
    /// Number of polls.
    #[sqlx(rename = "looks")]
    pub polls: i64,
}

/// Computes the totals over all users.
pub async fn totals(tx: &mut Tx) -> Result<TaskTotals, Error> {
    let row = one!(
        tx,
        TaskTotals,
        "SELECT (SELECT COUNT(DISTINCT task_id) FROM success) AS finished,
           (SELECT CAST(COALESCE(SUM(days_advanced), 0) AS BIGINT) FROM success) AS days_saved,
           (SELECT CAST(COALESCE(SUM(looks), 0) AS BIGINT) FROM calendar) AS looks"
    )?;
    row.ok_or(Error::Corrupt("figures"))
}

/// Additional figures of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Context {
    /// Most days gained by one booking.
    pub most_days_saved: Option<i64>,
    /// Number of bookings.
    pub booked: i64,
    /// Number of booking attempts of which something was sent.
    pub attempts: i64,
}

/// Returns the additional figures of a user.
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

/// Returns the time of the next planned poll after `now` of any calendar that covers a task.
/// Calendars without a task keep the time of an old plan and are left out.
pub async fn next_poll(tx: &mut Tx, now: Instant) -> Result<Option<Instant>, Error> {
    scalar!(
        tx,
        Option<Instant>,
        "SELECT MIN(next_look_at) FROM calendar
         WHERE next_look_at >= $1 AND key IN (SELECT calendar_key FROM watch WHERE until IS NULL)",
        now
    )
}

/// State of the calendars that tasks wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Watching {
    /// Number of calendars that cover a task now.
    pub calendars: i64,
    /// Earliest planned poll of one of them that lies in the past.
    pub overdue_at: Option<DateTime<Utc>>,
}

/// Counts the watched calendars, and finds the earliest poll that was due before `now`.
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

/// Number of tasks, cities or accounts with the same time of the last answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Answered {
    /// Time of the last answered poll, or of the start of the watch if that is later (portal time).
    pub at: DateTime<Utc>,
    /// Number of them.
    pub count: i64,
}

/// Last answered polls of everything that is watched.
#[derive(Clone, Debug, Default)]
pub struct LastAnswers {
    /// Watched tasks, by the last answer of any of their cities.
    pub tasks: Vec<Answered>,
    /// Cities of watched tasks.
    pub cities: Vec<Answered>,
    /// Accounts of watched tasks, by their last visit.
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

/// Returns the time of the last accepted poll of any calendar.
pub async fn last_poll(tx: &mut Tx) -> Result<Option<Instant>, Error> {
    scalar!(tx, Option<Instant>, "SELECT MAX(last_look_at) FROM calendar")
}

/// Figures of the outbox, over mails and channel messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Mails {
    /// Number of waiting rows.
    pub waiting: i64,
    /// Number of waiting rows with a failed try.
    pub failing: i64,
    /// Time at which the longest waiting row was queued.
    pub oldest_at: Option<DateTime<Utc>>,
    /// Number of rows accepted since the given instant.
    pub delivered: i64,
}

/// Counts waiting outbox rows, and those accepted since `since`.
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
