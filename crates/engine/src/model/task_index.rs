//! Running tasks, a few hundred bytes each, found by id, by account and by calendar. A poll
//! *answers* a task if the polled list applies to the task.
//!
//! Whole rows stay in the database; a job reads the one it needs ([`crate::Engine::task`]).

mod count;
mod hours;
pub(crate) mod overdue;
mod place;
mod rank;
mod row;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};

use domain::calendar::{CalendarKey, Kind};
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::facility::FacilityId;
use domain::ids::{PortalAccountId, TaskId};
use domain::task::TaskStatus;
use hashbrown::HashTable;
use row::{CalendarIndex, Counts, Group};
use store::task::Outline;

pub(crate) use hours::PollResult;
pub(crate) use row::{CountUpdate, Demand, DemandCounts, IndexedTask, default_condition};

/// Value of `sibling` for the last task of an account.
const NONE: u32 = u32::MAX;

/// Index of the running tasks.
#[derive(Default)]
pub(crate) struct TaskIndex {
    rows: Vec<Option<IndexedTask>>,
    free: Vec<u32>,
    by_id: HashTable<u32>,
    /// First task of each account; the others are chained to it.
    by_account: HashTable<u32>,
    groups: Vec<Group>,
    group_of: HashMap<Kind, u32>,
    /// Tasks that are not warmed up yet, in order of submission.
    waiting: BTreeSet<(Instant, TaskId)>,
    /// Number of counted polls.
    polls: u32,
    /// `true` if something was counted that is not written yet.
    polled: bool,
    /// Calendars whose rows lack polls: their groups and facilities.
    unwritten: BTreeSet<(u32, FacilityId)>,
    /// Unwritten polls by the hour.
    hours: hours::Hours,
    /// Slots of tasks whose rows do not yet record the calendar counts that they include.
    uncounted: Vec<u32>,
    /// Poll counts to write to the rows of tasks that left their calendars.
    departed: Vec<CountUpdate>,
    /// Tasks whose rows have counts of calendars that they no longer use.
    orphans: Vec<TaskId>,
    /// Next row that the sweep checks, and time of its last check.
    next_overdue: usize,
    asked_at: Option<Instant>,
    /// Tasks that had no allowed change left when they were taken over.
    used_up: Vec<TaskId>,
    hasher: RandomState,
}

impl TaskIndex {
    /// Returns the number of running tasks.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Returns a running task.
    pub fn get(&self, id: &TaskId) -> Option<&IndexedTask> {
        self.row(self.slot_of(*id)?)
    }

    /// Returns all running tasks, in no order.
    pub fn values(&self) -> impl Iterator<Item = &IndexedTask> {
        self.rows.iter().flatten()
    }

    /// Returns the tasks of a portal account.
    pub fn of_account(&self, account: PortalAccountId) -> impl Iterator<Item = &IndexedTask> {
        let first = self.first_of(account);
        std::iter::successors(first, |slot| {
            self.row(*slot).map(|row| row.sibling).filter(|next| *next != NONE)
        })
        .filter_map(|slot| self.row(slot))
    }

    /// Returns every portal account that has a running task, once.
    pub fn accounts(&self) -> impl Iterator<Item = PortalAccountId> {
        self.by_account.iter().filter_map(|slot| self.row(*slot)).map(|task| task.account)
    }

    /// Returns the tasks that a poll of `key` answers, in rank order.
    pub fn of_calendar(&self, key: &CalendarKey) -> impl Iterator<Item = &IndexedTask> {
        let mut last = None;
        let keys =
            self.calendar_index(key).into_iter().flat_map(|calendar_index| calendar_index.members.keys());
        // A task with several windows is listed once per window, consecutively.
        keys.filter(move |slot| last.replace(*slot) != Some(*slot)).filter_map(|slot| self.row(slot))
    }

    /// Returns the calendar's tasks with another condition than "watching", in no order.
    pub fn unsettled(&self, key: &CalendarKey) -> impl Iterator<Item = &IndexedTask> {
        self.calendar_index(key)
            .into_iter()
            .flat_map(|calendar_index| &calendar_index.unsettled)
            .filter_map(|slot| self.row(*slot))
    }

    /// Returns `true` if a poll of `key` answers the task.
    pub fn is_of(&self, task: &IndexedTask, key: &CalendarKey) -> bool {
        task.seeks() && *self.kind(task) == key.kind && task.criteria.cities.contains(&key.facility)
    }

    /// Returns the tasks that are not warmed up yet, in order of submission.
    pub fn waiting(&self) -> impl Iterator<Item = &IndexedTask> {
        self.waiting.iter().filter_map(|(_, id)| self.get(id))
    }

    /// Returns the applicant kind of a task.
    pub fn kind(&self, task: &IndexedTask) -> &Kind {
        &self.groups[task.kind as usize].kind
    }

    /// Returns the calendars that can answer a task, in the order of its cities.
    pub fn keys(&self, task: &IndexedTask) -> impl Iterator<Item = CalendarKey> {
        let kind = self.kind(task);
        task.criteria.cities.iter().map(|facility| CalendarKey { kind: kind.clone(), facility: *facility })
    }

