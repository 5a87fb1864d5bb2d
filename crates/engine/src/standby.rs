//! Warm standby: the first in line for a hot calendar are signed in, with form, token and connection at hand.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::booking::{Attempts, PORTAL_ATTEMPTS};
use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use domain::standby::{Line, SEATS, Seat, Step, Warm, Why, standby};
use domain::task::TaskStatus;
use portal::{BookingConnection, Trouble};
use serde_json::json;
use store::task::Task;

use crate::driver::{Job, Round, is_free};
use crate::state::State;
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

/// How often it is looked at who stands ready.
const EVERY: TimeDelta = TimeDelta::seconds(30);
/// So many of a line are asked about: some can not book or have nothing left to spend.
const ASKED: usize = 4 * SEATS;

/// Connections held open ahead, and for how long (wall time): portals close idle ones after about a minute.
const CONNECTIONS: usize = 1;
const CONNECTION_LIVES: TimeDelta = TimeDelta::seconds(45);

/// A connection for a POST: the one opened ahead if it still is usable, else a new one.
pub(crate) async fn connection(engine: &Arc<Engine>) -> Result<BookingConnection, Trouble> {
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

/// Opens a connection while a look of a calendar that somebody stands ready for is under way.
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
    lines: Vec<Line>,
    keys: Vec<CalendarKey>,
    seats: Vec<Seat<'a>>,
    tasks: Vec<(TaskId, PortalAccountId)>,
}

impl Engine {
    /// Makes ready who stands first in a hot calendar's line.
    pub(crate) fn take_standby(&self, state: &mut State, round: &mut Round, now: Instant) {
        if self.ctx.config.dry_run || state.standby_at.is_some_and(|at| at > now) {
            return;
        }
        let facts = facts(state, round, now);
        let found = standby(&facts.lines, &facts.seats, &self.ctx.config.limits, now);
        let ready = |line: &Line| {
            line.seats.iter().any(|seat| found.found.iter().any(|(at, why)| at == seat && *why == Why::Ready))
        };
        let lines = facts.keys.iter().zip(&facts.lines);
        let hot = lines.filter(|(_, line)| ready(line)).map(|(key, _)| key.clone()).collect();
        let steps: Vec<_> =
            found.steps.iter().map(|Warm { seat, step, why }| (facts.tasks[*seat], (*step, *why))).collect();
        drop(facts);
        state.ready = hot;
        state.standby_at = Some(now + EVERY);
        for ((task, account), warm) in steps {
            if state.look_tokens >= 1.0 && !round.uses(account) {
                state.look_tokens -= f64::from(domain::standby::FORM_COSTS);
                round.jobs.push(Job::Ready { task, account, warm });
            }
        }
        round.later(found.next_due);
    }
}

fn facts<'a>(state: &'a State, round: &Round, now: Instant) -> Facts<'a> {
    let mut facts = Facts { lines: Vec::new(), keys: Vec::new(), seats: Vec::new(), tasks: Vec::new() };
    let mut accounts: Vec<PortalAccountId> = Vec::new();
    for (key, census) in state.tasks.calendars() {
        let Some(calendar) = state.calendars.get(&key) else { continue };
        let heat = calendar.heat.now(now);
        let stopped = state.layouts.stops_bookings(&key.kind.country);
        if stopped || census.automatic == 0 || heat < domain::standby::HOT || calendar.restricted_at.is_some()
        {
            continue;
        }
        let mut line: Vec<_> = state
            .tasks
            .of_calendar(&key)
            .filter(|t| t.status == TaskStatus::Active && !t.wish.notify_only)
            .collect();
        let asked = ASKED.min(line.len());
        if asked < line.len() {
            line.select_nth_unstable_by_key(asked, |t| t.rank());
        }
        line.truncate(asked);
        line.sort_unstable_by_key(|t| t.rank());
        let first = facts.seats.len();
        for task in line {
            let Some(account) = state.accounts.get(&task.account) else { continue };
            let number = accounts.iter().position(|a| *a == task.account).unwrap_or_else(|| {
                accounts.push(task.account);
                accounts.len() - 1
            });
            facts.tasks.push((task.id, task.account));
            facts.seats.push(Seat {
                can_book: state.rows.get(&task.id).is_none_or(|row| can_book(row, now)),
                account: number,
                budget: &account.budget,
                not_before: account.not_before,
                free: is_free(state, round, task.account) && !state.has_live_intent(task.account),
                signed_in: account.session.as_ref().map(|_| account.signed_in_at.unwrap_or(now)),
                has_form: account.forms.contains_key(&task.id),
            });
        }
        facts.lines.push(Line { heat, seats: (first..facts.seats.len()).collect() });
        facts.keys.push(key);
    }
    facts
}

/// Whether some day could be booked for it: wish, attempts and deadline, as far as they are known.
fn can_book(task: &Task, now: Instant) -> bool {
    let Some(wish) = task.wish.as_ref().filter(|w| !w.notify_only) else {
        return false;
    };
    if task.booked.is_none() {
        return true;
    }
    let Attempts { left, used_here } =
        Attempts { left: task.attempts_left, used_here: task.reschedules_used };
    let left = left.unwrap_or_else(|| PORTAL_ATTEMPTS.saturating_sub(used_here));
    let may_use = left > 1 || (left == 1 && wish.last_attempt_until.is_some());
    may_use
        && used_here < u32::from(wish.max_reschedules)
        && task.change_deadline.is_none_or(|deadline| now < deadline)
}

/// Signs in where that is due, and fetches form and token.
pub(crate) async fn make_ready(
    engine: &Arc<Engine>,
    task: TaskId,
    lent: Lent,
    warm: (Step, Why),
) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let Some(task) = engine.known_task(task).await?.filter(|task| can_book(task, now)) else {
        return Ok(());
    };
    let mut turn = Turn::begin(lent).await?;
    match step(engine, &mut turn, &task, warm).await {
        // What does not fit into the budget now is simply not made ready; nobody is told of a rest for that.
        Ok(()) | Err(Fault::Rest(_)) => {}
        Err(fault) => crate::react::react(engine, &mut turn, &task, fault).await?,
    }
    turn.finish().await
}

async fn step(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    (step, why): (Step, Why),
) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    turn.allowed(Spend::Other, now)?;
    if why == Why::SessionLikelyOver {
        turn.allowed(Spend::SignIn, now)?;
        crate::session::forget(engine, turn).await?;
        let mut state = engine.state.lock();
        let account = state.accounts.entry(turn.account).or_default();
        account.forms.clear();
        account.lists.clear();
    }
    let session = crate::session::ensure(engine, turn, task, Spend::SignIn).await?;
    let group = portal::PortalScheduleId::from(task.portal_schedule_id.0.as_str());
    crate::book::fetch_form(engine, turn, task, &session, &group).await?;
    let mut tx = engine.ctx.db.begin().await?;
    crate::tell::journal(engine, &mut tx, task.id, "standby", json!({ "step": step, "because": why }))
        .await?;
    tx.commit().await?;
    Ok(())
}
