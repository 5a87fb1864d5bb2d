//! Observations for tasks: polls by the hour, days while they were on a list, and the watches of
//! calendars by tasks.
//!
//! Triggers on `task.counted` maintain the `watch` rows. A poll writes no row per task.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use domain::task::watch::NextPoll;
use serde_json::{Value, json};

use crate::{Error, Tx, all, exec, scalar};

mod hours;

pub use hours::{Hour, PortalHour, WatchedHour, add_hours, checks_since, hours_of_task, portal_hours};

/// Records the days that appeared on a calendar's list and those that vanished from it, in four
/// statements at most. The last sighting of a vanished day was the previous poll, at `before`.
pub(crate) async fn record_days(
    tx: &mut Tx,
    key: &CalendarKey,
    change: &domain::calendar::Change,
    before: Option<Instant>,
    at: Instant,
) -> Result<(), Error> {
    if !change.appeared.is_empty() {
        let sql = tx.pick(
            "INSERT INTO seen_day (calendar_key, day, first_seen_at, last_seen_at, times)
             SELECT $1, value, $3, $3, 1 FROM json_each($2) WHERE TRUE
             ON CONFLICT (calendar_key, day) DO UPDATE SET last_seen_at = excluded.last_seen_at,
               times = seen_day.times + 1",
            "INSERT INTO seen_day (calendar_key, day, first_seen_at, last_seen_at, times)
             SELECT $1, CAST(new.value AS DATE), $3, $3, 1 FROM jsonb_array_elements_text($2) AS new (value)
             ON CONFLICT (calendar_key, day) DO UPDATE SET last_seen_at = excluded.last_seen_at,
               times = seen_day.times + 1",
        );
        exec!(tx, sql, key.to_string(), json!(change.appeared), at)?;
        let sql = tx.pick(
            "INSERT INTO sighting (calendar_key, facility, day, seen_at)
             SELECT $1, $2, value, $4 FROM json_each($3) WHERE TRUE ON CONFLICT DO NOTHING",
            "INSERT INTO sighting (calendar_key, facility, day, seen_at)
             SELECT $1, $2, CAST(new.value AS DATE), $4 FROM jsonb_array_elements_text($3) AS new (value)
             ON CONFLICT DO NOTHING",
        );
        exec!(tx, sql, key.to_string(), i32::from(key.facility.number()), json!(change.appeared), at)?;
    }
    if !change.vanished.is_empty() {
        let sql = tx.pick(
            "UPDATE sighting SET gone_at = $3, last_seen_at = COALESCE($4, seen_at)
             WHERE calendar_key = $1 AND gone_at IS NULL AND day IN (SELECT value FROM json_each($2))",
            "UPDATE sighting SET gone_at = $3, last_seen_at = COALESCE($4, seen_at)
             WHERE calendar_key = $1 AND gone_at IS NULL
               AND day IN (SELECT CAST(jsonb_array_elements_text($2) AS DATE))",
        );
        exec!(tx, sql, key.to_string(), json!(change.vanished), at, before)?;
        let sql = tx.pick(
            "UPDATE seen_day SET last_seen_at = COALESCE($3, last_seen_at)
             WHERE calendar_key = $1 AND day IN (SELECT value FROM json_each($2))",
            "UPDATE seen_day SET last_seen_at = COALESCE($3, last_seen_at)
             WHERE calendar_key = $1 AND day IN (SELECT CAST(jsonb_array_elements_text($2) AS DATE))",
        );
        exec!(tx, sql, key.to_string(), json!(change.vanished), before)?;
    }
    Ok(())
}

