//! Rules that allow or stop a booking: mode, search criteria, deadline, reschedules and consent.
//!
//! The rules are checked when a poll is matched, when the attempt is prepared, and on the fresh
//! pages before anything is sent. Matching has checked the criteria already. [`super::evidence`]
//! checks that the fresh pages agree with each other.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::appointment::Slot;
use crate::clock::Instant;
use crate::country::Changes;
use crate::criteria::{BookingMode, Rejection, SearchCriteria};
use crate::facility::FacilityId;

/// Number of reschedules used and left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempts {
    /// The number on the portal's limit page, if it was readable.
    pub left: Option<u32>,
    /// Reschedules counted for this task; unknown outcomes count as used.
    pub used_here: u32,
}

/// Number of reschedules assumed in a country whose limit is not known.
const ASSUMED_CHANGES: u32 = 2;

/// Reason that stops a booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Stop {
    /// The task only notifies.
    NotifyOnly,
    /// The task asks first, and its user has not approved the date.
    Unanswered,
    /// The portal shows another appointment than expected.
    Changed,
    /// The criteria reject the date.
    Rejected {
        /// The rule.
        rejection: Rejection,
    },
    /// The reschedules of this task are used up.
    ReschedulesUsed,
    /// The change needs the user's consent for its date, and has none: it is the portal's last
    /// one, or the country's limit is for life.
    LastAttempt,
    /// The portal's change deadline has passed.
    DeadlinePassed,
    /// The instructions page and the groups page show different appointments.
    PagesDiffer,
    /// The portal shows a different number of attempts than at the last reading of the appointment.
    AttemptsDiffer,
    /// A page that must agree could not be read.
    Unreadable,
    /// The pages are too old to send a booking.
    TooOld,
}

/// Everything that decides whether a task may change its appointment, independent of the portal's
/// offer.
#[derive(Clone, Copy, Debug)]
pub struct Allowance<'a> {
    /// Criteria of the task, including the user's consent to changes that need it.
    pub criteria: &'a SearchCriteria,
    /// The appointment held. None of the reschedule rules applies to a first booking.
    pub booked: Option<&'a Slot>,
    /// The portal's deadline for changes, if known.
    pub change_deadline: Option<Instant>,
    /// Reschedules left and used.
    pub attempts: Attempts,
}

impl Allowance<'_> {
    /// Checks that `date` at `facility` may be booked.
    ///
    /// # Errors
    /// Returns the rule that stops the booking; [`Stop::Unanswered`] only if no other rule does.
    pub fn may_book(&self, facility: FacilityId, date: NaiveDate, now: Instant) -> Result<(), Stop> {
        if !self.criteria.mode.changes() {
            return Err(Stop::NotifyOnly);
        }
        self.criteria
            .evaluate(facility, date, self.booked, facility.today(now))
            .map_err(|rejection| Stop::Rejected { rejection })?;
        self.allows(date, now)
    }

    /// Checks the same for a date that the criteria accept.
    ///
    /// # Errors
    /// Returns the rule that stops the booking.
    pub fn allows(&self, date: NaiveDate, now: Instant) -> Result<(), Stop> {
        match self.criteria.mode {
            BookingMode::Notify => Err(Stop::NotifyOnly),
            BookingMode::Ask => self.has_change_left(date, now).and(Err(Stop::Unanswered)),
            BookingMode::Auto => self.has_change_left(date, now),
        }
    }

    /// Checks that the portal and the user allow another change for `date`.
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
        let has_consent = self.criteria.last_attempt_until.is_some_and(|until| date <= until);
        match self.left() {
            0 => Err(Stop::ReschedulesUsed),
            left if left <= self.needing_consent() && !has_consent => Err(Stop::LastAttempt),
            _ => Ok(()),
        }
    }

    /// Checks that any date could be booked, using the first date that the task may accept.
    ///
    /// # Errors
    /// Returns the rule that stops the booking on every date.
    pub fn allows_any(&self, now: Instant) -> Result<(), Stop> {
        let city = self.criteria.cities.first().copied();
        let today = city.map_or_else(|| now.date_naive(), |city| city.today(now));
        self.allows(self.criteria.start_date.max(today), now)
    }

    /// Returns `true` if polls are useful to the task: it books, asks or notifies on some date.
    #[must_use]
    pub fn wants_polls(&self, now: Instant) -> bool {
        matches!(self.allows_any(now), Ok(()) | Err(Stop::NotifyOnly | Stop::Unanswered | Stop::LastAttempt))
    }

    /// Returns `true` if the task books and has used all reschedules that its user allows.
    #[must_use]
    pub fn is_own_limit_used(&self) -> bool {
        self.changes() && self.attempts.used_here >= u32::from(self.criteria.max_reschedules)
    }

    /// Returns `true` if the user's or the portal's limit is used up. Then no date can be booked
    /// before one of the limits grows.
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        self.is_own_limit_used() || self.is_portal_limit_used()
    }

    /// Returns `true` if the task books and the portal allows no further change.
    #[must_use]
    pub fn is_portal_limit_used(&self) -> bool {
        self.changes() && self.left() == 0
    }

    /// Returns how many more changes the task may make: the smaller of the user's and the portal's
    /// limits. Those that need consent count only with it.
    #[must_use]
    pub fn changes_left(&self) -> u32 {
        let own = u32::from(self.criteria.max_reschedules).saturating_sub(self.attempts.used_here);
        let has_consent = self.criteria.last_attempt_until.is_some();
        let kept = if has_consent { 0 } else { self.needing_consent() };
        own.min(self.left().saturating_sub(kept))
    }

    /// Returns how many of the last changes need the user's consent: one, or all of them if they
    /// are for life.
    fn needing_consent(&self) -> u32 {
        let for_life = self.booked.is_some_and(|booked| booked.facility.country().is_limit_for_life);
        if for_life { u32::MAX } else { 1 }
    }

    /// Returns `true` if bookings of the task use reschedules.
    const fn changes(&self) -> bool {
        self.booked.is_some() && self.criteria.mode.changes()
    }

    /// Returns the number on the portal's limit page. If that is unknown, returns the limit of the
    /// country of the appointment minus the reschedules that this service counted.
    fn left(&self) -> u32 {
        let changes = self.booked.map(|booked| booked.facility.country().changes);
        let limit = match changes {
            Some(Changes::Count(limit)) => limit,
            Some(Changes::Unlimited) => return self.attempts.left.unwrap_or(u32::MAX),
            Some(Changes::Unknown) | None => ASSUMED_CHANGES,
        };
        self.attempts.left.unwrap_or_else(|| limit.saturating_sub(self.attempts.used_here))
    }
}
