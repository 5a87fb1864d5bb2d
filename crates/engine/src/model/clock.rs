//! Detection of a clock that was set. Times stamped by the old clock are shifted. So no work waits
//! for a day, and no spent budget is free a day too early.

use chrono::TimeDelta;
use domain::clock::Instant;

/// Largest backward jump that is ignored: it delays work by no more than this.
const BACK: TimeDelta = TimeDelta::minutes(1);
/// Delay of a round (wall time) from which the clock counts as set forwards, or the machine as
/// suspended. The budgets' margin covers the polls of a shorter delay.
const FORTH: TimeDelta = TimeDelta::hours(1);

/// Readings of both clocks in a round, and the time at which the next round was due (portal time).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockReading {
    pub wall: Instant,
    pub portal: Instant,
    pub next_due: Option<Instant>,
}

impl ClockReading {
    /// Returns the amount by which portal time was set since this reading, if either clock was set.
    pub fn jump(&self, wall: Instant, portal: Instant, speed: f64) -> Option<TimeDelta> {
        if wall < self.wall - BACK || portal < self.portal - BACK {
            return Some(portal - self.portal);
        }
        let due = self.next_due?.max(self.portal);
        let wait = (due - self.portal).num_milliseconds() as f64 / speed.max(0.001);
        let late = (wall - self.wall) - TimeDelta::milliseconds(wait as i64);
        (late > FORTH).then(|| portal - due)
    }
}
