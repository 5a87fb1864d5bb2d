//! PrewarmStep standby: the first in line for a hot calendar are signed in, with a connection at hand.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use domain::prewarm::{Candidate, PREWARMED_PER_QUEUE, PrewarmStep, Queue, Why, prewarm};
use domain::task::TaskStatus;
use portal::{BookingConnection, PortalError, Purpose};
use serde_json::json;
use store::task::Task;

use crate::driver::{Job, Round, is_free};
use crate::roster::Demand;
use crate::state::State;
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

/// How often it is looked at who stands ready.
const EVERY: TimeDelta = TimeDelta::seconds(30);
/// So many of a line are asked about: some cannot book or have nothing left to spend.
const ASKED: usize = 4 * PREWARMED_PER_QUEUE;

/// Connections held open ahead, and for how long (wall time): portals close idle ones after about a minute.
const CONNECTIONS: usize = 1;
const CONNECTION_LIVES: TimeDelta = TimeDelta::seconds(45);

/// A connection for a POST: the one opened ahead if it still is usable, else a new one.
pub(crate) async fn connection(engine: &Arc<Engine>) -> Result<BookingConnection, PortalError> {
    loop {
        let ahead = engine.ahead.lock().pop();
        let Some((mut connection, opened)) = ahead else {
            return BookingConnection::open(&engine.ctx.client).await;
        };
        if engine.ctx.wall.now() - opened < CONNECTION_LIVES && connection.is_usable().await {
            return Ok(connection);
        }
    }
}

/// Opens a connection while a poll of a calendar that somebody stands ready for is under way.
pub(crate) async fn open_ahead(engine: &Arc<Engine>, key: &CalendarKey) {
    let now = engine.ctx.wall.now();
    let wanted = engine.state.lock().ready.contains(key);
    {
        let mut ahead = engine.ahead.lock();
        ahead.retain(|(_, opened)| now - *opened < CONNECTION_LIVES);
        if !wanted || ahead.len() >= CONNECTIONS {
            return;
        }
    }
    if let Ok(connection) = BookingConnection::open(&engine.ctx.client).await {
        engine.ahead.lock().push((connection, now));
    }
}

/// The tasks of the lines, with what the rule needs to know of each.
struct Facts<'a> {
    lines: Vec<Queue>,
    keys: Vec<CalendarKey>,
    candidates: Vec<Candidate<'a>>,
    tasks: Vec<(TaskId, PortalAccountId)>,
}

impl Engine {
    /// Makes ready who stands first in a hot calendar's line.
    pub(crate) fn take_prewarm(&self, state: &mut State, round: &mut Round, now: Instant) {
        if self.ctx.config.dry_run || state.prewarm_at.is_some_and(|at| at > now) {
            return;
        }
        let facts = facts(state, round, now);
        let found = prewarm(&facts.lines, &facts.candidates, &self.ctx.config.limits, now);
        let ready = |line: &Queue| {
            line.candidates
                .iter()
                .any(|candidate| found.found.iter().any(|(at, why)| at == candidate && *why == Why::Ready))
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
            if may && self.ctx.client.pacer().prepay(Purpose::Prewarm, costs) {
                state.poll_tokens -= f64::from(costs);
                round.jobs.push(Job::Ready { task, account, why });
            }
        }
        round.later(found.next_due);
    }
}

fn facts<'a>(state: &'a State, round: &Round, now: Instant) -> Facts<'a> {
    let mut facts = Facts { lines: Vec::new(), keys: Vec::new(), candidates: Vec::new(), tasks: Vec::new() };
    let mut accounts: Vec<PortalAccountId> = Vec::new();
    for (key, census) in state.tasks.calendars() {
        let Some(calendar) = state.calendars.get(&key) else { continue };
        let activity = calendar.activity.now(now);
        let stopped = state.layouts.stops_bookings(&key.kind.country);
        if stopped
            || census.automatic == 0
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

/// Whether some day could be booked for it, as far as is known.
fn can_book(task: &Task, now: Instant) -> bool {
    task.criteria.as_ref().is_some_and(|criteria| !criteria.notify_only)
        && task.allowance().is_some_and(|allowance| allowance.allows_any(now).is_ok())
}

/// Signs in.
pub(crate) async fn make_ready(
    engine: &Arc<Engine>,
    task: TaskId,
    lent: Lent,
    why: Why,
) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let Some(task) = engine.known_task(task).await?.filter(|task| can_book(task, now)) else {
        return Ok(());
    };
    let mut turn = Turn::begin(lent).await?;
    match sign_in(engine, &mut turn, &task, why).await {
        // What does not fit into the budget now is simply not made ready; nobody is told of a rest for that.
        Ok(()) | Err(Fault::Rest(_)) => {}
        Err(fault) => crate::react::react(engine, &mut turn, &task, fault).await?,
    }
    turn.finish().await
}

async fn sign_in(engine: &Arc<Engine>, turn: &mut Turn, task: &Task, why: Why) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    turn.allowed(Spend::Other, now)?;
    if why == Why::SessionLikelyOver {
        turn.allowed(Spend::SignIn, now)?;
        crate::session::forget(engine, turn).await?;
        let mut state = engine.state.lock();
        let account = state.accounts.entry(turn.account).or_default();
        account.lists.clear();
    }
    crate::session::ensure(engine, turn, task, Spend::SignIn).await?;
    let mut tx = engine.ctx.db.begin().await?;
    crate::tell::journal(engine, &mut tx, task.id, "standby", json!({ "step": "sign_in", "because": why }))
        .await?;
    tx.commit().await?;
    Ok(())
}
