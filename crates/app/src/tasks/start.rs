//! Puts a task that rests back to work.

use domain::condition::TaskCondition;
use domain::task::TaskStatus;
use serde_json::json;
use store::Tx;
use store::credential::binding::{self, Standing};
use store::task::Task;

use crate::{Ctx, Error, Refusal};

/// Starts a task again in the caller's transaction, which has locked it. The groups page is read first, and what the portal
/// shows then decides. The hold is the caller's to take.
///
/// # Errors
/// What [`demand_password`] refuses; [`Refusal::GroupTaken`], [`Refusal::StatusChanged`]; when the database fails.
pub async fn start(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<(), Error> {
    demand_password(tx, task).await?;
    let now = ctx.wall.now();
    let step = (task.status, TaskStatus::Processing);
    match store::task::set_status(tx, task.id, step, None, now).await {
        Ok(true) => {}
        Ok(false) => return Err(Refusal::StatusChanged.into()),
        Err(store::Error::Conflict(_)) => return Err(Refusal::GroupTaken.into()),
        Err(error) => return Err(error.into()),
    }
    Ok(store::task::set_condition(tx, task.id, TaskCondition::WaitingFirstPoll, &json!({}), None, now)
        .await?)
}

/// Refuses a task whose own portal password the portal has rejected, or that has none: it must not work over sessions that
/// other people's passwords opened.
///
/// # Errors
/// [`Refusal::NeedsNewPassword`], [`Refusal::CredentialsRemoved`]; when the database fails.
pub async fn demand_password(tx: &mut Tx, task: &Task) -> Result<(), Error> {
    let bound = match task.credential_id {
        Some(id) => binding::bound(tx, id).await?,
        None => None,
    };
    match bound.map(|bound| bound.standing) {
        Some(Standing::Valid | Standing::Untested) => Ok(()),
        Some(Standing::Rejected) => Err(Refusal::NeedsNewPassword.into()),
        None => Err(Refusal::CredentialsRemoved.into()),
    }
}