/// Encodes the keys of calendars as the JSON array that SQL statements take.
fn keys_json(keys: &[CalendarKey]) -> Value {
    json!(keys.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// Date that was on a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Facility of the date.
    pub facility: FacilityId,
    /// The date.
    pub day: NaiveDate,
    /// Time of the first poll that showed it.
    pub seen_at: Instant,
    /// Time of the first poll without it. `None` while it is on the list.
    pub gone_at: Option<Instant>,
}

#[derive(sqlx::FromRow)]
struct SightingRow {
    facility: i32,
    day: NaiveDate,
    seen_at: DateTime<Utc>,
    gone_at: Option<DateTime<Utc>>,
}

/// Start of a page of sightings: only those before this position.
pub type Before = (Instant, NaiveDate, u16);

/// Returns the dates that were on a list while it covered the task, newest first.
pub async fn sightings(
    tx: &mut Tx,
    task: TaskId,
    (since, before): (Instant, Before),
    limit: i64,
) -> Result<Vec<Sighting>, Error> {
    let (at, day, place) = before;
    all!(
        tx,
        SightingRow,
        "SELECT s.facility, s.day, s.seen_at, s.gone_at FROM sighting s
         WHERE s.calendar_key IN (SELECT calendar_key FROM watch WHERE task_id = $1)
           AND EXISTS (SELECT 1 FROM watch w WHERE w.task_id = $1 AND w.calendar_key = s.calendar_key
             AND (w.until IS NULL OR s.seen_at < w.until) AND (s.gone_at IS NULL OR s.gone_at > w.since))
           AND s.seen_at >= $2 AND (s.seen_at, s.day, s.facility) < ($3, $4, $5)
         ORDER BY s.seen_at DESC, s.day DESC, s.facility DESC LIMIT $6",
        task.0,
        since,
        at,
        day,
        i32::from(place),
        limit
    )?
    .into_iter()
    .map(|row| {
        let facility = crate::task::facility(row.facility)?;
        Ok(Sighting { facility, day: row.day, seen_at: row.seen_at, gone_at: row.gone_at })
    })
    .collect()
}

/// Counts the [`sightings`] of a task.
pub async fn count_sightings(tx: &mut Tx, task: TaskId) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM sighting s
         WHERE s.calendar_key IN (SELECT calendar_key FROM watch WHERE task_id = $1)
           AND EXISTS (SELECT 1 FROM watch w WHERE w.task_id = $1 AND w.calendar_key = s.calendar_key
             AND (w.until IS NULL OR s.seen_at < w.until) AND (s.gone_at IS NULL OR s.gone_at > w.since))",
        task.0
    )
}

/// Date of some calendars, with the number of its appearances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activity {
    /// Facility of the date.
    pub facility: FacilityId,
    /// The date.
    pub day: NaiveDate,
    /// Number of appearances.
    pub times: i64,
    /// Time of the first appearance.
    pub first_seen_at: Instant,
    /// Time of the last accepted poll that showed it.
    pub last_seen_at: Instant,
}

#[derive(sqlx::FromRow)]
struct HeatRow {
    facility: i32,
    day: NaiveDate,
    times: i64,
    first_seen_at: DateTime<Utc>,
    last_seen_at: DateTime<Utc>,
}

/// Returns dates from `today` on that were on one of these calendars' lists since `since`, in order
/// of dates.
pub async fn activity(
    tx: &mut Tx,
    keys: &[CalendarKey],
    since: Instant,
    today: NaiveDate,
) -> Result<Vec<Activity>, Error> {
    // Rows of old builds have no `last_seen_at`. The time at which the day was gone is the best
    // known value.
    let sql = tx.pick(
        "SELECT s.facility, s.day, COUNT(*) AS times, MIN(s.seen_at) AS first_seen_at,
           MAX(CASE WHEN s.gone_at IS NULL THEN COALESCE(c.last_look_at, s.seen_at)
             ELSE COALESCE(s.last_seen_at, s.gone_at) END) AS last_seen_at
         FROM sighting s JOIN calendar c ON c.key = s.calendar_key
         WHERE s.calendar_key IN (SELECT value FROM json_each($1)) AND (s.gone_at IS NULL OR s.gone_at >= $2)
           AND s.day >= $3 GROUP BY s.facility, s.day ORDER BY s.day, s.facility",
        "SELECT s.facility, s.day, COUNT(*) AS times, MIN(s.seen_at) AS first_seen_at,
           MAX(CASE WHEN s.gone_at IS NULL THEN COALESCE(c.last_look_at, s.seen_at)
             ELSE COALESCE(s.last_seen_at, s.gone_at) END) AS last_seen_at
         FROM sighting s JOIN calendar c ON c.key = s.calendar_key
         WHERE s.calendar_key IN (SELECT jsonb_array_elements_text($1)) AND (s.gone_at IS NULL OR s.gone_at >= $2)
           AND s.day >= $3 GROUP BY s.facility, s.day ORDER BY s.day, s.facility",
    );
    all!(tx, HeatRow, sql, keys_json(keys), since, today)?
        .into_iter()
        .map(|row| {
            Ok(Activity {
                facility: crate::task::facility(row.facility)?,
                day: row.day,
                times: row.times,
                first_seen_at: row.first_seen_at,
                last_seen_at: row.last_seen_at,
            })
        })
        .collect()
}

