//! Endpoint `GET /schedules/{id}/seen`: the dates that were listed while the task was monitored,
//! and the reason why each was not booked.

use axum::extract::State;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::clock::Instant;
use serde::{Deserialize, Serialize};
use store::seen::{Before, Sighting};
use utoipa::{IntoParams, ToSchema};

use super::own_task;
use super::why_not::{DateOutcome, Past, Reason, WhyData};
use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code};
use crate::http::extract::{Query, TaskPath};

/// Query of a page of seen dates.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct SeenQuery {
    /// `next` of the previous page.
    pub before: Option<String>,
    /// Maximum number of entries, 1 to 100; 20 by default.
    #[serde(default = "default_limit")]
    pub limit: u32,
}

const fn default_limit() -> u32 {
    20
}

/// A date that was listed, with its outcome for the task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenEntry {
    /// The date.
    pub date: NaiveDate,
    /// City, in English.
    pub facility: String,
    /// Local time of the attempted slot, `HH:MM`; null without an attempt.
    pub time: Option<String>,
    /// Time of the first poll that showed the date.
    pub seen_at: DateTime<Utc>,
    /// Time of the first poll that did not show the date any more; null while it is listed.
    pub gone_at: Option<DateTime<Utc>>,
    /// Seconds from `seen_at` to `gone_at`; null while the date is listed.
    pub alive_seconds: Option<i64>,
    /// Reason for which the date was not booked, or `booked`.
    pub why: DateOutcome,
    /// Details of the reason.
    pub data: WhyData,
}

/// A page of dates that were listed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenPage {
    /// Entries, newest first.
    pub entries: Vec<SeenEntry>,
    /// `before` of the next page; null on the last page.
    pub next: Option<String>,
    /// Total number of entries.
    pub total: i64,
}

/// Returns the dates that were listed for the task with the outcome of each, newest first.
#[utoipa::path(get, path = "/schedules/{id}/seen", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task"), SeenQuery),
    responses((status = 200, body = Envelope<SeenPage>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn get_schedule_seen(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
    Query(query): Query<SeenQuery>,
) -> Answer<SeenPage> {
    if !(1..=100).contains(&query.limit) {
        return Err(Code::InvalidQuery.into());
    }
    let before = match &query.before {
        Some(cursor) => parse(cursor).ok_or_else(|| ApiError::new(Code::InvalidQuery))?,
        None => newest(app.portal_time.now()),
    };
    let limit = i64::from(query.limit);
    let mut tx = app.db.read().await?;
    let task = own_task(&mut tx, caller.user, id).await?;
    let mut seen = store::seen::sightings(&mut tx, id, (DateTime::UNIX_EPOCH, before), limit + 1).await?;
    let more = seen.len() as i64 > limit;
    seen.truncate(query.limit as usize);
    let total = store::seen::count_sightings(&mut tx, id).await?;
    let since = seen.last().map_or_else(|| app.portal_time.now(), |last| last.seen_at);
    let past = Past::read(&mut tx, &task, since).await?;
    tx.commit().await?;
    let next = seen.last().filter(|_| more).map(cursor);
    let entries = seen.iter().map(|seen| entry(seen, past.why(seen))).collect();
    ok(SeenPage { entries, next, total })
}

/// Returns a page position that is before every date seen until `now`.
pub(super) fn newest(now: Instant) -> Before {
    (now + TimeDelta::days(1), NaiveDate::default(), 0)
}

fn entry(seen: &Sighting, (why, data, tried): Reason) -> SeenEntry {
    SeenEntry {
        date: seen.day,
        facility: seen.facility.name().to_owned(),
        time: tried.map(|slot| slot.time.format("%H:%M").to_string()),
        seen_at: seen.seen_at,
        gone_at: seen.gone_at,
        alive_seconds: seen.gone_at.map(|gone| (gone - seen.seen_at).num_seconds()),
        why,
        data,
    }
}

fn cursor(seen: &Sighting) -> String {
    format!("{}.{}.{}", seen.seen_at.timestamp_micros(), seen.day, seen.facility.number())
}

fn parse(cursor: &str) -> Option<Before> {
    let mut parts = cursor.split('.');
    let micros: i64 = parts.next()?.parse().ok()?;
    let at = DateTime::from_timestamp_micros(micros).filter(|_| micros.abs() < 1 << 56)?;
    let day: NaiveDate = parts.next()?.parse().ok()?;
    let facility = parts.next()?.parse().ok()?;
    let in_range =
        (NaiveDate::from_ymd_opt(1970, 1, 1)?..=NaiveDate::from_ymd_opt(9999, 12, 31)?).contains(&day);
    (parts.next().is_none() && in_range).then_some((at, day, facility))
}
