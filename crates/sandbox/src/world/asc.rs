//! Fingerprint appointments at application support centres (ASC): the dates and times that a
//! consular slot permits, and the times that are taken.
//!
//! Known: the lists depend on the consular date and time, some consular dates have no fingerprint
//! date, and a date has about 28 times. Everything else here is *invented*.

use std::collections::BTreeSet;

use chrono::{Datelike, Duration, NaiveDate, NaiveTime, Timelike, Weekday};
use serde::{Deserialize, Serialize};

use super::{World, accounts::Appointment, facility::Facility};

/// Number of days before the interview at which fingerprint dates begin.
const LEAD_DAYS: i64 = 12;

/// Number of the nearest working days that have no fingerprint date before them.
const NEAREST_WITHOUT: usize = 2;

/// One of this many consular dates has no fingerprint date.
const ONE_OF_WITHOUT: u64 = 5;

/// Number of days in a list that no consular date filters.
const UNFILTERED_DAYS: i64 = 60;

/// Number of quarter hours from 7:00 at which a fingerprint place is open.
const QUARTERS: u32 = 32;

/// One of this many times is missing from the list of a consular slot.
const ONE_OF_MISSING: u64 = 8;

/// One of the two appointments of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AppointmentKind {
    /// The interview at the consulate.
    Consular,
    /// The fingerprint appointment.
    Asc,
}

/// Consular date and time that a request for fingerprint dates or times names.
///
/// The consulate has no influence: a client that sends another number in its place can book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConsularChoice {
    /// The date, or `None` for a list that is not filtered.
    pub date: Option<NaiveDate>,
    /// The time, or `None` if it is not chosen yet.
    pub time: Option<NaiveTime>,
}

/// Change of a group's fingerprint appointment, beside a change of its consular appointment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AscChange {
    /// Fingerprint appointment before the change.
    pub from: Option<Appointment>,
    /// Fingerprint appointment after the change.
    pub to: Option<Appointment>,
}

impl AscChange {
    /// Creates the change, or returns `None` if there is no fingerprint appointment before or
    /// after.
    pub(crate) fn of(from: Option<Appointment>, to: Option<Appointment>) -> Option<Self> {
        (from.is_some() || to.is_some()).then_some(Self { from, to })
    }
}

impl ConsularChoice {
    /// Returns the choice of a slot.
    #[must_use]
    pub fn of(slot: &Appointment) -> Self {
        Self { date: Some(slot.date), time: Some(slot.time) }
    }
}

impl World {
    /// Returns the free dates of a fingerprint place before a consular slot, earliest first.
    ///
    /// With a date and no time, the list is that of the date. Without a date, it is not filtered.
    pub fn list_asc_dates(&self, place: &Facility, choice: ConsularChoice) -> Vec<NaiveDate> {
        let tomorrow = place.today(self.now) + Duration::days(1);
        let (first, last) = match choice.date {
            None => (Some(tomorrow), Some(tomorrow + Duration::days(UNFILTERED_DAYS - 1))),
            Some(date) if self.has_no_asc(place, date) => return Vec::new(),
            Some(date) => (date.checked_sub_signed(Duration::days(LEAD_DAYS)), date.pred_opt()),
        };
        let (Some(first), Some(last)) = (first, last) else {
            return Vec::new();
        };
        let taken = self.collect_taken(place);
        let dates = first.max(tomorrow).iter_days().take_while(|date| *date <= last);
        dates
            .filter(|date| is_working_day(*date) && !self.list_free(place, *date, choice, &taken).is_empty())
            .collect()
    }

    /// Returns the free times of a fingerprint place on a date. Without both parts of a consular
    /// slot, the list is not filtered.
    pub fn list_asc_times(
        &self,
        place: &Facility,
        date: NaiveDate,
        choice: ConsularChoice,
    ) -> Vec<NaiveTime> {
        let choice = if choice.time.is_some() { choice } else { ConsularChoice::default() };
        if !self.list_asc_dates(place, choice).contains(&date) {
            return Vec::new();
        }
        self.list_free(place, date, choice, &self.collect_taken(place))
    }

    /// Returns `true` if no fingerprint date precedes this consular date: it is one of the nearest
    /// two working days, or one of five dates that follow from the seed.
    pub fn has_no_asc(&self, place: &Facility, consular: NaiveDate) -> bool {
        let later = place.today(self.now).iter_days().skip(1);
        let near = later.filter(|date| is_working_day(*date)).nth(NEAREST_WITHOUT - 1);
        near.is_none_or(|near| consular <= near)
            || (count_days(consular) + self.dice.derive(&[]) % ONE_OF_WITHOUT).is_multiple_of(ONE_OF_WITHOUT)
    }

    /// Returns `true` if the fingerprint appointment is in the lists of a consular slot.
    pub fn offers_asc(&self, place: &Facility, asc: &Appointment, choice: ConsularChoice) -> bool {
        self.list_asc_times(place, asc.date, choice).contains(&asc.time)
    }

    /// Takes all free times of a date, as if rivals had booked them.
    pub(crate) fn steal_asc(&mut self, place: &Facility, date: NaiveDate) {
        let facility = place.id;
        let times = self.list_free(place, date, ConsularChoice::default(), &self.collect_taken(place));
        self.asc_taken.extend(times.into_iter().map(|time| Appointment { facility, date, time }));
    }

    fn collect_taken(&self, place: &Facility) -> BTreeSet<&Appointment> {
        let held = self.groups.values().filter_map(|group| group.asc.as_ref());
        held.chain(&self.asc_taken).filter(|taken| taken.facility == place.id).collect()
    }

    fn list_free(
        &self,
        place: &Facility,
        date: NaiveDate,
        choice: ConsularChoice,
        taken: &BTreeSet<&Appointment>,
    ) -> Vec<NaiveTime> {
        let quarters = (0..QUARTERS).filter_map(|n| NaiveTime::from_hms_opt(7 + n / 4, n % 4 * 15, 0));
        quarters
            .filter(|time| !taken.contains(&Appointment { facility: place.id, date, time: *time }))
            .filter(|time| !self.is_missing(place, date, *time, choice))
            .collect()
    }

    fn is_missing(&self, place: &Facility, date: NaiveDate, time: NaiveTime, choice: ConsularChoice) -> bool {
        let (Some(day), Some(at)) = (choice.date, choice.time) else {
            return false;
        };
        let values =
            [u64::from(place.id), count_days(date), count_minutes(time), count_days(day), count_minutes(at)];
        self.dice.derive(&values).is_multiple_of(ONE_OF_MISSING)
    }
}

fn is_working_day(date: NaiveDate) -> bool {
    !matches!(date.weekday(), Weekday::Sat | Weekday::Sun)
}

fn count_days(date: NaiveDate) -> u64 {
    u64::from(date.num_days_from_ce().unsigned_abs())
}

fn count_minutes(time: NaiveTime) -> u64 {
    u64::from(time.hour() * 60 + time.minute())
}
