//! Final reading job: one more reading of the groups page for an ended task, before its hold is
//! resolved. The task notified its user of a slot, and the engine no longer polls for the task. The
//! job reads the portal once more, to find out if the user booked that slot.

use chrono::TimeDelta;
use domain::appointment::Appointment;
use domain::budget::Spend;
use domain::ids::TaskId;
use portal::PortalError;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::gateway::pages::prove_left;
use crate::gateway::translate::{Details, translate};
use crate::jobs::JobOutcome;
use crate::persist::final_read::resolve;

/// Time during which a failed read is retried before the appointment counts as unreadable.
const MAX_WAIT: TimeDelta = TimeDelta::hours(12);

/// Reads the groups page once. The result decides if the hold is captured or, if the task has
/// ended, released.
///
/// A page that cannot be read is read again, with growing pauses. After [`MAX_WAIT`], or with a
/// rejected password, it counts as a page that shows no booking.
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
        // The session may have ended since the notification; the password is still stored.
        crate::gateway::session::forget(gateway, &mut lease).await?;
        read = self::read(gateway, &mut lease, &task).await;
    }
    lease.finish().await?;
    let now = gateway.records.portal_time.now();
    if let Err(JobError::Portal(portal_error)) = &read {
        gateway.outward.failed(task.portal_account_id.0.as_u128(), portal_error, now);
    }
    let booked = match read {
        Ok(booked) => booked,
        // A failure of the database or the lease proves nothing about the portal.
        Err(error @ (JobError::Store(_) | JobError::NotLeading)) => return Err(error),
        Err(error) if may_pass(&error) && now < due + MAX_WAIT => return Err(error),
        Err(error) => {
            tracing::warn!(%error, task = %task.id, "failed to read the final appointment; assuming that it is unchanged");
            None
        }
    };
    resolve(&gateway.records, task.id, booked, due).await.map(|()| JobOutcome::Done)
}

/// Returns `true` if a later reading may succeed. It cannot after a rejected password, which is
/// never tried again.
const fn may_pass(error: &JobError) -> bool {
    !matches!(error, JobError::Portal(PortalError::CredentialsRejected) | JobError::Secret | JobError::Gone)
}

async fn read(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
) -> Result<Option<Appointment>, JobError> {
    let session = crate::gateway::session::ensure(gateway, lease, task, Spend::SignIn).await?;
    let page = crate::gateway::pages::groups(gateway, lease, &session).await?;
    let Some(group) = page.group(&task.portal_schedule_id) else {
        // A group that has left the account holds no appointment that could be charged for.
        let left = prove_left(gateway, lease, &session, &page, &task.portal_schedule_id).await;
        return left.map(|()| None);
    };
    translate(group, task.country, Details::of(&task.group))
        .ok()
        .map(|read| read.booked)
        .ok_or(JobError::Unreadable)
}
