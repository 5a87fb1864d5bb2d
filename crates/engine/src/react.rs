//! What to do about trouble: retry, sign in again, stop, ask the user. Every trouble ends here.

use std::sync::Arc;

use app::tasks::Cause;
use chrono::TimeDelta;
use domain::budget::Spend;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::host_health::account_rest;
use domain::ids::{PortalAccountId, TaskId};
use domain::task::{Reason, TaskStatus};
use portal::{Ask, PortalError, Recovery};
use serde_json::json;
use store::task::Task;

use crate::layout::Failed;
use crate::state::State;
use crate::tell::Told;
use crate::turn::Turn;
use crate::{Engine, Fault};

/// A lock of unknown length is waited out this long.
const LOCK: TimeDelta = TimeDelta::hours(1);

impl Engine {
    /// The host answered a request of this account: its failures, and the host's, are forgotten.
    pub(crate) fn host_answered(&self, account: PortalAccountId) {
        self.ctx.outward.answered(self.ctx.portal_time.now());
        if let Some(account) = self.state.lock().accounts.get_mut(&account) {
            account.failures = 0;
        }
    }

    /// A request of the turn's account failed for reasons of the host: the account rests, and the host where several
    /// accounts fail. Returns until when nothing is tried for the account.
    async fn host_failed(
        &self,
        turn: &Turn,
        portal_error: &PortalError,
        now: Instant,
    ) -> Result<Instant, Fault> {
        self.ctx.outward.failed(turn.account.0.as_u128(), portal_error, now);
        let asked = crate::outward::failure_of(portal_error).and_then(|(_, asked)| asked);
        let (until, health) = {
            let mut state = self.state.lock();
            state.troubled(now);
            let account = state.accounts.entry(turn.account).or_default();
            let rest = account_rest(account.failures, asked);
            account.failures += 1;
            let until = account.not_before.max(Some(now + rest)).unwrap_or(now);
            account.not_before = Some(until);
            (until, account.health.clone())
        };
        let mut tx = self.ctx.db.begin().await?;
        if !health.is_empty() {
            let wall = self.ctx.wall.now();
            store::portal_account::set_health(&mut tx, turn.account, &health, Some(until), wall).await?;
        }
        tx.commit().await?;
        Ok(match self.ctx.outward.allowed(now) {
            crate::outward::Allowed::ReadBacks(host) => until.max(host),
            _ => until,
        })
    }
}

impl State {
    /// Portal accounts of running tasks, counted as far as it matters for the host's health.
    pub(crate) fn active_accounts(&self) -> usize {
        self.tasks.accounts().take(4).count()
    }
}

/// Acts on what stopped a job of `task`; database faults are handed on.
pub(crate) async fn react(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    fault: Fault,
) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let portal_error = match fault {
        Fault::Portal(portal_error) => portal_error,
        Fault::Rest(until) => return rest(engine, turn, task, until).await,
        Fault::Gone => return Ok(()),
        fault => return Err(fault),
    };
    tracing::info!(code = portal_error.code(), account = %turn.account, "the portal's answer was no value");
    crate::figures::note_layout(&engine.ctx, &portal_error).await;
    if let PortalError::Busy(changed) = &portal_error
        && engine.unreadable(&task.country, changed, turn.account) != Failed::Alone
    {
        return Ok(());
    }
    match portal_error.recovery() {
        Recovery::SignInAgain => signed_out(engine, turn, task, now).await,
        Recovery::RetryLater { .. } | Recovery::StopAndTell { .. } => {
            let condition = match portal_error {
                PortalError::Overloaded { .. } | PortalError::Busy(_) | PortalError::Timeout => {
                    TaskCondition::Overloaded
                }
                _ => TaskCondition::PortalDown,
            };
            let until = engine.host_failed(turn, &portal_error, now).await?;
            say(engine, turn, condition, portal_error.code(), until).await
        }
        Recovery::TellOperator => {
            let PortalError::LayoutChanged(changed) = &portal_error else { return Ok(()) };
            if engine.unreadable(&task.country, changed, turn.account) != Failed::Alone {
                return Ok(());
            }
            tracing::warn!(%portal_error, "one account was shown a page that is not as known");
            let until =
                now + engine.state.lock().layouts.pause((turn.account, &task.country), changed.page, now);
            pause_account(engine, turn, "valid", until).await?;
            say(engine, turn, TaskCondition::LayoutChanged, portal_error.code(), until).await
        }
        Recovery::CheckGroups => check_groups(engine, task).await,
        Recovery::StopChanging => crate::eligible::limit_reached(engine, task).await,
        Recovery::AskUser(ask) => ask_user(engine, turn, task, ask, now).await,
    }
}

/// The session is over: everything that hung on it goes with it, and the next job signs in.
async fn signed_out(engine: &Arc<Engine>, turn: &mut Turn, task: &Task, now: Instant) -> Result<(), Fault> {
    crate::session::forget(engine, turn).await?;
    if let Some(account) = engine.state.lock().accounts.get_mut(&turn.account) {
        account.lists.clear();
    }
    // A verification may have signed in since: then nobody has to wait for a sign-in of ours.
    turn.take_stored().await?;
    if turn.session.is_some() {
        return Ok(());
    }
    match turn.allowed(Spend::SignIn, now) {
        Err(Fault::Rest(until)) => rest(engine, turn, task, until).await,
        _ => Ok(()),
    }
}

