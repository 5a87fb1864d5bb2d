//! Insertion and removal of tasks in the index: rows, chains of accounts, and calendars.

use std::cmp::Ordering;
use std::hash::BuildHasher as _;

use domain::condition::TaskCondition;
use domain::ids::TaskId;
use domain::matching::windows;
use domain::task::TaskStatus;

use crate::model::task_index::{Demand, IndexedTask, NONE, TaskIndex};

impl TaskIndex {
    pub(super) fn add(&mut self, mut row: IndexedTask) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.rows.push(None);
            u32::try_from(self.rows.len() - 1).expect("fewer than four billion tasks")
        });
        row.sibling = self.first_of(row.account).unwrap_or(NONE);
        if let Some(first) = self.by_account_mut(row.account) {
            *first = slot;
        }
        if row.seeks() && !row.counted {
            self.uncounted.push(slot);
        }
        let (id, account, chained) = (row.id, row.account, row.sibling != NONE);
        self.rows[slot as usize] = Some(row);
        self.index_at_calendars(slot, true);
        let Self { rows, by_id, by_account, hasher, .. } = self;
        let row_of = |slot: &u32| rows[*slot as usize].as_ref().expect("an indexed row");
        by_id.insert_unique(hasher.hash_one(id), slot, |s| hasher.hash_one(row_of(s).id));
        if !chained {
            by_account.insert_unique(hasher.hash_one(account), slot, |s| hasher.hash_one(row_of(s).account));
        }
    }

    /// Removes and returns a task.
    pub fn remove(&mut self, id: &TaskId) -> Option<IndexedTask> {
        let slot = self.slot_of(*id)?;
        let hash = self.hasher.hash_one(id);
        if let Ok(entry) = self.by_id.find_entry(hash, |s| *s == slot) {
            entry.remove();
        }
        self.unchain(slot);
        self.index_at_calendars(slot, false);
        self.free.push(slot);
        self.rows[slot as usize].take()
    }

    /// Updates the demand of a task in the indexes of its calendars.
    pub(super) fn set_demand(&mut self, slot: u32, demand: Demand) {
        self.index_at_calendars(slot, false);
        if let Some(row) = self.rows[slot as usize].as_mut() {
            row.demand = demand;
        }
        self.index_at_calendars(slot, true);
    }

    fn unchain(&mut self, slot: u32) {
        let Some((account, next)) = self.row(slot).map(|row| (row.account, row.sibling)) else { return };
        let first = self.first_of(account);
        if first == Some(slot) {
            let hash = self.hasher.hash_one(account);
            if next != NONE {
                if let Some(first) = self.by_account_mut(account) {
                    *first = next;
                }
            } else if let Ok(entry) = self.by_account.find_entry(hash, |s| *s == slot) {
                entry.remove();
            }
            return;
        }
        let mut at = first;
        while let Some(row) = at.and_then(|slot| self.rows[slot as usize].as_mut()) {
            if row.sibling == slot {
                row.sibling = next;
                return;
            }
            at = Some(row.sibling).filter(|next| *next != NONE);
        }
    }

    /// Adds a task to the indexes of its calendars, or removes it.
    fn index_at_calendars(&mut self, slot: u32, enter: bool) {
        let Self { rows, groups, waiting, .. } = self;
        let Some(row) = &rows[slot as usize] else { return };
        if row.status != TaskStatus::Active {
            let place = (row.submitted_at, row.id);
            if enter {
                waiting.insert(place)
            } else {
                waiting.remove(&place)
            };
        }
        if !row.seeks() {
            return;
        }
        let rank = |slot: u32| rows[slot as usize].as_ref().map(IndexedTask::rank);
        let order = |a: u32, b: u32| if a == b { Ordering::Equal } else { rank(a).cmp(&rank(b)) };
        let seeker = row.seeker();
        let windows = windows(seeker.criteria, seeker.current);
        let group = &mut groups[row.kind as usize];
        for city in &row.criteria.cities {
            let calendar_index = group.calendar_index_mut(*city);
            if enter {
                calendar_index.members.insert(slot, &windows, &order);
            } else {
                calendar_index.members.remove(slot, &order);
            }
            if row.condition != TaskCondition::Watching {
                if enter {
                    calendar_index.unsettled.insert(slot)
                } else {
                    calendar_index.unsettled.remove(&slot)
                };
            }
            if row.status != TaskStatus::Active {
                continue;
            }
            let count = |n: &mut u32, counts: bool| match (counts, enter) {
                (true, true) => *n += 1,
                (true, false) => *n -= 1,
                (false, _) => {}
            };
            let wants = row.demand != Demand::Nothing;
            calendar_index.demand_counts.changes = calendar_index.demand_counts.changes.wrapping_add(1);
            count(&mut calendar_index.demand_counts.active, wants);
            count(&mut calendar_index.demand_counts.uncaptured, wants && !row.captured);
            count(&mut calendar_index.demand_counts.automatic, row.demand == Demand::Books);
        }
    }
}
