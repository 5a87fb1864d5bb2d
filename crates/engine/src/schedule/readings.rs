//! Selection of the final and late readings that are due.

use domain::clock::Instant;
use portal::Purpose;

use crate::Round;
use crate::model::backoff::Work;
use crate::model::job::Job;
use crate::model::state::State;
use crate::schedule::{Schedule, is_free};

impl Schedule<'_> {
    /// Adds at most `most` due final readings whose accounts are free and do not back off, within
    /// the host's budget.
    pub(crate) fn take_last_reads(&self, state: &mut State, round: &mut Round, most: usize, now: Instant) {
        let begun = round.jobs.len();
        for (task, account) in state.housekeeping.take_last_reads() {
            let waits = state.accounts.get(account).backs_off(now)
                || state.backoffs.until(Work::FinalRead, task.0, now).is_some();
            // The next sweep finds a reading again if it cannot be made now.
            let may = !waits && is_free(state, round, account) && round.jobs.len() - begun < most;
            if may && self.pacer.prepay(Purpose::LastRead, 1) {
                round.jobs.push(Job::FinalRead { task, account });
            }
        }
    }
}

impl Schedule<'_> {
    /// Adds at most `most` due late readings whose accounts are free and do not back off, within
    /// the host's budget.
    pub(crate) fn take_late_reads(&self, state: &mut State, round: &mut Round, most: usize, now: Instant) {
        let begun = round.jobs.len();
        for (attempt, account) in state.attempts.take_late() {
            let waits = state.accounts.get(account).backs_off(now)
                || state.backoffs.until(Work::LateRead, attempt.0, now).is_some();
            // The next sweep finds a reading again if it cannot be made now.
            let may = !waits && is_free(state, round, account) && round.jobs.len() - begun < most;
            if may && self.pacer.prepay(Purpose::LastRead, 1) {
                round.jobs.push(Job::LateRead { attempt, account });
            }
        }
        let sweep = state.housekeeping.next_sweep();
        round.later(state.attempts.next_late().map(|next| sweep.map_or(next, |sweep| next.max(sweep))));
    }
}
