//! Selects the unreadable pages to probe, and the accounts that probe them.

use domain::country::CountryCode;
use domain::health::AccountHealth;
use std::collections::BTreeSet;

use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};

use crate::Round;
use crate::model::job::Job;
use crate::model::state::State;
use crate::schedule::{Schedule, is_free};

impl Schedule<'_> {
    /// Hands out the probes that are due, as long as the round has fewer than `most` jobs.
    pub(crate) fn take_probes(&self, state: &mut State, round: &mut Round, most: usize, now: Instant) {
        for (country, page, failed) in state.page_breakers.take_due(now) {
            let prober = self.prober(state, round, country, &failed, now);
            match prober.filter(|_| round.jobs.len() < most) {
                Some((task, account)) => round.jobs.push(Job::Probe { task, account, page }),
                None => state.page_breakers.not_probed(country, page, now),
            }
        }
        round.later(state.page_breakers.next_probe());
    }

    /// Returns the task and the account that may test if a page can be read, preferably an account
    /// that has not failed at it.
    fn prober(
        &self,
        state: &State,
        round: &Round,
        country: CountryCode,
        failed: &BTreeSet<PortalAccountId>,
        now: Instant,
    ) -> Option<(TaskId, PortalAccountId)> {
        let limits = &self.config.limits;
        let mut second = None;
        for task in state.tasks.values().filter(|task| state.tasks.kind(task).country == country) {
            let has_failed = failed.contains(&task.account);
            if (has_failed && second.is_some()) || !is_free(state, round, task.account) {
                continue;
            }
            let account = state.accounts.get(task.account);
            // The account may back off because of this very page, but for no other reason.
            let spend = if account.session.is_some() { Spend::Poll } else { Spend::SignIn };
            let may = (!account.is_resting(now) || (has_failed && account.health == AccountHealth::Valid))
                && account.budget.check(spend, limits, now).is_ok();
            match (may, has_failed) {
                (true, false) => return Some((task.id, task.account)),
                (true, true) => second = Some((task.id, task.account)),
                _ => {}
            }
        }
        second
    }
}
