//! How portal passwords leave: when their owner says so, or long after the last task that needs them stopped.

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::ids::CredentialId;
use domain::task::{Reason, TaskStatus};
use serde_json::json;
use store::Tx;
use store::credential::Credential;
use store::credential::retention::{self, Resting};
use store::outbox::NewMail;
use store::task::Task;

use crate::AppState;
use crate::error::{ApiError, Code};

/// How long a password outlives the last task that needs it.
const KEPT: TimeDelta = TimeDelta::days(30);
/// How long before it leaves its owner is told.
const TOLD_BEFORE: TimeDelta = TimeDelta::days(7);

/// When a password leaves whose tasks all rest since `since`: never sooner than a week after its owner was told.
#[must_use]
pub fn leaves_at(since: Instant, told_at: Option<Instant>) -> Instant {
    let told = told_at.filter(|at| *at >= since).map(|at| at + TOLD_BEFORE);
    told.unwrap_or(since + KEPT).max(since + KEPT)
}

/// Since when all of these tasks rest, if they do.
#[must_use]
pub fn resting_since(tasks: &[Task]) -> Option<Instant> {
    let rests = |task: &Task| matches!(task.status, TaskStatus::Stopped | TaskStatus::Error);
    tasks.iter().all(rests).then(|| tasks.iter().map(|task| task.status_since).max()).flatten()
}

/// Ends a password in the caller's transaction: tasks that need it stop with the reason, unsubmitted ones go.
///
/// # Errors
/// `ACCOUNT_BUSY` while a booking with it is under way or its outcome unknown.
pub async fn end(app: &AppState, tx: &mut Tx, credential: &Credential) -> Result<(), ApiError> {
    let mut ids: Vec<_> = store::task::of_credential(tx, credential.id).await?.iter().map(|t| t.id).collect();
    // In the order of their ids, so that two never wait in a ring.
    ids.sort_unstable();
    for id in &ids {
        store::lock::exclusive(tx, id.0).await?;
    }
    if retention::is_busy(tx, credential.id).await? {
        return Err(Code::AccountBusy.into());
    }
    for task in store::task::of_credential(tx, credential.id).await? {
        end_task(app, tx, &task).await?;
    }
    retention::remove(tx, credential, app.now()).await?;
    Ok(())
}

async fn end_task(app: &AppState, tx: &mut Tx, task: &Task) -> Result<(), ApiError> {
    let now = app.now();
    store::booking_attempt::release_prepared(tx, task.id, app.portal_time.now()).await?;
    if matches!(task.status, TaskStatus::Draft | TaskStatus::Configured) {
        store::task::delete(tx, task.id, now).await?;
        return Ok(());
    }
    let says_more = |r: Reason| r.makes_impossible() || r == Reason::BookingUnconfirmed;
    if task.status == TaskStatus::Error && task.reason.is_some_and(says_more) {
        return Ok(());
    }
    // Not merely stopped: who has no password here does not keep others from the group.
    let step = (task.status, TaskStatus::Error);
    store::task::set_status(tx, task.id, step, Some(Reason::CredentialsRemoved), now).await?;
    let reason = json!({ "reason": Reason::CredentialsRemoved.as_str() });
    store::task::set_condition(tx, task.id, TaskCondition::Paused, &reason, None, now).await?;
    let line = json!({ "status": TaskStatus::Error.as_str(), "reason": Reason::CredentialsRemoved.as_str() });
    let entry = domain::ids::uuid_v7(now, app.random.bytes());
    store::journal::add(tx, entry, task.id, "status", &line, app.portal_time.now()).await?;
    Ok(())
}

/// Tells owners whose passwords leave in a week, and lets those leave whose time is over.
///
/// # Errors
/// When the database fails.
pub async fn leave_round(app: &AppState) -> Result<(), ApiError> {
    let now = app.now();
    let mut tx = app.db.read().await?;
    let resting = retention::resting(&mut tx, now - (KEPT - TOLD_BEFORE)).await?;
    drop(tx);
    for one in resting {
        let told = one.told_at.is_some_and(|at| at >= one.since);
        if !told {
            tell(app, &one, now).await?;
        } else if leaves_at(one.since, one.told_at) <= now {
            leave(app, one.id, now).await?;
        }
    }
    Ok(())
}

async fn tell(app: &AppState, one: &Resting, now: Instant) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let Some(credential) = store::credential::get(&mut tx, one.id).await? else { return Ok(()) };
    let Some(user) = store::user::get(&mut tx, one.user).await? else { return Ok(()) };
    retention::set_told(&mut tx, one.id, now).await?;
    if app.mail_configured() {
        let data = json!({
            "username": credential.username,
            "leaves_on": leaves_at(one.since, Some(now)).date_naive().to_string(),
        });
        let mail = NewMail {
            user: Some(user.id),
            recipient: &user.email,
            language: &user.language,
            template: "credential_leaving",
            data: &data,
            dedup_key: &format!("credential_leaving:{}:{}", one.id, one.since.timestamp_micros()),
        };
        store::outbox::enqueue(&mut tx, &app.random, &mail, now).await?;
    }
    tx.commit().await?;
    app.mail.notify_one();
    Ok(())
}

/// Looks again in its own transaction: a task may have been started meanwhile.
async fn leave(app: &AppState, id: CredentialId, now: Instant) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let Some(credential) = store::credential::get(&mut tx, id).await? else { return Ok(()) };
    let told_at = retention::told_at(&mut tx, id).await?;
    let tasks = store::task::of_credential(&mut tx, id).await?;
    let over = resting_since(&tasks)
        .filter(|since| told_at.is_some_and(|at| at >= *since))
        .is_some_and(|since| leaves_at(since, told_at) <= now);
    if !over {
        return Ok(());
    }
    match end(app, &mut tx, &credential).await {
        Err(busy) if busy.code == Code::AccountBusy => return Ok(()),
        ended => ended?,
    }
    tx.commit().await?;
    tracing::info!(credential = %id, user = %credential.user_id, "a portal password left: nothing needed it");
    app.engine.nudge();
    Ok(())
}
