//! The booking protocol as pure decisions: attempt, old appointment, read-back, settlement.
//!
//! A booking cannot be undone, so the portal's POST answer is evidence and never the verdict.

pub mod evidence;

use chrono::{NaiveTime, TimeDelta};
use serde::{Deserialize, Serialize};

use crate::appointment::Slot;
use crate::clock::Instant;

mod late;
mod may_book;
pub(crate) mod mode;
mod sequel;

pub use late::{counts_late, next_late_reading};
pub use may_book::{Allowance, Attempts, PORTAL_ATTEMPTS, Stop};
pub use mode::{BookingMode, ModesDiffer, RequestedMode};
pub use sequel::Sequel;

/// How long after `sending` the bytes may still leave.
pub const SEND_WITHIN: TimeDelta = TimeDelta::seconds(5);
/// The old appointment proves nothing before this: the groups page lags two minutes.
pub const LAG: TimeDelta = TimeDelta::seconds(180);
/// Two readings of the old appointment must lie this far apart.
pub const APART: TimeDelta = TimeDelta::seconds(60);
/// After this an unknown outcome is a person's to settle.
pub const MANUAL_AFTER: TimeDelta = TimeDelta::hours(24);
/// After this an unknown outcome's hold is released in the customer's favour.
pub const RELEASE_AFTER: TimeDelta = TimeDelta::hours(72);
/// For so long after a POST its target still counts as booked by it, should the portal show it after all.
pub const LATE_COUNTS_FOR: TimeDelta = TimeDelta::days(7);

const READ_BACK_SECONDS: [i64; 8] = [0, 20, 60, 180, 240, 300, 600, 1800];
/// Until then after a POST its user waits for the news that nothing was booked: what keeps it back is read sooner.
const NEWS_WITHIN: TimeDelta = TimeDelta::seconds(300);
/// A late page that could not be read is read again after this.
const AGAIN_AFTER: TimeDelta = TimeDelta::seconds(30);

/// Where an attempt stands.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
    strum::EnumString,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum AttemptState {
    /// Nothing was sent.
    #[serde(rename = "armed")]
    #[strum(serialize = "armed")]
    Prepared,
    /// Bytes may have left.
    #[serde(rename = "acting")]
    #[strum(serialize = "acting")]
    Sending,
    /// The portal shows the target.
    Confirmed,
    /// The portal kept the old appointment.
    Refused,
    /// Nobody can tell yet.
    Unknown,
    /// Unknown for a while, then shown not to have happened.
    NotBooked,
    /// Unknown for a day: a person must settle it.
    Manual,
    /// Given up before anything was sent.
    Released,
}

impl AttemptState {
    /// Every state.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The stored word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the stored word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// Whether it keeps every other booking of the account waiting.
    #[must_use]
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Prepared | Self::Sending | Self::Unknown)
    }

    /// Whether the move to `next` is one of the protocol's.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        use AttemptState::{Confirmed, Manual, NotBooked, Prepared, Refused, Released, Sending, Unknown};
        matches!(
            (self, next),
            (Prepared, Sending | Released)
                | (Sending, Confirmed | Refused | Unknown)
                | (Unknown, Confirmed | NotBooked | Manual)
                | (Manual, Confirmed | NotBooked)
                // It was applied later than anybody waits for.
                | (Refused | NotBooked, Confirmed)
        )
    }
}

/// What a fresh page showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shown", rename_all = "snake_case")]
pub enum ObservedState {
    /// The group holds this appointment.
    Appointment {
        /// Where and when.
        slot: Slot,
    },
    /// The group holds no appointment.
    None,
    /// The page could not be fetched or understood.
    Unreadable,
}

impl ObservedState {
    /// A readable page's appointment.
    #[must_use]
    pub fn of(slot: Option<Slot>) -> Self {
        slot.map_or(Self::None, |slot| Self::Appointment { slot })
    }
}

/// One reading of the portal after a POST.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// When it was asked for.
    pub at: Instant,
    /// What it showed.
    pub shown: ObservedState,
    /// Attempts left, when a page said so.
    pub attempts_left: Option<u32>,
}

/// What a booking was meant to do, for judging what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedOutcome {
    /// The appointment before.
    pub expected: Option<Slot>,
    /// The slot the POST named.
    pub target: Slot,
    /// The end of the POST, or its deadline plus timeout when that is not known.
    pub t0: Instant,
    /// Attempts left before, when known.
    pub attempts_before: Option<u32>,
}

/// What to make of the readings so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBackOutcome {
    /// The target was seen: final.
    Confirmed,
    /// The old appointment was seen twice after the lag: nothing was booked.
    NotBooked,
    /// Read again at this instant; `unknown` says whether the attempt now counts as unknown.
    ReadAgain {
        /// When.
        at: Instant,
        /// Past the fixed readings without an answer.
        unknown: bool,
    },
    /// A day has passed: a person's.
    Manual,
}

/// How long the old appointment has to be watched before it is believed.
#[derive(Clone, Copy, Debug)]
pub struct ReadBackPolicy {
    /// Readings before this, counted from `t0`, prove nothing.
    pub lag: TimeDelta,
    /// Two readings must lie this far apart.
    pub apart: TimeDelta,
}

