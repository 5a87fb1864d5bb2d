//! Observations of calendars: the last list, one row per change, and for each date the number of
//! its appearances.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::calendar::{CalendarKey, Change, Kind};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::task::watch::{NextPoll, PollWait};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::readable::{Stored, readable};
use crate::task::read;
use crate::{Error, Tx, all, exec, one};

/// Calendar with its last list.
#[derive(Clone, Debug)]
pub struct StoredCalendar {
    /// Kind of applicant and facility of the calendar.
    pub key: CalendarKey,
    /// Last list, sorted.
    pub days: Vec<NaiveDate>,
    /// Number of polls so far.
    pub polls: i64,
    /// Number of days that appeared in them.
    pub slots: i64,
    /// Time of the last poll whose list was accepted.
    pub last_poll_at: Option<Instant>,
    /// Time of the last answered poll, accepted or not.
    pub answered_at: Option<Instant>,
}

/// JSON object that a list of days is stored as.
#[derive(Serialize, Deserialize)]
struct DayList {
    days: Vec<NaiveDate>,
}

#[derive(sqlx::FromRow)]
struct CalendarRow {
    facility: i32,
    kind: Value,
    days: Value,
    #[sqlx(rename = "looks")]
    polls: i64,
    slots: i64,
    #[sqlx(rename = "last_look_at")]
    last_poll_at: Option<DateTime<Utc>>,
    answered_at: Option<DateTime<Utc>>,
}

impl TryFrom<CalendarRow> for StoredCalendar {
    type Error = Error;
    fn try_from(row: CalendarRow) -> Result<Self, Error> {
        let kind: Kind = read("calendar.kind", row.kind)?;
        let days: DayList = read("calendar.days", row.days)?;
        let facility = crate::task::facility(row.facility)?;
        Ok(Self {
            key: CalendarKey { kind, facility },
            days: days.days,
            polls: row.polls,
            slots: row.slots,
            last_poll_at: row.last_poll_at,
            answered_at: row.answered_at.max(row.last_poll_at),
        })
    }
}

/// Returns every calendar that was ever polled. A calendar whose row cannot be read is left out and
/// starts again.
pub async fn calendars(tx: &mut Tx) -> Result<Vec<StoredCalendar>, Error> {
    let rows = all!(
        tx,
        Stored<CalendarRow>,
        "SELECT key, facility, kind, days, looks, slots, last_look_at, answered_at FROM calendar"
    )?;
    Ok(readable(rows, "calendar"))
}

/// Unwritten polls of one calendar.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Calendar of the polls.
    pub key: CalendarKey,
    /// Number of polls that are not written yet.
    pub polls: i64,
    /// Number of days that appeared in them.
    pub slots: i64,
    /// Time of the last of them (portal time).
    pub last_poll_at: Option<Instant>,
    /// Time of the last answered poll, accepted or not (portal time).
    pub answered_at: Option<Instant>,
    /// Plan for the next poll (portal time).
    pub next: Option<NextPoll>,
    /// Maximum age of the last answered poll, if known.
    pub bound: Option<TimeDelta>,
}

/// Adds polls to a calendar's counts, for all tasks that they covered. Called in batches.
pub async fn add_polls(tx: &mut Tx, tally: &Tally, now: Instant) -> Result<(), Error> {
    let kind = serde_json::to_value(&tally.key.kind).map_err(|_| Error::Corrupt("kind"))?;
    exec!(
        tx,
        "INSERT INTO calendar (key, facility, kind, days, looks, slots, last_look_at, next_look_at, moved_at,
             answered_at, next_wait, poll_bound)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT (key) DO UPDATE SET facility = $2, kind = $3, looks = calendar.looks + $5, slots = calendar.slots + $6,
           last_look_at = $7, next_look_at = $8, moved_at = $9, answered_at = $10, next_wait = $11,
           poll_bound = $12",
        tally.key.to_string(),
        i32::from(tally.key.facility.number()),
        kind,
        json!({ "days": [] }),
        tally.polls,
        tally.slots,
        tally.last_poll_at,
        tally.next.map(|next| next.at),
        now,
        tally.answered_at,
        tally.next.and_then(|next| next.wait).map(PollWait::as_str),
        tally.bound.map(|bound| bound.num_seconds())
    )?;
    Ok(())
}

/// Plan of a calendar that changed without a poll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedPlan {
    /// Calendar of the plan.
    pub key: CalendarKey,
    /// Plan for the next poll.
    pub next: Option<NextPoll>,
    /// Maximum age of the last answered poll, if known.
    pub bound: Option<TimeDelta>,
    /// Delivery to open pages. It is immediate if users see another wait now.
    pub shows: Shows,
}

