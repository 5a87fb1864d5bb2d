//! When a calendar is polled next.

use chrono::TimeDelta;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use inference::planner::poll_source::{AccountDoubt, PollSource, ready_at};

use crate::Config;
use crate::model::poll_plan::{PollPlan, seconds};
use crate::model::state::State;

impl State {
    /// When a calendar will be looked at next, as things stand.
    pub(crate) fn next_poll(&self, key: &CalendarKey, config: &Config, now: Instant) -> Option<Instant> {
        let PollPlan { planner: Some(planner), plans, handles, .. } = &self.poll_plan else { return None };
        let most = config.pace.longest_blind.num_milliseconds() as f64 / 1000.0;
        let handle = *handles.get(key)?;
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
    /// Whether an empty list would prove nothing at a calendar now.
    pub fn is_restricted(&self, key: &CalendarKey, now: Instant) -> bool {
        key.kind.booked
            && self.cause_inference.is_restricted(key.facility, now)
            && self.calendars.get(key).is_some_and(|c| c.restricted_at.is_some())
    }
}
