//! Looks: one calendar fetched through one poll source.

use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::ids::TaskId;
use inference::planner::Why;

use crate::Fault;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{Lent, Turn};
use crate::gateway::lists::fetch;
use crate::jobs::JobOutcome;

/// Fetches one calendar through one poll source and shares what it saw.
pub(crate) async fn poll(
    gateway: &Gateway,
    task: TaskId,
    lent: Lent,
    key: &CalendarKey,
    reason: Why,
) -> Result<JobOutcome, Fault> {
    let Some(task) = gateway.records.known_task(task).await? else {
        return Ok(JobOutcome::Done);
    };
    let mut turn = Turn::begin(lent).await?;
    tracing::debug!(calendar = %key, ?reason, "looking");
    let poll = async {
        crate::gateway::session::ensure(gateway, &mut turn, &task, Spend::SignIn).await?;
        fetch(gateway, &mut turn, &task, key, reason.as_str()).await
    };
    let (seen, ()) = tokio::join!(poll, crate::gateway::connections::open_ahead(gateway, key));
    match seen {
        Ok(Some(noted)) => Ok(JobOutcome::Observed(turn, noted)),
        Ok(None) => turn.finish().await.map(|()| JobOutcome::Done),
        Err(fault) => {
            turn.stir();
            crate::gateway::recovery::react(gateway, &mut turn, &task, fault).await?;
            turn.finish().await.map(|()| JobOutcome::Done)
        }
    }
}
