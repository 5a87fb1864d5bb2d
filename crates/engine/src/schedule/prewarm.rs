//! Who is made ready to book.

use chrono::TimeDelta;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use domain::prewarm::{Candidate, PREWARMED_PER_QUEUE, PrewarmReason, PrewarmStep, Queue, prewarm};
use domain::task::TaskStatus;
use portal::Purpose;

use crate::Round;
use crate::model::job::Job;
use crate::model::state::State;
use crate::model::task_index::Demand;
use crate::schedule::{Schedule, is_free};

/// How often it is looked at who stands ready.
const EVERY: TimeDelta = TimeDelta::seconds(30);

/// Candidates considered per calendar: some cannot book or are out of budget.
const ASKED: usize = 4 * PREWARMED_PER_QUEUE;

/// The tasks of the lines, with what the rule needs to know of each.
struct Facts<'a> {
    lines: Vec<Queue>,
    keys: Vec<CalendarKey>,
    candidates: Vec<Candidate<'a>>,
    tasks: Vec<(TaskId, PortalAccountId)>,
}

impl Schedule<'_> {
    /// Makes ready who stands first in a hot calendar's line.
    pub(crate) fn take_prewarm(&self, state: &mut State, round: &mut Round, now: Instant) {
        if self.config.dry_run || state.prewarm_at.is_some_and(|at| at > now) {
            return;
        }
        let facts = facts(state, round, now);
        let found = prewarm(&facts.lines, &facts.candidates, &self.config.limits, now);
        let ready = |line: &Queue| {
            line.candidates.iter().any(|candidate| {
                found.found.iter().any(|(at, why)| at == candidate && *why == PrewarmReason::Ready)
            })
        };
        let lines = facts.keys.iter().zip(&facts.lines);
        let hot = lines.filter(|(_, line)| ready(line)).map(|(key, _)| key.clone()).collect();
        let steps: Vec<_> = found
            .steps
            .iter()
            .map(|PrewarmStep { candidate, why }| (facts.tasks[*candidate], *why))
            .collect();
        drop(facts);
        state.ready = hot;
        state.prewarm_at = Some(now + EVERY);
        for ((task, account), why) in steps {
            let costs = domain::prewarm::SIGN_IN_COSTS;
            let may = state.poll_tokens >= 1.0 && !round.uses(account);
            if may && self.pacer.prepay(Purpose::Prewarm, costs) {
                state.poll_tokens -= f64::from(costs);
                round.jobs.push(Job::Prewarm { task, account, why });
            }
        }
        round.later(found.next_due);
    }
}

fn facts<'a>(state: &'a State, round: &Round, now: Instant) -> Facts<'a> {
    let mut facts = Facts { lines: Vec::new(), keys: Vec::new(), candidates: Vec::new(), tasks: Vec::new() };
    let mut accounts: Vec<PortalAccountId> = Vec::new();
    for (key, demand_counts) in state.tasks.calendars() {
        let Some(calendar) = state.calendars.get(&key) else { continue };
        let activity = calendar.activity.now(now);
        let stopped = state.page_breakers.stops_bookings(key.kind.country);
        if stopped
            || demand_counts.automatic == 0
            || activity < domain::prewarm::HOT
            || calendar.restricted_at.is_some()
        {
            continue;
        }
        let mut line: Vec<_> = state
            .tasks
            .of_calendar(&key)
            .filter(|t| t.status == TaskStatus::Active && t.demand() == Demand::Books)
            .collect();
        let asked = ASKED.min(line.len());
        if asked < line.len() {
            line.select_nth_unstable_by_key(asked, |t| t.rank());
        }
        line.truncate(asked);
        line.sort_unstable_by_key(|t| t.rank());
        let first = facts.candidates.len();
        for task in line {
            let Some(account) = state.accounts.get(&task.account) else { continue };
            let number = accounts.iter().position(|a| *a == task.account).unwrap_or_else(|| {
                accounts.push(task.account);
                accounts.len() - 1
            });
            facts.tasks.push((task.id, task.account));
            facts.candidates.push(Candidate {
                can_book: task.allowance().allows_any(now).is_ok(),
                account: number,
                budget: &account.budget,
                not_before: account.not_before,
                free: is_free(state, round, task.account) && !state.has_live_attempt(task.account),
                signed_in: account.session.as_ref().map(|_| account.signed_in_at.unwrap_or(now)),
            });
        }
        facts.lines.push(Queue { activity, candidates: (first..facts.candidates.len()).collect() });
        facts.keys.push(key);
    }
    facts
}
