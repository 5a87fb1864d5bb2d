//! What one task accepts, and why a seen day was not taken.

mod widening;

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use chrono::{Datelike, NaiveDate, NaiveTime, TimeDelta, Timelike};
use serde::{Deserialize, Serialize};

use crate::appointment::Slot;
use crate::booking::BookingMode;
use crate::facility::FacilityId;

/// Excluded civil days, kept sorted, merged where they overlap or touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExcludedDates(Vec<(NaiveDate, NaiveDate)>);

impl ExcludedDates {
    /// Sorts and merges inclusive ranges; a range that ends before it starts is dropped.
    #[must_use]
    pub fn new(mut ranges: Vec<(NaiveDate, NaiveDate)>) -> Self {
        ranges.retain(|(start, end)| start <= end);
        ranges.sort_unstable();
        let mut merged: Vec<(NaiveDate, NaiveDate)> = Vec::with_capacity(ranges.len());
        for (start, end) in ranges {
            match merged.last_mut() {
                // The last day there is has none after it.
                Some(last) if last.1.succ_opt().is_none_or(|next| start <= next) => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        Self(merged)
    }

    /// The merged inclusive ranges, sorted.
    #[must_use]
    pub fn ranges(&self) -> &[(NaiveDate, NaiveDate)] {
        &self.0
    }

    /// Whether `day` is excluded.
    #[must_use]
    pub fn contains(&self, day: NaiveDate) -> bool {
        let after = self.0.partition_point(|(start, _)| *start <= day);
        after > 0 && day <= self.0[after - 1].1
    }

    /// Every excluded day, in order.
    pub fn days(&self) -> impl Iterator<Item = NaiveDate> + '_ {
        self.0.iter().flat_map(|(start, end)| start.iter_days().take_while(move |d| d <= end))
    }
}

/// Days of the week; all of them unless some are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct Weekdays(u8);

/// A number that is no day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("days of the week are numbered from 1 (Monday) to 7")]
pub struct NoSuchWeekday;

impl Weekdays {
    const ALL: Self = Self(0b111_1111);

    /// Whether `day` falls on one of them.
    #[must_use]
    pub fn contains(self, day: NaiveDate) -> bool {
        self.0 >> day.weekday().num_days_from_monday() & 1 == 1
    }

    /// Whether every day is one of them.
    #[must_use]
    pub fn is_all(self) -> bool {
        self == Self::ALL
    }

    /// Their numbers from 1 (Monday) to 7, in order.
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

    /// The days of these numbers; all without any.
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

/// Times of day by the consulate's clock, both ends included; any time without ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimesOfDay {
    /// The earliest time.
    pub earliest: Option<NaiveTime>,
    /// The latest time.
    pub latest: Option<NaiveTime>,
}

impl TimesOfDay {
    /// Whether `time` is one of them.
    #[must_use]
    pub fn contains(self, time: NaiveTime) -> bool {
        self.earliest.is_none_or(|earliest| earliest <= time)
            && self.latest.is_none_or(|latest| time <= latest)
    }
}

/// The longest window of days a task may have; keeps what is stored and matched small.
pub const LONGEST_WINDOW_DAYS: i64 = 3 * 366;
/// No day is named that lies further ahead than this: no calendar of the portal shows it, and days can be reckoned with.
pub const FURTHEST_DAYS: i64 = 10 * 366;
/// What `minimum_days_from_current` may be.
pub const MINIMUM_DAYS: RangeInclusive<u16> = 0..=365;
/// What `min_improvement_days` may be.
pub const IMPROVEMENT_DAYS: RangeInclusive<u16> = 1..=365;
/// What `min_improvement_days` is where nobody said.
pub const DEFAULT_IMPROVEMENT_DAYS: u16 = 7;
/// What `max_reschedules` may be.
pub const RESCHEDULES: RangeInclusive<u16> = 0..=20;
/// What `max_reschedules` is where nobody said.
pub const DEFAULT_RESCHEDULES: u16 = 2;

/// What one task accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchCriteria {
    /// Cities in order of preference; never empty.
    pub cities: Vec<FacilityId>,
    /// First acceptable day.
    pub start_date: NaiveDate,
    /// Last acceptable day.
    pub end_date: NaiveDate,
    /// Days the applicant cannot come.
    #[serde(default)]
    pub excluded: ExcludedDates,
    /// Days of the week the applicant can come.
    #[serde(default)]
    pub weekdays: Weekdays,
    /// Times of day the applicant can come; they are known only when a slot is about to be booked.
    #[serde(default)]
    pub times: TimesOfDay,
    /// The minimum number of days from today at the consulate to a slot ([`MINIMUM_DAYS`]).
    pub minimum_days_from_current: u16,
    /// The minimum number of days by which a date must be earlier ([`IMPROVEMENT_DAYS`]).
    pub min_improvement_days: u16,
    /// How many of the portal's reschedules this task may use ([`RESCHEDULES`]).
    pub max_reschedules: u16,
    /// Consent for the portal's last attempt: dates up to this day, given ahead.
    pub last_attempt_until: Option<NaiveDate>,
    /// What it does with a day that it accepts.
    #[serde(flatten, with = "crate::booking::mode")]
    pub mode: BookingMode,
}

/// Why a seen day was not taken, with its margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Rejection {
    /// The city is not in the criteria.
    CityNotWanted,
    /// Earlier than the window.
    BeforeWindow {
        /// Days short.
        days: i64,
    },
    /// Later than the window.
    AfterWindow {
        /// Days over.
        days: i64,
    },
    /// One of the excluded days.
    Excluded,
    /// Not one of the chosen days of the week.
    Weekday,
    /// Too close to today.
    TooSoon {
        /// Days short of the minimum.
        days: i64,
    },
    /// Not (enough) earlier than the present appointment.
    NotEarlierEnough {
        /// Days it would have won; may be negative.
        gained: i64,
        /// Days it had to win.
        needed: i64,
    },
}

impl SearchCriteria {
    /// Whether a (facility, date) is acceptable, given the present appointment and `today` at that facility.
    ///
    /// # Errors
    /// The first rule that rejects it, in the order a person would name them.
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

    /// Sort key among acceptable days: earliest date, then the user's city order.
    #[must_use]
    pub fn preference(&self, facility: FacilityId, date: NaiveDate) -> (NaiveDate, usize) {
        let order = self.cities.iter().position(|c| *c == facility).unwrap_or(usize::MAX);
        (date, order)
    }

    /// The last day worth looking for: the window's end, or what still improves the appointment.
    #[must_use]
    pub fn latest_useful(&self, current: Option<&Slot>) -> NaiveDate {
        let improving =
            current.map(|slot| slot.date - TimeDelta::days(i64::from(self.min_improvement_days.max(1))));
        improving.map_or(self.end_date, |day| day.min(self.end_date))
    }
}

/// Sort key among times of one day: the latest before noon first, then the earliest after.
#[must_use]
pub fn time_preference(time: NaiveTime) -> (bool, Reverse<u32>, u32) {
    let seconds = time.num_seconds_from_midnight();
    if time.hour() < 12 { (false, Reverse(seconds), 0) } else { (true, Reverse(0), seconds) }
}
