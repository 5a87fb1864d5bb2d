//! Timers of the engine's periodic work, and the detection of clock changes.

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};

use crate::FLUSH_EVERY;
use crate::config::SWEEP_EVERY;
use crate::model::clock::ClockReading;

/// Number of tasks above which unused credentials are searched for only once per [`SEARCH_EVERY`].
const MANY: usize = 20_000;
const SEARCH_EVERY: TimeDelta = TimeDelta::hours(1);
/// Interval at which stopped tasks with an open hold are examined.
const STOPPED_EVERY: TimeDelta = TimeDelta::hours(1);
/// Delay of the sweep after a clock change. The new date may be wrong and be corrected soon.
const NO_SWEEP: TimeDelta = TimeDelta::hours(1);

/// Step of the sweep that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SweepStep {
    /// A sweep begins.
    Begin,
    /// The current sweep has not checked all rows.
    Continue,
    /// No sweep is due.
    None,
}

/// Times of the last periodic work (portal time), and work that is due.
#[derive(Default)]
pub(crate) struct Housekeeping {
    /// Last write of counters.
    flushed_at: Option<Instant>,
    swept_at: Option<Instant>,
    /// `true` while the current sweep has not checked all rows for expiry.
    is_sweeping: bool,
    /// Last check of stopped tasks with an open hold.
    stopped_swept_at: Option<Instant>,
    /// Last search for unused secrets.
    searched_at: Option<Instant>,
    /// Ended tasks whose final reading is due, with their accounts.
    last_reads: Vec<(TaskId, PortalAccountId)>,
    /// Clock readings of the last round.
    clocks: Option<ClockReading>,
    /// Sum of the clock changes by which times in rows are still to be corrected.
    clock_jump: Option<TimeDelta>,
}

/// Writes of counters.
impl Housekeeping {
    /// Starts the interval after which counters are written, unless one runs.
    pub fn begin_flush_interval(&mut self, now: Instant) {
        self.flushed_at.get_or_insert(now);
    }

    /// Returns the time at which counters are written, if an interval runs.
    pub fn flush_at(&self) -> Option<Instant> {
        self.flushed_at.map(|at| at + FLUSH_EVERY)
    }

    /// Returns `true` if counters may be written now, and begins the next interval.
    pub fn try_flush(&mut self, now: Instant) -> bool {
        let may = self.flushed_at.is_none_or(|at| now - at >= FLUSH_EVERY);
        if may {
            self.flushed_at = Some(now);
        }
        may
    }

    /// Ends the interval: counters may be written at once.
    pub fn end_flush_interval(&mut self) {
        self.flushed_at = None;
    }
}

/// Sweeps.
impl Housekeeping {
    /// Returns the step of the sweep that is due at `now`, and records that it begins.
    pub fn begin_sweep(&mut self, now: Instant) -> SweepStep {
        if self.swept_at.is_some_and(|at| now - at < SWEEP_EVERY) {
            return if self.is_sweeping { SweepStep::Continue } else { SweepStep::None };
        }
        (self.swept_at, self.is_sweeping) = (Some(now), true);
        SweepStep::Begin
    }

    /// Records that the current sweep has checked all rows for expiry.
    pub fn end_sweep(&mut self) {
        self.is_sweeping = false;
    }

    /// Returns the time of the next sweep.
    pub fn next_sweep(&self) -> Option<Instant> {
        self.swept_at.map(|at| at + SWEEP_EVERY)
    }

    /// Returns `true` if a check of stopped tasks with an open hold is due, and records the check.
    pub fn begin_check_of_stopped(&mut self, now: Instant) -> bool {
        let due = self.stopped_swept_at.is_none_or(|at| now - at >= STOPPED_EVERY);
        if due {
            self.stopped_swept_at = Some(now);
        }
        due
    }

    /// Returns `true` if a search for unused secrets is due, and records the search. `tasks` is the
    /// number of running tasks. Above [`MANY`], a search takes a second, so it runs once per
    /// [`SEARCH_EVERY`] instead of at every sweep.
    pub fn begin_search_for_secrets(&mut self, tasks: usize, now: Instant) -> bool {
        let due = tasks <= MANY || self.searched_at.is_none_or(|at| now - at >= SEARCH_EVERY);
        if due {
            self.searched_at = Some(now);
        }
        due
    }

    /// Replaces the final readings that are due.
    pub fn set_last_reads(&mut self, due: Vec<(TaskId, PortalAccountId)>) {
        self.last_reads = due;
    }

    /// Takes the final readings that are due.
    pub fn take_last_reads(&mut self) -> Vec<(TaskId, PortalAccountId)> {
        std::mem::take(&mut self.last_reads)
    }
}

/// Clock changes.
impl Housekeeping {
    /// Stores the readings of both clocks. Returns the change of portal time if a clock was set
    /// since the last readings.
    pub fn read_clocks(&mut self, wall: Instant, portal: Instant, speed: f64) -> Option<TimeDelta> {
        let before = self.clocks.replace(ClockReading { wall, portal, next_due: None });
        before.and_then(|reading| reading.jump(wall, portal, speed))
    }

    /// Records the time at which the next round is due.
    pub fn expect_round(&mut self, next_due: Option<Instant>) {
        if let Some(clocks) = &mut self.clocks {
            clocks.next_due = next_due;
        }
    }

    /// Returns the clock change by which times in rows are still to be corrected.
    pub fn clock_jump(&self) -> Option<TimeDelta> {
        self.clock_jump
    }

    /// Records that the rows are corrected, or that another node has corrected them.
    pub fn end_clock_jump(&mut self) {
        self.clock_jump = None;
    }

    /// Adds `by` to the stored times, because the clock was changed by `by` to `now`. Records that
    /// the rows are still to be corrected.
    pub fn shift(&mut self, by: TimeDelta, now: Instant) {
        for at in [&mut self.flushed_at, &mut self.searched_at].into_iter().flatten() {
            *at += by;
        }
        self.clock_jump = Some(self.clock_jump.unwrap_or_default() + by);
        self.swept_at = Some(now + NO_SWEEP);
    }
}
