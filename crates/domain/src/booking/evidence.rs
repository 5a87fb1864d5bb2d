//! What fresh pages must say before a booking may leave, and before another appointment is taken over.
//!
//! The groups page lags behind changes, ours and other people's. It is never the only evidence: the instructions page
//! and the attempts left have to tell the same.

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use serde::{Deserialize, Serialize};

use super::{APART, Stop};
use crate::appointment::Slot;
use crate::clock::Instant;

/// Groups page, instructions page and own times may be this old when the bytes leave.
pub const FRESH: TimeDelta = TimeDelta::seconds(10);
/// The limit page and the form after it may be this old when the bytes leave.
pub const FORM_FRESH: TimeDelta = TimeDelta::seconds(30);
/// What was seen for so long is believed, whatever other pages tell.
pub const LAG_ENDS_AFTER: TimeDelta = TimeDelta::hours(24);

/// The interview the instructions page printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "printed", rename_all = "snake_case")]
pub enum Printed {
    /// This one.
    Appointment {
        /// The day at the consulate.
        date: NaiveDate,
        /// The time there.
        time: NaiveTime,
    },
    /// None, on a page recognised by its own heading.
    None,
    /// The page could not be fetched or understood, or was not asked for.
    Unreadable,
}

impl Printed {
    /// Whether it names the same date and time; `None` when nothing was readable.
    #[must_use]
    pub fn agrees_with(self, slot: Option<&Slot>) -> Option<bool> {
        match self {
            Self::Unreadable => None,
            Self::None => Some(slot.is_none()),
            Self::Appointment { date, time } => Some(slot.is_some_and(|s| s.date == date && s.time == time)),
        }
    }
}

/// What was read of a group right before a booking.
#[derive(Clone, Copy, Debug)]
pub struct PageEvidence<'a> {
    /// The appointment we think it holds.
    pub expected: Option<&'a Slot>,
    /// The appointment the groups page shows.
    pub shown: Option<&'a Slot>,
    /// What the instructions page prints.
    pub printed: Printed,
    /// Attempts left as the limit page told them earlier, if it ever did.
    pub attempts_known: Option<u32>,
    /// Attempts left as the limit page tells them now.
    pub attempts_told: Option<u32>,
}

/// Whether all that was read tells of the appointment we expect.
///
/// # Errors
/// What contradicts it, or could not be read.
pub fn pages_agree(seen: &PageEvidence<'_>) -> Result<(), Stop> {
    if seen.expected != seen.shown {
        return Err(Stop::Changed);
    }
    match seen.printed.agrees_with(seen.expected) {
        None => return Err(Stop::Unreadable),
        Some(false) => return Err(Stop::PagesDiffer),
        Some(true) => {}
    }
    match (seen.attempts_known, seen.attempts_told) {
        (Some(known), Some(told)) if known != told => Err(Stop::AttemptsDiffer),
        // A page that used to tell a number and does not any more is not the page we know.
        (Some(_), None) if seen.expected.is_some() => Err(Stop::Unreadable),
        // Nobody counts for a group without an appointment: it may hold one since.
        (None, Some(_)) if seen.expected.is_none() => Err(Stop::AttemptsDiffer),
        _ => Ok(()),
    }
}

/// How another appointment than the task's came to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is what a confirmed attempt of ours replaced.
    BeforeOurs,
    /// Nothing of ours explains it.
    Foreign,
}

/// Since when pages contradict what we know of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// The appointment the groups page shows.
    pub shown: Option<Slot>,
    /// The first reading of it.
    pub since: Instant,
    /// The first reading in which the instructions page printed the same.
    #[serde(default)]
    pub printed_at: Option<Instant>,
    /// Readings so far.
    #[serde(default)]
    pub readings: u32,
}

/// What to do about another appointment than the task's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherAppointment {
    /// It is what the group holds: take it over.
    Adopt,
    /// It may be a page that lags: book nothing and read again then.
    Wait {
        /// What to remember.
        doubt: Doubt,
        /// When to read again.
        until: Instant,
    },
}

/// Judges a reading in which the groups page shows another appointment than the task's.
///
/// What a confirmed attempt of ours replaced is a page that lags, until the instructions page printed it in two readings
/// at least [`APART`] apart. Anything else needs the instructions page once; where that cannot be read, two readings.
/// After [`LAG_ENDS_AFTER`] what is shown is believed.
#[must_use]
pub fn evaluate_other(
    shown: Option<&Slot>,
    printed: Printed,
    standing: Origin,
    known: Option<Doubt>,
    now: Instant,
) -> OtherAppointment {
    let known = known.filter(|doubt| doubt.shown.as_ref() == shown);
    let mut doubt =
        known.unwrap_or(Doubt { shown: shown.copied(), since: now, printed_at: None, readings: 0 });
    doubt.readings += 1;
    let agrees = printed.agrees_with(shown);
    match agrees {
        Some(true) => doubt.printed_at = doubt.printed_at.or(Some(now)),
        Some(false) => doubt.printed_at = None,
        None => {}
    }
    let apart = |since: Instant| now - since >= APART;
    let believed = match (standing, agrees) {
        (Origin::Foreign, Some(true)) => true,
        (Origin::Foreign, None) => apart(doubt.since),
        (Origin::BeforeOurs, Some(true)) => doubt.printed_at.is_some_and(apart),
        (_, Some(false)) | (Origin::BeforeOurs, None) => false,
    };
    if believed || now - doubt.since >= LAG_ENDS_AFTER {
        return OtherAppointment::Adopt;
    }
    let soon = agrees != Some(false) && doubt.readings == 1;
    let wait = if soon { APART + TimeDelta::seconds(5) } else { wait(doubt.readings) };
    OtherAppointment::Wait { doubt, until: now + wait }
}

/// How long pages that contradict each other are left alone after this many readings: first until the lag that is known
/// has passed, then longer and longer.
#[must_use]
pub fn wait(readings: u32) -> TimeDelta {
    match readings {
        0 | 1 => super::LAG,
        2 => TimeDelta::minutes(10),
        3 => TimeDelta::minutes(30),
        _ => TimeDelta::hours(1),
    }
}
