//! What the row of a task says: its condition, since when, why, and when its cities are polled next.
//!
//! The only home of this rule: API, screens and commands show what it returns. It reads the plan
//! that the engine wrote for each calendar, and never returns an instant that is past.

use super::TaskStatus;
use crate::budget::{Budget, Limits};
use crate::clock::Instant;
use crate::condition::TaskCondition;
pub use crate::poll_wait::PollWait;
use crate::silence::SILENT_AFTER;

/// The next poll: at the soonest when, and what it waits for beyond its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextPoll {
    /// At the soonest.
    pub at: Instant,
    /// What keeps it from being made sooner; none while it only waits for its turn.
    pub wait: Option<PollWait>,
}

/// Returns when a portal account may poll next, if not now.
#[must_use]
pub fn account_wait(
    budget: &Budget,
    not_before: Option<Instant>,
    limits: &Limits,
    now: Instant,
) -> Option<NextPoll> {
    let rest = not_before.filter(|at| *at > now);
    let rest = rest.map(|at| NextPoll { at, wait: Some(PollWait::AccountRest) });
    let limit = budget.poll_limit(limits, now).map(|(wait, at)| NextPoll { at, wait: Some(wait) });
    [rest, limit].into_iter().flatten().max_by_key(|next| next.at)
}

/// A calendar of the task, as the engine wrote it.
#[derive(Clone, Copy, Debug)]
pub struct WatchedCalendar {
    /// The last poll that the portal answered, with days, without, or unchanged.
    pub last_answer_at: Option<Instant>,
    /// The engine's plan; none before the first.
    pub next: Option<NextPoll>,
}

/// What holds for every task of the installation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Installation {
    /// An engine holds the lease.
    pub engine_runs: bool,
    /// Since when an operator has paused the portal.
    pub paused_since: Option<Instant>,
    /// The portal's host is sent nothing before this.
    pub host_not_before: Option<Instant>,
}

/// What a task's row is derived from.
#[derive(Clone, Copy, Debug)]
pub struct WatchFacts<'a> {
    /// Where the task is in its life.
    pub status: TaskStatus,
    /// The condition that the engine wrote last.
    pub condition: TaskCondition,
    /// Since when.
    pub condition_since: Instant,
    /// The wait that was written with it.
    pub next_try_at: Option<Instant>,
    /// Since when its calendars answer it; none before the first poll.
    pub watched_since: Option<Instant>,
    /// Its calendars.
    pub calendars: &'a [WatchedCalendar],
    /// What its own account waits for; asked only before the first poll.
    pub account: Option<NextPoll>,
    /// What holds for all tasks.
    pub installation: Installation,
}

/// What a task's row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The condition.
    pub condition: TaskCondition,
    /// Since when.
    pub since: Instant,
    /// What the next poll waits for beyond its turn.
    pub reason: Option<PollWait>,
    /// The next poll of any of its cities; none where it is due now or unknown. Never past.
    pub next_poll_at: Option<Instant>,
    /// The next try that the condition waits for: a reading, the end of a rest, or the next poll. Never past.
    pub next_try_at: Option<Instant>,
    /// The last answered poll of any of its calendars.
    pub last_answer_at: Option<Instant>,
}

/// Derives what a task's row says at `now` (portal time).
#[must_use]
pub fn watch(facts: &WatchFacts<'_>, now: Instant) -> Watch {
    let last_answer_at = facts.calendars.iter().filter_map(|calendar| calendar.last_answer_at).max();
    let stored = Watch {
        condition: facts.condition,
        since: facts.condition_since,
        reason: None,
        next_poll_at: None,
        next_try_at: None,
        last_answer_at,
    };
    if !facts.status.is_running() {
        return stored;
    }
    let (next_poll_at, reason) = next_poll(facts, now);
    let written = facts.next_try_at.filter(|at| *at > now && !is_calm(facts.condition));
    let next_try_at = written.or(next_poll_at);
    let (condition, since) = condition(facts, reason, last_answer_at, now);
    Watch { condition, since, reason, next_poll_at, next_try_at, ..stored }
}

/// The next poll of any of the task's calendars, and what it waits for.
fn next_poll(facts: &WatchFacts<'_>, now: Instant) -> (Option<Instant>, Option<PollWait>) {
    let Installation { engine_runs, paused_since, host_not_before } = facts.installation;
    if paused_since.is_some() {
        return (None, Some(PollWait::OperatorPause));
    }
    if !engine_runs {
        return (None, Some(PollWait::EngineAway));
    }
    let due = NextPoll { at: now, wait: None };
    let planned = facts.calendars.iter().map(|calendar| calendar.next.unwrap_or(due));
    let own = || {
        let written = facts.next_try_at.map(|at| NextPoll { at, wait: None });
        [written, facts.account].into_iter().flatten().max_by_key(|next| next.at)
    };
    let next = planned.min_by_key(|next| next.at).or_else(own).unwrap_or(due);
    let host = host_not_before.map(|at| NextPoll { at, wait: Some(PollWait::HostBackOff) });
    let next = host.filter(|host| host.at > next.at).unwrap_or(next);
    if next.at <= now { (None, None) } else { (Some(next.at), next.wait) }
}

/// Conditions that say that all is as it should be: what polls wait for says more.
const fn is_calm(condition: TaskCondition) -> bool {
    matches!(
        condition,
        TaskCondition::WaitingFirstPoll
            | TaskCondition::Watching
            | TaskCondition::RestrictedHours
            | TaskCondition::BudgetRest
    )
}

fn condition(
    facts: &WatchFacts<'_>,
    reason: Option<PollWait>,
    last_answer_at: Option<Instant>,
    now: Instant,
) -> (TaskCondition, Instant) {
    let stored = (facts.condition, facts.condition_since);
    if matches!(facts.condition, TaskCondition::Booking | TaskCondition::BookingUnconfirmed) {
        return stored;
    }
    let unanswered_since = facts.watched_since.max(last_answer_at.filter(|_| facts.watched_since.is_some()));
    if let Some(since) = unanswered_since.filter(|since| now - *since >= SILENT_AFTER) {
        return (TaskCondition::Silent, since);
    }
    if !is_calm(facts.condition) {
        return stored;
    }
    match reason {
        Some(PollWait::OperatorPause) => {
            (TaskCondition::OperatorPause, facts.installation.paused_since.unwrap_or(stored.1))
        }
        Some(PollWait::HostBackOff) => (TaskCondition::HostBackOff, stored.1),
        Some(wait) if wait.is_limit() => (TaskCondition::BudgetRest, last_answer_at.unwrap_or(stored.1)),
        // A limit that was met before is over.
        _ if facts.condition == TaskCondition::BudgetRest => (TaskCondition::Watching, stored.1),
        _ => stored,
    }
}
