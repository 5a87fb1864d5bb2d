//! Poll counts of tasks, stored once per calendar for all its tasks.
//!
//! A task's row records the counts of its calendars at the time of the write. Readers add the
//! calendars' later polls (`store::task::shown`). So a poll writes one calendar row, regardless of
//! the number of tasks. A task's own row is written only when the task joins or leaves its
//! calendars.

use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use store::observation::{StoredCalendar, Tally};
use store::task::{CountsByCalendar, Difference};

use crate::model::task_index::{CalendarIndex, CountUpdate, Counts, IndexedTask, TaskIndex};

/// Truncates a stored count to 32 bits. Memory uses only differences between counts.
fn wrapped(count: i64) -> u32 {
    u32::try_from(count & i64::from(u32::MAX)).unwrap_or_default()
}

impl TaskIndex {
    /// Restores the stored counts of a calendar. Must be called before its tasks are added.
    pub fn restore(&mut self, stored: &StoredCalendar) {
        let group = self.group(stored.key.kind.clone());
        let calendar_index = self.groups[group as usize].calendar_index_mut(stored.key.facility);
        calendar_index.counts = Counts { checks: wrapped(stored.polls), slots: wrapped(stored.slots) };
        calendar_index.last_poll_at = stored.last_poll_at;
        calendar_index.answered_at = stored.answered_at;
    }

    /// Records that the portal answered a poll of a calendar: with dates, without, or unchanged.
    pub fn note_answer(&mut self, key: &CalendarKey, now: Instant) {
        let group = self.group(key.kind.clone());
        self.groups[group as usize].calendar_index_mut(key.facility).answered_at = Some(now);
        self.unwritten.insert((group, key.facility));
        self.polled = true;
    }

    /// Counts a poll of a calendar, and the dates that appeared, for every task that it answers.
    pub fn count_poll(&mut self, key: &CalendarKey, appeared: usize, now: Instant) {
        self.polls = self.polls.wrapping_add(1);
        self.polled = true;
        let number = self.polls;
        let group = self.group(key.kind.clone());
        let calendar_index = self.groups[group as usize].calendar_index_mut(key.facility);
        let slots = u32::try_from(appeared).unwrap_or_default();
        let poll = Counts { checks: 1, slots };
        (calendar_index.counts, calendar_index.unwritten) =
            (calendar_index.counts.plus(poll), calendar_index.unwritten.plus(poll));
        calendar_index.last_poll = number;
        calendar_index.last_poll_at = Some(now);
        self.unwritten.insert((group, key.facility));
    }

    /// Counts a poll of a calendar for the tasks of one account alone.
    pub fn count_own_poll(
        &mut self,
        account: PortalAccountId,
        key: &CalendarKey,
        appeared: usize,
        now: Instant,
    ) {
        let own = self.of_account(account).filter(|task| self.is_of(task, key));
        let own: Vec<u32> = own.filter_map(|task| self.slot_of(task.id)).collect();
        let poll = Counts { checks: 1, slots: u32::try_from(appeared).unwrap_or_default() };
        for slot in own {
            self.count_alone(slot, poll, Some(now));
        }
        let group = self.group(key.kind.clone());
        self.groups[group as usize].calendar_index_mut(key.facility).last_poll_at = Some(now);
        self.unwritten.insert((group, key.facility));
        self.polled = true;
    }

    /// Counts for one task a poll that was made before it joined, unless a poll has already
    /// answered it.
    pub fn count_earlier(&mut self, id: TaskId, key: &CalendarKey, days: usize, at: Option<Instant>) {
        let Some(slot) = self.slot_of(id) else { return };
        let last_poll = self.calendar_index(key).map_or(0, |calendar_index| calendar_index.last_poll);
        let slots = u32::try_from(days).unwrap_or_default();
        let answered = |row: &IndexedTask| !row.seeks() || last_poll > row.joined || row.last_check_at >= at;
        if self.row(slot).is_none_or(answered) {
            return;
        }
        self.count_alone(slot, Counts { checks: 1, slots }, at);
    }

