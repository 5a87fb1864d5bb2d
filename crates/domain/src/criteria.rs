//! Search criteria of a task, and the reasons for rejecting a seen date.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use chrono::{Datelike, NaiveDate, NaiveTime, TimeDelta, Timelike};
use serde::{Deserialize, Serialize};

use crate::appointment::Slot;
use crate::facility::FacilityId;

mod fingerprints;
mod mode;
mod widening;

pub use fingerprints::{DAYS_BEFORE, FingerprintCriteria, MOST_FINGERPRINT_CITIES};
pub use mode::{BookingMode, ModesDiffer, RequestedMode};

/// Excluded civil dates, sorted, and merged if they overlap or touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExcludedDates(Vec<(NaiveDate, NaiveDate)>);

impl ExcludedDates {
    /// Sorts and merges inclusive ranges. Drops a range that ends before it starts.
    #[must_use]
    pub fn new(mut ranges: Vec<(NaiveDate, NaiveDate)>) -> Self {
        ranges.retain(|(start, end)| start <= end);
        ranges.sort_unstable();
        let mut merged: Vec<(NaiveDate, NaiveDate)> = Vec::with_capacity(ranges.len());
        for (start, end) in ranges {
            match merged.last_mut() {
                // The last representable date has no successor.
                Some(last) if last.1.succ_opt().is_none_or(|next| start <= next) => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        Self(merged)
    }

    /// Returns the merged inclusive ranges, sorted.
    #[must_use]
    pub fn ranges(&self) -> &[(NaiveDate, NaiveDate)] {
        &self.0
    }

    /// Returns `true` if `day` is excluded.
    #[must_use]
    pub fn contains(&self, day: NaiveDate) -> bool {
        let after = self.0.partition_point(|(start, _)| *start <= day);
        after > 0 && day <= self.0[after - 1].1
    }

    /// Returns every excluded date, in order.
    pub fn days(&self) -> impl Iterator<Item = NaiveDate> + '_ {
        self.0.iter().flat_map(|(start, end)| start.iter_days().take_while(move |d| d <= end))
    }
}

/// Days of the week; all of them if none is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct Weekdays(u8);

/// Error for a number that is not a day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("days of the week are numbered from 1 (Monday) to 7")]
pub struct NoSuchWeekday;

impl Weekdays {
    const ALL: Self = Self(0b111_1111);

    /// Returns `true` if `day` falls on one of the days of the week.
    #[must_use]
    pub fn contains(self, day: NaiveDate) -> bool {
        self.0 >> day.weekday().num_days_from_monday() & 1 == 1
    }

    /// Returns `true` if all days of the week are included.
    #[must_use]
    pub fn is_all(self) -> bool {
        self == Self::ALL
    }

    /// Returns the numbers of the days from 1 (Monday) to 7, in order.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        (1..=7).filter(move |number| self.0 >> (number - 1) & 1 == 1)
    }
}

impl Default for Weekdays {
    fn default() -> Self {
        Self::ALL
    }
}

impl TryFrom<Vec<u8>> for Weekdays {
    type Error = NoSuchWeekday;

    /// Returns the days with these numbers; all days if `numbers` is empty.
    fn try_from(numbers: Vec<u8>) -> Result<Self, NoSuchWeekday> {
        if numbers.iter().any(|number| !(1..=7).contains(number)) {
            return Err(NoSuchWeekday);
        }
        let bits = numbers.iter().fold(0, |bits, number| bits | 1 << (number - 1));
        Ok(if bits == 0 { Self::ALL } else { Self(bits) })
    }
}

impl From<Weekdays> for Vec<u8> {
    fn from(days: Weekdays) -> Self {
        days.numbers().collect()
    }
}

/// Range of local times at the consulate, both ends included. A missing end does not limit it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimesOfDay {
    /// The earliest time.
    pub earliest: Option<NaiveTime>,
    /// The latest time.
    pub latest: Option<NaiveTime>,
}

impl TimesOfDay {
    /// Returns `true` if `time` is in the range.
    #[must_use]
    pub fn contains(self, time: NaiveTime) -> bool {
        self.earliest.is_none_or(|earliest| earliest <= time)
            && self.latest.is_none_or(|latest| time <= latest)
    }
}

/// Maximum length of a task's window of dates. It keeps the stored and matched data small.
pub const LONGEST_WINDOW_DAYS: i64 = 3 * 366;
/// Maximum distance of a date in the future. No calendar of the portal shows later dates, and
/// calculations with dates stay in range.
pub const FURTHEST_DAYS: i64 = 10 * 366;
/// Allowed values of `minimum_days_from_current`.
pub const MINIMUM_DAYS: RangeInclusive<u16> = 0..=365;
/// Allowed values of `min_improvement_days`.
pub const IMPROVEMENT_DAYS: RangeInclusive<u16> = 1..=365;
/// Default of `min_improvement_days`.
pub const DEFAULT_IMPROVEMENT_DAYS: u16 = 7;
/// Allowed values of `max_reschedules`.
pub const RESCHEDULES: RangeInclusive<u16> = 0..=20;
/// Default of `max_reschedules`.
pub const DEFAULT_RESCHEDULES: u16 = 2;

