//! Page evidence required before a booking is sent and before another appointment is adopted.
//!
//! The groups page lags behind changes by the engine and by the user. It is never the only
//! evidence: the instructions page and the number of attempts left must agree with it.

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use serde::{Deserialize, Serialize};

use super::{APART, Stop};
use crate::appointment::Appointment;
use crate::clock::Instant;

/// Maximum age of the groups page, the instructions page and the account's own times when the
/// booking is sent.
pub const FRESH: TimeDelta = TimeDelta::seconds(10);
/// Maximum age of the limit page and the form after it when the booking is sent.
pub const FORM_FRESH: TimeDelta = TimeDelta::seconds(30);
/// Time after which a shown appointment is believed even if other pages contradict it.
pub const LAG_ENDS_AFTER: TimeDelta = TimeDelta::hours(24);

/// The interview printed on the instructions page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "printed", rename_all = "snake_case")]
pub enum Printed {
    /// The page prints this appointment.
    Appointment {
        /// The date at the consulate.
        date: NaiveDate,
        /// The local time at the consulate.
        time: NaiveTime,
    },
    /// The page prints no appointment and was recognised by its heading.
    None,
    /// The page could not be fetched or parsed, or was not requested.
    Unreadable,
}

impl Printed {
    /// Returns whether the page agrees with the appointment in date and time of the interview, or
    /// `None` if it was unreadable. No page with a fingerprint appointment is known, so that one is
    /// not compared.
    #[must_use]
    pub fn agrees_with(self, held: Option<&Appointment>) -> Option<bool> {
        match self {
            Self::Unreadable => None,
            Self::None => Some(held.is_none()),
            Self::Appointment { date, time } => {
                Some(held.is_some_and(|held| (held.consular.date, held.consular.time) == (date, time)))
            }
        }
    }
}

/// Pages of a group, read immediately before a booking.
#[derive(Clone, Copy, Debug)]
pub struct PageEvidence<'a> {
    /// The appointment that the group should hold according to the database.
    pub expected: Option<&'a Appointment>,
    /// The appointment the groups page shows.
    pub shown: Option<&'a Appointment>,
    /// The appointment that the instructions page prints.
    pub printed: Printed,
    /// Attempts left that the limit page showed earlier, if it ever did.
    pub attempts_known: Option<u32>,
    /// Attempts left that the limit page shows now.
    pub attempts_told: Option<u32>,
}

/// Checks that all pages agree with the expected appointment.
///
/// # Errors
/// Returns the [`Stop`] for the page that contradicts the appointment or could not be read.
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
        // A limit page that showed a number before and shows none now is not the page that the
        // parser knows.
        (Some(_), None) if seen.expected.is_some() => Err(Stop::Unreadable),
        // The portal counts no attempts for a group without an appointment: it may hold one since.
        (None, Some(_)) if seen.expected.is_none() => Err(Stop::AttemptsDiffer),
        _ => Ok(()),
    }
}

/// Origin of an appointment that differs from the task's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is the appointment that a confirmed attempt of this service replaced.
    BeforeOurs,
    /// No attempt of this service explains it.
    Foreign,
}

/// A contradiction between the pages and the stored state of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// The appointment the groups page shows.
    pub shown: Option<Appointment>,
    /// Time of the first reading of that appointment.
    pub since: Instant,
    /// Time of the first reading in which the instructions page printed the same appointment.
    #[serde(default)]
    pub printed_at: Option<Instant>,
    /// Number of readings so far.
    #[serde(default)]
    pub readings: u32,
}

/// Action for an appointment that differs from the task's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherAppointment {
    /// The group holds this appointment: adopt it.
    Adopt,
    /// The page may lag: book nothing and read again later.
    Wait {
        /// The contradiction to store.
        doubt: Doubt,
        /// Time of the next reading.
        until: Instant,
    },
}

/// Judges a reading in which the groups page shows another appointment than the task's.
///
/// An appointment that a confirmed attempt of this service replaced counts as a lagging page. It is
/// adopted once the instructions page printed it in two readings at least [`APART`] apart. Any
/// other appointment needs one agreeing instructions page, or two readings if that page is
/// unreadable. After [`LAG_ENDS_AFTER`] the shown appointment is adopted in any case.
#[must_use]
pub fn evaluate_other(
    shown: Option<&Appointment>,
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

/// Returns the wait after this many readings of contradicting pages. The first wait covers the
/// known lag; later waits are longer.
#[must_use]
pub fn wait(readings: u32) -> TimeDelta {
    match readings {
        0 | 1 => super::LAG,
        2 => TimeDelta::minutes(10),
        3 => TimeDelta::minutes(30),
        _ => TimeDelta::hours(1),
    }
}
