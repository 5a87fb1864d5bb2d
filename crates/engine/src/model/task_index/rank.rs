//! Matching of a calendar's list against its tasks, in rank order.

use chrono::NaiveDate;
use domain::calendar::CalendarKey;
use domain::dayset::number;
use domain::ids::TaskId;
use domain::matching::{Matching, Seeker};

use crate::model::task_index::{IndexedTask, TaskIndex};

impl TaskIndex {
    /// Advances the index of a calendar's tasks to `today`, the date at its facility.
    pub fn turn(&mut self, key: &CalendarKey, today: NaiveDate) {
        if let Some(group) = self.group_of.get(&key.kind) {
            self.groups[*group as usize].calendar_index_mut(key.facility).members.set_today(number(today));
        }
    }

    /// Returns a matching of the sorted list `days` against every task of the calendar; `None` if
    /// the calendar has no index. [`Self::turn`] must be called with `today` first. `is_skipped`
    /// returns `true` for dates that a task must not try now, and only for tasks in `apart`.
    pub fn matching<'a>(
        &'a self,
        key: &CalendarKey,
        (days, today): (&'a [NaiveDate], NaiveDate),
        apart: impl Iterator<Item = TaskId>,
        is_skipped: &'a dyn Fn(TaskId, NaiveDate) -> bool,
    ) -> Option<Matching<'a, impl Fn(u32) -> Option<Seeker<'a>>>> {
        let set = &self.calendar_index(key)?.members;
        let is_here = |slot: &u32| self.row(*slot).is_some_and(|row| self.is_of(row, key));
        let mut apart: Vec<u32> = apart.filter_map(|id| self.slot_of(id)).filter(is_here).collect();
        apart.sort_unstable_by_key(|slot| self.row(*slot).map(IndexedTask::rank));
        apart.dedup();
        let seeker = |slot: u32| self.row(slot).map(IndexedTask::seeker);
        Some(Matching { set, facility: key.facility, days, today, seeker, apart, is_skipped })
    }

    /// Returns the task at a slot number of the index, such as a matching returns.
    pub fn at(&self, slot: u32) -> Option<&IndexedTask> {
        self.row(slot)
    }
}