/// Point of the curve of earliest dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Facility of the curve.
    pub facility: FacilityId,
    /// Time of the point.
    pub at: Instant,
    /// Earliest date from then on. `None` on an empty list.
    pub earliest: Option<NaiveDate>,
}

#[derive(sqlx::FromRow)]
struct PointRow {
    facility: i32,
    at: DateTime<Utc>,
    earliest: Option<NaiveDate>,
}

fn points(rows: Vec<PointRow>) -> Result<Vec<Point>, Error> {
    let point = |row: PointRow| {
        Ok(Point { facility: crate::task::facility(row.facility)?, at: row.at, earliest: row.earliest })
    };
    rows.into_iter().map(point).collect()
}

/// Returns the earliest date of each list at each of its changes since `since` and at the last
/// change before, oldest first. Only the newest `limit` of them.
pub async fn changes(
    tx: &mut Tx,
    keys: &[CalendarKey],
    since: Instant,
    limit: i64,
) -> Result<Vec<Point>, Error> {
    let sql = tx.pick(
        "SELECT c.facility, o.seen_at AS at, o.earliest FROM observation o JOIN calendar c ON c.key = o.calendar_key
         WHERE o.calendar_key IN (SELECT value FROM json_each($1)) AND o.seen_at >= COALESCE(
           (SELECT MAX(b.seen_at) FROM observation b WHERE b.calendar_key = o.calendar_key AND b.seen_at < $2), $2)
         ORDER BY o.seen_at DESC LIMIT $3",
        "SELECT c.facility, o.seen_at AS at, o.earliest FROM observation o JOIN calendar c ON c.key = o.calendar_key
         WHERE o.calendar_key IN (SELECT jsonb_array_elements_text($1)) AND o.seen_at >= COALESCE(
           (SELECT MAX(b.seen_at) FROM observation b WHERE b.calendar_key = o.calendar_key AND b.seen_at < $2), $2)
         ORDER BY o.seen_at DESC LIMIT $3",
    );
    let mut found = points(all!(tx, PointRow, sql, keys_json(keys), since, limit)?)?;
    found.reverse();
    Ok(found)
}

/// Returns the earliest date of each list in each hour with a poll since `since`, oldest first.
pub async fn hourly(tx: &mut Tx, keys: &[CalendarKey], since: Instant) -> Result<Vec<Point>, Error> {
    let sql = tx.pick(
        "SELECT c.facility, h.hour AS at, h.earliest FROM look_hour h JOIN calendar c ON c.key = h.calendar_key
         WHERE h.calendar_key IN (SELECT value FROM json_each($1)) AND h.hour >= $2 AND h.looks + h.alone > 0
         ORDER BY h.hour",
        "SELECT c.facility, h.hour AS at, h.earliest FROM look_hour h JOIN calendar c ON c.key = h.calendar_key
         WHERE h.calendar_key IN (SELECT jsonb_array_elements_text($1)) AND h.hour >= $2 AND h.looks + h.alone > 0
         ORDER BY h.hour",
    );
    points(all!(tx, PointRow, sql, keys_json(keys), since)?)
}

/// Calendar as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarNow {
    /// Text of its key.
    pub key: String,
    /// Facility of the calendar.
    pub facility: FacilityId,
    /// Earliest date of its last list.
    pub earliest: Option<NaiveDate>,
    /// Time of the last poll whose list was accepted.
    pub last_poll_at: Option<Instant>,
    /// Time of the last answered poll, accepted or not.
    pub last_answer_at: Option<Instant>,
    /// Engine's plan for the next poll.
    pub next: Option<NextPoll>,
    /// Maximum age of the last answered poll.
    pub bound: Option<TimeDelta>,
}

