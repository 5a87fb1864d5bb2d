//! Tasks whose users got a notification or a question about a date, while the date is listed.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use domain::facility::FacilityId;
use domain::ids::TaskId;

/// Notified tasks by date.
#[derive(Default)]
pub(crate) struct Notified {
    tasks: HashMap<(FacilityId, NaiveDate), HashSet<TaskId>>,
}

impl Notified {
    /// Records that a task was notified of a date.
    pub fn add(&mut self, task: TaskId, facility: FacilityId, date: NaiveDate) {
        self.tasks.entry((facility, date)).or_default().insert(task);
    }

    /// Returns `true` if a task was notified of a date.
    pub fn contains(&self, task: TaskId, facility: FacilityId, date: NaiveDate) -> bool {
        self.tasks.get(&(facility, date)).is_some_and(|tasks| tasks.contains(&task))
    }

    /// Returns the tasks that were notified of a date.
    pub fn of_date(&self, facility: FacilityId, date: NaiveDate) -> impl Iterator<Item = TaskId> {
        self.tasks.get(&(facility, date)).into_iter().flatten().copied()
    }

    /// Forgets the notification of a task: when the date comes back, the task is notified again.
    pub fn forget(&mut self, task: TaskId, facility: FacilityId, date: NaiveDate) {
        if let Some(tasks) = self.tasks.get_mut(&(facility, date)) {
            tasks.remove(&task);
            if tasks.is_empty() {
                self.tasks.remove(&(facility, date));
            }
        }
    }

    /// Forgets all notifications of a task that stops, or whose criteria change.
    pub fn forget_task(&mut self, task: TaskId) {
        self.tasks.retain(|_, tasks| {
            tasks.remove(&task);
            !tasks.is_empty()
        });
    }

    /// Forgets all notifications.
    pub fn clear(&mut self) {
        self.tasks.clear();
    }
}
