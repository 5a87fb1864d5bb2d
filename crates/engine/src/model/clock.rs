//! A clock that was set: what was stamped by it before moves along, so that nothing waits for a day, and nothing that
//! was used is free a day too early.

use chrono::TimeDelta;
use domain::clock::Instant;

use crate::model::account::Account;
use crate::model::availability::Calendar;
use crate::model::state::State;

/// A clock that goes back by no more than this only lets things wait so long.
const BACK: TimeDelta = TimeDelta::minutes(1);

/// A round that comes this much later than its time (wall time) tells of a clock that was set forwards, or of a
/// machine that slept: the budgets' margin bears the polls of the time below.
const FORTH: TimeDelta = TimeDelta::hours(1);

/// What the clocks showed in a round, and when the next one was due (portal time).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tick {
    pub wall: Instant,
    pub portal: Instant,
    pub next_due: Option<Instant>,
}

impl Tick {
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

impl State {
    /// Moves every instant that something is measured from, or waits for, by so much.
    pub fn shift(&mut self, by: TimeDelta) {
        self.accounts.values_mut().for_each(|account| account.shift(by));
        self.calendars.values_mut().for_each(|calendar| calendar.shift(by));
        for opening in &mut self.openings {
            opening.seen_at += by;
            opening.not_before += by;
        }
        for attempt in self.attempts.values_mut() {
            attempt.next_read_at = attempt.next_read_at.map(|at| at + by);
        }
        self.kept.values_mut().for_each(|kept| kept.shift(by));
        self.sharing.shift(by);
        self.layouts.shift(by);
        self.cool_offs.values_mut().for_each(|at| *at += by);
        self.read_not_before.values_mut().for_each(|at| *at += by);
        self.start_not_before.values_mut().for_each(|at| *at += by);
        let instants = [
            &mut self.prewarm_at,
            &mut self.flushed_at,
            &mut self.spent_at,
            &mut self.poll_tokens_at,
            &mut self.searched_at,
            &mut self.guard.quiet_until,
        ];
        for at in instants.into_iter().flatten() {
            *at += by;
        }
        self.reread = crate::model::reload::Reread::default();
        // Answers on both sides of the jump cannot be compared; what was learned of hours stays.
        let judge = std::mem::take(&mut self.judge);
        for (facility, hours) in judge.learned_hours() {
            self.judge.restore(*facility, hours.clone());
        }
    }
}

impl Account {
    fn shift(&mut self, by: TimeDelta) {
        self.budget.shift(by);
        for at in
            [&mut self.not_before, &mut self.cooling_since, &mut self.signed_in_at].into_iter().flatten()
        {
            *at += by;
        }
        self.unspent.iter_mut().for_each(|(_, at)| *at += by);
    }
}

impl Calendar {
    fn shift(&mut self, by: TimeDelta) {
        for at in [&mut self.last_poll, &mut self.last_try, &mut self.restricted_at].into_iter().flatten() {
            *at += by;
        }
        self.activity.shift(by);
        self.phantoms.values_mut().for_each(|(_, until)| *until += by);
    }
}
