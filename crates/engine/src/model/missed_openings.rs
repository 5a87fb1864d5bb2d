//! Dates that a task wanted but did not get: no account could try in time, or a rule forbids the
//! booking. The task's journal records the reason once for as long as the date is listed.

use std::collections::HashSet;

use chrono::NaiveDate;
use domain::booking::Stop;
use domain::budget::{Limits, Spend};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::health::AccountHealth;
use domain::ids::TaskId;
use domain::journal::GoneReason;

use crate::model::account::Account;
use crate::model::housekeeping::Housekeeping;

/// Maximum number of remembered dates; beyond it, a date may be recorded twice.
const REMEMBERED: usize = 100_000;
/// Maximum number of journal entries that wait to be written. Tasks beyond it get their entries at
/// a later poll.
const MOST_UNWRITTEN: usize = 2_000;

/// One date that one task missed.
pub(crate) struct MissedOpening {
    pub task: TaskId,
    pub facility: FacilityId,
    pub day: NaiveDate,
    pub why: MissReason,
    pub at: Instant,
}

/// Reason why a date was not booked for a task.
pub(crate) enum MissReason {
    /// No account could try for it in time.
    Gone(GoneReason),
    /// No question was sent to its user, for this reason.
    NotAsked(GoneReason),
    /// A rule of the task forbids the booking.
    Stopped(Stop),
}

/// Misses that are not written yet, and recorded misses of dates that are still listed.
#[derive(Default)]
pub(crate) struct MissedOpenings {
    unwritten: Vec<MissedOpening>,
    recorded: HashSet<(TaskId, FacilityId, NaiveDate)>,
}

impl MissedOpenings {
    /// Records a miss, unless it is already recorded and its date is still listed.
    pub fn add(&mut self, miss: MissedOpening, housekeeping: &mut Housekeeping) {
        if self.unwritten.len() >= MOST_UNWRITTEN {
            return;
        }
        if self.recorded.len() >= REMEMBERED {
            self.recorded.clear();
        }
        if self.recorded.insert((miss.task, miss.facility, miss.day)) {
            housekeeping.begin_flush_interval(miss.at);
            self.unwritten.push(miss);
        }
    }

    /// Returns `true` if a miss is not written yet.
    pub fn has_unwritten(&self) -> bool {
        !self.unwritten.is_empty()
    }

    /// Takes the oldest unwritten misses, at most `most`.
    pub fn take_unwritten(&mut self, most: usize) -> Vec<MissedOpening> {
        self.unwritten.drain(..most.min(self.unwritten.len())).collect()
    }

    /// Puts back misses whose write failed.
    pub fn restore(&mut self, misses: Vec<MissedOpening>) {
        self.unwritten.extend(misses);
    }

    /// Forgets a date that vanished: when it comes back, the miss is recorded again.
    pub fn forget(&mut self, facility: FacilityId, day: NaiveDate) {
        if !self.recorded.is_empty() {
            self.recorded.retain(|(_, at, of)| (*at, *of) != (facility, day));
        }
    }
}

/// Returns the reason why an account could not try for a date.
pub(crate) fn reason_not_tried(account: &Account, limits: &Limits, now: Instant) -> GoneReason {
    if account.budget.check(Spend::BookingPoll, limits, now).is_err() {
        return GoneReason::NoBudget;
    }
    let sound = account.health == AccountHealth::Valid;
    if account.backs_off(now) || !sound { GoneReason::AccountResting } else { GoneReason::NotReached }
}
