//! Selection of the unreadable pages to probe, and of the accounts that probe them.

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
    /// Adds the probes that are due, while the round has fewer than `most` jobs.
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

    /// Returns a task and its account that may test if a page can be read. Prefers an account that
    /// has not failed to read the page.
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
            // An account that backs off because of this page may probe it. Any other back-off
            // excludes the account.
            let spend = if account.session.is_some() { Spend::Poll } else { Spend::SignIn };
            let may = (!account.backs_off(now) || (has_failed && account.health == AccountHealth::Valid))
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
