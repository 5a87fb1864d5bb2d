//! State of the search after a booking, as the notification to its user reports it.

use chrono::{NaiveDate, TimeDelta};
use serde::{Deserialize, Serialize};

use super::may_book::{Allowance, Stop};
use crate::clock::Instant;
use crate::facility::today_at;
use crate::task::{Reason, TaskStatus};

/// State of a search after a booking, with the reason if it does not continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Sequel {
    /// The search continues. A task that asks first asks again.
    GoesOn {
        /// Dates before this one are wanted.
        before: NaiveDate,
        /// Maximum number of further bookings, one after the other.
        changes_left: u32,
    },
    /// The user is notified of dates, but none is booked: the next change needs the user's consent,
    /// and has none.
    OnlyTold {
        /// Dates before this one are wanted.
        before: NaiveDate,
    },
    /// The user is only notified of dates, by a choice made since the booking.
    Notifies {
        /// Dates before this one are wanted.
        before: NaiveDate,
    },
    /// The search continues without effect: the criteria accept no earlier date.
    NothingEarlier,
    /// The search continues without effect: the portal's deadline for changes has passed.
    DeadlinePassed,
    /// The search has ended, as the user chose: nothing is booked after a success.
    AutoStop,
    /// The search has ended: the reschedules that the user allowed are used.
    ReschedulesUsed,
    /// The search has ended: the portal allows no further change.
    NoneLeft,
    /// The search is stopped for a reason unrelated to the booking.
    Rests,
}

impl Sequel {
    /// Returns the state for a task with this status and reason. `allowance` holds the changes left
    /// after the booking.
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
