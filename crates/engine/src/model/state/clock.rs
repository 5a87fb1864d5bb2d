//! Shift of the state after a clock was set.

use chrono::TimeDelta;

use crate::model::state::State;

impl State {
    /// Shifts every stored instant that serves as a start or an end of a wait by `by`.
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
        self.list_agreement.shift(by);
        self.page_breakers.shift(by);
        self.poll_ceiling.shift(by);
        self.visits.shift(by);
        self.cool_offs.values_mut().for_each(|at| *at += by);
        self.asked.shift(by);
        self.backoffs.shift(by);
        self.answers.values_mut().filter_map(|yes| yes.not_before.as_mut()).for_each(|at| *at += by);
        self.read_not_before.values_mut().for_each(|at| *at += by);
        self.start_not_before.values_mut().for_each(|at| *at += by);
        let instants = [
            &mut self.prewarm_at,
            &mut self.flushed_at,
            &mut self.spent_at,
            &mut self.searched_at,
            &mut self.guard.quiet_until,
            &mut self.leases_not_before,
        ];
        for at in instants.into_iter().flatten() {
            *at += by;
        }
        self.rescan = crate::model::reload::RescanCursor::default();
        // Answers on both sides of the jump cannot be compared; the learned hours stay.
        let cause_inference = std::mem::take(&mut self.cause_inference);
        for (facility, hours) in cause_inference.learned_hours() {
            self.cause_inference.restore(*facility, hours.clone());
        }
    }
}
