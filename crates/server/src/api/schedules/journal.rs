//! Endpoint `GET /schedules/{id}/journal`: stored entries and hourly batches of polls, in one
//! order.

use domain::journal::{CityName, JournalEvent, PollsEvent};
use std::collections::BTreeSet;

use axum::extract::State;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::clock::Instant;
use domain::facility::REPORTING_ZONE;
use domain::ids::TaskId;
use serde::{Deserialize, Serialize};
use store::Tx;
use store::journal::Entry;
use store::seen::WatchedHour;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::own_task;
use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code};
use crate::http::extract::{Query, TaskPath};

/// Maximum number of rows of hourly polls in one query; a row is one hour of one calendar.
const HOURS_AT_ONCE: i64 = 2_100;
/// Prefix of the identifiers of poll batches.
const POLLS: &str = "looks-";

/// Query of a journal page.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct JournalQuery {
    /// Only entries older than this one: `next` of the previous page.
    pub before: Option<String>,
    /// Maximum number of entries, 1 to 100; 50 by default.
    #[serde(default = "default_limit")]
    pub limit: u32,
}

const fn default_limit() -> u32 {
    50
}

/// An entry of a task's journal: an action, or its result.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct JournalEntry {
    /// Identifier of the entry.
    pub id: String,
    /// Time of the event; for combined events, the start of the first one.
    pub at: DateTime<Utc>,
    /// For combined events, the end of the last one; null for a single event.
    pub until: Option<DateTime<Utc>>,
    /// Number of combined events.
    pub count: u32,
    /// The event. Later versions may add further kinds.
    #[serde(flatten)]
    pub event: JournalEvent,
}

/// A page of a journal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct JournalPage {
    /// Entries, newest first.
    pub entries: Vec<JournalEntry>,
    /// `before` of the next page; null on the last page.
    pub next: Option<String>,
}

