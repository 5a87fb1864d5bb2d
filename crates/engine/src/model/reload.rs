//! Progress of reading rows into memory, and the whole rows of tasks that are polling or booking.

use std::collections::HashMap;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::TaskId;
use store::task::{ChangeMarker, Task};
use uuid::Uuid;

/// Overlap of two reloads, because a commit may land a little after its timestamp.
const LATE_COMMITS: TimeDelta = TimeDelta::seconds(5);
/// Interval of queries for changes without a nudge (wall time). It limits the wait of a task
/// submitted through another process.
const QUERY_EVERY: TimeDelta = TimeDelta::milliseconds(1_900);
/// Number of whole rows cached for the tasks that are polling or booking.
const ROWS_KEPT: usize = 10_000;
/// Pause between two rescans, which read all rows again, and pause between two slices of a rescan.
const REREAD_EVERY: TimeDelta = TimeDelta::seconds(60);
const BETWEEN_SLICES: TimeDelta = TimeDelta::seconds(2);

/// An id that sorts before every task's id.
pub(crate) const BEFORE_ALL: TaskId = TaskId(Uuid::nil());

/// Progress of reading rows.
#[derive(Default)]
pub(crate) struct Reload {
    /// Whole rows, as last read.
    rows: HashMap<TaskId, Box<Task>>,
    /// Wall time of the newest row seen.
    newest: Option<Instant>,
    /// Wall time of the last query for changes.
    queried_at: Option<Instant>,
    /// The change marker before the last read of the rows, and the start of its range.
    marker: Option<(Instant, ChangeMarker)>,
    rescan: RescanCursor,
}

/// Progress of a rescan, which reads all rows again in slices.
#[derive(Clone, Copy, Debug)]
struct RescanCursor {
    /// The last task read.
    from: TaskId,
    at: Option<Instant>,
}

impl Default for RescanCursor {
    fn default() -> Self {
        Self { from: BEFORE_ALL, at: None }
    }
}

/// Queries for changes.
impl Reload {
    /// Records that all rows were read. `newest` is the wall time of the newest row, and `now` the
    /// portal time.
    pub fn begin(&mut self, newest: Option<Instant>, now: Instant) {
        self.newest = newest;
        self.rescan = RescanCursor { from: BEFORE_ALL, at: Some(now) };
    }

    /// Returns `true` if a query for changes is due without a nudge. `wall` is the wall time.
    pub fn is_due(&self, wall: Instant) -> bool {
        self.queried_at.is_none_or(|at| wall - at >= QUERY_EVERY || wall < at)
    }

    /// Records a query for changes.
    pub const fn mark_queried(&mut self, wall: Instant) {
        self.queried_at = Some(wall);
    }

    /// Returns the start of the range in which changed rows are read; `None` before all rows were
    /// read. After a clock was set back, rows have earlier timestamps.
    pub fn changed_since(&self, wall: Instant) -> Option<Instant> {
        let since = self.newest?.min(self.queried_at.unwrap_or(wall)).min(wall);
        Some(since - LATE_COMMITS)
    }

    /// Replaces the change marker. Returns `true` if it is the same as before.
    pub fn replace_marker(&mut self, since: Instant, marker: ChangeMarker) -> bool {
        self.marker.replace((since, marker)) == Some((since, marker))
    }

    /// Records the timestamp of a row that was read.
    pub fn see(&mut self, updated_at: Instant) {
        self.newest = self.newest.max(Some(updated_at));
    }

    /// Returns the task after which the next slice of the rescan begins; `None` if no slice is due.
    /// Records the reading.
    pub fn begin_slice(&mut self, now: Instant) -> Option<TaskId> {
        let pause = if self.rescan.from == BEFORE_ALL { REREAD_EVERY } else { BETWEEN_SLICES };
        if self.rescan.at.is_some_and(|at| now - at < pause) {
            return None;
        }
        self.rescan.at = Some(now);
        Some(self.rescan.from)
    }

    /// Records the last task of the slice that was read; `None` if it was the last slice.
    pub fn end_slice(&mut self, last: Option<TaskId>) {
        self.rescan.from = last.unwrap_or(BEFORE_ALL);
    }

    /// Restarts the rescan, because the clock was changed.
    pub fn restart(&mut self) {
        self.rescan = RescanCursor::default();
    }
}

/// Whole rows.
impl Reload {
    /// Returns the whole row of a task as last read.
    pub fn row(&self, id: TaskId) -> Option<Task> {
        self.rows.get(&id).map(|row| Task::clone(row))
    }

    /// Adds a whole row. Removes all others if there are too many.
    pub fn add_row(&mut self, row: Task) {
        if self.rows.len() >= ROWS_KEPT {
            self.rows.clear();
        }
        self.rows.insert(row.id, Box::new(row));
    }

    /// Replaces the whole row of a task, if there is one.
    pub fn replace_row(&mut self, row: &Task) {
        if let Some(known) = self.rows.get_mut(&row.id) {
            **known = row.clone();
        }
    }

    /// Forgets the whole row of a task.
    pub fn forget_row(&mut self, id: TaskId) {
        self.rows.remove(&id);
    }

    /// Forgets the whole row of a task if it is another version than `updated_at`.
    pub fn forget_other_version(&mut self, id: TaskId, updated_at: Instant) {
        if self.rows.get(&id).is_some_and(|row| row.updated_at != updated_at) {
            self.rows.remove(&id);
        }
    }
}
