//! Selection of the accounts to sign in before an expected opening.

use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use domain::prewarm::{Candidate, PREWARMED_PER_QUEUE, PrewarmReason, PrewarmStep, Queue, prewarm};
use domain::task::TaskStatus;
use portal::Purpose;

use crate::Round;
use crate::jobs::prewarm::may_book_any;
use crate::model::backoff::Work;
use crate::model::job::Job;
use crate::model::state::State;
use crate::model::task_index::{Demand, IndexedTask};
use crate::schedule::{Schedule, is_free};

/// Number of tasks considered per calendar. It exceeds the number to prewarm, because some tasks
/// cannot book or have no budget left.
const CONSIDERED: usize = 4 * PREWARMED_PER_QUEUE;

/// Input of the prewarm rule: the queues, and the facts about each of their tasks.
#[derive(Default)]
struct Facts<'a> {
    lines: Vec<Queue>,
    keys: Vec<CalendarKey>,
    candidates: Vec<Candidate<'a>>,
    tasks: Vec<(TaskId, PortalAccountId)>,
    accounts: Vec<PortalAccountId>,
}

impl Schedule<'_> {
    /// Adds prewarm jobs for the first tasks queued for a hot calendar, and for tasks whose users
    /// may still approve a date.
    pub(crate) fn take_prewarm(&self, state: &mut State, round: &mut Round, now: Instant) {
        if self.config.dry_run || !state.accounts.is_prewarm_due(now) {
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
        state.accounts.set_prewarmed(hot, now);
        for ((task, account), why) in steps {
            let costs = domain::prewarm::SIGN_IN_COSTS;
            let may = state.poll_plan.limit.may_sign_in() && !round.uses(account);
            if may && self.pacer.prepay(Purpose::Prewarm, costs) {
                state.poll_plan.limit.draw_sign_in(costs);
                round.jobs.push(Job::Prewarm { task, account, why });
            }
        }
        round.later(found.next_due);
    }
}

fn facts<'a>(state: &'a State, round: &Round, now: Instant) -> Facts<'a> {
    let mut facts = Facts::default();
    for (key, demand_counts) in state.tasks.calendars() {
        let activity = state.availability.calendar(&key).map_or(0.0, |calendar| calendar.activity.now(now));
        if demand_counts.automatic == 0 || activity < domain::prewarm::HOT {
            continue;
        }
        let mut line: Vec<_> = state
            .tasks
            .of_calendar(&key)
            .filter(|t| t.status == TaskStatus::Active && t.demand() == Demand::Books)
            .collect();
        let considered = CONSIDERED.min(line.len());
        if considered < line.len() {
            line.select_nth_unstable_by_key(considered, |t| t.rank());
        }
        line.truncate(considered);
        facts.add(key, activity, line, state, round, now);
    }
    for (key, line) in tasks_with_questions(state, now) {
        // A date is available, and the user may approve it at any moment, so this queue comes
        // before all others.
        facts.add(key, f64::INFINITY, line, state, round, now);
    }
    facts
}

/// Returns the tasks whose users may still approve a date, by calendar.
fn tasks_with_questions(state: &State, now: Instant) -> Vec<(CalendarKey, Vec<&IndexedTask>)> {
    let mut lines: Vec<(CalendarKey, Vec<&IndexedTask>)> = Vec::new();
    for (task, facility, _) in state.questions.asked.open(now) {
        let Some(row) = state.tasks.get(&task).filter(|row| row.status == TaskStatus::Active) else {
            continue;
        };
        let of_facility = |key: &CalendarKey| key.facility == facility && state.tasks.is_of(row, key);
        let Some(key) = state.tasks.keys(row).find(of_facility) else { continue };
        match lines.iter_mut().find(|(other, _)| *other == key) {
            Some((_, line)) => line.push(row),
            None => lines.push((key, vec![row])),
        }
    }
    lines.sort_unstable_by_key(|(_, line)| line.iter().map(|row| row.rank()).min());
    lines
}

impl<'a> Facts<'a> {
    /// Adds a calendar's queue, unless nothing can be booked there.
    fn add(
        &mut self,
        key: CalendarKey,
        activity: f64,
        mut line: Vec<&'a IndexedTask>,
        state: &'a State,
        round: &Round,
        now: Instant,
    ) {
        let calendar = state.availability.calendar(&key);
        let restricted = calendar.is_none_or(|calendar| calendar.restricted_at.is_some());
        if restricted || state.page_breakers.stops_bookings(key.kind.country) {
            return;
        }
        line.sort_unstable_by_key(|t| t.rank());
        line.dedup_by_key(|t| t.id);
        let first = self.candidates.len();
        for task in line {
            let account = state.accounts.get(task.account);
            let number = self.accounts.iter().position(|a| *a == task.account).unwrap_or_else(|| {
                self.accounts.push(task.account);
                self.accounts.len() - 1
            });
            self.tasks.push((task.id, task.account));
            self.candidates.push(Candidate {
                can_book: may_book_any(task.allowance(), now),
                account: number,
                budget: &account.budget,
                not_before: account.not_before.max(state.backoffs.until(Work::Prewarm, task.id.0, now)),
                free: is_free(state, round, task.account) && !state.attempts.holds_account(task.account),
                signed_in: account.session.as_ref().map(|_| account.signed_in_at.unwrap_or(now)),
            });
        }
        self.lines.push(Queue { activity, candidates: (first..self.candidates.len()).collect() });
        self.keys.push(key);
    }
}
