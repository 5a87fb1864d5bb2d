//! Restart of a stopped task.

use domain::condition::TaskCondition;
use domain::journal::JournalEvent;
use domain::task::TaskStatus;
use domain::task::actions::{self, Action};
use serde_json::json;
use store::Tx;
use store::credential::binding::{self, SecretStatus};
use store::task::Task;

use super::demand;
use crate::money::hold_again;
use crate::{Ctx, Error, Refusal};

/// Restarts a task in the caller's transaction, which has locked it. A released hold is placed
/// again. If its codes are used up meanwhile, `expected_total` (minor units) must be the new price.
///
/// # Errors
/// Returns [`Refusal::Action`], [`Refusal::PriceChanged`], [`Refusal::Insufficient`],
/// [`Refusal::InDebt`], [`Refusal::GroupTaken`] or [`Refusal::StatusChanged`]. Returns an error if
/// the database fails or the ledger is frozen.
pub async fn start(ctx: &Ctx, tx: &mut Tx, task: &Task, expected_total: Option<i64>) -> Result<(), Error> {
    demand(ctx, tx, task, Action::Start).await?;
    hold_again(ctx, tx, task, expected_total).await?;
    resume(ctx, tx, task).await?;
    Ok(ctx.journal(tx, task.id, &JournalEvent::Started {}).await?)
}

/// Sets the task to processing. The engine reads the groups page first and then decides by the
/// portal's data.
pub(super) async fn resume(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<(), Error> {
    demand_password(tx, task).await?;
    let now = ctx.wall.now();
    let step = (task.status, TaskStatus::Processing);
    match store::task::set_status(tx, task.id, step, None, now).await {
        Ok(true) => {}
        Ok(false) => return Err(Refusal::StatusChanged.into()),
        Err(store::Error::Conflict(_)) => return Err(Refusal::GroupTaken { own: Vec::new() }.into()),
        Err(error) => return Err(error.into()),
    }
    Ok(store::task::set_condition(tx, task.id, TaskCondition::WaitingFirstPoll, &json!({}), None, now)
        .await?)
}

/// Refuses a task that has no portal password of its own, or one that the portal has rejected. The
/// task must not use sessions opened with other users' passwords.
pub(super) async fn demand_password(tx: &mut Tx, task: &Task) -> Result<(), Error> {
    let bound = match task.credential_id {
        Some(id) => binding::bound(tx, id).await?,
        None => None,
    };
    let refusal = match bound.map(|bound| bound.standing) {
        Some(SecretStatus::Valid | SecretStatus::Untested) => return Ok(()),
        Some(SecretStatus::Rejected) => actions::ActionRefusal::NeedsNewPassword,
        None => actions::ActionRefusal::CredentialsRemoved,
    };
    Err(Refusal::Action(refusal).into())
}
