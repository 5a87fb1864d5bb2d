//! How portal passwords leave: when their owner says so, or long after the last task that needs them stopped.

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::task::{Reason, TaskStatus};
use store::Tx;
use store::credential::{Credential, retention};
use store::task::Task;

use crate::tasks::{Cause, stop};
use crate::{Ctx, Error, Refusal};

/// How long a password outlives the last task that needs it.
pub const KEPT: TimeDelta = TimeDelta::days(30);
/// How long before it leaves its owner is notified.
pub const NOTIFIED_BEFORE: TimeDelta = TimeDelta::days(7);

/// When a password leaves whose tasks have all rested since `since`: never sooner than a week after its owner was notified.
#[must_use]
pub fn leaves_at(since: Instant, notified_at: Option<Instant>) -> Instant {
    let notified = notified_at.filter(|at| *at >= since).map(|at| at + NOTIFIED_BEFORE);
    notified.unwrap_or(since + KEPT).max(since + KEPT)
}

/// Since when all of these tasks rest, if they do.
#[must_use]
pub fn resting_since(tasks: &[Task]) -> Option<Instant> {
    let rests = |task: &Task| matches!(task.status, TaskStatus::Stopped | TaskStatus::Error);
    tasks.iter().all(rests).then(|| tasks.iter().map(|task| task.status_since).max()).flatten()
}

/// Removes a password: submitted tasks that need it stop with the reason, unsubmitted ones are deleted.
///
/// # Errors
/// [`Refusal::AccountBusy`] while a booking with it is under way or its outcome unknown; when the database fails.
pub async fn remove(ctx: &Ctx, tx: &mut Tx, credential: &Credential) -> Result<(), Error> {
    let mut ids: Vec<_> = store::task::of_credential(tx, credential.id).await?.iter().map(|t| t.id).collect();
    // In the order of their ids, so that two transactions never deadlock.
    ids.sort_unstable();
    for id in &ids {
        store::lock::exclusive(tx, id.0).await?;
    }
    if retention::is_busy(tx, credential.id).await? {
        return Err(Refusal::AccountBusy.into());
    }
    for task in store::task::of_credential(tx, credential.id).await? {
        end(ctx, tx, &task).await?;
    }
    Ok(retention::remove(tx, credential, ctx.wall.now()).await?)
}

async fn end(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<(), Error> {
    if matches!(task.status, TaskStatus::Draft | TaskStatus::Configured) {
        store::task::delete(tx, task.id, ctx.wall.now()).await?;
        return Ok(());
    }
    let says_more = |r: Reason| r.makes_impossible() || r == Reason::BookingUnconfirmed;
    if task.status == TaskStatus::Error && task.reason.is_some_and(says_more) {
        return Ok(store::booking_attempt::release_prepared(tx, task.id, ctx.portal_time.now()).await?);
    }
    stop(ctx, tx, task, Cause::PasswordRemoved).await.map(|_| ())
}
