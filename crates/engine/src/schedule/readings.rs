//! Final and late readings that are due.

use domain::clock::Instant;
use portal::Purpose;

use crate::Round;
use crate::model::job::Job;
use crate::model::state::State;
use crate::schedule::{Schedule, is_free};

impl Schedule<'_> {
    /// Those whose time has come, as far as their accounts are free and the host's budget reaches.
    pub(crate) fn take_last_reads(&self, state: &mut State, round: &mut Round) {
        let waiting = std::mem::take(&mut state.last_reads);
        for (task, account) in waiting {
            if is_free(state, round, account) && self.pacer.prepay(Purpose::LastRead, 1) {
                round.jobs.push(Job::FinalRead { task, account });
            } else {
                state.last_reads.push((task, account));
            }
        }
    }
}

impl Schedule<'_> {
    /// Those whose time has come, as far as their accounts are free and rested and the host's budget reaches.
    pub(crate) fn take_late_reads(&self, state: &mut State, round: &mut Round, now: Instant) {
        for (attempt, account) in std::mem::take(&mut state.late.due) {
            let rests = state.accounts.get(&account).is_some_and(|a| a.is_resting(now));
            // What cannot be read now is found again by the next sweep.
            let may = !rests && is_free(state, round, account);
            if may && self.pacer.prepay(Purpose::LastRead, 1) {
                round.jobs.push(Job::LateRead { attempt, account });
            }
        }
        let sweep = state.swept_at.map(|at| at + crate::config::SWEEP_EVERY);
        round.later(state.late.next.map(|next| sweep.map_or(next, |sweep| next.max(sweep))));
    }
}
