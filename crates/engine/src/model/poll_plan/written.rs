//! Stored plan of each calendar: the time of its next poll, and the reason for the wait.
//!
//! The API and the screens read the calendars' rows. Changed plans are therefore written even for
//! calendars without a poll. For example, a poll of one city spends budget, which delays the
//! account's other cities.

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
/// Largest change of a planned time that is not written.
const SMALL: TimeDelta = TimeDelta::seconds(60);
/// Change of a planned time above which open pages are updated at once.
const LARGE: TimeDelta = TimeDelta::minutes(5);
/// Maximum number of accounts of a calendar whose waits are computed.
const CONSIDERED: usize = 16;

/// Plans as last written to the rows of calendars.
#[derive(Debug, Default)]
pub(crate) struct WrittenPlans {
    plans: HashMap<CalendarKey, Planned>,
    compared_at: Option<Instant>,
}

/// Plan of one calendar.
#[derive(Clone, Copy, Debug)]
struct Planned {
    next: Option<NextPoll>,
    bound: Option<TimeDelta>,
}

impl PollPlan {
    /// Returns `true` if a comparison of the plans with their rows is due even without a poll.
    pub fn is_comparison_due(&self, now: Instant) -> bool {
        self.written.compared_at.is_none_or(|at| now - at >= COMPARED_EVERY || now < at)
    }

    /// Adds plans to the tallies to write, and returns the changed plans of other calendars. Marks
    /// all of them as written.
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

    /// Forgets all written plans after a failed write, so that they are compared again.
    pub fn forget_plans(&mut self) {
        self.written = WrittenPlans::default();
    }

    fn planned(&self, key: &CalendarKey, input: PlanInput<'_>, config: &Config, now: Instant) -> Planned {
        Planned { next: self.next_and_wait(key, input, config, now), bound: self.bound(key) }
    }

    /// Returns the time of a calendar's next poll, and the reason for the wait.
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
        // Empty lists in restricted hours prove nothing, so the calendar is polled less often.
        let restricted = last.map(|last| last + config.pace.restricted_spacing);
        if let Some(restricted) = restricted.filter(|until| *until > at) {
            return Some(NextPoll { at: restricted, wait: Some(PollWait::RestrictedHours) });
        }
        let waits = self.pollers(key).take(CONSIDERED).map(|id| {
            let account = input.accounts.get(id);
            account_wait(&account.budget, account.not_before, &config.limits, now)
        });
        // If no account is free now, the first that becomes free determines the wait.
        let soonest = waits.min_by_key(|wait| wait.map(|next| next.at)).flatten();
        Some(NextPoll { at, wait: soonest.filter(|next| next.at >= at).and_then(|next| next.wait) })
    }
}

/// Returns when open pages show the changed plan; `None` if the change is too small to write.
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
