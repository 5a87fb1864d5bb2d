//! Scenario tests and property tests of the product's rules.

mod appointment;
mod booking;
mod budget;
mod criteria;
mod dayset;
mod evidence;
mod facilities_and_countries;
mod fingerprints;
mod journal;
mod matching;
mod question;
mod task;
mod watch;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use domain::appointment::{Appointment, Slot};
use domain::facility::FacilityId;

pub(crate) const TORONTO: FacilityId = FacilityId::TORONTO;
pub(crate) const OTTAWA: FacilityId = FacilityId::OTTAWA;

pub(crate) fn day(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

/// Returns an appointment without fingerprints.
pub(crate) fn appointment(facility: FacilityId, date: &str, time: &str) -> Appointment {
    slot(facility, date, time).into()
}

pub(crate) fn slot(facility: FacilityId, date: &str, time: &str) -> Slot {
    let time = NaiveTime::parse_from_str(time, "%H:%M").expect("a time");
    Slot { facility, date: day(date), time }
}

pub(crate) fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}