/// The budget is used up: the account rests, and its users see until when.
async fn rest(engine: &Arc<Engine>, turn: &Turn, task: &Task, until: Instant) -> Result<(), Fault> {
    {
        let mut state = engine.state.lock();
        if let Some(account) = state.accounts.get_mut(&turn.account) {
            account.not_before = account.not_before.max(Some(until));
        }
        state.start_not_before.insert(task.id, until);
    }
    say(engine, turn, TaskCondition::BudgetRest, "budget", until).await
}

/// Tells every running task of the account.
async fn say(
    engine: &Arc<Engine>,
    turn: &Turn,
    condition: TaskCondition,
    code: &str,
    until: Instant,
) -> Result<(), Fault> {
    let concerned: Vec<(TaskId, TaskCondition)> = {
        let state = engine.state.lock();
        state.tasks.of_account(turn.account).map(|t| (t.id, t.condition)).collect()
    };
    let mut tx = engine.ctx.db.begin().await?;
    for (task, told) in concerned {
        engine.state.lock().start_not_before.insert(task, until);
        if matches!(told, TaskCondition::BookingUnconfirmed) {
            continue;
        }
        let evidence = json!({ "code": code, "until": until });
        if told != condition {
            crate::tell::journal(engine, &mut tx, task, "trouble", json!({ "code": code })).await?;
        }
        let told = Told { task, condition, evidence, next_try_at: Some(until) };
        crate::tell::condition(engine, &mut tx, &told).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn pause_account(engine: &Arc<Engine>, turn: &Turn, health: &str, until: Instant) -> Result<(), Fault> {
    let mut tx = engine.ctx.db.begin().await?;
    let now = engine.ctx.wall.now();
    store::portal_account::set_health(&mut tx, turn.account, health, Some(until), now).await?;
    tx.commit().await?;
    let mut state = engine.state.lock();
    if let Some(account) = state.accounts.get_mut(&turn.account) {
        account.not_before = Some(until);
        account.health = health.to_owned();
    }
    Ok(())
}

async fn ask_user(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    ask: Ask,
    now: Instant,
) -> Result<(), Fault> {
    let reason = match ask {
        Ask::NewPassword => {
            // Another user's password for the same account may be right.
            return match task.credential_id {
                Some(credential) => crate::secret::stop_all(engine, credential).await,
                None => Ok(()),
            };
        }
        Ask::Captcha => {
            pause_account(engine, turn, "captcha", now + LOCK).await?;
            Reason::Captcha
        }
        Ask::Unlock { until } => {
            let until = until.unwrap_or(now + LOCK).max(now + TimeDelta::minutes(1));
            pause_account(engine, turn, "locked", until).await?;
            Reason::AccountLocked
        }
    };
    let concerned: Vec<TaskId> = engine.state.lock().tasks.of_account(turn.account).map(|t| t.id).collect();
    for task in concerned {
        stop_task(engine, task, TaskStatus::Error, reason).await?;
    }
    Ok(())
}

/// The group may be gone: the task is read afresh from the groups page.
async fn check_groups(engine: &Arc<Engine>, task: &Task) -> Result<(), Fault> {
    if task.status == TaskStatus::Active {
        let mut tx = engine.ctx.db.begin().await?;
        let step = (TaskStatus::Active, TaskStatus::Processing);
        store::task::set_status(&mut tx, task.id, step, None, engine.ctx.wall.now()).await?;
        tx.commit().await?;
    }
    let until = engine.ctx.portal_time.now() + TimeDelta::minutes(5);
    engine.refresh(task.id).await?;
    engine.state.lock().start_not_before.insert(task.id, until);
    Ok(())
}

/// Takes a task out of work for a reason; what can never succeed gets its hold back.
pub(crate) async fn stop_task(
    engine: &Arc<Engine>,
    task: TaskId,
    to: TaskStatus,
    reason: Reason,
) -> Result<(), Fault> {
    let mut tx = engine.ctx.db.begin().await?;
    store::lock::exclusive(&mut tx, task.0).await?;
    if !engine.leads(&mut tx).await? {
        // Whoever holds the lease by now judges by what it reads itself.
        return Ok(());
    }
    let Some(task) = store::task::get(&mut tx, task).await? else {
        return Ok(());
    };
    if !task.status.is_running() || task.deleted_at.is_some() {
        return Ok(());
    }
    stop_in(engine, &mut tx, &task, to, reason).await?;
    tx.commit().await?;
    engine.refresh(task.id).await?;
    Ok(())
}

/// Stops a task in the caller's transaction, which has locked it. Returns what was released from hold, in minor units.
pub(crate) async fn stop_in(
    engine: &Engine,
    tx: &mut store::Tx,
    task: &Task,
    to: TaskStatus,
    reason: Reason,
) -> Result<i64, Fault> {
    let stopped = app::tasks::stop(&engine.ctx.app(), tx, task, Cause::Found { to, reason }).await?;
    if let Some(condition) = stopped.condition {
        crate::metrics::condition(condition);
        engine.state.lock().tasks.set_condition(task.id, condition);
    }
    Ok(stopped.released)
}
