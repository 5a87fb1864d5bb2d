//! Computes the time of a calendar's next poll.

use chrono::TimeDelta;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use inference::planner::poll_source::{AccountDoubt, PollSource, ready_at};

use crate::Config;
use crate::model::poll_plan::{PollPlan, seconds};
use crate::model::state::State;

/// Time after the last answer during which restricted hours are assumed.
const GUESS_ENDS: TimeDelta = TimeDelta::hours(2);

impl State {
    /// Returns the expected time of a calendar's next poll.
    pub(crate) fn next_poll(&self, key: &CalendarKey, config: &Config, now: Instant) -> Option<Instant> {
        let PollPlan { planner: Some(planner), plans, handles, .. } = &self.poll_plan else { return None };
        let handle = *handles.get(key)?;
        let most = planner.bound(handle);
        let ready = plans[handle].poll_sources.iter().take(16).filter_map(|(id, _, turn)| {
            let account = self.accounts.get(id)?;
            let poll_source = PollSource {
                budget: &account.budget,
                turn: *turn,
                free: true,
                signed_in: true,
                standing: AccountDoubt::Sound,
                not_before: account.not_before,
            };
            ready_at(&poll_source, &config.limits, config.pace.account_spacing, now)
        });
        let ready = ready.min()?;
        let due = planner.due_in(handle, seconds(now), most);
        Some(ready.max(now + TimeDelta::milliseconds((due * 1000.0) as i64)))
    }
}

impl State {
    /// Returns `true` if a calendar is assumed to show booked accounts nothing now. This is a
    /// guess: it slows polls and stops none. It ends if no poll was answered for [`GUESS_ENDS`].
    pub fn is_restricted(&self, key: &CalendarKey, now: Instant) -> bool {
        let guessed = self.calendars.get(key).filter(|c| c.restricted_at.is_some());
        let answered = guessed.and_then(|c| c.last_poll);
        answered.is_some_and(|at| now - at < GUESS_ENDS) && self.cause_inference.is_restricted(key, now)
    }

    /// Records a host failure at a poll in hours that count as restricted. The calendar waits as
    /// after an answer that proves nothing, so that the failure is not repeated through one account
    /// after the other.
    pub(crate) fn probe_failed(&mut self, key: &CalendarKey, now: Instant) {
        if self.is_restricted(key, now) {
            self.poll_plan.failed(key, now);
        }
    }
}
