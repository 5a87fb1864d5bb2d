//! Group of applicants, as read from the portal.

use chrono::NaiveDate;
use domain::appointment::{Appointment, Group};
use domain::clock::Instant;
use domain::facility::today_at;
use store::task::Task;

/// Applicants and appointment of one group, as read from the portal.
pub(crate) struct GroupReading {
    pub group: Group,
    pub booked: Option<Appointment>,
}

/// Returns the current date in the appointment's city, or without an appointment in the first
/// wanted city.
pub(crate) fn today_of(booked: Option<&Appointment>, task: &Task, now: Instant) -> NaiveDate {
    let wanted = task.criteria.as_ref().and_then(|w| w.cities.first().copied());
    today_at(booked.map(|held| held.consular.facility).or(wanted), now)
}
