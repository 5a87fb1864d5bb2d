//! Selection of the visits that are due.

use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use domain::prewarm::SIGN_IN_COSTS;
use domain::task::TaskStatus;
use portal::Purpose;

use crate::Round;
use crate::config::SWEEP_EVERY;
use crate::model::job::Job;
use crate::model::state::State;
use crate::schedule::{Schedule, is_free};

impl Schedule<'_> {
    /// Adds the due visits of accounts that are free and do not back off, within the budgets.
    pub(crate) fn take_visits(&self, state: &mut State, round: &mut Round, now: Instant) {
        state.poll_plan.limit.refill(self.config.polls_per_second, now);
        // The next sweep finds the accounts that become due.
        let sweep = state.housekeeping.next_sweep();
        round.later(state.visits.next().map(|next| sweep.map_or(next, |sweep| next.max(sweep))));
        for (at, account) in state.visits.due() {
            if !self.may_begin(round, Purpose::Visit, now) || !state.poll_plan.limit.may_sign_in() {
                return;
            }
            if let Some(wait) = state.visits.opens_in(now) {
                return round.later(Some(now + wait));
            }
            let Some((task, requests)) = self.visitor(state, round, account, now) else {
                // The account is busy, backs off, or has used its budget.
                round.later(Some(now + SWEEP_EVERY));
                continue;
            };
            state.visits.draw(at, account);
            self.pacer.prepay(Purpose::Visit, requests);
            state.poll_plan.limit.draw_sign_in(requests);
            round.jobs.push(Job::Visit { task, account, requests });
        }
    }

    /// Returns the highest-ranked active task of an account, and the number of requests that a
    /// visit costs. Returns `None` if the account cannot be visited now.
    fn visitor(
        &self,
        state: &State,
        round: &Round,
        id: PortalAccountId,
        now: Instant,
    ) -> Option<(TaskId, u32)> {
        let account = state.accounts.get(id);
        let signed_in = account.session.is_some() || !account.imported;
        let spend = if signed_in { Spend::Other } else { Spend::SignIn };
        let may = is_free(state, round, id)
            && !account.backs_off(now)
            && !state.attempts.holds_account(id)
            && account.budget.check(spend, &self.config.limits, now).is_ok();
        let active = state.tasks.of_account(id).filter(|task| task.status == TaskStatus::Active);
        let task = active.min_by_key(|task| task.rank()).filter(|_| may)?;
        let stopped = state.page_breakers.stops_bookings(state.tasks.kind(task).country);
        (!stopped).then_some((task.id, if signed_in { 1 } else { 1 + SIGN_IN_COSTS }))
    }
}
