//! Which polls are worth their calls now.

use chrono::TimeDelta;
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use inference::planner::Why;
use inference::planner::poll_source::{PollSource, pick};
use portal::Purpose;

use crate::Round;
use crate::model::job::Job;
use crate::model::poll_plan::{Planning, Plot, Seen, seconds};
use crate::model::state::State;
use crate::schedule::Schedule;

impl Schedule<'_> {
    /// Adds the polls that are worth their calls now, at most `most`.
    pub(crate) fn take_polls(&self, state: &mut State, round: &mut Round, most: usize, now: Instant) {
        let config = self.config;
        crate::model::state::rate_limit::refill(state, config.polls_per_second, now);
        let mut planning = std::mem::take(&mut state.planning);
        planning.sync(&Seen { tasks: &state.tasks, calendars: &state.calendars }, config, now);
        let Planning { planner: Some(planner), plots, .. } = &mut planning else { return };
        let mut taken = 0;
        let pacer = self.pacer;
        while state.poll_tokens >= 1.0 && pacer.may_begin(Purpose::Poll) && taken < most {
            let mut through = None;
            let choice = planner.choose(seconds(now), &mut |handle| {
                let able = self.able(state, round, &plots[handle], now);
                able.map(|poll_source| through = Some(poll_source))
            });
            let (Some(mut choice), Some((account, task))) = (choice, through) else { break };
            let plot = &mut plots[choice.calendar];
            if state.is_restricted(&plot.key, now) {
                choice.kind = Why::Exploration;
            }
            plot.choice = Some((choice, now));
            planner.spend(choice.calendar);
            state.poll_tokens -= 1.0;
            pacer.prepay(Purpose::Poll, 1);
            taken += 1;
            state.calendar(&plot.key).last_try = Some(now);
            round.jobs.push(Job::Poll { task, account, key: plot.key.clone(), reason: choice.kind });
        }
        let rest = if state.poll_tokens < 1.0 { 1.0 } else { planner.rest(seconds(now)) };
        let rest = rest.max(pacer.opens_in(Purpose::Poll).as_secs_f64());
        if plots.iter().any(|plot| !plot.poll_sources.is_empty()) {
            round.later(Some(now + TimeDelta::milliseconds((rest * 1000.0).ceil() as i64)));
        }
        state.planning = planning;
    }

    /// The account to look through and its task; else the seconds until one may.
    fn able(
        &self,
        state: &State,
        round: &Round,
        plot: &Plot,
        now: Instant,
    ) -> Result<(PortalAccountId, TaskId), f64> {
        let config = self.config;
        let until = |at: Instant| (at - now).num_milliseconds() as f64 / 1000.0;
        if state.layouts.stops_polls(&plot.key.kind.country) {
            return Err(crate::model::page_breaker::Layouts::polls_wait());
        }
        if state.is_restricted(&plot.key, now) {
            let last = state.calendars.get(&plot.key).and_then(|c| c.last_try);
            let next = last.map_or(now, |at| at + config.pace.restricted_spacing);
            if next > now {
                return Err(until(next));
            }
        }
        let sharing = state.sharing.get(&plot.key);
        let split = sharing.is_some_and(crate::model::list_agreement::Sharing::is_split);
        let candidates = plot.poll_sources.iter().filter_map(|(id, task, turn)| {
            let account = state.accounts.get(id)?;
            state.tasks.get(task).filter(|task| state.tasks.is_of(task, &plot.key))?;
            let signed_in = account.session.is_some() || !account.imported;
            // Split, everybody's turn comes: who would have to sign in first does not wait for those who need not.
            let may_sign_in = || account.budget.check(Spend::SignIn, &config.limits, now).is_ok();
            let (standing, not_before) = state.standing(*id, &plot.key, now);
            let poll_source = PollSource {
                budget: &account.budget,
                turn: sharing.map_or(*turn, |sharing| sharing.turn(*id, *turn)),
                free: !account.busy && !round.uses(*id) && !state.has_live_attempt(*id),
                signed_in: signed_in || (split && may_sign_in()),
                standing,
                not_before: account.not_before.max(not_before),
            };
            Some(((*id, *task), poll_source))
        });
        match pick(candidates, &config.limits, config.pace.account_spacing, now) {
            Ok(poll_source) => Ok(poll_source),
            Err(later) => Err(later.map_or(1.0, until)),
        }
    }
}
