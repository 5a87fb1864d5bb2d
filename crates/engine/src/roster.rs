//! The running tasks, a few hundred bytes each, found by id, by account and by calendar.
//!
//! Whole rows stay in the database; a job reads the one it needs ([`crate::Engine::task`]).

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher as _, RandomState};

use chrono::NaiveDate;
use domain::appointment::Slot;
use domain::calendar::{CalendarKey, Kind};
use domain::clock::Instant;
use domain::dayset::DaySet;
use domain::facility::FacilityId;
use domain::ids::{PortalAccountId, TaskId};
use domain::matching::{Rank, Seeker, windows};
use domain::task::{Reason, TaskStatus};
use domain::verdict::Verdict;
use domain::wish::Wish;
use hashbrown::HashTable;
use store::task::Outline;

mod count;
mod rank;

/// No further task of the account.
const NONE: u32 = u32::MAX;

/// A running task as it is kept in memory.
#[derive(Debug)]
pub(crate) struct Watched {
    pub id: TaskId,
    pub account: PortalAccountId,
    pub status: TaskStatus,
    pub verdict: Verdict,
    pub captured: bool,
    pub priority: i32,
    pub submitted_at: Instant,
    pub wish: Wish,
    pub booked: Option<Slot>,
    pub group_read_at: Instant,
    /// The last look that answered it, as far as it was written.
    pub last_check_at: Option<Instant>,
    kind: u32,
    /// What its calendars had counted together when its row was last written.
    written: Counts,
    /// The last look of any calendar before it came to its own.
    joined: u32,
    /// The next task of the same account.
    sibling: u32,
}

impl Watched {
    /// Its place in the allocation order; smaller is served first.
    pub fn rank(&self) -> Rank {
        Rank::new(self.captured, self.priority, self.submitted_at, self.id)
    }

    /// As matching sees it.
    pub fn seeker(&self) -> Seeker<'_> {
        let current = self.booked.as_ref().filter(|_| !crate::crash::sabotaged("later_date"));
        Seeker { task: self.id, rank: self.rank(), wish: &self.wish, current }
    }

    /// Whether looks answer it.
    fn seeks(&self) -> bool {
        matches!(self.status, TaskStatus::Active | TaskStatus::Processing)
    }

    fn same_calendars(&self, other: &Self) -> bool {
        self.kind == other.kind && self.wish.cities == other.wish.cities
    }
}

/// Looks, and days that appeared at them; differences are taken with wrap-around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    checks: u32,
    slots: u32,
}

impl Counts {
    fn plus(self, other: Self) -> Self {
        let (checks, slots) = (self.checks.wrapping_add(other.checks), self.slots.wrapping_add(other.slots));
        Self { checks, slots }
    }

    fn minus(self, other: Self) -> Self {
        let (checks, slots) = (self.checks.wrapping_sub(other.checks), self.slots.wrapping_sub(other.slots));
        Self { checks, slots }
    }
}

/// What a task's row does not say yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uncounted {
    pub task: TaskId,
    pub checks: i64,
    pub slots: i64,
    /// The last look that answered it.
    pub last_check_at: Option<Instant>,
}

/// One calendar's tasks.
#[derive(Debug, Default)]
struct Desk {
    /// Every task a look answers, in rank order.
    members: DaySet,
    /// Members that are told something else than that they are watched.
    unsettled: BTreeSet<u32>,
    census: Census,
    counts: Counts,
    last_look_at: Option<Instant>,
    /// The number of the last look.
    last_look: u32,
}

/// Who wants something of a calendar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Census {
    /// Tasks that are watched.
    pub active: u32,
    /// Of these, tasks that have not been paid for yet.
    pub uncaptured: u32,
    /// Of these, tasks that book by themselves.
    pub automatic: u32,
}

/// A kind of applicant, with its calendars.
#[derive(Debug)]
struct Group {
    kind: Kind,
    desks: Vec<(FacilityId, Desk)>,
}

impl Group {
    fn desk(&self, facility: FacilityId) -> Option<&Desk> {
        self.desks.iter().find(|(at, _)| *at == facility).map(|(_, desk)| desk)
    }

    fn desk_mut(&mut self, facility: FacilityId) -> &mut Desk {
        let at = self.desks.iter().position(|(at, _)| *at == facility).unwrap_or_else(|| {
            self.desks.push((facility, Desk::default()));
            self.desks.len() - 1
        });
        &mut self.desks[at].1
    }
}

/// The running tasks.
#[derive(Default)]
pub(crate) struct Roster {
    rows: Vec<Option<Watched>>,
    free: Vec<u32>,
    by_id: HashTable<u32>,
    /// The first task of each account; the others hang on it.
    by_account: HashTable<u32>,
    groups: Vec<Group>,
    group_of: HashMap<Kind, u32>,
    /// Tasks that were not warmed up yet, who asked first first.
    waiting: BTreeSet<(Instant, TaskId)>,
    /// Looks counted so far.
    looks: u32,
    /// The next row whose counts are compared, and how many are to be compared since the last look.
    next_count: usize,
    uncounted: usize,
    /// What the rows of tasks that left do not say yet.
    parting: Vec<Uncounted>,
    hasher: RandomState,
}