#[derive(sqlx::FromRow)]
struct StandingRow {
    key: String,
    facility: i32,
    earliest: Option<NaiveDate>,
    #[sqlx(rename = "last_look_at")]
    last_poll_at: Option<DateTime<Utc>>,
    answered_at: Option<DateTime<Utc>>,
    #[sqlx(rename = "next_look_at")]
    next_poll_at: Option<DateTime<Utc>>,
    next_wait: Option<String>,
    poll_bound: Option<i64>,
}

/// Returns these calendars. Calendars that were never polled are left out.
pub async fn standing(tx: &mut Tx, keys: &[CalendarKey]) -> Result<Vec<CalendarNow>, Error> {
    let sql = tx.pick(
        "SELECT key, facility, json_extract(days, '$.days[0]') AS earliest, last_look_at, answered_at,
           next_look_at, next_wait, poll_bound
         FROM calendar WHERE key IN (SELECT value FROM json_each($1))
           AND COALESCE(answered_at, last_look_at) IS NOT NULL",
        "SELECT key, facility, CAST(days -> 'days' ->> 0 AS DATE) AS earliest, last_look_at, answered_at,
           next_look_at, next_wait, poll_bound
         FROM calendar WHERE key IN (SELECT jsonb_array_elements_text($1))
           AND COALESCE(answered_at, last_look_at) IS NOT NULL",
    );
    all!(tx, StandingRow, sql, keys_json(keys))?
        .into_iter()
        .map(|row| {
            let wait = row
                .next_wait
                .map(|text| crate::task::parse_stored("calendar.next_wait", &text))
                .transpose()?;
            Ok(CalendarNow {
                key: row.key,
                facility: crate::task::facility(row.facility)?,
                earliest: row.earliest,
                last_poll_at: row.last_poll_at,
                last_answer_at: row.answered_at.max(row.last_poll_at),
                next: row.next_poll_at.map(|at| NextPoll { at, wait }),
                bound: row.poll_bound.map(TimeDelta::seconds),
            })
        })
        .collect()
}

/// Recently seen date of a calendar.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct RecentlySeenDate {
    /// Text of the calendar's key.
    pub calendar_key: String,
    /// The date.
    pub day: NaiveDate,
    /// Time of the last accepted poll that showed it.
    pub last_seen_at: DateTime<Utc>,
}

/// Returns dates from `today` on that these calendars showed since `since`: the first `each` of
/// every calendar.
pub async fn lately(
    tx: &mut Tx,
    keys: &[CalendarKey],
    (since, today): (Instant, NaiveDate),
    each: i64,
) -> Result<Vec<RecentlySeenDate>, Error> {
    let sql = tx.pick(
        "SELECT calendar_key, day, last_seen_at FROM (
           SELECT calendar_key, day, last_seen_at,
             ROW_NUMBER() OVER (PARTITION BY calendar_key ORDER BY day) AS place
           FROM (SELECT d.calendar_key, d.day, COALESCE((SELECT c.last_look_at FROM sighting s
                   JOIN calendar c ON c.key = s.calendar_key
                   WHERE s.calendar_key = d.calendar_key AND s.day = d.day AND s.gone_at IS NULL),
                 d.last_seen_at) AS last_seen_at
               FROM seen_day d WHERE d.calendar_key IN (SELECT value FROM json_each($1)) AND d.day >= $3) AS seen
           WHERE last_seen_at >= $2) AS ranked
         WHERE place <= $4 ORDER BY day",
        "SELECT calendar_key, day, last_seen_at FROM (
           SELECT calendar_key, day, last_seen_at,
             ROW_NUMBER() OVER (PARTITION BY calendar_key ORDER BY day) AS place
           FROM (SELECT d.calendar_key, d.day, COALESCE((SELECT c.last_look_at FROM sighting s
                   JOIN calendar c ON c.key = s.calendar_key
                   WHERE s.calendar_key = d.calendar_key AND s.day = d.day AND s.gone_at IS NULL),
                 d.last_seen_at) AS last_seen_at
               FROM seen_day d
               WHERE d.calendar_key IN (SELECT jsonb_array_elements_text($1)) AND d.day >= $3) AS seen
           WHERE last_seen_at >= $2) AS ranked
         WHERE place <= $4 ORDER BY day",
    );
    all!(tx, RecentlySeenDate, sql, keys_json(keys), since, today, each)
}