impl Default for ReadBackPolicy {
    fn default() -> Self {
        Self { lag: LAG, apart: APART }
    }
}

/// Judges the readings of one attempt, given in the order they were made.
#[must_use]
pub fn read_back_outcome(
    expected_outcome: &ExpectedOutcome,
    readings: &[Observation],
    read_back_policy: ReadBackPolicy,
    now: Instant,
) -> ReadBackOutcome {
    let target = ObservedState::Appointment { slot: expected_outcome.target };
    if readings.iter().any(|r| r.shown == target) {
        return ReadBackOutcome::Confirmed;
    }
    let before = ObservedState::of(expected_outcome.expected);
    let late = || readings.iter().filter(|r| r.at >= expected_outcome.t0 + read_back_policy.lag);
    let kept: Vec<&Observation> = late().filter(|r| r.shown == before).collect();
    let something_else = late().any(|r| r.shown != before && r.shown != ObservedState::Unreadable);
    let twice = match kept[..] {
        [first, .., last] => last.at - first.at >= read_back_policy.apart,
        _ => false,
    };
    if twice && !something_else && attempts_unchanged(expected_outcome, &kept) {
        return ReadBackOutcome::NotBooked;
    }
    let late: Vec<&Observation> = late().filter(|r| r.shown != ObservedState::Unreadable).collect();
    if changed_by_hand(expected_outcome, &late, read_back_policy) {
        return ReadBackOutcome::NotBooked;
    }
    if now >= expected_outcome.t0 + MANUAL_AFTER {
        return ReadBackOutcome::Manual;
    }
    let at = next_reading(expected_outcome.t0, readings, now);
    ReadBackOutcome::ReadAgain {
        at,
        unknown: now >= expected_outcome.t0 + TimeDelta::seconds(240) && readings.len() >= 5,
    }
}

/// Whether a third appointment stands there with exactly one attempt fewer: somebody changed it by hand, and ours was not
/// booked before, for that would have cost another.
fn changed_by_hand(
    expected_outcome: &ExpectedOutcome,
    late: &[&Observation],
    read_back_policy: ReadBackPolicy,
) -> bool {
    let Some(last) = late.last() else { return false };
    let third = !matches!(last.shown, ObservedState::Unreadable)
        && last.shown != ObservedState::of(expected_outcome.expected);
    let seen: Vec<&&Observation> = late.iter().rev().take_while(|r| r.shown == last.shown).collect();
    let apart = seen.last().is_some_and(|first| last.at - first.at >= read_back_policy.apart);
    let told = seen.iter().find_map(|r| r.attempts_left);
    let one_fewer =
        expected_outcome.attempts_before.zip(told).is_some_and(|(before, left)| left + 1 == before);
    third && apart && one_fewer
}

/// Attempts never come back: the last page that told them refutes an earlier one that told fewer.
fn attempts_unchanged(expected_outcome: &ExpectedOutcome, kept: &[&Observation]) -> bool {
    let told = kept.iter().rev().find_map(|r| r.attempts_left);
    expected_outcome.attempts_before.zip(told).is_none_or(|(before, left)| before == left)
}

/// The next instant to read at: 0, 20, 60, 180, 240 s, 5, 10, 30 min after `t0`, then hourly. Within five minutes also half a
/// minute after a late page that could not be read, and as soon as a second one tells with the first that nothing was booked.
#[must_use]
pub fn next_reading(t0: Instant, readings: &[Observation], now: Instant) -> Instant {
    if let Some(at) = deciding_reading(t0, readings, now) {
        return at;
    }
    let last = readings.last().map(|r| r.at);
    let fixed = READ_BACK_SECONDS
        .iter()
        .map(|s| t0 + TimeDelta::seconds(*s))
        .find(|at| last.is_none_or(|last| *at > last) && (*at >= now || last.is_none()));
    fixed.unwrap_or_else(|| last.unwrap_or(now).max(now - TimeDelta::hours(1)) + TimeDelta::hours(1))
}

fn deciding_reading(t0: Instant, readings: &[Observation], now: Instant) -> Option<Instant> {
    let late = readings.iter().filter(|r| r.at >= t0 + LAG);
    let is_readable = |r: &&Observation| r.shown != ObservedState::Unreadable;
    let last = late.clone().next_back()?;
    let at = if is_readable(&last) {
        late.clone().find(is_readable)?.at + APART
    } else {
        Some(last.at + AGAIN_AFTER).filter(|at| *at < t0 + NEWS_WITHIN)?
    };
    // What decides may come a little later: the fixed reading at five minutes would be too near to the first.
    (last.at < at && at.max(now) < t0 + NEWS_WITHIN + APART).then(|| at.max(now))
}

/// The time to take of those the portal offers for the day: the best that is `wanted`, leaving alone those others are
/// about to take and the `skip` best that those of higher rank will choose.
#[must_use]
pub fn choose_time(
    offered: &[NaiveTime],
    taken: &[NaiveTime],
    skip: usize,
    wanted: crate::criteria::TimesOfDay,
) -> Option<NaiveTime> {
    let mut free: Vec<NaiveTime> = offered.iter().copied().filter(|t| !taken.contains(t)).collect();
    free.sort_by_key(|t| crate::criteria::time_preference(*t));
    free.into_iter().skip(skip).find(|time| wanted.contains(*time))
}