/// Delivery of a changed plan to open pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Immediately: the version of the calendar's tasks grows.
    AtOnce,
    /// Together with the next change.
    Later,
}

/// Stores the changed plan of a calendar.
pub async fn set_plan(tx: &mut Tx, plan: &ChangedPlan, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE calendar SET next_look_at = $2, next_wait = $3, moved_at = COALESCE($4, moved_at), poll_bound = $5
           WHERE key = $1",
        plan.key.to_string(),
        plan.next.map(|next| next.at),
        plan.next.and_then(|next| next.wait).map(PollWait::as_str),
        (plan.shows == Shows::AtOnce).then_some(now),
        plan.bound.map(|bound| bound.num_seconds())
    )?;
    Ok(())
}

/// Records a list that differs from the last one. A repeated call with the same `id` records it
/// only once, because a commit without a confirmation is repeated. [`add_polls`] counts the poll
/// itself.
pub async fn record(
    tx: &mut Tx,
    id: Uuid,
    key: &CalendarKey,
    days: &[NaiveDate],
    change: &Change,
    at: Instant,
) -> Result<(), Error> {
    let kind = serde_json::to_value(&key.kind).map_err(|_| Error::Corrupt("kind"))?;
    let before = if change.vanished.is_empty() { None } else { last_poll(tx, key).await? };
    exec!(
        tx,
        "INSERT INTO calendar (key, facility, kind, days, looks, last_look_at) VALUES ($1, $2, $3, $4, 0, $5)
         ON CONFLICT (key) DO UPDATE SET facility = $2, kind = $3, days = $4, last_look_at = $5",
        key.to_string(),
        i32::from(key.facility.number()),
        kind,
        json!({ "days": days }),
        at
    )?;
    let rows = exec!(
        tx,
        "INSERT INTO observation (id, calendar_key, seen_at, change, earliest, days) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (id) DO NOTHING",
        id,
        key.to_string(),
        at,
        json!({ "appeared": change.appeared, "vanished": change.vanished }),
        days.first().copied(),
        i32::try_from(days.len()).unwrap_or(i32::MAX)
    )?;
    if rows == 0 {
        return Ok(());
    }
    crate::seen::record_days(tx, key, change, before, at).await
}

/// Seen date of a facility.
#[derive(Clone, Debug)]
pub struct SeenDay {
    /// Facility of the date.
    pub facility: FacilityId,
    /// The date.
    pub day: NaiveDate,
    /// Time of the last accepted poll that showed it.
    pub last_seen_at: Instant,
    /// Number of its appearances.
    pub times: i64,
}

#[derive(sqlx::FromRow)]
struct SeenRow {
    facility: i32,
    day: NaiveDate,
    last_seen_at: DateTime<Utc>,
    times: i64,
}

/// Returns the dates that a calendar has shown since `since`, in order of dates.
pub async fn seen_days(
    tx: &mut Tx,
    key: &CalendarKey,
    since: Instant,
    limit: i64,
) -> Result<Vec<SeenDay>, Error> {
    all!(
        tx,
        SeenRow,
        "SELECT facility, day, last_seen_at, times FROM (
           SELECT c.facility, d.day, d.times, CASE WHEN EXISTS (SELECT 1 FROM sighting s
               WHERE s.calendar_key = d.calendar_key AND s.day = d.day AND s.gone_at IS NULL)
             THEN COALESCE(c.last_look_at, d.last_seen_at) ELSE d.last_seen_at END AS last_seen_at
           FROM seen_day d JOIN calendar c ON c.key = d.calendar_key WHERE d.calendar_key = $1) AS seen
         WHERE last_seen_at >= $2 ORDER BY day LIMIT $3",
        key.to_string(),
        since,
        limit
    )?
    .into_iter()
    .map(|row| {
        Ok(SeenDay {
            facility: crate::task::facility(row.facility)?,
            day: row.day,
            last_seen_at: row.last_seen_at,
            times: row.times,
        })
    })
    .collect()
}

/// Returns the time of the last accepted poll of a calendar.
pub async fn last_poll(tx: &mut Tx, key: &CalendarKey) -> Result<Option<Instant>, Error> {
    let row = one!(
        tx,
        (Option<DateTime<Utc>>,),
        "SELECT last_look_at FROM calendar WHERE key = $1",
        key.to_string()
    )?;
    Ok(row.and_then(|(at,)| at))
}
