//! Booking protocol as pure decisions: attempt state, read-back and settlement.
//!
//! A booking cannot be undone, so the portal's answer to the POST is evidence and never decides the
//! outcome. The engine's `jobs/read_back.rs` decides what a half-confirmed booking does.

pub mod evidence;

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::appointment::Appointment;
use crate::clock::Instant;
use crate::facility::instant_in;

mod late;
mod may_book;
mod sequel;

pub use late::{counts_late, next_late_reading};
pub use may_book::{Allowance, Attempts, Stop};
pub use sequel::Sequel;

/// Time after the change to `Sending` within which bytes may leave.
pub const SEND_WITHIN: TimeDelta = TimeDelta::seconds(5);
/// Time after the POST during which the old appointment proves nothing. The groups page lags two
/// minutes.
pub const LAG: TimeDelta = TimeDelta::seconds(180);
/// Minimum time between two readings of the old appointment.
pub const APART: TimeDelta = TimeDelta::seconds(60);
/// Age at which an unknown outcome is left to an operator.
pub const MANUAL_AFTER: TimeDelta = TimeDelta::hours(24);
/// Age at which the hold of an unknown outcome is released in the customer's favour.
pub const RELEASE_AFTER: TimeDelta = TimeDelta::hours(72);
/// Time after a POST during which a late appearance of its target still counts as its booking.
pub const LATE_COUNTS_FOR: TimeDelta = TimeDelta::days(7);

const READ_BACK_SECONDS: [i64; 8] = [0, 20, 60, 180, 240, 300, 600, 1800];
/// Time after a POST in which the user waits for the news that nothing was booked. Readings that
/// delay the news are repeated sooner within this time.
const NEWS_WITHIN: TimeDelta = TimeDelta::seconds(300);
/// Wait before a late page that could not be read is read again.
const AGAIN_AFTER: TimeDelta = TimeDelta::seconds(30);

/// State of a booking attempt.
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
    /// The outcome cannot be determined yet.
    Unknown,
    /// The outcome was unknown for a while; then the portal showed that nothing was booked.
    NotBooked,
    /// The outcome was unknown for a day; an operator must settle it.
    Manual,
    /// The attempt was abandoned before anything was sent.
    Released,
}

impl AttemptState {
    /// Every state.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Returns the stored value.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the stored value.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// Returns `true` if the attempt blocks every other booking of the account.
    #[must_use]
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Prepared | Self::Sending | Self::Unknown)
    }

    /// Returns `true` if the protocol allows the transition to `next`.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        use AttemptState::{Confirmed, Manual, NotBooked, Prepared, Refused, Released, Sending, Unknown};
        matches!(
            (self, next),
            (Prepared, Sending | Released)
                | (Sending, Confirmed | Refused | Unknown)
                | (Unknown, Confirmed | NotBooked | Manual)
                | (Manual, Confirmed | NotBooked)
                // The portal applied the booking after the last regular reading.
                | (Refused | NotBooked, Confirmed)
        )
    }
}

/// Appointment state on a freshly read page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shown", rename_all = "snake_case")]
pub enum ObservedState {
    /// The group holds this appointment.
    Appointment {
        /// The appointment.
        #[serde(rename = "slot")]
        appointment: Appointment,
    },
    /// The group holds no appointment.
    None,
    /// The page could not be fetched or understood.
    Unreadable,
}

impl ObservedState {
    /// Returns the state of a readable page.
    #[must_use]
    pub fn of(appointment: Option<Appointment>) -> Self {
        appointment.map_or(Self::None, |appointment| Self::Appointment { appointment })
    }
}

/// One reading of the portal after a POST.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Time of the request.
    pub at: Instant,
    /// The state that the page showed.
    pub shown: ObservedState,
    /// Attempts left, if a page showed the number.
    pub attempts_left: Option<u32>,
}

/// Expectation of a booking attempt, against which the readings are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedOutcome {
    /// The appointment before the attempt.
    pub expected: Option<Appointment>,
    /// The appointment the POST named.
    pub target: Appointment,
    /// End of the POST. If that is unknown, its deadline plus timeout.
    pub t0: Instant,
    /// Attempts left before the attempt, if known.
    pub attempts_before: Option<u32>,
}

/// Conclusion from the readings so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBackOutcome {
    /// The target was seen. This outcome is final.
    Confirmed,
    /// The old appointment was seen twice after the lag, so nothing was booked.
    NotBooked,
    /// The page must be read again.
    ReadAgain {
        /// Time of the next reading.
        at: Instant,
        /// `true` if the attempt now counts as unknown: the fixed readings are past without an
        /// answer.
        unknown: bool,
    },
    /// The target's interview was seen twice after the lag, with another fingerprint appointment.
    /// The user or the operator must settle the attempt.
    FingerprintsDiffer {
        /// The appointment that the portal shows.
        shown: Appointment,
    },
    /// A day has passed; an operator must settle the attempt.
    Manual,
}

/// Rules for when a reading of the old appointment counts as proof.
#[derive(Clone, Copy, Debug)]
pub struct ReadBackPolicy {
    /// Time from `t0` before which readings prove nothing.
    pub lag: TimeDelta,
    /// Minimum time between two readings.
    pub apart: TimeDelta,
}

