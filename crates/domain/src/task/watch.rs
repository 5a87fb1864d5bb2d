//! Row of a task: its condition, the time and reason of it, and the next poll of its cities.
//!
//! This module is the only home of the rule: API, screens and commands show its result. It reads
//! the plan that the engine wrote for each calendar, and never returns a time in the past.

use super::TaskStatus;
use crate::budget::{Budget, Limits};
use crate::clock::Instant;
use crate::condition::TaskCondition;
pub use crate::poll_wait::PollWait;
use crate::silence::SILENT_AFTER;

/// The next poll: its earliest time, and the reason for a delay beyond its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextPoll {
    /// Earliest time of the poll.
    pub at: Instant,
    /// Reason that the poll is not made sooner; `None` if it only waits for its turn.
    pub wait: Option<PollWait>,
}

/// Returns the next possible poll of a portal account, or `None` if it may poll now.
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

/// A calendar of the task, as the engine stored it.
#[derive(Clone, Copy, Debug)]
pub struct WatchedCalendar {
    /// Time of the last poll that the portal answered: with dates, without dates, or unchanged.
    pub last_answer_at: Option<Instant>,
    /// The engine's plan; `None` before the first.
    pub next: Option<NextPoll>,
}

/// Facts that apply to every task of the installation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Installation {
    /// `true` if an engine holds the lease.
    pub engine_runs: bool,
    /// Time since which an operator has paused the portal.
    pub paused_since: Option<Instant>,
    /// Time before which nothing is sent to the portal's host.
    pub host_not_before: Option<Instant>,
}

/// Facts from which a task's row is derived.
#[derive(Clone, Copy, Debug)]
pub struct WatchFacts<'a> {
    /// Status of the task.
    pub status: TaskStatus,
    /// The condition that the engine stored last.
    pub condition: TaskCondition,
    /// Time since which that condition applies.
    pub condition_since: Instant,
    /// The wait stored with the condition.
    pub next_try_at: Option<Instant>,
    /// Time since which the task's calendars are polled; `None` before the first poll.
    pub watched_since: Option<Instant>,
    /// Calendars of the task.
    pub calendars: &'a [WatchedCalendar],
    /// Wait of the task's own account; used only before the first poll.
    pub account: Option<NextPoll>,
    /// Facts that apply to all tasks.
    pub installation: Installation,
}

/// Derived row of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Condition of the task.
    pub condition: TaskCondition,
    /// Time since which the condition applies.
    pub since: Instant,
    /// Reason that delays the next poll beyond its turn.
    pub reason: Option<PollWait>,
    /// Time of the next poll of any of the task's cities; `None` if it is due now or unknown. Never
    /// in the past.
    pub next_poll_at: Option<Instant>,
    /// Next try that the condition waits for: a reading, the end of a back-off, or the next poll.
    /// Never in the past.
    pub next_try_at: Option<Instant>,
    /// Time of the last answered poll of any of the task's calendars.
    pub last_answer_at: Option<Instant>,
}

/// Derives a task's row at `now` (portal time).
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

/// Returns the next poll of any of the task's calendars, with the reason for its delay.
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

/// Returns `true` for conditions without a problem: the reason that delays the polls is more
/// specific.
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
        // The limit that caused the condition has ended.
        _ if facts.condition == TaskCondition::BudgetRest => (TaskCondition::Watching, stored.1),
        _ => stored,
    }
}