    /// Adds polls that its calendars do not count to the count of one task.
    fn count_alone(&mut self, slot: u32, more: Counts, at: Option<Instant>) {
        self.part(slot);
        self.polled = true;
        let Some(row) = self.rows[slot as usize].as_mut() else { return };
        row.written = row.written.minus(more);
        row.last_check_at = row.last_check_at.max(at);
        self.uncounted.push(slot);
    }

    /// Returns `true` if something was counted that is not in any row.
    pub fn has_uncounted(&self) -> bool {
        self.polled || !self.departed.is_empty() || !self.orphans.is_empty()
    }

    /// Takes up to `most` tasks whose rows are to be written, and marks them as written. The other
    /// tasks remain for the next call.
    pub fn take_uncounted(&mut self, most: usize) -> Vec<CountUpdate> {
        self.polled = false;
        let rest = self.departed.split_off(most.min(self.departed.len()));
        let mut found = std::mem::replace(&mut self.departed, rest);
        while found.len() < most
            && let Some(slot) = self.uncounted.pop()
        {
            let fresh = self.row(slot).filter(|row| row.seeks() && !row.counted);
            let Some((uncounted, now)) = fresh.map(|row| self.begin_counting(row)) else {
                continue;
            };
            if let Some(row) = self.rows[slot as usize].as_mut() {
                (row.written, row.counted) = (now, true);
                row.last_check_at = row.last_check_at.max(uncounted.missing.last_check_at);
            }
            found.push(uncounted);
        }
        if self.uncounted.is_empty() {
            self.uncounted = Vec::new();
        }
        found
    }

    /// Takes the calendars whose rows lack polls, and marks them as written.
    pub fn take_tallies(&mut self) -> Vec<Tally> {
        let Self { unwritten, groups, .. } = self;
        let tally = |(group, facility): (u32, _)| {
            let group = &mut groups[group as usize];
            let key = CalendarKey { kind: group.kind.clone(), facility };
            let calendar_index = group.calendar_index_mut(facility);
            let Counts { checks, slots } = std::mem::take(&mut calendar_index.unwritten);
            let (polls, slots) = (i64::from(checks), i64::from(slots));
            let CalendarIndex { last_poll_at, answered_at, .. } = *calendar_index;
            Tally { key, polls, slots, last_poll_at, answered_at, next: None, bound: None }
        };
        std::mem::take(unwritten).into_iter().map(tally).collect()
    }

    /// Puts back updates whose write failed, to be written the next time.
    pub fn restore_updates(&mut self, uncounted: Vec<CountUpdate>, tallies: Vec<Tally>) {
        self.polled = true;
        for tally in tallies {
            let group = self.group(tally.key.kind);
            let polls = Counts { checks: wrapped(tally.polls), slots: wrapped(tally.slots) };
            let calendar_index = self.groups[group as usize].calendar_index_mut(tally.key.facility);
            calendar_index.unwritten = calendar_index.unwritten.plus(polls);
            self.unwritten.insert((group, tally.key.facility));
        }
        for one in uncounted {
            let slot = self.slot_of(one.task).filter(|_| one.counted.is_some());
            let Some(slot) = slot else {
                self.departed.extend(one.counted.is_none().then_some(one));
                continue;
            };
            if let Some(row) = self.rows[slot as usize].as_mut() {
                let missing =
                    Counts { checks: wrapped(one.missing.checks), slots: wrapped(one.missing.slots) };
                (row.written, row.counted) = (row.written.minus(missing), false);
            }
            self.uncounted.push(slot);
        }
    }

    /// Takes the tasks whose rows have counts of calendars that they no longer use, each once.
    pub fn take_orphans(&mut self) -> Vec<TaskId> {
        std::mem::take(&mut self.orphans)
    }

    /// Removes a task. The counts that its row lacks are still written.
    pub fn forget(&mut self, id: &TaskId) {
        if let Some(slot) = self.slot_of(*id) {
            self.part(slot);
        }
        self.remove(id);
    }

