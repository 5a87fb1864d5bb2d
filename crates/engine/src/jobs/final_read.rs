//! One last look at the portal for a task that told its user of a slot and is not followed any more: did they take it?

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::budget::Spend;
use domain::ids::TaskId;
use portal::PortalError;
use store::task::Task;

use crate::Fault;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{Lent, Turn};
use crate::jobs::JobOutcome;
use crate::persist::final_read::resolve;

/// How long a read waits for its account's budget before it counts as impossible.
const PATIENCE: TimeDelta = TimeDelta::hours(12);

/// Reads the groups page once; what it shows decides whether the hold is captured or, where the task is over, goes back.
/// Unreadable is as if nothing had been taken.
pub(crate) async fn last_read(gateway: &Gateway, task: TaskId, lent: Lent) -> Result<JobOutcome, Fault> {
    let mut tx = gateway.records.db.read().await?;
    let found = store::task::get(&mut tx, task).await?;
    tx.commit().await?;
    let Some((task, due)) = found.and_then(|task| task.last_read_at.map(|at| (task, at))) else {
        return Ok(JobOutcome::Done);
    };
    let mut turn = Turn::begin(lent).await?;
    let mut read = read(gateway, &mut turn, &task).await;
    if matches!(read, Err(Fault::Portal(PortalError::SignedOut))) {
        // The session of three days ago is over; the password still is there.
        crate::gateway::session::forget(gateway, &mut turn).await?;
        read = self::read(gateway, &mut turn, &task).await;
    }
    turn.finish().await?;
    if matches!(read, Err(Fault::Rest(_))) && gateway.records.portal_time.now() < due + PATIENCE {
        // Nothing was asked of the portal: the next sweep tries again.
        return Ok(JobOutcome::Done);
    }
    let booked = read.unwrap_or_else(|fault| {
        tracing::warn!(%fault, task = %task.id, "a task that told of a slot could not be read once more");
        None
    });
    resolve(&gateway.records, task.id, booked, due).await.map(|()| JobOutcome::Done)
}

async fn read(gateway: &Gateway, turn: &mut Turn, task: &Task) -> Result<Option<Slot>, Fault> {
    let session = crate::gateway::session::ensure(gateway, turn, task, Spend::SignIn).await?;
    turn.allowed(Spend::Other, gateway.records.portal_time.now())?;
    let groups = gateway.client.groups(&turn.meter, &session).await?;
    turn.settle_budget(gateway.records.portal_time.now());
    gateway.host_answered(turn.account);
    let page = groups.iter().find(|g| g.portal_schedule_id == task.portal_schedule_id);
    Ok(page
        .and_then(|page| crate::gateway::translate::translate(page, task.group.fee_paid_on))
        .and_then(|read| read.booked))
}
