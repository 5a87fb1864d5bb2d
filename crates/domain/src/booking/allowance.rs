//! What a task may still change, apart from which days it accepts: deadline, reschedules used and left, consent.

use chrono::NaiveDate;

use super::{Attempts, PORTAL_ATTEMPTS, Stop};
use crate::appointment::Slot;
use crate::clock::Instant;
use crate::criteria::SearchCriteria;

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
    /// Whether the appointment may be changed to one on `date`. That the task books at all, and accepts the day, is asked
    /// elsewhere.
    ///
    /// # Errors
    /// The rule that stops it.
    pub fn allows(&self, date: NaiveDate, now: Instant) -> Result<(), Stop> {
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

    /// Whether the task has used as many reschedules as its user allows.
    #[must_use]
    pub fn is_own_limit_used(&self) -> bool {
        self.booked.is_some() && self.attempts.used_here >= u32::from(self.criteria.max_reschedules)
    }

    /// Whether the user's limit or the portal's is used up: nothing can be changed, on any day, before one of them grows.
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        self.is_own_limit_used() || (self.booked.is_some() && self.left() == 0)
    }

    /// What the portal's limit page said, else what our own count leaves of its usual limit.
    fn left(&self) -> u32 {
        self.attempts.left.unwrap_or_else(|| PORTAL_ATTEMPTS.saturating_sub(self.attempts.used_here))
    }
}