    /// Detaches a task from the counts of its calendars, and schedules the write of the counts that
    /// its row lacks.
    pub(super) fn part(&mut self, slot: u32) {
        let Some(row) = self.row(slot).filter(|row| row.seeks()) else { return };
        let (missing, now) = (self.missing(row), self.counts_of(row));
        let leaves = row.counted || missing.checks != 0 || missing.slots != 0;
        let departed =
            leaves.then_some(CountUpdate { task: row.id, missing, counted: None, was_counted: row.counted });
        self.departed.extend(departed);
        if let Some(row) = self.rows[slot as usize].as_mut() {
            (row.written, row.counted) = (now, false);
        }
    }

    /// Resumes the count of a task that is new to this process, from the counts in its row.
    pub(super) fn resume_counting(&mut self, new: &mut IndexedTask, counted: Option<&CountsByCalendar>) {
        new.written = self.counts_of(new);
        let Some(counted) = counted else { return };
        let known = new.seeks().then(|| self.sum_of(new, counted)).flatten();
        let Some(written) = known else {
            self.orphans.push(new.id);
            return;
        };
        if written != new.written {
            let last =
                self.calendar_indexes(new).filter_map(|calendar_index| calendar_index.last_poll_at).max();
            new.last_check_at = new.last_check_at.max(last);
        }
        (new.written, new.counted) = (written, true);
    }

    /// Returns the sum of the counts in a row; `None` unless the row has exactly one count for each
    /// of its calendars.
    fn sum_of(&self, row: &IndexedTask, counted: &CountsByCalendar) -> Option<Counts> {
        if counted.len() != row.criteria.cities.len() {
            return None;
        }
        let mut sum = Counts::default();
        for key in self.keys(row) {
            let (polls, slots) = counted.get(&key.to_string())?;
            sum = sum.plus(Counts { checks: wrapped(*polls), slots: wrapped(*slots) });
        }
        Some(sum)
    }

    /// Returns the update to write for a row, and the sum of the calendar counts that it records.
    /// If possible, these are the counts before the unwritten polls, so that the row counts as
    /// answered by those polls.
    fn begin_counting(&self, row: &IndexedTask) -> (CountUpdate, Counts) {
        let group = &self.groups[row.kind as usize];
        let mut missing = self.missing(row);
        let unwritten = self
            .calendar_indexes(row)
            .fold(Counts::default(), |sum, calendar_index| sum.plus(calendar_index.unwritten));
        let answered =
            missing.checks >= i64::from(unwritten.checks) && missing.slots >= i64::from(unwritten.slots);
        let before = |calendar_index: &CalendarIndex| {
            if answered {
                calendar_index.counts.minus(calendar_index.unwritten)
            } else {
                calendar_index.counts
            }
        };
        let counts = |key: CalendarKey| {
            let Counts { checks, slots } = group.calendar_index(key.facility).map(before).unwrap_or_default();
            (key.to_string(), (i64::from(checks), i64::from(slots)))
        };
        let counted = self.keys(row).map(counts).collect();
        let mut sum = self.counts_of(row);
        if answered {
            sum = sum.minus(unwritten);
            missing.checks -= i64::from(unwritten.checks);
            missing.slots -= i64::from(unwritten.slots);
        }
        (CountUpdate { task: row.id, missing, counted: Some(counted), was_counted: false }, sum)
    }

    fn missing(&self, row: &IndexedTask) -> Difference {
        let Counts { checks, slots } = self.counts_of(row).minus(row.written);
        let last = self
            .calendar_indexes(row)
            .filter_map(|calendar_index| calendar_index.last_poll_at)
            .max()
            .max(row.last_check_at);
        Difference {
            checks: i64::from(checks),
            slots: i64::from(slots),
            last_check_at: last.filter(|_| checks > 0),
            at: None,
        }
    }

    /// Returns the sum of the counts of the task's calendars.
    pub(super) fn counts_of(&self, row: &IndexedTask) -> Counts {
        self.calendar_indexes(row)
            .fold(Counts::default(), |sum, calendar_index| sum.plus(calendar_index.counts))
    }

    fn calendar_indexes(&self, row: &IndexedTask) -> impl Iterator<Item = &CalendarIndex> {
        let group = &self.groups[row.kind as usize];
        row.criteria.cities.iter().filter_map(|city| group.calendar_index(*city))
    }
}