impl Roster {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// A running task.
    pub fn get(&self, id: &TaskId) -> Option<&Watched> {
        self.row(self.slot_of(*id)?)
    }

    /// All of them, in no order.
    pub fn values(&self) -> impl Iterator<Item = &Watched> {
        self.rows.iter().flatten()
    }

    /// The tasks of a portal account.
    pub fn of_account(&self, account: PortalAccountId) -> impl Iterator<Item = &Watched> {
        let first = self.first_of(account);
        std::iter::successors(first, |slot| {
            self.row(*slot).map(|row| row.sibling).filter(|next| *next != NONE)
        })
        .filter_map(|slot| self.row(slot))
    }

    /// Every portal account a running task belongs to, once.
    pub fn accounts(&self) -> impl Iterator<Item = PortalAccountId> {
        self.by_account.iter().filter_map(|slot| self.row(*slot)).map(|task| task.account)
    }

    /// The tasks a look at `key` answers, first in rank first.
    pub fn of_calendar(&self, key: &CalendarKey) -> impl Iterator<Item = &Watched> {
        let mut last = None;
        let keys = self.desk(key).into_iter().flat_map(|desk| desk.members.keys());
        // A task with several windows comes as often, one after the other.
        keys.filter(move |slot| last.replace(*slot) != Some(*slot)).filter_map(|slot| self.row(slot))
    }

    /// Tasks of the calendar that are told something else than that they are watched, in no order.
    pub fn unsettled(&self, key: &CalendarKey) -> impl Iterator<Item = &Watched> {
        self.desk(key).into_iter().flat_map(|desk| &desk.unsettled).filter_map(|slot| self.row(*slot))
    }

    /// Whether a look at `key` answers the task.
    pub fn is_of(&self, task: &Watched, key: &CalendarKey) -> bool {
        task.seeks() && *self.kind(task) == key.kind && task.wish.cities.contains(&key.facility)
    }

    /// Tasks that were not warmed up yet, who asked first first.
    pub fn waiting(&self) -> impl Iterator<Item = &Watched> {
        self.waiting.iter().filter_map(|(_, id)| self.get(id))
    }

    /// The kind of applicant a task is.
    pub fn kind(&self, task: &Watched) -> &Kind {
        &self.groups[task.kind as usize].kind
    }

    /// The calendars that can answer a task, in the order of its cities.
    pub fn keys(&self, task: &Watched) -> impl Iterator<Item = CalendarKey> {
        let kind = self.kind(task);
        task.wish.cities.iter().map(|facility| CalendarKey { kind: kind.clone(), facility: *facility })
    }

    /// Every calendar some active task wants something of, and how many do.
    pub fn calendars(&self) -> impl Iterator<Item = (CalendarKey, Census)> {
        self.groups.iter().flat_map(|group| {
            let wanted = group.desks.iter().filter(|(_, desk)| desk.census.active > 0);
            wanted.map(|(facility, desk)| {
                (CalendarKey { kind: group.kind.clone(), facility: *facility }, desk.census)
            })
        })
    }

