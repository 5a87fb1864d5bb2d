//! Scenario tests and property tests of the statistics.

mod agreement;
mod cause;
mod optimum;
mod planner;

use chrono::{DateTime, NaiveDate, Utc};
use domain::facility::FacilityId;

pub(crate) const TORONTO: FacilityId = FacilityId::TORONTO;

pub(crate) fn day(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

pub(crate) fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}
