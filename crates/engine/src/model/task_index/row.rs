//! Entries of the index: tasks, and calendars with their tasks.

use std::collections::BTreeSet;

use domain::appointment::Slot;
use domain::booking::{Allowance, Attempts, Stop};
use domain::calendar::Kind;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::criteria::SearchCriteria;
use domain::dayset::DaySet;
use domain::facility::FacilityId;
use domain::ids::{PortalAccountId, TaskId};
use domain::matching::{Rank, Seeker};
use domain::task::TaskStatus;
use store::task::{CountsByCalendar, Difference};

/// A running task in memory.
#[derive(Debug)]
pub(crate) struct IndexedTask {
    pub id: TaskId,
    pub account: PortalAccountId,
    pub status: TaskStatus,
    pub condition: TaskCondition,
    pub captured: bool,
    pub priority: i32,
    pub submitted_at: Instant,
    pub criteria: SearchCriteria,
    pub booked: Option<Slot>,
    pub change_deadline: Option<Instant>,
    pub attempts: Attempts,
    /// Demand of the task, as last computed.
    pub(super) demand: Demand,
    /// Time of the last poll that answered the task, as far as written to its row.
    pub last_check_at: Option<Instant>,
    pub(super) kind: u32,
    /// Sum of its calendars' counts when its row was last written.
    pub(super) written: Counts,
    /// Value of the index's poll counter when the task joined its calendars.
    pub(super) joined: u32,
    /// The next task of the same account.
    pub(super) sibling: u32,
    /// `true` if its row records the counts of its calendars. Polls then do not write the row.
    pub(super) counted: bool,
}

/// Demand of a task on its calendars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// No date can be booked for it, and it needs no polls.
    Nothing,
    /// Dates to send its user a notification or a question about.
    Told,
    /// Dates to book without a question.
    Books,
}

impl IndexedTask {
    /// Returns the task's demand on its calendars, as of the last sweep or its last change.
    pub const fn demand(&self) -> Demand {
        self.demand
    }

    /// Returns the changes that the task may still make.
    pub fn allowance(&self) -> Allowance<'_> {
        let Self { criteria, change_deadline, attempts, .. } = self;
        let booked = self.booked.as_ref();
        Allowance { criteria, booked, change_deadline: *change_deadline, attempts: *attempts }
    }

    /// Returns `true` if the task's account may poll the task's calendars.
    pub(super) fn is_poll_source(&self) -> bool {
        self.status == TaskStatus::Active && self.demand != Demand::Nothing
    }

    /// Returns the task's demand on its calendars at `now`.
    pub(super) fn demand_at(&self, now: Instant) -> Demand {
        match self.allowance().allows_any(now) {
            Ok(()) => Demand::Books,
            // The user chose to get notifications nevertheless.
            Err(_) if self.allowance().wants_polls(now) => Demand::Told,
            Err(_) => Demand::Nothing,
        }
    }

    /// Returns the task's condition if no other condition applies.
    pub fn default_condition(&self, now: Instant) -> TaskCondition {
        default_condition(&self.allowance(), now)
    }

    /// Returns the task's place in the allocation order. A smaller rank comes first.
    pub fn rank(&self) -> Rank {
        Rank::new(self.captured, self.priority, self.submitted_at, self.id)
    }

    /// Returns the task as the matching uses it.
    pub fn seeker(&self) -> Seeker<'_> {
        let current = self.booked.as_ref();
        Seeker { task: self.id, rank: self.rank(), criteria: &self.criteria, current }
    }

    /// Returns `true` if polls answer the task, because it is active or starting.
    pub(super) fn seeks(&self) -> bool {
        matches!(self.status, TaskStatus::Active | TaskStatus::Processing)
    }

    pub(super) fn same_calendars(&self, other: &Self) -> bool {
        self.kind == other.kind && self.criteria.cities == other.criteria.cities
    }
}

/// Returns the condition of a task if no other condition applies.
pub(crate) fn default_condition(allowance: &Allowance<'_>, now: Instant) -> TaskCondition {
    let late = allowance.allows_any(now) == Err(Stop::DeadlinePassed);
    if late { TaskCondition::DeadlinePassed } else { TaskCondition::Watching }
}

/// Number of polls, and number of dates that appeared in them. Both wrap around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub checks: u32,
    pub slots: u32,
}

impl Counts {
    pub fn plus(self, other: Self) -> Self {
        let (checks, slots) = (self.checks.wrapping_add(other.checks), self.slots.wrapping_add(other.slots));
        Self { checks, slots }
    }

    pub fn minus(self, other: Self) -> Self {
        let (checks, slots) = (self.checks.wrapping_sub(other.checks), self.slots.wrapping_sub(other.slots));
        Self { checks, slots }
    }
}

/// Counts that a task's row does not include yet.
#[derive(Clone, Debug)]
pub(crate) struct CountUpdate {
    pub task: TaskId,
    pub missing: Difference,
    /// Calendar counts to record in the task's row; `None` if the task has left its calendars.
    pub counted: Option<CountsByCalendar>,
    /// `true` if its row records such counts already.
    pub was_counted: bool,
}

/// Tasks of one calendar.
#[derive(Debug, Default)]
pub(super) struct CalendarIndex {
    /// Every task that a poll answers, in rank order.
    pub members: DaySet,
    /// Members with another condition than "watching".
    pub unsettled: BTreeSet<u32>,
    pub demand_counts: DemandCounts,
    /// All polls so far, and those that the calendar's row does not include yet.
    pub counts: Counts,
    pub unwritten: Counts,
    pub last_poll_at: Option<Instant>,
    /// Time of the last answered poll, trusted or not.
    pub answered_at: Option<Instant>,
    /// Number of the last poll.
    pub last_poll: u32,
}

/// Counts of the tasks with a demand on a calendar. A task with [`Demand::Nothing`] does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DemandCounts {
    /// Active tasks.
    pub active: u32,
    /// Active tasks whose fee is not captured yet.
    pub uncaptured: u32,
    /// Active tasks that can book a date without a question to the user.
    pub automatic: u32,
    /// Number of times at which an active task joined or left. The counts alone do not show that
    /// one task replaced another.
    pub changes: u32,
}

/// An applicant kind, with its calendars.
#[derive(Debug)]
pub(super) struct Group {
    pub kind: Kind,
    pub calendar_indexes: Vec<(FacilityId, CalendarIndex)>,
}

impl Group {
    pub fn calendar_index(&self, facility: FacilityId) -> Option<&CalendarIndex> {
        self.calendar_indexes.iter().find(|(at, _)| *at == facility).map(|(_, calendar_index)| calendar_index)
    }

    pub fn calendar_index_mut(&mut self, facility: FacilityId) -> &mut CalendarIndex {
        let at = self.calendar_indexes.iter().position(|(at, _)| *at == facility).unwrap_or_else(|| {
            self.calendar_indexes.push((facility, CalendarIndex::default()));
            self.calendar_indexes.len() - 1
        });
        &mut self.calendar_indexes[at].1
    }
}
