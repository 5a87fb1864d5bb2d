//! Looks: one calendar fetched through one poll source.

use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::ids::TaskId;
use inference::planner::ChoiceReason;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::gateway::lists::fetch;
use crate::jobs::JobOutcome;

/// Fetches one calendar through one poll source and shares what it saw.
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
    tracing::debug!(calendar = %key, ?reason, "looking");
    let poll = async {
        crate::gateway::session::ensure(gateway, &mut lease, &task, Spend::SignIn).await?;
        fetch(gateway, &mut lease, &task, key, reason.as_str()).await
    };
    let (seen, ()) = tokio::join!(poll, crate::gateway::connections::open_ahead(gateway, key));
    match seen {
        Ok(Some(noted)) => Ok(JobOutcome::Observed(lease, noted)),
        Ok(None) => lease.finish().await.map(|()| JobOutcome::Done),
        Err(error) => {
            lease.mark_dirty();
            crate::gateway::recovery::recover(gateway, &mut lease, &task, error).await?;
            lease.finish().await.map(|()| JobOutcome::Done)
        }
    }
}
