//! Plan of each calendar as its row records it: the time of its next poll, and the reason of the
//! wait.
//!
//! API and screens read the rows, so the rows follow the plan even without a poll. A poll of one
//! city uses up the budget for which the account's other cities waited.

use std::collections::HashMap;

use chrono::TimeDelta;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::task::watch::{NextPoll, PollWait, account_wait};
use store::observation::{ChangedPlan, Shows, Tally};

use crate::Config;
use crate::model::poll_plan::{PlanInput, PollPlan};

/// Interval at which plans are compared with their rows while nothing is polled.
const COMPARED_EVERY: TimeDelta = TimeDelta::seconds(30);
/// Largest shift of a plan that is not written.
const SMALL: TimeDelta = TimeDelta::seconds(60);
/// Shift of a plan from which it is sent to open pages.
const LARGE: TimeDelta = TimeDelta::minutes(5);
/// Maximum number of accounts of a calendar whose waits are computed.
const CONSIDERED: usize = 16;

/// Next polls as the rows of calendars record them.
#[derive(Debug, Default)]
pub(crate) struct WrittenPlans {
    plans: HashMap<CalendarKey, Planned>,
    compared_at: Option<Instant>,
}

/// Plan of a calendar as its row records it.
#[derive(Clone, Copy, Debug)]
struct Planned {
    next: Option<NextPoll>,
    bound: Option<TimeDelta>,
}

impl PollPlan {
    /// Returns `true` if plans are to be compared with their rows although nothing was polled.
    pub fn is_comparison_due(&self, now: Instant) -> bool {
        self.written.compared_at.is_none_or(|at| now - at >= COMPARED_EVERY || now < at)
    }

    /// Writes the plans into tallies, and returns those of the other calendars that changed. Treats
    /// all of them as written from now on.
    pub fn take_plans(
        &mut self,
        tallies: &mut [Tally],
        input: PlanInput<'_>,
        config: &Config,
        now: Instant,
    ) -> Vec<ChangedPlan> {
        let keys: Vec<CalendarKey> = input.tasks.calendars().map(|(key, _)| key).collect();
        let mut changed = Vec::new();
        for tally in tallies.iter_mut() {
            let planned = self.planned(&tally.key, input, config, now);
            (tally.next, tally.bound) = (planned.next, planned.bound);
            self.written.plans.insert(tally.key.clone(), planned);
        }
        for key in keys {
            let planned = self.planned(&key, input, config, now);
            let written = self.written.plans.get(&key).copied();
            let Some(shows) = changed_since(written, planned) else { continue };
            self.written.plans.insert(key.clone(), planned);
            changed.push(ChangedPlan { key, next: planned.next, bound: planned.bound, shows });
        }
        self.written.compared_at = Some(now);
        changed
    }

    /// Forgets which plans are written after a failed write: they are compared anew.
    pub fn forget_plans(&mut self) {
        self.written = WrittenPlans::default();
    }

    fn planned(&self, key: &CalendarKey, input: PlanInput<'_>, config: &Config, now: Instant) -> Planned {
        Planned { next: self.next_and_wait(key, input, config, now), bound: self.bound(key) }
    }

    /// Returns the time of a calendar's next poll, and the reason of the wait.
    fn next_and_wait(
        &self,
        key: &CalendarKey,
        input: PlanInput<'_>,
        config: &Config,
        now: Instant,
    ) -> Option<NextPoll> {
        let at = self.next_poll(key, input.accounts, config, now)?;
        let availability = input.availability;
        let last = availability.last_poll(key).filter(|_| availability.is_restricted(key, now));
        // Lists of restricted hours prove nothing, so the calendar is polled less often.
        let restricted = last.map(|last| last + config.pace.restricted_spacing);
        if let Some(restricted) = restricted.filter(|until| *until > at) {
            return Some(NextPoll { at: restricted, wait: Some(PollWait::RestrictedHours) });
        }
        let waits = self.pollers(key).take(CONSIDERED).map(|id| {
            let account = input.accounts.get(id);
            account_wait(&account.budget, account.not_before, &config.limits, now)
        });
        // One account without a wait is enough; else the first that becomes free decides.
        let soonest = waits.min_by_key(|wait| wait.map(|next| next.at)).flatten();
        Some(NextPoll { at, wait: soonest.filter(|next| next.at >= at).and_then(|next| next.wait) })
    }
}

/// Returns how a plan differs from its row; `None` if it differs by a little at most.
fn changed_since(written: Option<Planned>, planned: Planned) -> Option<Shows> {
    let Some(written) = written else { return Some(Shows::Later) };
    let rebound = (written.bound != planned.bound).then_some(Shows::Later);
    match (written.next, planned.next) {
        (None, None) => rebound,
        (Some(was), Some(is)) => {
            let by = (is.at - was.at).abs();
            if was.wait != is.wait || by > LARGE {
                Some(Shows::AtOnce)
            } else {
                (by > SMALL).then_some(Shows::Later).or(rebound)
            }
        }
        _ => Some(Shows::AtOnce),
    }
}
