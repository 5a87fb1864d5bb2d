//! Poll job: requests the list of one calendar through one account.

use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::ids::TaskId;
use inference::planner::ChoiceReason;
use portal::PortalError;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::gateway::lists::fetch;
use crate::gateway::recovery::recover;
use crate::jobs::JobOutcome;
use crate::model::observe::PendingEffects;

/// Requests the list of one calendar through the account of `task`, and shares the dates with other
/// tasks.
pub(crate) async fn poll(
    gateway: &Gateway,
    task: TaskId,
    guard: LeaseGuard,
    key: &CalendarKey,
    reason: ChoiceReason,
) -> Result<JobOutcome, JobError> {
    let Some(task) = gateway.records.known_task(task).await? else {
        return Ok(JobOutcome::Done);
    };
    let mut lease = AccountLease::begin(guard).await?;
    tracing::debug!(calendar = %key, ?reason, "polling calendar");
    let poll = fetch_signed_in(gateway, &mut lease, &task, key, reason);
    let (mut seen, ()) = tokio::join!(poll, crate::gateway::connections::open_ahead(gateway, key));
    if matches!(seen, Err(JobError::Portal(PortalError::SignedOut))) {
        // The session had ended, so the list is still unknown. A new session shows it at once, if
        // the hourly budget allows a sign-in.
        lease.mark_dirty();
        recover(gateway, &mut lease, &task, PortalError::SignedOut.into()).await?;
        let may_sign_in = lease.allowed(Spend::SignIn, gateway.records.portal_time.now()).is_ok();
        if lease.session.is_none() && !may_sign_in {
            return lease.finish().await.map(|()| JobOutcome::Done);
        }
        seen = fetch_signed_in(gateway, &mut lease, &task, key, reason).await;
    }
    match seen {
        Ok(Some(noted)) => Ok(JobOutcome::Observed(lease, noted)),
        Ok(None) => lease.finish().await.map(|()| JobOutcome::Done),
        Err(error) => {
            lease.mark_dirty();
            let is_host = matches!(&error, JobError::Portal(portal_error) if portal_error.is_host_failure());
            if is_host {
                let now = gateway.records.portal_time.now();
                gateway.records.memory.update(|state| {
                    state.poll_plan.host_failed(key, &state.availability, now);
                });
            }
            recover(gateway, &mut lease, &task, error).await?;
            lease.finish().await.map(|()| JobOutcome::Done)
        }
    }
}

/// Requests the list of a calendar over a session of the task's own account, and signs in if there
/// is none.
async fn fetch_signed_in(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &store::task::Task,
    key: &CalendarKey,
    reason: ChoiceReason,
) -> Result<Option<PendingEffects>, JobError> {
    crate::gateway::session::ensure(gateway, lease, task, Spend::SignIn).await?;
    fetch(gateway, lease, task, key, reason.as_str()).await
}
