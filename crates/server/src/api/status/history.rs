//! Endpoint `GET /status/history`: state of the portal by date, and incidents.

use axum::extract::State;
use chrono::{DateTime, DurationRound as _, NaiveDate, TimeDelta, Utc};
use domain::facility::REPORTING_ZONE;
use store::seen::PortalHour as StoredHour;

mod answer;

pub use self::answer::{PortalDay, StatusHistory};
use super::hours::{HourState, Incident, incidents, latency};
use crate::AppState;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, ErrorEnvelope};

/// Number of days in the history. Older polls are not stored.
const DAYS: i64 = 90;
/// Number of days for which incidents are listed.
const INCIDENT_DAYS: i64 = 30;
/// Maximum number of listed incidents; the oldest are dropped.
const MOST_INCIDENTS: usize = 20;
/// Maximum age of the history, which is the same for all callers and aggregates three months.
const AGE: TimeDelta = TimeDelta::seconds(30);

/// Returns the state of the portal by date, and its incidents. No token is needed.
#[utoipa::path(get, path = "/status/history", tag = "meta", responses(
    (status = 200, body = Envelope<StatusHistory>), (status = 503, body = ErrorEnvelope),
))]
pub async fn get_status_history(State(app): State<AppState>) -> Answer<StatusHistory> {
    ok(current(&app).await?)
}

/// Returns the start of the current incident; `None` without one. The whole history is searched,
/// because an outage may have begun days ago.
pub(super) async fn begun(app: &AppState) -> Result<Option<DateTime<Utc>>, ApiError> {
    let newest = current(app).await?.incidents.into_iter().next();
    Ok(newest.filter(|i| i.ends.is_none()).map(|i| i.begins))
}

/// Returns the history that all callers get.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn current(app: &AppState) -> Result<StatusHistory, ApiError> {
    app.status_history.get(app.now(), AGE, read(app)).await
}

async fn read(app: &AppState) -> Result<StatusHistory, ApiError> {
    let now = app.portal_time.now();
    // Includes the day before the first reported date, so that the first date is complete.
    let since = now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now) - TimeDelta::days(DAYS);
    let mut tx = app.db.read().await?;
    let hours = store::seen::portal_hours(&mut tx, since).await?;
    let watching = store::stats::watching(&mut tx, now).await?;
    tx.commit().await?;
    let found = incidents(&hours, now);
    let lately = now - TimeDelta::days(INCIDENT_DAYS);
    let told = found.iter().rev().filter(|i| i.ends.is_none_or(|ends| ends > lately));
    Ok(StatusHistory {
        at: now,
        days: days(&hours, &found, now),
        incidents: told.take(MOST_INCIDENTS).cloned().collect(),
        recorded_since: hours.first().map(|h| h.hour),
        watching: watching.calendars > 0,
        overdue_seconds: watching.overdue_at.map(|at| (now - at).num_seconds()),
    })
}

fn days(hours: &[StoredHour], incidents: &[Incident], now: DateTime<Utc>) -> Vec<PortalDay> {
    let day_of = |at: DateTime<Utc>| at.with_timezone(&REPORTING_ZONE).date_naive();
    let is_bad = |h: &StoredHour| {
        HourState::of(h).is_bad()
            && incidents.iter().any(|i| i.begins <= h.hour && i.ends.is_none_or(|ends| h.hour < ends))
    };
    let today = day_of(now);
    let first = today - TimeDelta::days(DAYS - 1);
    let asked: Vec<_> = hours.iter().map(|h| (day_of(h.hour), h)).collect();
    let mut runs = asked.chunk_by(|(a, _), (b, _)| a == b).skip_while(|run| run[0].0 < first).peekable();
    first
        .iter_days()
        .take_while(|day| *day <= today)
        .map(|day| match runs.next_if(|run| run[0].0 == day) {
            Some(run) => portal_day(day, run, is_bad),
            None => portal_day(day, &[], is_bad),
        })
        .collect()
}

fn portal_day(
    day: NaiveDate,
    run: &[(NaiveDate, &StoredHour)],
    is_bad: impl Fn(&StoredHour) -> bool,
) -> PortalDay {
    let hours = || run.iter().map(|(_, h)| *h);
    let bad: Vec<_> = hours().filter(|h| is_bad(h)).collect();
    let looks = hours().map(|h| h.polls).sum();
    let failures = hours().map(|h| h.failures).sum();
    let usual = if looks + failures == 0 { HourState::None } else { HourState::Ok };
    PortalDay {
        day,
        state: bad.iter().map(|h| HourState::of(h)).max().unwrap_or(usual),
        looks,
        failures,
        latency_ms: latency(hours()),
        bad_hours: i64::try_from(bad.len()).unwrap_or(i64::MAX),
    }
}