    /// The active tasks through which a calendar can be looked at, each with its account.
    pub fn viewpoints(&self, key: &CalendarKey) -> impl Iterator<Item = (PortalAccountId, TaskId)> {
        self.of_calendar(key).filter(|t| t.status == TaskStatus::Active).map(|t| (t.account, t.id))
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// What a task is told now.
    pub fn set_verdict(&mut self, id: TaskId, verdict: Verdict) {
        let Some(slot) = self.slot_of(id) else { return };
        let Self { rows, groups, .. } = self;
        let Some(row) = rows[slot as usize].as_mut() else { return };
        let moved = (row.verdict == Verdict::Watching) != (verdict == Verdict::Watching);
        row.verdict = verdict;
        if !moved || !row.seeks() {
            return;
        }
        let group = &mut groups[row.kind as usize];
        for city in &row.wish.cities {
            let unsettled = &mut group.desk_mut(*city).unsettled;
            if verdict == Verdict::Watching {
                unsettled.remove(&slot)
            } else {
                unsettled.insert(slot)
            };
        }
    }

    /// Takes a running task over as it stands now; answers the status it had.
    pub fn take(&mut self, task: Outline) -> Option<TaskStatus> {
        let wish = task.wish?;
        let kind = self.group(task.kind);
        let mut new = Watched {
            id: task.id,
            account: task.portal_account_id,
            status: task.status,
            verdict: task.verdict,
            captured: task.captured,
            priority: task.priority,
            submitted_at: task.submitted_at,
            wish,
            booked: task.booked,
            group_read_at: task.group_read_at,
            last_check_at: task.last_check_at,
            kind,
            written: Counts::default(),
            joined: self.looks,
            sibling: NONE,
        };
        let Some(slot) = self.slot_of(new.id) else {
            self.add(new, Counts::default());
            return None;
        };
        let old = self.row(slot)?;
        let uncounted = self.uncounted_of(old);
        let before = old.status;
        new.last_check_at = new.last_check_at.max(old.last_check_at);
        if old.same_calendars(&new) && old.seeks() {
            new.joined = old.joined;
        }
        let as_before = old.status == new.status
            && old.account == new.account
            && old.same_calendars(&new)
            && old.rank() == new.rank()
            && old.wish == new.wish
            && old.booked == new.booked;
        if as_before {
            let verdict = std::mem::replace(&mut new.verdict, old.verdict);
            let id = new.id;
            (new.sibling, new.written) = (old.sibling, old.written);
            self.rows[slot as usize] = Some(new);
            self.set_verdict(id, verdict);
        } else {
            self.remove(&new.id);
            self.add(new, uncounted);
        }
        Some(before)
    }

    /// Tasks whose time is over, and notify-only tasks whose group was not read since `read_before`.
    pub fn overdue(&self, now: Instant, read_before: Instant) -> (Vec<(TaskId, Reason)>, BTreeSet<TaskId>) {
        let (mut over, mut unread) = (Vec::new(), BTreeSet::new());
        let mut days: HashMap<FacilityId, NaiveDate> = HashMap::new();
        for task in self.values() {
            let at = task.booked.map(|b| b.facility).or(task.wish.cities.first().copied());
            let at = at.unwrap_or(FacilityId(94));
            let today = *days.entry(at).or_insert_with(|| at.today(now));
            if task.booked.is_some_and(|b| b.date < today) {
                over.push((task.id, Reason::AppointmentPassed));
            } else if task.wish.end_date < today {
                over.push((task.id, Reason::RangeOver));
            } else if task.status == TaskStatus::Active
                && task.wish.notify_only
                && task.group_read_at <= read_before
            {
                unread.insert(task.id);
            }
        }
        (over, unread)
    }

    fn add(&mut self, mut row: Watched, uncounted: Counts) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.rows.push(None);
            u32::try_from(self.rows.len() - 1).expect("fewer than four billion tasks")
        });
        row.sibling = self.first_of(row.account).unwrap_or(NONE);
        if let Some(first) = self.by_account_mut(row.account) {
            *first = slot;
        }
        row.written = self.counts_of(&row).minus(uncounted);
        let (id, account, chained) = (row.id, row.account, row.sibling != NONE);
        self.rows[slot as usize] = Some(row);
        self.seat(slot, true);
        let Self { rows, by_id, by_account, hasher, .. } = self;
        let row_of = |slot: &u32| rows[*slot as usize].as_ref().expect("an indexed row");
        by_id.insert_unique(hasher.hash_one(id), slot, |s| hasher.hash_one(row_of(s).id));
        if !chained {
            by_account.insert_unique(hasher.hash_one(account), slot, |s| hasher.hash_one(row_of(s).account));
        }
    }

    /// Forgets a task; answers it.
    pub fn remove(&mut self, id: &TaskId) -> Option<Watched> {
        let slot = self.slot_of(*id)?;
        let hash = self.hasher.hash_one(id);
        if let Ok(entry) = self.by_id.find_entry(hash, |s| *s == slot) {
            entry.remove();
        }
        self.unchain(slot);
        self.seat(slot, false);
        self.free.push(slot);
        self.rows[slot as usize].take()
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

    /// Enters a task at its calendars, or takes it off them.
    fn seat(&mut self, slot: u32, enter: bool) {
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
        let rank = |slot: u32| rows[slot as usize].as_ref().map(Watched::rank);
        let order = |a: u32, b: u32| if a == b { Ordering::Equal } else { rank(a).cmp(&rank(b)) };
        let seeker = row.seeker();
        let windows = windows(seeker.wish, seeker.current);
        let group = &mut groups[row.kind as usize];
        for city in &row.wish.cities {
            let desk = group.desk_mut(*city);
            if enter {
                desk.members.insert(slot, &windows, &order);
            } else {
                desk.members.remove(slot, &order);
            }
            if row.verdict != Verdict::Watching {
                if enter {
                    desk.unsettled.insert(slot)
                } else {
                    desk.unsettled.remove(&slot)
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
            count(&mut desk.census.active, true);
            count(&mut desk.census.uncaptured, !row.captured);
            count(&mut desk.census.automatic, !row.wish.notify_only);
        }
    }

    fn group(&mut self, kind: Kind) -> u32 {
        if let Some(known) = self.group_of.get(&kind) {
            return *known;
        }
        let fresh = u32::try_from(self.groups.len()).expect("fewer than four billion kinds");
        self.groups.push(Group { kind: kind.clone(), desks: Vec::new() });
        self.group_of.insert(kind, fresh);
        fresh
    }

    fn desk(&self, key: &CalendarKey) -> Option<&Desk> {
        self.groups[*self.group_of.get(&key.kind)? as usize].desk(key.facility)
    }

    fn row(&self, slot: u32) -> Option<&Watched> {
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
