//! What calendars showed: the last list, one row per change, and per day how often it was seen.

use chrono::{DateTime, NaiveDate, Utc};
use domain::calendar::{CalendarKey, Change, Kind};
use domain::clock::Instant;
use domain::facility::FacilityId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::task::read;
use crate::{Error, Tx, all, exec, one};

/// A calendar and the list it last showed.
#[derive(Clone, Debug)]
pub struct StoredCalendar {
    /// Who looks where.
    pub key: CalendarKey,
    /// The last list, sorted.
    pub days: Vec<NaiveDate>,
    /// Looks so far.
    pub polls: i64,
    /// Days that appeared at them.
    pub slots: i64,
    /// The last answered look.
    pub last_poll_at: Option<Instant>,
}

/// The JSON object a list of days is stored as.
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
}

/// Every calendar ever looked at.
pub async fn calendars(tx: &mut Tx) -> Result<Vec<StoredCalendar>, Error> {
    all!(tx, CalendarRow, "SELECT facility, kind, days, looks, slots, last_look_at FROM calendar")?
        .into_iter()
        .map(|row| {
            let kind: Kind = read("calendar.kind", row.kind)?;
            let days: DayList = read("calendar.days", row.days)?;
            let facility = crate::task::facility(row.facility)?;
            Ok(StoredCalendar {
                key: CalendarKey { kind, facility },
                days: days.days,
                polls: row.polls,
                slots: row.slots,
                last_poll_at: row.last_poll_at,
            })
        })
        .collect()
}

/// What looks at one calendar are to be added up to.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Whose calendar.
    pub key: CalendarKey,
    /// Polls that are not written yet.
    pub polls: i64,
    /// Days that appeared at them.
    pub slots: i64,
    /// The last of them (portal time).
    pub last_poll_at: Option<Instant>,
    /// When the next is due, as things stand (portal time).
    pub next_poll_at: Option<Instant>,
}

/// Counts looks, for every task they answered; written in batches.
pub async fn add_polls(tx: &mut Tx, tally: &Tally, now: Instant) -> Result<(), Error> {
    let kind = serde_json::to_value(&tally.key.kind).map_err(|_| Error::Corrupt("kind"))?;
    exec!(
        tx,
        "INSERT INTO calendar (key, facility, kind, days, looks, slots, last_look_at, next_look_at, moved_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (key) DO UPDATE SET looks = calendar.looks + $5, slots = calendar.slots + $6,
           last_look_at = $7, next_look_at = $8, moved_at = $9",
        tally.key.to_string(),
        i32::from(tally.key.facility.number()),
        kind,
        json!({ "days": [] }),
        tally.polls,
        tally.slots,
        tally.last_poll_at,
        tally.next_poll_at,
        now
    )?;
    Ok(())
}

/// Records a list that differs from the last one, once: a commit whose answer was lost is made again. The poll itself is counted by
/// [`add_polls`].
pub async fn record(
    tx: &mut Tx,
    id: Uuid,
    key: &CalendarKey,
    days: &[NaiveDate],
    change: &Change,
    at: Instant,
) -> Result<(), Error> {
    let kind = serde_json::to_value(&key.kind).map_err(|_| Error::Corrupt("kind"))?;
    exec!(
        tx,
        "INSERT INTO calendar (key, facility, kind, days, looks, last_look_at) VALUES ($1, $2, $3, $4, 0, $5)
         ON CONFLICT (key) DO UPDATE SET days = $4, last_look_at = $5",
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
    crate::seen::note_days(tx, key, change, at).await
}

/// A day that was seen, and where.
#[derive(Clone, Debug)]
pub struct SeenDay {
    /// Where.
    pub facility: FacilityId,
    /// The day.
    pub day: NaiveDate,
    /// When it last appeared.
    pub last_seen_at: Instant,
    /// How often it appeared.
    pub times: i64,
}

#[derive(sqlx::FromRow)]
struct SeenRow {
    facility: i32,
    day: NaiveDate,
    last_seen_at: DateTime<Utc>,
    times: i64,
}

/// Days a calendar has shown since `since`, in order of days.
pub async fn seen_days(
    tx: &mut Tx,
    key: &CalendarKey,
    since: Instant,
    limit: i64,
) -> Result<Vec<SeenDay>, Error> {
    all!(
        tx,
        SeenRow,
        "SELECT calendar.facility, day, last_seen_at, times FROM seen_day
           JOIN calendar ON calendar.key = seen_day.calendar_key
         WHERE calendar_key = $1 AND last_seen_at >= $2 ORDER BY day LIMIT $3",
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

/// The last answered look at a calendar.
pub async fn last_poll(tx: &mut Tx, key: &CalendarKey) -> Result<Option<Instant>, Error> {
    let row = one!(
        tx,
        (Option<DateTime<Utc>>,),
        "SELECT last_look_at FROM calendar WHERE key = $1",
        key.to_string()
    )?;
    Ok(row.and_then(|(at,)| at))
}