    /// Returns every calendar of which an active task wants a date, with its demand counts.
    pub fn calendars(&self) -> impl Iterator<Item = (CalendarKey, DemandCounts)> {
        self.groups.iter().flat_map(|group| {
            let wanted = group
                .calendar_indexes
                .iter()
                .filter(|(_, calendar_index)| calendar_index.demand_counts.active > 0);
            wanted.map(|(facility, calendar_index)| {
                (CalendarKey { kind: group.kind.clone(), facility: *facility }, calendar_index.demand_counts)
            })
        })
    }

    /// Returns the active tasks through which a calendar can be polled, each with its account.
    /// Excludes tasks that no date can help, so their accounts spend no budget.
    pub fn poll_sources(&self, key: &CalendarKey) -> impl Iterator<Item = (PortalAccountId, TaskId)> {
        self.of_calendar(key).filter(|task| task.is_poll_source()).map(|t| (t.account, t.id))
    }

    /// Returns the number of calendars that are polled through an account. A calendar of several
    /// tasks counts once.
    pub fn count_polled_through(&self, account: PortalAccountId) -> usize {
        let tasks = self.of_account(account).filter(|task| task.is_poll_source());
        tasks.flat_map(|task| self.keys(task)).collect::<HashSet<CalendarKey>>().len()
    }

    /// Removes all tasks.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Sets the condition of a task.
    pub fn set_condition(&mut self, id: TaskId, condition: TaskCondition) {
        let Some(slot) = self.slot_of(id) else { return };
        let Self { rows, groups, .. } = self;
        let Some(row) = rows[slot as usize].as_mut() else { return };
        let moved = (row.condition == TaskCondition::Watching) != (condition == TaskCondition::Watching);
        row.condition = condition;
        if !moved || !row.seeks() {
            return;
        }
        let group = &mut groups[row.kind as usize];
        for city in &row.criteria.cities {
            let unsettled = &mut group.calendar_index_mut(*city).unsettled;
            if condition == TaskCondition::Watching {
                unsettled.remove(&slot)
            } else {
                unsettled.insert(slot)
            };
        }
    }

    /// Adds or updates a running task. Returns its previous status; `None` if it is new or has no
    /// criteria.
    pub fn take(&mut self, task: Outline) -> Option<TaskStatus> {
        let criteria = task.criteria?;
        let kind = self.group(task.kind);
        let mut new = IndexedTask {
            id: task.id,
            account: task.portal_account_id,
            status: task.status,
            condition: task.condition,
            captured: task.captured,
            priority: task.priority,
            submitted_at: task.submitted_at,
            criteria,
            booked: task.booked,
            change_deadline: task.change_deadline,
            attempts: task.attempts,
            demand: Demand::Books,
            last_check_at: task.last_check_at,
            kind,
            written: Counts::default(),
            joined: self.polls,
            sibling: NONE,
            counted: false,
        };
        self.find_demand(&mut new);
        let Some(slot) = self.slot_of(new.id) else {
            self.resume_counting(&mut new, task.counted.as_ref());
            self.add(new);
            return None;
        };
        let old = self.row(slot)?;
        let before = old.status;
        new.last_check_at = new.last_check_at.max(old.last_check_at);
        if old.seeks() && new.seeks() && old.same_calendars(&new) {
            (new.joined, new.written, new.counted) = (old.joined, old.written, old.counted);
        } else {
            self.part(slot);
            new.written = self.counts_of(&new);
        }
        let old = self.row(slot)?;
        let as_before = old.status == new.status
            && old.account == new.account
            && old.same_calendars(&new)
            && old.rank() == new.rank()
            && old.criteria == new.criteria
            && old.booked == new.booked
            && old.demand == new.demand;
        if as_before {
            let condition = std::mem::replace(&mut new.condition, old.condition);
            let id = new.id;
            new.sibling = old.sibling;
            self.rows[slot as usize] = Some(new);
            self.set_condition(id, condition);
        } else {
            self.remove(&new.id);
            self.add(new);
        }
        Some(before)
    }

    fn group(&mut self, kind: Kind) -> u32 {
        if let Some(known) = self.group_of.get(&kind) {
            return *known;
        }
        let fresh = u32::try_from(self.groups.len()).expect("fewer than four billion kinds");
        self.groups.push(Group { kind: kind.clone(), calendar_indexes: Vec::new() });
        self.group_of.insert(kind, fresh);
        fresh
    }

    fn calendar_index(&self, key: &CalendarKey) -> Option<&CalendarIndex> {
        self.groups[*self.group_of.get(&key.kind)? as usize].calendar_index(key.facility)
    }

    fn row(&self, slot: u32) -> Option<&IndexedTask> {
        self.rows[slot as usize].as_ref()
    }

    fn slot_of(&self, id: TaskId) -> Option<u32> {
        let is_it = |slot: &u32| self.row(*slot).is_some_and(|row| row.id == id);
        self.by_id.find(self.hasher.hash_one(id), is_it).copied()
    }

    fn first_of(&self, account: PortalAccountId) -> Option<u32> {
        let is_it = |slot: &u32| self.row(*slot).is_some_and(|row| row.account == account);
        self.by_account.find(self.hasher.hash_one(account), is_it).copied()
    }

    fn by_account_mut(&mut self, account: PortalAccountId) -> Option<&mut u32> {
        let Self { rows, by_account, hasher, .. } = self;
        let is_it = |slot: &u32| rows[*slot as usize].as_ref().is_some_and(|row| row.account == account);
        by_account.find_mut(hasher.hash_one(account), is_it)
    }
}
