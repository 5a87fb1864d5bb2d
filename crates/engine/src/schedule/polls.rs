//! Selects the polls that are worth their calls now.

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
use crate::model::poll_plan::{CalendarPlan, PlanInput, PollPlan, seconds};
use crate::model::state::State;
use crate::schedule::Schedule;

impl Schedule<'_> {
    /// Adds the polls that are worth their calls now, at most `most`.
    pub(crate) fn take_polls(&self, state: &mut State, round: &mut Round, most: usize, now: Instant) {
        let config = self.config;
        state.poll_ceiling.refill(config.polls_per_second, now);
        let mut poll_plan = std::mem::take(&mut state.poll_plan);
        let State { tasks, calendars, accounts, list_agreement, .. } = &*state;
        poll_plan.sync(&PlanInput { tasks, calendars, accounts, list_agreement }, config, now);
        let PollPlan { planner: Some(planner), plans, .. } = &mut poll_plan else { return };
        let mut taken = 0;
        let pacer = self.pacer;
        while state.poll_ceiling.may_poll() && pacer.may_begin(Purpose::Poll) && taken < most {
            let mut through = None;
            let choice = planner.choose(seconds(now), &mut |handle| {
                let able = self.able(state, round, &plans[handle], now);
                able.map(|poll_source| through = Some(poll_source))
            });
            let (Some(mut choice), Some((account, task))) = (choice, through) else { break };
            let plan = &mut plans[choice.calendar];
            if state.is_restricted(&plan.key, now) {
                choice.kind = ChoiceReason::Exploration;
            }
            plan.choice = Some((choice, now));
            planner.spend(choice.calendar);
            state.poll_ceiling.draw_poll();
            pacer.prepay(Purpose::Poll, 1);
            taken += 1;
            round.jobs.push(Job::Poll { task, account, key: plan.key.clone(), reason: choice.kind });
        }
        let rest = if state.poll_ceiling.may_poll() { planner.seconds_to_poll(seconds(now)) } else { 1.0 };
        let rest = rest.max(pacer.opens_in(Purpose::Poll).as_secs_f64());
        if plans.iter().any(|plan| !plan.poll_sources.is_empty()) {
            round.later(Some(now + TimeDelta::milliseconds((rest * 1000.0).ceil() as i64)));
        }
        state.poll_plan = poll_plan;
    }

    /// Adds a poll of a task with an approval, for use if no other poll is due. It ensures that no
    /// pause of the host outlasts the time of an approval.
    pub(crate) fn take_poll_for_yes(&self, state: &mut State, round: &mut Round, now: Instant) {
        round.later(state.next_answer(now));
        if !self.pacer.may_begin(Purpose::Poll) {
            return;
        }
        let Some((task, account, key)) = state.first_yes(&self.config.limits, now) else { return };
        self.pacer.prepay(Purpose::Poll, 1);
        round.jobs.push(Job::Poll { task, account, key, reason: ChoiceReason::Exploration });
    }

    /// Returns the account to poll through and its task; else the seconds until one may poll.
    fn able(
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
        if state.is_restricted(&plan.key, now) {
            let last = state.calendars.get(&plan.key).and_then(|c| c.last_poll);
            let next = last.map_or(now, |at| at + config.pace.restricted_spacing);
            if next > now {
                return Err(until(next));
            }
        }
        let list_agreement = state.list_agreement.get(&plan.key);
        let split = list_agreement.is_some_and(crate::model::list_agreement::ListAgreement::is_split);
        let candidates = plan.poll_sources.iter().filter_map(|(id, task, turn)| {
            let account = state.accounts.get(id)?;
            state.tasks.get(task).filter(|task| state.tasks.is_of(task, &plan.key))?;
            let signed_in = account.session.is_some() || !account.imported;
            // In a split calendar every account gets its turn: one that has to sign in first does
            // not wait for those that need not.
            let may_sign_in = || account.budget.check(Spend::SignIn, &config.limits, now).is_ok();
            let (standing, not_before) = state.standing(*id, &plan.key, now);
            let poll_source = PollSource {
                budget: &account.budget,
                turn: list_agreement.map_or(*turn, |list_agreement| list_agreement.turn(*id, *turn)),
                free: !account.busy && !round.uses(*id) && !state.has_live_attempt(*id),
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
