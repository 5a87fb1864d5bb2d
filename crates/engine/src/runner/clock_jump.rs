//! Detects that a clock was set.

use chrono::TimeDelta;
use domain::clock::Instant;

use crate::Engine;
use crate::model::clock::ClockReading;

/// Delay of the sweep after a clock was set, because a wrong date may be corrected soon.
const NO_SWEEP: TimeDelta = TimeDelta::hours(1);

impl Engine {
    /// Detects that a clock was set, and shifts the state in memory; rows follow with
    /// [`Engine::shift_rows`].
    pub(crate) fn read_clocks(&self) {
        let (wall, portal) = (self.ctx.wall.now(), self.ctx.portal_time.now());
        let mut state = self.memory().lock();
        let jump = state.tick.and_then(|tick| tick.jump(wall, portal, self.ctx.config.speed));
        state.tick = Some(ClockReading { wall, portal, next_due: None });
        let Some(by) = jump else { return };
        tracing::warn!(seconds = by.num_seconds(), "clock was set; shifting stored times");
        state.shift(by);
        self.ctx.outward.shift(by);
        state.clock_jump = Some(state.clock_jump.unwrap_or_default() + by);
        // Only the database's time decides how long the lease is held: it is renewed at once.
        state.lease_renewed_at = None;
        state.swept_at = Some(portal + NO_SWEEP);
        drop(state);
        self.gateway.ahead.lock().clear();
    }

    /// Records the time at which the next round is due.
    pub(crate) fn expect(&self, next_due: Option<Instant>) {
        if let Some(tick) = &mut self.memory().lock().tick {
            tick.next_due = next_due;
        }
    }
}