/// Search criteria of one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchCriteria {
    /// Cities in order of preference; never empty.
    pub cities: Vec<FacilityId>,
    /// First acceptable date.
    pub start_date: NaiveDate,
    /// Last acceptable date.
    pub end_date: NaiveDate,
    /// Dates on which the applicant is not available.
    #[serde(default)]
    pub excluded: ExcludedDates,
    /// Days of the week on which the applicant is available.
    #[serde(default)]
    pub weekdays: Weekdays,
    /// Times of day at which the applicant is available. The portal shows times only when a slot is
    /// about to be booked.
    #[serde(default)]
    pub times: TimesOfDay,
    /// The minimum number of days from today at the consulate to a slot ([`MINIMUM_DAYS`]).
    pub minimum_days_from_current: u16,
    /// The minimum number of days by which a date must be earlier ([`IMPROVEMENT_DAYS`]).
    pub min_improvement_days: u16,
    /// Number of the portal's reschedules that this task may use ([`RESCHEDULES`]).
    pub max_reschedules: u16,
    /// Advance consent to reschedules for dates up to this one: to the portal's last one, or to all
    /// where the limit is for life.
    pub last_attempt_until: Option<NaiveDate>,
    /// Conditions for the fingerprint appointment, where the portal asks for one; never empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprints: Option<Box<FingerprintCriteria>>,
    /// Action of the task on an acceptable date.
    #[serde(flatten, with = "mode")]
    pub mode: BookingMode,
}

/// Reason for rejecting a seen date, with its margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Rejection {
    /// The city is not in the criteria.
    CityNotWanted,
    /// The date is before the window.
    BeforeWindow {
        /// Days from the date to the window.
        days: i64,
    },
    /// The date is after the window.
    AfterWindow {
        /// Days from the window to the date.
        days: i64,
    },
    /// The date is excluded.
    Excluded,
    /// The date is not on a chosen day of the week.
    Weekday,
    /// The date is too close to today.
    TooSoon {
        /// Days missing to the minimum.
        days: i64,
    },
    /// The date is not earlier, or not enough earlier, than the current appointment.
    NotEarlierEnough {
        /// Days by which the date is earlier; may be negative.
        gained: i64,
        /// Days by which the date must be earlier.
        needed: i64,
    },
}

impl SearchCriteria {
    /// Checks that a date at a facility is acceptable, given the current appointment and `today` at
    /// that facility.
    ///
    /// # Errors
    /// Returns the first rule that rejects it, in the order in which a user would expect them.
    pub fn evaluate(
        &self,
        facility: FacilityId,
        date: NaiveDate,
        current: Option<&Slot>,
        today: NaiveDate,
    ) -> Result<(), Rejection> {
        if !self.cities.contains(&facility) {
            return Err(Rejection::CityNotWanted);
        }
        if let Some(current) = current {
            let gained = (current.date - date).num_days();
            let needed = i64::from(self.min_improvement_days.max(1));
            if gained < needed {
                return Err(Rejection::NotEarlierEnough { gained, needed });
            }
        }
        if date > self.end_date {
            return Err(Rejection::AfterWindow { days: (date - self.end_date).num_days() });
        }
        if date < self.start_date {
            return Err(Rejection::BeforeWindow { days: (self.start_date - date).num_days() });
        }
        let soonest = today + TimeDelta::days(i64::from(self.minimum_days_from_current));
        if date < soonest {
            return Err(Rejection::TooSoon { days: (soonest - date).num_days() });
        }
        if self.excluded.contains(date) {
            return Err(Rejection::Excluded);
        }
        if !self.weekdays.contains(date) {
            return Err(Rejection::Weekday);
        }
        Ok(())
    }

    /// Returns the sort key among acceptable dates: earliest date first, then the user's order of
    /// cities.
    #[must_use]
    pub fn preference(&self, facility: FacilityId, date: NaiveDate) -> (NaiveDate, usize) {
        let order = self.cities.iter().position(|c| *c == facility).unwrap_or(usize::MAX);
        (date, order)
    }

    /// Returns the last useful date: the end of the window or the last date that improves the
    /// appointment, whichever is earlier.
    #[must_use]
    pub fn latest_useful(&self, current: Option<&Slot>) -> NaiveDate {
        let improving =
            current.map(|slot| slot.date - TimeDelta::days(i64::from(self.min_improvement_days.max(1))));
        improving.map_or(self.end_date, |day| day.min(self.end_date))
    }
}

/// Returns the sort key among the times of one date: the latest before noon first, then the
/// earliest after noon.
#[must_use]
pub fn time_preference(time: NaiveTime) -> (bool, Reverse<u32>, u32) {
    let seconds = time.num_seconds_from_midnight();
    if time.hour() < 12 { (false, Reverse(seconds), 0) } else { (true, Reverse(0), seconds) }
}
