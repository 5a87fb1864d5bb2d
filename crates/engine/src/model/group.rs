//! Group of applicants, as read from the portal.

use chrono::NaiveDate;
use domain::appointment::{Group, Slot};
use domain::clock::Instant;
use domain::facility::today_at;
use store::task::Task;

/// Applicants and appointment of one group, as read from the portal.
pub(crate) struct GroupReading {
    pub group: Group,
    pub booked: Option<Slot>,
}

/// Returns the current date in the appointment's city, or without an appointment in the first
/// wanted city.
pub(crate) fn today_of(booked: Option<&Slot>, task: &Task, now: Instant) -> NaiveDate {
    let wanted = task.criteria.as_ref().and_then(|w| w.cities.first().copied());
    today_at(booked.map(|b| b.facility).or(wanted), now)
}
