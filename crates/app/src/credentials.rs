//! Deletion of portal passwords: on request of their owner, or a while after the last task that
//! needs them stopped.

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::task::{Reason, TaskStatus};
use store::Tx;
use store::credential::{Credential, retention};
use store::task::Task;

use crate::tasks::{Cause, stop};
use crate::{Ctx, Error, Refusal};

/// Time that a password is stored after the last task that needs it.
pub const KEPT: TimeDelta = TimeDelta::days(30);
/// Time between the owner's notification and the deletion.
pub const NOTIFIED_BEFORE: TimeDelta = TimeDelta::days(7);

/// Returns the time at which a password is deleted whose tasks have all been stopped since `since`.
/// It is never earlier than [`NOTIFIED_BEFORE`] after the owner's notification.
#[must_use]
pub fn leaves_at(since: Instant, notified_at: Option<Instant>) -> Instant {
    let notified = notified_at.filter(|at| *at >= since).map(|at| at + NOTIFIED_BEFORE);
    notified.unwrap_or(since + KEPT).max(since + KEPT)
}

/// Returns the time since which all of these tasks are stopped, or `None` if one is not.
#[must_use]
pub fn resting_since(tasks: &[Task]) -> Option<Instant> {
    let rests = |task: &Task| matches!(task.status, TaskStatus::Stopped | TaskStatus::Error);
    tasks.iter().all(rests).then(|| tasks.iter().map(|task| task.status_since).max()).flatten()
}

/// Removes a password. Submitted tasks that need it stop with the reason; others are deleted.
///
/// # Errors
/// Returns [`Refusal::AccountBusy`] while a booking with it is in progress or its outcome is
/// unknown, or an error if the database fails.
pub async fn remove(ctx: &Ctx, tx: &mut Tx, credential: &Credential) -> Result<(), Error> {
    let mut ids: Vec<_> = store::task::of_credential(tx, credential.id).await?.iter().map(|t| t.id).collect();
    // Locks are taken in the order of ids, so that two transactions never deadlock.
    ids.sort_unstable();
    for id in &ids {
        store::lock::exclusive(tx, id.0).await?;
    }
    if retention::is_busy(tx, credential.id).await? {
        return Err(Refusal::AccountBusy.into());
    }
    for task in store::task::of_credential(tx, credential.id).await? {
        end_task(ctx, tx, &task).await?;
    }
    Ok(retention::remove(tx, credential, ctx.wall.now()).await?)
}

async fn end_task(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<(), Error> {
    if matches!(task.status, TaskStatus::Draft | TaskStatus::Configured) {
        store::task::delete(tx, task.id, ctx.wall.now()).await?;
        return Ok(());
    }
    let says_more = |r: Reason| r.makes_impossible() || r.waits_for_settlement();
    if task.status == TaskStatus::Error && task.reason.is_some_and(says_more) {
        return Ok(store::booking_attempt::release_prepared(tx, task.id, ctx.portal_time.now()).await?);
    }
    stop(ctx, tx, task, Cause::PasswordRemoved).await.map(|_| ())
}
