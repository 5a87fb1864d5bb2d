//! Whether a day may be booked for a task, and what stops it: mode, search criteria, deadline, reschedules used and left,
//! consent.
//!
//! Asked when a poll is matched (the criteria were asked there already), when the attempt is prepared, and of the fresh
//! pages before anything is sent. That those pages agree with each other is [`super::evidence`].

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::appointment::Slot;
use crate::booking::BookingMode;
use crate::clock::Instant;
use crate::criteria::{Rejection, SearchCriteria};
use crate::facility::FacilityId;

/// What the reschedules left allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempts {
    /// What the portal's limit page said, when it was readable.
    pub left: Option<u32>,
    /// Our own count for this task; unknown outcomes count as spent.
    pub used_here: u32,
}

/// The portal's own limit in Canada, taken when the page could not be read.
pub const PORTAL_ATTEMPTS: u32 = 3;

/// Why a booking must not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Stop {
    /// The task only wants to be told.
    NotifyOnly,
    /// The task asks first, and its user has not said yes to the day.
    Unanswered,
    /// The portal shows another appointment than expected.
    Changed,
    /// The criteria rejects the day.
    Rejected {
        /// The rule.
        rejection: Rejection,
    },
    /// The reschedules this task may use are spent.
    ReschedulesUsed,
    /// Only the portal's last attempt is left and the user gave no consent for this date.
    LastAttempt,
    /// The portal's change deadline has passed.
    DeadlinePassed,
    /// Instructions page and groups page tell of different appointments.
    PagesDiffer,
    /// The portal counts other attempts than when the appointment was last read.
    AttemptsDiffer,
    /// A page that has to agree could not be read.
    Unreadable,
    /// What was read is too old for anything to be sent on it.
    TooOld,
}

/// Everything that decides whether a task may change its appointment, whatever the portal offers.
#[derive(Clone, Copy, Debug)]
pub struct Allowance<'a> {
    /// What the user accepts, and has consented to.
    pub criteria: &'a SearchCriteria,
    /// The appointment held; a first booking is bound by none of these rules.
    pub booked: Option<&'a Slot>,
    /// The portal's deadline for changes, when known.
    pub change_deadline: Option<Instant>,
    /// Reschedules left and used.
    pub attempts: Attempts,
}

impl Allowance<'_> {
    /// Whether `date` at `facility` may be booked.
    ///
    /// # Errors
    /// The rule that stops it; [`Stop::Unanswered`] only where nothing else does.
    pub fn may_book(&self, facility: FacilityId, date: NaiveDate, now: Instant) -> Result<(), Stop> {
        if !self.criteria.mode.changes() {
            return Err(Stop::NotifyOnly);
        }
        self.criteria
            .evaluate(facility, date, self.booked, facility.today(now))
            .map_err(|rejection| Stop::Rejected { rejection })?;
        self.allows(date, now)
    }

    /// The same of a day that the criteria accept.
    ///
    /// # Errors
    /// The rule that stops it.
    pub fn allows(&self, date: NaiveDate, now: Instant) -> Result<(), Stop> {
        match self.criteria.mode {
            BookingMode::Notify => Err(Stop::NotifyOnly),
            BookingMode::Ask => self.has_change_left(date, now).and(Err(Stop::Unanswered)),
            BookingMode::Auto => self.has_change_left(date, now),
        }
    }

    /// Whether the portal and the user leave it a change for `date`.
    fn has_change_left(&self, date: NaiveDate, now: Instant) -> Result<(), Stop> {
        if self.booked.is_none() {
            return Ok(());
        }
        if self.change_deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Stop::DeadlinePassed);
        }
        if self.is_own_limit_used() {
            return Err(Stop::ReschedulesUsed);
        }
        let until = self.criteria.last_attempt_until;
        match self.left() {
            0 => Err(Stop::ReschedulesUsed),
            1 if until.is_none_or(|until| date > until) => Err(Stop::LastAttempt),
            _ => Ok(()),
        }
    }

    /// Whether any day could be booked: the same, asked for the first day the task may accept.
    ///
    /// # Errors
    /// The rule that stops it, on every day.
    pub fn allows_any(&self, now: Instant) -> Result<(), Stop> {
        let city = self.criteria.cities.first().copied();
        let today = city.map_or_else(|| now.date_naive(), |city| city.today(now));
        self.allows(self.criteria.start_date.max(today), now)
    }

    /// Returns `true` where polls are of use to the task: it books, asks or notifies on some day.
    #[must_use]
    pub fn wants_polls(&self, now: Instant) -> bool {
        matches!(self.allows_any(now), Ok(()) | Err(Stop::NotifyOnly | Stop::Unanswered | Stop::LastAttempt))
    }

    /// Whether the task books, and has used as many reschedules as its user allows.
    #[must_use]
    pub fn is_own_limit_used(&self) -> bool {
        self.changes() && self.attempts.used_here >= u32::from(self.criteria.max_reschedules)
    }

    /// Whether the user's limit or the portal's is used up: nothing can be changed, on any day, before one of them grows.
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        self.is_own_limit_used() || self.is_portal_limit_used()
    }

    /// Whether the task books, and the portal allows no further change.
    #[must_use]
    pub fn is_portal_limit_used(&self) -> bool {
        self.changes() && self.left() == 0
    }

    /// How many more changes it may make: what its user allows, as far as the portal does; the last one with consent only.
    #[must_use]
    pub fn changes_left(&self) -> u32 {
        let own = u32::from(self.criteria.max_reschedules).saturating_sub(self.attempts.used_here);
        let kept = u32::from(self.criteria.last_attempt_until.is_none());
        own.min(self.left().saturating_sub(kept))
    }

    /// Whether its bookings spend reschedules.
    const fn changes(&self) -> bool {
        self.booked.is_some() && self.criteria.mode.changes()
    }

    /// What the portal's limit page said, else what our own count leaves of its usual limit.
    fn left(&self) -> u32 {
        self.attempts.left.unwrap_or_else(|| PORTAL_ATTEMPTS.saturating_sub(self.attempts.used_here))
    }
}
