//! Polls of one calendar by the hour: written in batches, read for a task's journal and for the
//! portal's statistics.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{TaskId, UserId};
use serde_json::{Value, json};

use crate::task::facility;
use crate::{Error, Tx, all, exec, scalar};

/// Polls of one calendar in one hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hour {
    /// Calendar of the polls.
    pub key: CalendarKey,
    /// Start of the hour (portal time).
    pub hour: Instant,
    /// Number of polls of earlier hours of this calendar that are written together with this one.
    pub ahead: i64,
    /// Number of polls that covered every task of the calendar.
    pub polls: i64,
    /// Number of polls whose list counted for one account only, or was empty and not accepted.
    pub alone: i64,
    /// Number of polls that the portal did not answer.
    pub failures: i64,
    /// Number of days that appeared.
    pub slots: i64,
    /// Total response time in milliseconds.
    pub took_ms: i64,
    /// Earliest date on any list.
    pub earliest: Option<NaiveDate>,
}

/// Adds polls to the hours of all calendars, in one statement. Called before
/// [`crate::observation::add_polls`] counts the same polls.
pub async fn add_hours(tx: &mut Tx, hours: &[Hour]) -> Result<(), Error> {
    if hours.is_empty() {
        return Ok(());
    }
    let row = |h: &Hour| {
        json!({
            "key": h.key.to_string(), "hour": h.hour.to_rfc3339_opts(SecondsFormat::AutoSi, false),
            "ahead": h.ahead, "looks": h.polls, "alone": h.alone, "failures": h.failures, "slots": h.slots,
            "took": h.took_ms, "earliest": h.earliest,
        })
    };
    let rows: Value = hours.iter().map(row).collect();
    let sql = tx.pick(
        "INSERT INTO look_hour (calendar_key, hour, counted_before, looks, alone, failures, slots, took_ms, earliest)
         SELECT value ->> 'key', value ->> 'hour',
           COALESCE((SELECT looks FROM calendar WHERE key = value ->> 'key'), 0) + (value ->> 'ahead'),
           value ->> 'looks', value ->> 'alone', value ->> 'failures', value ->> 'slots', value ->> 'took',
           value ->> 'earliest'
         FROM json_each($1) WHERE TRUE
         ON CONFLICT (calendar_key, hour) DO UPDATE SET looks = look_hour.looks + excluded.looks,
           alone = look_hour.alone + excluded.alone, failures = look_hour.failures + excluded.failures,
           slots = look_hour.slots + excluded.slots, took_ms = look_hour.took_ms + excluded.took_ms,
           earliest = COALESCE(MIN(look_hour.earliest, excluded.earliest), look_hour.earliest, excluded.earliest)",
        "INSERT INTO look_hour (calendar_key, hour, counted_before, looks, alone, failures, slots, took_ms, earliest)
         SELECT value ->> 'key', CAST(value ->> 'hour' AS TIMESTAMPTZ),
           COALESCE((SELECT looks FROM calendar WHERE key = value ->> 'key'), 0) + CAST(value ->> 'ahead' AS BIGINT),
           CAST(value ->> 'looks' AS BIGINT), CAST(value ->> 'alone' AS BIGINT),
           CAST(value ->> 'failures' AS BIGINT), CAST(value ->> 'slots' AS BIGINT),
           CAST(value ->> 'took' AS BIGINT), CAST(value ->> 'earliest' AS DATE)
         FROM jsonb_array_elements($1) AS new (value)
         ON CONFLICT (calendar_key, hour) DO UPDATE SET looks = look_hour.looks + excluded.looks,
           alone = look_hour.alone + excluded.alone, failures = look_hour.failures + excluded.failures,
           slots = look_hour.slots + excluded.slots, took_ms = look_hour.took_ms + excluded.took_ms,
           earliest = LEAST(look_hour.earliest, excluded.earliest)",
    );
    exec!(tx, sql, rows)?;
    Ok(())
}

/// Polls of one calendar in one hour, limited to those that covered a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedHour {
    /// Start of the hour.
    pub hour: Instant,
    /// Facility of the calendar.
    pub facility: FacilityId,
    /// Time since which the calendar covered the task.
    pub since: Instant,
    /// Time until which it did. `None` while it does.
    pub until: Option<Instant>,
    /// Number of polls of the hour that covered the task.
    pub polls: i64,
    /// Number of polls of the hour that the portal did not answer.
    pub failures: i64,
    /// Number of days that appeared in the hour.
    pub slots: i64,
    /// Earliest date on any list of the hour.
    pub earliest: Option<NaiveDate>,
}

