//! State of the portal by the hour, and incidents.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use store::seen::PortalHour as StoredHour;
use utoipa::ToSchema;

/// State of the portal in one hour, or on one date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
#[serde(rename_all = "lowercase")]
pub enum HourState {
    /// No poll was sent.
    None,
    /// The portal responded.
    Ok,
    /// Responses took more than three seconds on average, or at least two polls and one in five got
    /// no response, or the only poll got none.
    Slow,
    /// At least two polls, and more than half of them, got no response.
    Down,
}

/// State of the portal in one hour.
#[derive(Clone, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct PortalHour {
    /// Start of the hour.
    pub hour: DateTime<Utc>,
    pub state: HourState,
    /// Number of answered polls.
    pub looks: i64,
    /// Number of polls without an answer.
    pub failures: i64,
    /// Average response time in milliseconds; null without answers.
    pub latency_ms: Option<i64>,
}

/// A period in which the portal was slow or down, in whole hours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct Incident {
    /// Start of the first hour of the incident.
    pub begins: DateTime<Utc>,
    /// End of the last hour; null while the incident continues.
    pub ends: Option<DateTime<Utc>>,
    /// Worst state within the period.
    pub state: HourState,
    /// Number of answered polls.
    pub looks: i64,
    /// Number of polls without an answer.
    pub failures: i64,
    /// Average response time in milliseconds; null without answers.
    pub latency_ms: Option<i64>,
}

/// Average response time above which the portal is slow.
const SLOW_MS: i64 = 3_000;
/// Minimum number of unanswered polls. A single one does not prove a problem of the portal.
const SEVERAL: i64 = 2;
/// Minimum length of a gap without polls that ends an incident.
const UNASKED: TimeDelta = TimeDelta::hours(3);

impl HourState {
    /// Returns the state of an hour.
    pub fn of(h: &StoredHour) -> Self {
        match () {
            () if h.polls + h.failures == 0 => Self::None,
            () if h.failures >= SEVERAL && h.failures > h.polls => Self::Down,
            () if h.failures >= SEVERAL && h.failures * 5 > h.polls + h.failures => Self::Slow,
            () if h.polls == 0 || h.took_ms > SLOW_MS * h.polls => Self::Slow,
            () => Self::Ok,
        }
    }

    /// Returns `true` if the portal was slow or down.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Slow | Self::Down)
    }
}

/// Returns the average response time of some hours in milliseconds; `None` without answered polls.
pub fn latency<'a>(hours: impl IntoIterator<Item = &'a StoredHour>) -> Option<i64> {
    let (looks, took) =
        hours.into_iter().fold((0, 0), |(looks, took), h| (looks + h.polls, took + h.took_ms));
    (looks > 0).then(|| took / looks)
}

/// Returns the incidents in a list of sorted hours, oldest first. A single unanswered poll is no
/// incident.
pub fn incidents(hours: &[StoredHour], now: DateTime<Utc>) -> Vec<Incident> {
    let asked: Vec<_> = hours.iter().filter(|h| HourState::of(h) != HourState::None).collect();
    let runs = asked.chunk_by(|a, b| {
        HourState::of(a).is_bad() == HourState::of(b).is_bad() && b.hour - a.hour <= UNASKED
    });
    let bad = runs.filter(|run| HourState::of(run[0]).is_bad() && !is_one_poll(run));
    bad.map(|run| incident(run, asked.last().map(|h| h.hour), now)).collect()
}

fn is_one_poll(run: &[&StoredHour]) -> bool {
    run.iter().map(|h| h.polls + h.failures).sum::<i64>() < SEVERAL
}

fn incident(run: &[&StoredHour], newest: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Incident {
    let (first, last) = (run[0].hour, run[run.len() - 1].hour);
    // The last polls belong to the incident and are recent, so the incident is assumed to continue.
    let goes_on = newest == Some(last) && now - last < UNASKED;
    Incident {
        begins: first,
        ends: (!goes_on).then(|| last + TimeDelta::hours(1)),
        state: run.iter().map(|h| HourState::of(h)).max().unwrap_or(HourState::None),
        looks: run.iter().map(|h| h.polls).sum(),
        failures: run.iter().map(|h| h.failures).sum(),
        latency_ms: latency(run.iter().copied()),
    }
}
