//! A clock that was set: what was stamped by it before moves along, so that nothing waits for a day, and nothing that
//! was used is free a day too early.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::budget::Budget;
use domain::clock::Instant;

use crate::state::{Account, Calendar, State};
use crate::{Engine, Fault};

/// A clock that goes back by no more than this only lets things wait so long.
const BACK: TimeDelta = TimeDelta::minutes(1);
/// A round that comes this much later than its time (wall time) tells of a clock that was set forwards, or of a
/// machine that slept: the budgets' margin bears the polls of the time below.
const FORTH: TimeDelta = TimeDelta::hours(1);
/// What the date alone decides waits this long after a clock was set: a wrong one may be set right again.
const NO_SWEEP: TimeDelta = TimeDelta::hours(1);

/// What the clocks showed in a round, and when the next one was due (portal time).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tick {
    wall: Instant,
    portal: Instant,
    next_due: Option<Instant>,
}

impl Tick {
    /// By how much portal time was set since, if either clock was.
    fn jump(&self, wall: Instant, portal: Instant, speed: f64) -> Option<TimeDelta> {
        if wall < self.wall - BACK || portal < self.portal - BACK {
            return Some(portal - self.portal);
        }
        let due = self.next_due?.max(self.portal);
        let wait = (due - self.portal).num_milliseconds() as f64 / speed.max(0.001);
        let late = (wall - self.wall) - TimeDelta::milliseconds(wait as i64);
        (late > FORTH).then(|| portal - due)
    }
}

impl Engine {
    /// Notices a clock that was set, and moves what is remembered along; rows follow with [`Engine::mend_rows`].
    pub(crate) fn read_clocks(&self) {
        let (wall, portal) = (self.ctx.wall.now(), self.ctx.portal_time.now());
        let mut state = self.state.lock();
        let jump = state.tick.and_then(|tick| tick.jump(wall, portal, self.ctx.config.speed));
        state.tick = Some(Tick { wall, portal, next_due: None });
        let Some(by) = jump else { return };
        tracing::warn!(seconds = by.num_seconds(), "the clock was set; what was stamped by it moves along");
        state.shift(by);
        self.ctx.outward.shift(by);
        state.unmended = Some(state.unmended.unwrap_or_default() + by);
        // Only the database's time decides how long the lease is held: it is renewed at once.
        state.lease_renewed_at = None;
        state.swept_at = Some(portal + NO_SWEEP);
        drop(state);
        self.ahead.lock().clear();
    }

    /// The round handed out what was due; the next one is due then.
    pub(crate) fn expect(&self, next_due: Option<Instant>) {
        if let Some(tick) = &mut self.state.lock().tick {
            tick.next_due = next_due;
        }
    }

    /// Moves what rows say along with a clock that was set; nothing when none was.
    pub(crate) async fn mend_rows(self: &Arc<Self>) -> Result<(), Fault> {
        self.mend_budgets_ahead().await?;
        let (by, accounts) = {
            let state = self.state.lock();
            let Some(by) = state.unmended else { return Ok(()) };
            (by, state.accounts.ids())
        };
        self.keep_learned().await?;
        let (wall, now) = (self.ctx.wall.now(), self.ctx.portal_time.now());
        let mut tx = self.ctx.db.begin().await?;
        let mut mended = Vec::new();
        for id in accounts {
            let Some(mut row) = store::portal_account::outline(&mut tx, id).await? else { continue };
            let shifted =
                store::portal_account::change_budget(&mut tx, id, |budget| budget.shift(by)).await?;
            row.budget = shifted.map_or_else(Budget::default, |(budget, ())| budget);
            row.not_before = row.not_before.map(|at| at + by);
            if row.not_before.is_some() {
                store::portal_account::set_health(&mut tx, id, &row.health, row.not_before, wall).await?;
            }
            mended.push(row);
        }
        store::clock::shift(&mut tx, by, (now, wall), domain::booking::LAG).await?;
        let learned = store::learned::everything(&mut tx).await?;
        tx.commit().await?;
        let mut state = self.state.lock();
        for row in mended {
            let account = state.accounts.entry(row.id).or_default();
            account.set_budget(row.budget);
            if row.not_before.is_some() {
                account.not_before = row.not_before;
            }
        }
        state.recall(learned);
        state.unmended = None;
        drop(state);
        self.nudge();
        Ok(())
    }

    /// Rows written while a clock was ahead, before this process began: what they say was used counts from now on.
    async fn mend_budgets_ahead(self: &Arc<Self>) -> Result<(), Fault> {
        let ahead = self.state.lock().accounts.take_ahead();
        if ahead.is_empty() {
            return Ok(());
        }
        let now = self.ctx.portal_time.now();
        let mut tx = self.ctx.db.begin().await?;
        for id in ahead {
            store::portal_account::change_budget(&mut tx, id, |budget| budget.clamp(now)).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

impl State {
    /// Moves every instant that something is measured from, or waits for, by so much.
    fn shift(&mut self, by: TimeDelta) {
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
        self.reread = crate::reload::Reread::default();
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