/// Returns the journal of a task, newest first. Polls of one hour are combined, and so are equal
/// neighbours.
#[utoipa::path(get, path = "/schedules/{id}/journal", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task"), JournalQuery),
    responses((status = 200, body = Envelope<JournalPage>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn get_schedule_journal(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
    Query(query): Query<JournalQuery>,
) -> Answer<JournalPage> {
    if !(1..=100).contains(&query.limit) {
        return Err(Code::InvalidQuery.into());
    }
    let now = app.portal_time.now();
    let mut tx = app.db.read().await?;
    own_task(&mut tx, caller.user, id).await?;
    let before = match &query.before {
        Some(cursor) => place(&mut tx, id, cursor).await?,
        None => (now + TimeDelta::days(1), Uuid::max()),
    };
    let page = page(&mut tx, id, before, query.limit as usize, now).await?;
    tx.commit().await?;
    ok(page)
}

/// Position of an entry in the order of the journal.
type JournalPosition = (Instant, Uuid);

/// Returns the position of a batch of polls, which is the end of its hour.
fn place_of_hour(hour: Instant) -> JournalPosition {
    (hour + TimeDelta::hours(1) - TimeDelta::microseconds(1), Uuid::nil())
}

async fn place(tx: &mut Tx, task: TaskId, cursor: &str) -> Result<JournalPosition, ApiError> {
    let unknown = || ApiError::new(Code::InvalidQuery);
    if let Some(hour) = cursor.strip_prefix(POLLS) {
        let seconds: i64 = hour.parse().map_err(|_| unknown())?;
        let hour = DateTime::from_timestamp(seconds, 0).filter(|_| seconds.abs() < 1 << 36);
        return hour.map(place_of_hour).ok_or_else(unknown);
    }
    let id: Uuid = cursor.parse().map_err(|_| unknown())?;
    let at = store::journal::written_at(tx, task, id).await?.ok_or_else(unknown)?;
    Ok((at, id))
}

async fn page(
    tx: &mut Tx,
    task: TaskId,
    before: JournalPosition,
    limit: usize,
    now: Instant,
) -> Result<JournalPage, ApiError> {
    let rows_limit = i64::try_from(4 * limit + 1).unwrap_or(i64::MAX);
    let rows = store::journal::page(tx, task, before, rows_limit).await?;
    let hours = store::seen::hours_of_task(tx, task, before.0, HOURS_AT_ONCE).await?;
    // If one query was cut off at its limit, the page must end there. Otherwise it would skip
    // entries that the query did not return.
    let cut_rows = rows.last().filter(|_| rows.len() as i64 == rows_limit).map(|r| (r.at, r.id));
    let cut_hours = hours
        .last()
        .filter(|_| hours.len() as i64 == HOURS_AT_ONCE)
        .map(|h| place_of_hour(h.hour + TimeDelta::hours(1)));
    let cut = cut_rows.max(cut_hours);
    let mut raw: Vec<(JournalPosition, JournalEntry)> =
        rows.into_iter().map(|row| ((row.at, row.id), of_row(row))).collect();
    raw.extend(batches(&hours, now));
    raw.retain(|(at, _)| *at < before && cut.is_none_or(|cut| *at >= cut));
    raw.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let truncated = cut.is_some();
    let mut entries: Vec<JournalEntry> = Vec::new();
    let mut last = None;
    let mut more = truncated;
    for (_, entry) in raw {
        let id = entry.id.clone();
        let full = entries.len() == limit;
        match entries.last_mut().filter(|newer| alike(newer, &entry)) {
            Some(newer) => fold(newer, &entry),
            None if full => {
                more = true;
                break;
            }
            None => entries.push(entry),
        }
        last = Some(id);
    }
    Ok(JournalPage { entries, next: last.filter(|_| more) })
}

fn of_row(row: Entry) -> JournalEntry {
    let event = match row.event {
        JournalEvent::Edited { changed, .. } => JournalEvent::Edited { changed, was: None },
        event => event,
    };
    JournalEntry { id: row.id.to_string(), at: row.at, until: None, count: 1, event }
}

/// Returns one entry per hour, over all cities of the task.
fn batches(hours: &[WatchedHour], now: Instant) -> Vec<(JournalPosition, JournalEntry)> {
    let of_one = |a: &WatchedHour, b: &WatchedHour| a.hour == b.hour;
    hours.chunk_by(of_one).filter_map(|hours| batch(hours, now)).collect()
}

fn batch(hours: &[WatchedHour], now: Instant) -> Option<(JournalPosition, JournalEntry)> {
    let hour = hours.first()?.hour;
    let end = (hour + TimeDelta::hours(1)).min(now).max(hour);
    let ended = |h: &WatchedHour| h.since < hour + TimeDelta::hours(1);
    let counted: Vec<&WatchedHour> =
        hours.iter().filter(|h| h.polls > 0 || (h.failures > 0 && ended(h))).collect();
    let sum = |of: fn(&WatchedHour) -> i64| counted.iter().map(|h| of(h)).sum::<i64>();
    let (polls, failures) = (sum(|h| h.polls), sum(|h| h.failures));
    if polls + failures == 0 {
        return None;
    }
    let earliest = counted.iter().filter_map(|h| Some((h.earliest?, h.facility))).min();
    let cities: BTreeSet<CityName> = counted.iter().map(|h| CityName(h.facility)).collect();
    let event = JournalEvent::Polls(PollsEvent {
        cities,
        earliest: earliest.map(|(day, _)| day),
        facility: earliest.map(|(_, city)| CityName(city)),
        polls,
        slots: sum(|h| h.slots),
        failures,
    });
    let since = counted.iter().map(|h| h.since).min().unwrap_or(hour);
    let until = counted.iter().map(|h| h.until.unwrap_or(end)).max().unwrap_or(end).min(end);
    let entry = JournalEntry {
        id: format!("{POLLS}{}", hour.timestamp()),
        at: hour.max(since.min(end)),
        until: (polls + failures > 1).then_some(until),
        count: 1,
        event,
    };
    Some((place_of_hour(hour), entry))
}

/// Returns `true` if two neighbours can be combined: equal events, or batches of polls with equal
/// results on the same date in Toronto.
fn alike(newer: &JournalEntry, older: &JournalEntry) -> bool {
    let (JournalEvent::Polls(new), JournalEvent::Polls(old)) = (&newer.event, &older.event) else {
        return newer.event == older.event;
    };
    let day = |entry: &JournalEntry| -> NaiveDate { entry.at.with_timezone(&REPORTING_ZONE).date_naive() };
    let same = |polls: &PollsEvent| (polls.earliest, polls.facility, polls.failures != 0);
    same(new) == same(old) && day(newer) == day(older)
}

fn fold(newer: &mut JournalEntry, older: &JournalEntry) {
    newer.until = newer.until.or(Some(newer.at));
    newer.at = older.at;
    newer.count += older.count;
    if let (JournalEvent::Polls(new), JournalEvent::Polls(old)) = (&mut newer.event, &older.event) {
        new.polls += old.polls;
        new.slots += old.slots;
        new.failures += old.failures;
        new.cities.extend(&old.cities);
    }
}
