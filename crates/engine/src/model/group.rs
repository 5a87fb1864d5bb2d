//! A group as the portal shows it.

use chrono::NaiveDate;
use domain::appointment::{Group, Slot};
use domain::clock::Instant;
use domain::facility::today_at;
use store::task::Task;

/// The portal's state of one group, in domain types.
pub(crate) struct GroupReading {
    pub group: Group,
    pub booked: Option<Slot>,
}

/// Returns the current date in the appointment's city, or in the first wanted one.
pub(crate) fn today_of(booked: Option<&Slot>, task: &Task, now: Instant) -> NaiveDate {
    let wanted = task.criteria.as_ref().and_then(|w| w.cities.first().copied());
    today_at(booked.map(|b| b.facility).or(wanted), now)
}
