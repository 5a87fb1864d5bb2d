//! What is kept of a task and of a calendar.

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
use store::task::{Counted, Difference};

/// A running task as it is kept in memory.
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
    /// What it asked of its calendars when that was found last.
    pub(super) demand: Demand,
    /// The last poll that answered it, as far as it was written.
    pub last_check_at: Option<Instant>,
    pub(super) kind: u32,
    /// What its calendars had counted together when its row was last written.
    pub(super) written: Counts,
    /// The last poll of any calendar before it came to its own.
    pub(super) joined: u32,
    /// The next task of the same account.
    pub(super) sibling: u32,
    /// Whether its row says up to where it has counted its calendars: then nothing more is written for it.
    pub(super) counted: bool,
}

/// What a task asks of its calendars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// Nothing can be booked for it, on any day.
    Nothing,
    /// To be told or asked of days.
    Told,
    /// To have days booked.
    Books,
}

impl IndexedTask {
    /// What it asks of its calendars, as of the last sweep or its last change.
    pub const fn demand(&self) -> Demand {
        self.demand
    }

    /// What it may still change.
    pub fn allowance(&self) -> Allowance<'_> {
        let Self { criteria, change_deadline, attempts, .. } = self;
        let booked = self.booked.as_ref();
        Allowance { criteria, booked, change_deadline: *change_deadline, attempts: *attempts }
    }

    /// Returns whether its account polls its calendars.
    pub(super) fn is_poll_source(&self) -> bool {
        self.status == TaskStatus::Active && self.demand != Demand::Nothing
    }

    /// What it asks of its calendars at `now`.
    pub(super) fn demand_at(&self, now: Instant) -> Demand {
        match self.allowance().allows_any(now) {
            Ok(()) => Demand::Books,
            // As its user chose.
            Err(_) if self.allowance().wants_polls(now) => Demand::Told,
            Err(_) => Demand::Nothing,
        }
    }

    /// What it is told when nothing else is to be said.
    pub fn default_condition(&self, now: Instant) -> TaskCondition {
        default_condition(&self.allowance(), now)
    }

    /// Its place in the allocation order; smaller is served first.
    pub fn rank(&self) -> Rank {
        Rank::new(self.captured, self.priority, self.submitted_at, self.id)
    }

    /// As matching sees it.
    pub fn seeker(&self) -> Seeker<'_> {
        let current = self.booked.as_ref();
        Seeker { task: self.id, rank: self.rank(), criteria: &self.criteria, current }
    }

    /// Whether looks answer it.
    pub(super) fn seeks(&self) -> bool {
        matches!(self.status, TaskStatus::Active | TaskStatus::Processing)
    }

    pub(super) fn same_calendars(&self, other: &Self) -> bool {
        self.kind == other.kind && self.criteria.cities == other.criteria.cities
    }
}

/// What a task is told when nothing else is to be said.
pub(crate) fn default_condition(allowance: &Allowance<'_>, now: Instant) -> TaskCondition {
    let late = allowance.allows_any(now) == Err(Stop::DeadlinePassed);
    if late { TaskCondition::DeadlinePassed } else { TaskCondition::Watching }
}

/// Looks, and days that appeared at them; differences are taken with wrap-around.
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

/// What a task's row does not say yet.
#[derive(Clone, Debug)]
pub(crate) struct CountUpdate {
    pub task: TaskId,
    pub missing: Difference,
    /// What its row is to say that its calendars have counted; none when they count for it no longer.
    pub counted: Option<Counted>,
    /// Whether its row says such a thing already.
    pub was_counted: bool,
}

/// One calendar's tasks.
#[derive(Debug, Default)]
pub(super) struct CalendarIndex {
    /// Every task a poll answers, in rank order.
    pub members: DaySet,
    /// Members that are told something else than that they are watched.
    pub unsettled: BTreeSet<u32>,
    pub demand_counts: DemandCounts,
    /// All looks ever, and those of them the calendar's row does not say yet.
    pub counts: Counts,
    pub unwritten: Counts,
    pub last_poll_at: Option<Instant>,
    /// The last poll that was answered, believed or not.
    pub answered_at: Option<Instant>,
    /// The number of the last poll.
    pub last_poll: u32,
}

/// Who wants something of a calendar; a task for which nothing can be booked does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DemandCounts {
    /// Tasks that are watched.
    pub active: u32,
    /// Of these, tasks that have not been paid for yet.
    pub uncaptured: u32,
    /// Of these, tasks that book by themselves, and can.
    pub automatic: u32,
}

/// A kind of applicant, with its calendars.
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