#[derive(sqlx::FromRow)]
struct WatchedRow {
    hour: DateTime<Utc>,
    facility: i32,
    since: DateTime<Utc>,
    until: Option<DateTime<Utc>>,
    #[sqlx(rename = "looks")]
    polls: i64,
    failures: i64,
    slots: i64,
    earliest: Option<NaiveDate>,
}

/// Returns the hours before `before` (exclusive) in which calendars covered the task, newest first.
/// `limit` counts rows of one hour and one calendar. Hours that the task only partly watched count
/// in part.
pub async fn hours_of_task(
    tx: &mut Tx,
    task: TaskId,
    before: Instant,
    limit: i64,
) -> Result<Vec<WatchedHour>, Error> {
    let sql = tx.pick(
        "SELECT h.hour, c.facility, w.since, w.until, h.failures, h.slots, h.earliest,
           MAX(0, MIN(h.counted_before + h.looks, COALESCE(w.looks_to, h.counted_before + h.looks))
             - MAX(h.counted_before, w.looks_from)) AS looks
         FROM watch w JOIN look_hour h ON h.calendar_key = w.calendar_key JOIN calendar c ON c.key = w.calendar_key
         WHERE w.task_id = $1 AND h.hour < $2 AND h.counted_before + h.looks >= w.looks_from
           AND (w.looks_to IS NULL OR h.counted_before <= w.looks_to) AND (w.until IS NULL OR h.hour < w.until)
         ORDER BY h.hour DESC LIMIT $3",
        "SELECT h.hour, c.facility, w.since, w.until, h.failures, h.slots, h.earliest,
           GREATEST(0, LEAST(h.counted_before + h.looks, COALESCE(w.looks_to, h.counted_before + h.looks))
             - GREATEST(h.counted_before, w.looks_from)) AS looks
         FROM watch w JOIN look_hour h ON h.calendar_key = w.calendar_key JOIN calendar c ON c.key = w.calendar_key
         WHERE w.task_id = $1 AND h.hour < $2 AND h.counted_before + h.looks >= w.looks_from
           AND (w.looks_to IS NULL OR h.counted_before <= w.looks_to) AND (w.until IS NULL OR h.hour < w.until)
         ORDER BY h.hour DESC LIMIT $3",
    );
    all!(tx, WatchedRow, sql, task.0, before, limit)?
        .into_iter()
        .map(|row| {
            Ok(WatchedHour {
                hour: row.hour,
                facility: facility(row.facility)?,
                since: row.since,
                until: row.until,
                polls: row.polls,
                failures: row.failures,
                slots: row.slots,
                earliest: row.earliest,
            })
        })
        .collect()
}

/// Counts the polls since the start of the hour `since` that covered any of a user's tasks.
pub async fn checks_since(tx: &mut Tx, user: UserId, since: Instant) -> Result<i64, Error> {
    let sql = tx.pick(
        "SELECT CAST(COALESCE(SUM(MAX(0, MIN(h.counted_before + h.looks, COALESCE(w.looks_to, h.counted_before + h.looks))
             - MAX(h.counted_before, w.looks_from))), 0) AS BIGINT)
         FROM task t JOIN watch w ON w.task_id = t.id JOIN look_hour h ON h.calendar_key = w.calendar_key
         WHERE t.user_id = $1 AND h.hour >= $2 AND (w.until IS NULL OR w.until > $2)",
        "SELECT CAST(COALESCE(SUM(GREATEST(0, LEAST(h.counted_before + h.looks,
             COALESCE(w.looks_to, h.counted_before + h.looks)) - GREATEST(h.counted_before, w.looks_from))), 0) AS BIGINT)
         FROM task t JOIN watch w ON w.task_id = t.id JOIN look_hour h ON h.calendar_key = w.calendar_key
         WHERE t.user_id = $1 AND h.hour >= $2 AND (w.until IS NULL OR w.until > $2)",
    );
    scalar!(tx, i64, sql, user.0, since)
}

/// Portal's responses in one hour, over all calendars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct PortalHour {
    /// Start of the hour.
    pub hour: DateTime<Utc>,
    /// Number of answered polls.
    #[sqlx(rename = "looks")]
    pub polls: i64,
    /// Number of polls that the portal did not answer.
    pub failures: i64,
    /// Total response time in milliseconds.
    pub took_ms: i64,
}

/// Returns the hours since `since` with polls, oldest first.
pub async fn portal_hours(tx: &mut Tx, since: Instant) -> Result<Vec<PortalHour>, Error> {
    all!(
        tx,
        PortalHour,
        "SELECT hour, CAST(SUM(looks + alone) AS BIGINT) AS looks, CAST(SUM(failures) AS BIGINT) AS failures,
           CAST(SUM(took_ms) AS BIGINT) AS took_ms
         FROM look_hour WHERE hour >= $1 GROUP BY hour ORDER BY hour",
        since
    )
}
