//! Looks counted once per calendar, and what each task's row does not say of them yet.
//!
//! A row remembers what its calendars had counted together when it was written; the difference is what it misses. A
//! look costs one addition, however many tasks it answers.

use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};

use super::{Counts, Roster, Uncounted, Watched};

/// Rows compared in one go at most: a millisecond's work.
const COMPARED_AT_ONCE: usize = 50_000;

impl Roster {
    /// Counts a look at a calendar, and the days that appeared, for every task it answers.
    pub fn count_look(&mut self, key: &CalendarKey, appeared: usize, now: Instant) {
        self.looks = self.looks.wrapping_add(1);
        let (number, rows) = (self.looks, self.rows.len());
        let group = self.group(key.kind.clone());
        let desk = self.groups[group as usize].desk_mut(key.facility);
        let slots = u32::try_from(appeared).unwrap_or_default();
        desk.counts = desk.counts.plus(Counts { checks: 1, slots });
        desk.last_look = number;
        desk.last_look_at = Some(now);
        self.uncounted = rows;
    }

    /// Counts a look at a calendar for the tasks of one account alone.
    pub fn count_own_look(
        &mut self,
        account: PortalAccountId,
        key: &CalendarKey,
        appeared: usize,
        now: Instant,
    ) {
        let own = self.of_account(account).filter(|task| self.is_of(task, key)).map(|task| task.id);
        let own: Vec<TaskId> = own.collect();
        let slots = u32::try_from(appeared).unwrap_or_default();
        for slot in own.into_iter().filter_map(|id| self.slot_of(id)).collect::<Vec<_>>() {
            if let Some(row) = self.rows[slot as usize].as_mut() {
                row.written = row.written.minus(Counts { checks: 1, slots });
                row.last_check_at = Some(now);
            }
        }
        let group = self.group(key.kind.clone());
        self.groups[group as usize].desk_mut(key.facility).last_look_at = Some(now);
        self.uncounted = self.rows.len();
    }

    /// Counts a look that was made before the task came, if it was not answered with it already.
    pub fn count_earlier(&mut self, id: TaskId, key: &CalendarKey, days: usize, at: Option<Instant>) {
        let Some(slot) = self.slot_of(id) else { return };
        let last_look = self.desk(key).map_or(0, |desk| desk.last_look);
        let slots = u32::try_from(days).unwrap_or_default();
        let Some(row) = self.rows[slot as usize].as_mut() else { return };
        if !row.seeks() || last_look > row.joined || row.last_check_at >= at {
            return;
        }
        row.written = row.written.minus(Counts { checks: 1, slots });
        let (kind, rows) = (row.kind, self.rows.len());
        let desk = self.groups[kind as usize].desk_mut(key.facility);
        desk.last_look_at = desk.last_look_at.max(at);
        self.uncounted = rows;
    }

    /// Whether rows may miss looks.
    pub fn has_uncounted(&self) -> bool {
        self.uncounted > 0 || !self.parting.is_empty()
    }

    /// Up to `most` tasks whose rows miss looks, taken as written from now on; the others follow the next time.
    pub fn take_uncounted(&mut self, most: usize) -> Vec<Uncounted> {
        let rest = self.parting.split_off(most.min(self.parting.len()));
        let mut found = std::mem::replace(&mut self.parting, rest);
        let mut compared = 0;
        while self.uncounted > 0 && found.len() < most && compared < COMPARED_AT_ONCE {
            self.next_count = if self.next_count < self.rows.len() { self.next_count } else { 0 };
            let slot = self.next_count;
            (self.next_count, self.uncounted, compared) = (slot + 1, self.uncounted - 1, compared + 1);
            let Some(uncounted) =
                self.rows.get(slot).and_then(Option::as_ref).and_then(|row| self.misses(row))
            else {
                continue;
            };
            let now = self.rows[slot].as_ref().map(|row| self.counts_of(row)).unwrap_or_default();
            if let Some(row) = self.rows[slot].as_mut() {
                row.written = now;
                row.last_check_at = row.last_check_at.max(uncounted.last_check_at);
            }
            found.push(uncounted);
        }
        found
    }

    /// Forgets a task; what its row misses is still written.
    pub fn forget(&mut self, id: &TaskId) {
        self.parting.extend(self.get(id).and_then(|row| self.misses(row)));
        self.remove(id);
    }

    fn misses(&self, row: &Watched) -> Option<Uncounted> {
        let missing = self.uncounted_of(row);
        (missing != Counts::default()).then(|| Uncounted {
            task: row.id,
            checks: i64::from(missing.checks),
            slots: i64::from(missing.slots),
            last_check_at: self.desks(row).filter_map(|desk| desk.last_look_at).max(),
        })
    }

    /// What the task's calendars have counted together.
    pub(super) fn counts_of(&self, row: &Watched) -> Counts {
        self.desks(row).fold(Counts::default(), |sum, desk| sum.plus(desk.counts))
    }

    pub(super) fn uncounted_of(&self, row: &Watched) -> Counts {
        if row.seeks() { self.counts_of(row).minus(row.written) } else { Counts::default() }
    }

    fn desks(&self, row: &Watched) -> impl Iterator<Item = &super::Desk> {
        let group = &self.groups[row.kind as usize];
        row.wish.cities.iter().filter_map(|city| group.desk(*city))
    }
}
