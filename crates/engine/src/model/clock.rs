//! Detection of clock changes. The engine shifts the times that it took from the old clock.
//! Otherwise work could wait for a day, or spent budget could be free a day too early.

use chrono::TimeDelta;
use domain::clock::Instant;

/// Largest backward change that is ignored. It delays work by no more than this time.
const BACK: TimeDelta = TimeDelta::minutes(1);
/// Minimum delay of a round (wall time) that counts as a forward change or a suspended machine. The
/// margin of the budgets covers the polls of a shorter delay.
const FORTH: TimeDelta = TimeDelta::hours(1);

/// Readings of both clocks in a round, and the time at which the next round was due (portal time).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockReading {
    pub wall: Instant,
    pub portal: Instant,
    pub next_due: Option<Instant>,
}

impl ClockReading {
    /// Returns the change of portal time since this reading; `None` if neither clock was set.
    /// `speed` is portal seconds per wall second.
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
