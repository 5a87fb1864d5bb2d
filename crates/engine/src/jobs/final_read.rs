//! One last look at the portal for a task that told its user of a slot and is not followed any more: did they take it?

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::budget::Spend;
use domain::ids::TaskId;
use portal::PortalError;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::gateway::translate::{Details, translate};
use crate::jobs::JobOutcome;
use crate::persist::final_read::resolve;

/// How long a read waits for its account's budget before it counts as impossible.
const MAX_WAIT: TimeDelta = TimeDelta::hours(12);

/// Reads the groups page once; what it shows decides whether the hold is captured or, where the task is over, goes back.
/// Unreadable is as if nothing had been taken.
pub(crate) async fn last_read(
    gateway: &Gateway,
    task: TaskId,
    guard: LeaseGuard,
) -> Result<JobOutcome, JobError> {
    let mut tx = gateway.records.db.read().await?;
    let found = store::task::get(&mut tx, task).await?;
    tx.commit().await?;
    let Some((task, due)) = found.and_then(|task| task.last_read_at.map(|at| (task, at))) else {
        return Ok(JobOutcome::Done);
    };
    let mut lease = AccountLease::begin(guard).await?;
    let mut read = read(gateway, &mut lease, &task).await;
    if matches!(read, Err(JobError::Portal(PortalError::SignedOut))) {
        // The session of three days ago is over; the password still is there.
        crate::gateway::session::forget(gateway, &mut lease).await?;
        read = self::read(gateway, &mut lease, &task).await;
    }
    lease.finish().await?;
    if matches!(read, Err(JobError::Rest(_))) && gateway.records.portal_time.now() < due + MAX_WAIT {
        // Nothing was asked of the portal: the next sweep tries again.
        return Ok(JobOutcome::Done);
    }
    let booked = read.unwrap_or_else(|error| {
        tracing::warn!(%error, task = %task.id, "a task that told of a slot could not be read once more");
        None
    });
    resolve(&gateway.records, task.id, booked, due).await.map(|()| JobOutcome::Done)
}

async fn read(gateway: &Gateway, lease: &mut AccountLease, task: &Task) -> Result<Option<Slot>, JobError> {
    let session = crate::gateway::session::ensure(gateway, lease, task, Spend::SignIn).await?;
    let groups = crate::gateway::pages::groups(gateway, lease, &session).await?;
    let page = groups.iter().find(|g| g.portal_schedule_id == task.portal_schedule_id);
    Ok(page.and_then(|page| translate(page, Details::of(&task.group))).and_then(|read| read.booked))
}
