//! How the portal answered, judged by the hour: what an hour was like, and which hours make an incident.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use store::seen::PortalHour as StoredHour;
use utoipa::ToSchema;

/// How the portal did in one hour, or on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
#[serde(rename_all = "lowercase")]
pub enum HourState {
    /// Nobody asked.
    None,
    /// It answered.
    Ok,
    /// Its answers took more than three seconds, or several, one poll in five, got none, or the only look there was got none.
    Slow,
    /// Several looks got no answer, more than got one.
    Down,
}

/// One hour.
#[derive(Clone, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct PortalHour {
    /// Its beginning.
    pub hour: DateTime<Utc>,
    pub state: HourState,
    /// Answered looks.
    pub looks: i64,
    /// Polls that got no answer.
    pub failures: i64,
    /// Milliseconds an answer took on average; null without any.
    pub latency_ms: Option<i64>,
}

/// A time in which the portal was slow or down, made of hours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct Incident {
    /// Beginning of its first hour.
    pub begins: DateTime<Utc>,
    /// End of its last hour; null while it goes on.
    pub ends: Option<DateTime<Utc>>,
    /// What it was at its worst.
    pub state: HourState,
    /// Answered looks.
    pub looks: i64,
    /// Polls that got no answer.
    pub failures: i64,
    /// Milliseconds an answer took on average; null without any.
    pub latency_ms: Option<i64>,
}

/// An answer that takes longer than this is a slow one.
const SLOW_MS: i64 = 3_000;
/// One poll without an answer says nothing about the portal.
const SEVERAL: i64 = 2;
/// Hours in which nobody asked do not end an incident, if there are no more of them.
const UNASKED: TimeDelta = TimeDelta::hours(3);

impl HourState {
    /// Judges an hour.
    pub fn of(h: &StoredHour) -> Self {
        match () {
            () if h.polls + h.failures == 0 => Self::None,
            () if h.failures >= SEVERAL && h.failures > h.polls => Self::Down,
            () if h.failures >= SEVERAL && h.failures * 5 > h.polls + h.failures => Self::Slow,
            () if h.polls == 0 || h.took_ms > SLOW_MS * h.polls => Self::Slow,
            () => Self::Ok,
        }
    }

    /// Whether the portal did badly.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Slow | Self::Down)
    }
}

/// Milliseconds an answer of these hours took on average.
pub fn latency<'a>(hours: impl IntoIterator<Item = &'a StoredHour>) -> Option<i64> {
    let (looks, took) =
        hours.into_iter().fold((0, 0), |(looks, took), h| (looks + h.polls, took + h.took_ms));
    (looks > 0).then(|| took / looks)
}

/// The incidents among hours in order, oldest first. An hour with one poll and no answer is none by itself.
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
    // Nobody has asked since, and it is not long ago: as far as we know it goes on.
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
