//! Changes of running tasks that only the passage of time causes, such as a passed deadline.

use std::collections::HashMap;

use chrono::NaiveDate;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::facility::{FacilityId, today_at};
use domain::ids::{PortalAccountId, TaskId};
use domain::task::{Reason, TaskStatus};

use crate::model::task_index::{Demand, IndexedTask, TaskIndex};
use crate::model::visits::{FoundVisits, SweepPart};

/// Number of rows checked per call, which takes less than a millisecond.
const ASKED_AT_ONCE: usize = 10_000;

/// Result of the check of the next few thousand running tasks.
#[derive(Debug)]
pub(crate) struct Overdue {
    /// Tasks whose search has ended, each with the reason.
    pub over: Vec<(TaskId, Reason)>,
    /// Tasks whose deadline for changes has passed and whose condition does not show it.
    pub late: Vec<TaskId>,
    /// Accounts of active tasks whose visit is due.
    pub visits: FoundVisits,
    /// Part of the sweep that these tasks belong to.
    pub part: SweepPart,
    /// `true` if these were the last tasks of the sweep.
    pub is_last: bool,
}

impl TaskIndex {
    /// Computes the demand of a new or updated task, as of the last sweep.
    pub(super) fn find_demand(&mut self, new: &mut IndexedTask) {
        // Before the first sweep no deadline counts as passed.
        let now = self.asked_at.unwrap_or(Instant::UNIX_EPOCH);
        new.demand = new.demand_at(now);
        if is_used_up(new) {
            self.used_up.push(new.id);
        }
    }

    /// Takes the tasks found to have no allowed change left since the last call.
    pub fn take_used_up(&mut self) -> Vec<TaskId> {
        std::mem::take(&mut self.used_up)
    }

    /// Returns `true` if a task is active and has no allowed change left.
    pub fn is_used_up(&self, id: &TaskId) -> bool {
        self.get(id).is_some_and(is_used_up)
    }

    /// Checks the next few thousand tasks. Finds tasks whose search has ended, and accounts whose
    /// visit is due. `visit_at` returns the time of an account's next visit. Updates the demand of
    /// each task.
    pub fn overdue(&mut self, now: Instant, visit_at: impl Fn(PortalAccountId) -> Instant) -> Overdue {
        let from = std::mem::take(&mut self.next_overdue);
        let to = self.rows.len().min(from + ASKED_AT_ONCE);
        let mut found = Overdue {
            over: Vec::new(),
            late: Vec::new(),
            visits: FoundVisits::default(),
            part: if from == 0 { SweepPart::First } else { SweepPart::Later },
            is_last: to == self.rows.len(),
        };
        self.next_overdue = if found.is_last { 0 } else { to };
        self.asked_at = Some(now);
        let mut moved: Vec<(u32, Demand)> = Vec::new();
        let mut days: HashMap<Option<FacilityId>, NaiveDate> = HashMap::new();
        for (slot, task) in self.rows.iter().enumerate().take(to).skip(from) {
            let Some(task) = task else { continue };
            let at = task.booked.map(|b| b.facility).or(task.criteria.cities.first().copied());
            let today = *days.entry(at).or_insert_with(|| today_at(at, now));
            if task.booked.is_some_and(|b| b.date < today) {
                found.over.push((task.id, Reason::AppointmentPassed));
                continue;
            }
            if task.criteria.end_date < today {
                found.over.push((task.id, Reason::RangeOver));
                continue;
            }
            if is_used_up(task) {
                found.over.push((task.id, Reason::ReschedulesUsed));
                continue;
            }
            let demand = task.demand_at(now);
            if demand != task.demand {
                moved.extend(u32::try_from(slot).ok().map(|slot| (slot, demand)));
            }
            let is_active = task.status == TaskStatus::Active;
            let said = matches!(
                task.condition,
                TaskCondition::DeadlinePassed | TaskCondition::Booking | TaskCondition::BookingUnconfirmed
            );
            if is_active && !said && task.default_condition(now) == TaskCondition::DeadlinePassed {
                found.late.push(task.id);
            }
            if is_active {
                found.visits.add(task.account, visit_at(task.account), now);
            }
        }
        for (slot, demand) in moved {
            self.set_demand(slot, demand);
        }
        found
    }
}

/// Returns `true` if an active task has no allowed change left. A starting task does not count,
/// because it first reads the remaining changes at the portal.
fn is_used_up(task: &IndexedTask) -> bool {
    task.status == TaskStatus::Active && task.allowance().is_used_up()
}
