//! What becomes of the search after a booking, as its user is told.

use chrono::{NaiveDate, TimeDelta};
use serde::{Deserialize, Serialize};

use super::may_book::{Allowance, Stop};
use crate::clock::Instant;
use crate::facility::today_at;
use crate::task::{Reason, TaskStatus};

/// Whether a search goes on once something was booked, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Sequel {
    /// It goes on; a task that asks first asks again.
    GoesOn {
        /// Days before this are wanted.
        before: NaiveDate,
        /// The maximum number of them that may be booked, one after the other.
        changes_left: u32,
    },
    /// Days are still told, and not booked: only the portal's last attempt is left, without consent to use it.
    OnlyTold {
        /// Days before this are wanted.
        before: NaiveDate,
    },
    /// Days are told, as its user has asked since.
    Notifies {
        /// Days before this are wanted.
        before: NaiveDate,
    },
    /// It goes on in vain: the criteria accept no day that is earlier still.
    NothingEarlier,
    /// It goes on in vain: the portal's deadline for changes has passed.
    DeadlinePassed,
    /// It has ended, as the user asked for: nothing is booked after a success.
    AutoStop,
    /// It has ended: the reschedules the user allowed are used.
    ReschedulesUsed,
    /// It has ended: the portal allows no further change.
    NoneLeft,
    /// It rests for a reason that has nothing to do with the booking.
    Rests,
}

impl Sequel {
    /// What follows for a task that stands so, with what it may still change after the booking.
    #[must_use]
    pub fn of(status: TaskStatus, reason: Option<Reason>, allowance: &Allowance<'_>, now: Instant) -> Self {
        match reason {
            Some(Reason::AutoStop) => Self::AutoStop,
            Some(Reason::ReschedulesUsed) if allowance.is_own_limit_used() => Self::ReschedulesUsed,
            Some(Reason::ReschedulesUsed) => Self::NoneLeft,
            _ if status.is_running() => running(allowance, now),
            _ => Self::Rests,
        }
    }
}

fn running(allowance: &Allowance<'_>, now: Instant) -> Sequel {
    let criteria = allowance.criteria;
    let last = criteria.latest_useful(allowance.booked);
    let today = today_at(allowance.booked.map(|slot| slot.facility), now);
    let soonest = today + TimeDelta::days(i64::from(criteria.minimum_days_from_current));
    if last < soonest.max(criteria.start_date) {
        return Sequel::NothingEarlier;
    }
    let before = last + TimeDelta::days(1);
    match allowance.allows_any(now) {
        Ok(()) | Err(Stop::Unanswered) => Sequel::GoesOn { before, changes_left: allowance.changes_left() },
        Err(Stop::DeadlinePassed) => Sequel::DeadlinePassed,
        Err(Stop::NotifyOnly) => Sequel::Notifies { before },
        Err(_) => Sequel::OnlyTold { before },
    }
}