impl Default for ReadBackPolicy {
    fn default() -> Self {
        Self { lag: LAG, apart: APART }
    }
}

/// Judges the readings of one attempt, given in chronological order.
#[must_use]
pub fn read_back_outcome(
    expected_outcome: &ExpectedOutcome,
    readings: &[Observation],
    read_back_policy: ReadBackPolicy,
    now: Instant,
) -> ReadBackOutcome {
    let target = ObservedState::Appointment { appointment: expected_outcome.target };
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
    if let Some(shown) = half_booked(expected_outcome, &late, read_back_policy) {
        return ReadBackOutcome::FingerprintsDiffer { shown };
    }
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

/// Returns the last readings that show the same, latest first.
fn last_alike<'a>(late: &[&'a Observation]) -> Vec<&'a Observation> {
    let shown = late.last().map(|last| last.shown);
    late.iter().rev().take_while(|r| Some(r.shown) == shown).copied().collect()
}

/// Returns `true` if the readings are far enough apart to prove what they show.
fn are_apart(alike: &[&Observation], read_back_policy: ReadBackPolicy) -> bool {
    alike.first().zip(alike.last()).is_some_and(|(last, first)| last.at - first.at >= read_back_policy.apart)
}

/// Returns the appointment that the portal shows, if it has the interview of the target with
/// another fingerprint appointment.
fn half_booked(
    expected_outcome: &ExpectedOutcome,
    late: &[&Observation],
    read_back_policy: ReadBackPolicy,
) -> Option<Appointment> {
    let alike = last_alike(late);
    match alike.first()?.shown {
        ObservedState::Appointment { appointment }
            if appointment.differs_in_fingerprints(&expected_outcome.target)
                && are_apart(&alike, read_back_policy) =>
        {
            Some(appointment)
        }
        _ => None,
    }
}

/// Returns `true` if the appointment may be the interview of the target without its fingerprint
/// appointment. The time of a target can be lost, so the date decides where fingerprints are known.
fn may_be_half_booked(expected_outcome: &ExpectedOutcome, shown: &Appointment) -> bool {
    let ExpectedOutcome { target, expected, .. } = expected_outcome;
    let has_fingerprints = [Some(*target), Some(*shown), *expected]
        .into_iter()
        .flatten()
        .any(|appointment| appointment.fingerprints.is_some());
    let day_of = |appointment: &Appointment| (appointment.consular.facility, appointment.consular.date);
    shown.consular == target.consular || has_fingerprints && day_of(shown) == day_of(target)
}

/// Returns `true` if the portal shows a third appointment with exactly one attempt fewer. Then it
/// was changed outside the engine: a booking of this attempt would have used another one.
fn changed_by_hand(
    expected_outcome: &ExpectedOutcome,
    late: &[&Observation],
    read_back_policy: ReadBackPolicy,
) -> bool {
    let Some(last) = late.last() else { return false };
    let is_target = matches!(last.shown, ObservedState::Appointment { appointment }
        if may_be_half_booked(expected_outcome, &appointment));
    let third = !matches!(last.shown, ObservedState::Unreadable)
        && !is_target
        && last.shown != ObservedState::of(expected_outcome.expected);
    let seen = last_alike(late);
    let apart = are_apart(&seen, read_back_policy);
    let told = seen.iter().find_map(|r| r.attempts_left);
    let one_fewer =
        expected_outcome.attempts_before.zip(told).is_some_and(|(before, left)| left + 1 == before);
    third && apart && one_fewer
}

/// Returns `true` if the number of attempts left has not changed. Attempts never increase, so the
/// last page with a number overrides an earlier, smaller one.
fn attempts_unchanged(expected_outcome: &ExpectedOutcome, kept: &[&Observation]) -> bool {
    let told = kept.iter().rev().find_map(|r| r.attempts_left);
    expected_outcome.attempts_before.zip(told).is_none_or(|(before, left)| before == left)
}

/// Returns the time of the next reading: 0, 20, 60, 180, 240 s, 5, 10, 30 min after `t0`, then
/// hourly.
///
/// Within five minutes of `t0`, two cases are read sooner. An unreadable late page is read again
/// after half a minute. A second late page is read as soon as it can prove with the first that
/// nothing was booked.
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
    // The deciding reading may exceed the period a little: the fixed reading at five minutes could
    // be too close to the first.
    (last.at < at && at.max(now) < t0 + NEWS_WITHIN + APART).then(|| at.max(now))
}

/// Returns the times that the portal offers for the date and that have not passed in the zone.
#[must_use]
pub fn times_ahead(offered: &[NaiveTime], zone: Tz, date: NaiveDate, now: Instant) -> Vec<NaiveTime> {
    let is_ahead = |time: &&NaiveTime| instant_in(zone, date.and_time(**time)).is_some_and(|at| at > now);
    offered.iter().filter(is_ahead).copied().collect()
}

/// Chooses the best `wanted` time among the times that the portal offers for the date. Skips the
/// times in `taken`, which other candidates are about to book, and the `skip` best times, which
/// candidates of higher rank will choose.
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
