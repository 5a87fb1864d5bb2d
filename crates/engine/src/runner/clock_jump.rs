//! Detection of a clock that was set.

use domain::clock::Instant;

use crate::Engine;

impl Engine {
    /// Detects that a clock was set, and shifts the times in memory. `Records::shift_rows` shifts
    /// the stored times in the same round.
    pub(crate) fn read_clocks(&self) {
        let (wall, portal) = (self.ctx.wall.now(), self.ctx.portal_time.now());
        let jump = self.memory().update(|state| {
            let by = state.housekeeping.read_clocks(wall, portal, self.ctx.config.speed)?;
            state.shift(by, portal);
            // The host's state is shifted in the same step.
            self.ctx.outward.shift(by);
            Some(by)
        });
        let Some(by) = jump else { return };
        tracing::warn!(seconds = by.num_seconds(), "clock was set; shifting stored times");
        self.gateway.ahead.lock().clear();
    }

    /// Records the time at which the next round is due.
    pub(crate) fn expect(&self, next_due: Option<Instant>) {
        self.memory().update(|state| state.housekeeping.expect_round(next_due));
    }
}
