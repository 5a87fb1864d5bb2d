//! A clock that was set: what was stamped by it before moves along, so that nothing waits for a day, and nothing that
//! was used is free a day too early.

use chrono::TimeDelta;
use domain::clock::Instant;

use crate::model::account::Account;
use crate::model::availability::Calendar;

/// A clock that goes back by no more than this only lets things wait so long.
const BACK: TimeDelta = TimeDelta::minutes(1);
/// A round that comes this much later than its time (wall time) tells of a clock that was set forwards, or of a
/// machine that slept: the budgets' margin bears the polls of the time below.
const FORTH: TimeDelta = TimeDelta::hours(1);

/// What the clocks showed in a round, and when the next one was due (portal time).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockReading {
    pub wall: Instant,
    pub portal: Instant,
    pub next_due: Option<Instant>,
}

impl ClockReading {
    /// By how much portal time was set since, if either clock was.
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

impl Account {
    pub fn shift(&mut self, by: TimeDelta) {
        self.budget.shift(by);
        for at in
            [&mut self.not_before, &mut self.soft_banned_since, &mut self.signed_in_at].into_iter().flatten()
        {
            *at += by;
        }
        self.unspent.iter_mut().for_each(|(_, at)| *at += by);
    }
}

impl Calendar {
    pub fn shift(&mut self, by: TimeDelta) {
        for at in [&mut self.last_poll, &mut self.restricted_at].into_iter().flatten() {
            *at += by;
        }
        self.activity.shift(by);
        self.phantoms.values_mut().for_each(|(_, until)| *until += by);
    }
}
