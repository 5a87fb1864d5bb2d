//! What to do about trouble: retry, sign in again, stop, ask the user. Every trouble ends here.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use domain::verdict::Verdict;
use portal::{Ask, Reaction, Trouble};
use serde_json::json;
use store::task::Task;

use crate::layout::Failed;
use crate::tell::Told;
use crate::turn::Turn;
use crate::{Engine, Fault};

/// The first pause after a host failure; doubled each time up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: TimeDelta = TimeDelta::seconds(30);
const LONGEST_PAUSE: TimeDelta = TimeDelta::minutes(30);
/// A lock of unknown length is waited out this long.
const LOCK: TimeDelta = TimeDelta::hours(1);
/// Pages that changed for one account alone are not fetched by it again before this.
const CHANGED_LAYOUT: TimeDelta = TimeDelta::minutes(30);

impl Engine {
    /// The host answered: its failures are forgotten.
    pub(crate) fn host_answered(&self) {
        let mut state = self.state.lock();
        state.host_failures = 0;
        state.host_not_before = None;
    }

    fn host_failed(&self, asked: Option<std::time::Duration>, least: TimeDelta, now: Instant) -> Instant {
        let mut state = self.state.lock();
        state.troubled(now);
        let doubled = FIRST_PAUSE * 2_i32.saturating_pow(state.host_failures.min(10));
        let asked = asked.and_then(|d| TimeDelta::from_std(d).ok()).unwrap_or(TimeDelta::zero());
        let until = now + doubled.min(LONGEST_PAUSE).max(asked).max(least);
        state.host_failures += 1;
        state.host_not_before = state.host_not_before.max(Some(until));
        until
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
    let trouble = match fault {
        Fault::Portal(trouble) => trouble,
        Fault::Rest(until) => return rest(engine, turn, task, until).await,
        Fault::Gone => return Ok(()),
        fault => return Err(fault),
    };
    tracing::info!(code = trouble.code(), account = %turn.account, "the portal's answer was no value");
    crate::figures::note_layout(&engine.ctx, &trouble).await;
    if matches!(trouble.reaction(), Reaction::RetryLater { .. } | Reaction::StopAndTell { .. }) {
        crate::metrics::host_failure(trouble.code());
    }
    match trouble.reaction() {
        Reaction::SignInAgain => {
            crate::session::forget(engine, turn).await?;
            if let Some(account) = engine.state.lock().accounts.get_mut(&turn.account) {
                account.forms.clear();
                account.lists.clear();
            }
            match turn.allowed(Spend::SignIn, now) {
                Err(Fault::Rest(until)) => rest(engine, turn, task, until).await,
                _ => Ok(()),
            }
        }
        Reaction::RetryLater { after } => {
            let verdict = match trouble {
                Trouble::Overloaded { .. } | Trouble::Timeout => Verdict::Overloaded,
                _ => Verdict::PortalDown,
            };
            let until = engine.host_failed(after, TimeDelta::zero(), now);
            say(engine, turn, verdict, trouble.code(), until).await
        }
        Reaction::StopAndTell { after } => {
            let until = engine.host_failed(after, LONGEST_PAUSE, now);
            say(engine, turn, Verdict::PortalDown, trouble.code(), until).await
        }
        Reaction::TellOperator => {
            let Trouble::LayoutChanged(changed) = &trouble else { return Ok(()) };
            if engine.unreadable(&task.country, changed, turn.account) != Failed::Alone {
                return Ok(());
            }
            tracing::warn!(%trouble, "one account was shown a page that is not as known");
            let until = now + CHANGED_LAYOUT;
            pause_account(engine, turn, "valid", until).await?;
            say(engine, turn, Verdict::LayoutChanged, trouble.code(), until).await
        }
        Reaction::CheckGroups => check_groups(engine, task).await,
        Reaction::StopChanging => {
            stop_task(engine, task.id, TaskStatus::Stopped, Reason::ReschedulesUsed).await
        }
        Reaction::AskUser(ask) => ask_user(engine, turn, task, ask, now).await,
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
    say(engine, turn, Verdict::BudgetRest, "budget", until).await
}

/// Tells every running task of the account.
async fn say(
    engine: &Arc<Engine>,
    turn: &Turn,
    verdict: Verdict,
    code: &str,
    until: Instant,
) -> Result<(), Fault> {
    let concerned: Vec<(TaskId, Verdict)> = {
        let state = engine.state.lock();
        state.tasks.of_account(turn.account).map(|t| (t.id, t.verdict)).collect()
    };
    let mut tx = engine.ctx.db.begin().await?;
    for (task, told) in concerned {
        engine.state.lock().start_not_before.insert(task, until);
        if matches!(told, Verdict::BookingUnconfirmed) {
            continue;
        }
        let evidence = json!({ "code": code, "until": until });
        if told != verdict {
            crate::tell::journal(engine, &mut tx, task, "trouble", json!({ "code": code })).await?;
        }
        let told = Told { task, verdict, evidence, next_try_at: Some(until) };
        crate::tell::verdict(engine, &mut tx, &told).await?;
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
            if let Some(credential) = task.credential_id {
                let mut tx = engine.ctx.db.begin().await?;
                store::credential::set_health(&mut tx, credential, "rejected", engine.ctx.wall.now()).await?;
                tx.commit().await?;
            }
            Reason::CredentialsRejected
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
    let mut concerned: Vec<TaskId> =
        engine.state.lock().tasks.of_account(turn.account).map(|t| t.id).collect();
    if let (Ask::NewPassword, Some(credential)) = (ask, task.credential_id) {
        // Another user's password for the same account may be right.
        let mut tx = engine.ctx.db.read().await?;
        let same: Vec<TaskId> =
            store::task::of_credential(&mut tx, credential).await?.iter().map(|t| t.id).collect();
        concerned.retain(|id| same.contains(id));
    }
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
    store::lease::alone(&mut tx, task.0).await?;
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

/// The same in a transaction of the caller's; answers what went back to the user, in minor units.
pub(crate) async fn stop_in(
    engine: &Engine,
    tx: &mut store::Tx,
    task: &Task,
    to: TaskStatus,
    reason: Reason,
) -> Result<i64, Fault> {
    let now = engine.ctx.wall.now();
    store::intent::release_armed(tx, task.id, engine.ctx.portal_time.now()).await?;
    store::task::set_status(tx, task.id, (task.status, to), Some(reason), now).await?;
    let data = json!({ "status": to.as_str(), "reason": reason.as_str() });
    crate::tell::journal(engine, tx, task.id, "status", data).await?;
    let told = Told {
        task: task.id,
        verdict: verdict_of(reason),
        evidence: json!({ "reason": reason.as_str() }),
        next_try_at: None,
    };
    crate::tell::verdict(engine, tx, &told).await?;
    // What time alone has decided says nothing about a slot its user was told of and may have taken.
    let waits = matches!(reason, Reason::RangeOver | Reason::AppointmentPassed)
        && store::payment::read_once_more(tx, task, engine.ctx.portal_time.now()).await?;
    let goes_back = reason.makes_impossible() && !waits;
    let released = if goes_back { crate::money::release_hold(engine, tx, task).await? } else { 0 };
    if reason.needs_the_user() {
        let mail = json!({
            "reason": reason.as_str(),
            "names": crate::tell::names(task),
            "released": (released > 0).then(|| domain::money::Money::cad(released).to_string()),
            "task_id": task.id.to_string(),
        });
        let key = format!("needs_you:{}:{}", task.id, now.timestamp_micros());
        crate::tell::mail(engine, tx, task.user_id, "needs_you", key, mail).await?;
    }
    Ok(released)
}

fn verdict_of(reason: Reason) -> Verdict {
    match reason {
        Reason::CredentialsRejected => Verdict::CredentialsRejected,
        Reason::AccountLocked => Verdict::Locked,
        Reason::Captcha => Verdict::Captcha,
        Reason::BookingUnconfirmed => Verdict::BookingUnconfirmed,
        _ => Verdict::Paused,
    }
}
