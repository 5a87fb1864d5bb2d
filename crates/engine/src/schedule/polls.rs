//! Selection of the polls that are worth their requests now.

use chrono::TimeDelta;
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use inference::planner::ChoiceReason;
use inference::planner::poll_source::{PollSource, pick};
use portal::Purpose;

use crate::Round;
use crate::model::backoff::Work;
use crate::model::job::Job;
use crate::model::poll_plan::{CalendarPlan, PollHours};
use crate::model::state::State;
use crate::schedule::Schedule;

impl Schedule<'_> {
    /// Adds at most `most` polls that are worth their requests now.
    pub(crate) fn take_polls(&self, state: &mut State, round: &mut Round, most: usize, now: Instant) {
        let config = self.config;
        let mut poll_plan = std::mem::take(&mut state.poll_plan);
        poll_plan.limit.refill(config.polls_per_second, now);
        poll_plan.sync(&state.plan_input(), config, now);
        let mut taken = 0;
        let pacer = self.pacer;
        while poll_plan.limit.may_poll() && pacer.may_begin(Purpose::Poll) && taken < most {
            let poll = poll_plan.choose(now, |plan| self.poll_source(state, round, plan, now));
            let Some(poll) = poll else { break };
            let hours = match state.availability.is_restricted(&poll.key, now) {
                true => PollHours::Restricted,
                false => PollHours::Open,
            };
            let (key, account, task) = (poll.key.clone(), poll.account, poll.task);
            let reason = poll_plan.begin(poll, hours, now);
            pacer.prepay(Purpose::Poll, 1);
            taken += 1;
            round.jobs.push(Job::Poll { task, account, key, reason });
        }
        if let Some(wait) = poll_plan.seconds_to_poll(now) {
            let wait = wait.max(pacer.opens_in(Purpose::Poll).as_secs_f64());
            round.later(Some(now + TimeDelta::milliseconds((wait * 1000.0).ceil() as i64)));
        }
        state.poll_plan = poll_plan;
    }

    /// Adds a poll for a task whose user approved a date. It tests a failed host if no other poll
    /// is due, so that the approval can be used before it expires.
    pub(crate) fn take_poll_for_approval(&self, state: &mut State, round: &mut Round, now: Instant) {
        round.later(state.next_approved(now));
        if !self.pacer.may_begin(Purpose::Poll) {
            return;
        }
        let Some((task, account, key)) = state.first_approved(&self.config.limits, now) else { return };
        self.pacer.prepay(Purpose::Poll, 1);
        round.jobs.push(Job::Poll { task, account, key, reason: ChoiceReason::Exploration });
    }

    /// Returns the account to poll through and its task. The error is the number of seconds until
    /// an account may poll.
    fn poll_source(
        &self,
        state: &State,
        round: &Round,
        plan: &CalendarPlan,
        now: Instant,
    ) -> Result<(PortalAccountId, TaskId), f64> {
        let config = self.config;
        let until = |at: Instant| (at - now).num_milliseconds() as f64 / 1000.0;
        if state.page_breakers.stops_polls(plan.key.kind.country) {
            return Err(crate::model::page_breaker::PageBreakers::polls_wait());
        }
        if state.availability.is_restricted(&plan.key, now) {
            let last = state.availability.last_poll(&plan.key);
            let next = last.map_or(now, |at| at + config.pace.restricted_spacing);
            if next > now {
                return Err(until(next));
            }
        }
        let list_agreement = state.availability.agreement(&plan.key);
        let split =
            list_agreement.is_some_and(crate::model::availability::list_agreement::ListAgreement::is_split);
        let candidates = plan.poll_sources.iter().filter_map(|(id, task, turn)| {
            let account = state.accounts.get(*id);
            state.tasks.get(task).filter(|task| state.tasks.is_of(task, &plan.key))?;
            let signed_in = account.session.is_some() || !account.imported;
            // In a split calendar every account polls in turn. An account that must sign in first
            // is not put after the signed-in ones.
            let may_sign_in = || account.budget.check(Spend::SignIn, &config.limits, now).is_ok();
            let (standing, not_before) =
                state.availability.doubt_about(*id, &plan.key, &state.tasks, &state.accounts, now);
            let poll_source = PollSource {
                budget: &account.budget,
                turn: list_agreement.map_or(*turn, |list_agreement| list_agreement.turn(*id, *turn)),
                free: !account.busy && !round.uses(*id) && !state.attempts.holds_account(*id),
                signed_in: signed_in || (split && may_sign_in()),
                standing,
                not_before: account.not_before.max(not_before).max(state.backoffs.until(
                    Work::Poll,
                    id.0,
                    now,
                )),
            };
            Some(((*id, *task), poll_source))
        });
        match pick(candidates, &config.limits, config.pace.account_spacing, now) {
            Ok(poll_source) => Ok(poll_source),
            Err(later) => Err(later.map_or(1.0, until)),
        }
    }
}
