//! Deletion of a task.

use domain::journal::JournalEvent;
use store::Tx;
use store::task::Task;

use crate::{Ctx, Error};

/// Deletes a task in the caller's transaction, which has locked it. Its portal password is deleted
/// with the last task that needs it. Returns the released amount in minor units. While the ledger
/// is frozen, the hold is released later.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn delete(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<i64, Error> {
    let (wall, portal) = (ctx.wall.now(), ctx.portal_time.now());
    store::booking_attempt::release_prepared(tx, task.id, portal).await?;
    // While the outcome of a booking is unknown, the hold remains, but the task is hidden at once.
    let waits = store::booking_attempt::has_open(tx, task.id).await?;
    let released = if waits {
        0
    } else {
        crate::money::later_if_frozen(crate::money::release_unless_alerted(ctx, tx, task).await)?
    };
    store::task::delete(tx, task.id, wall).await?;
    store::credential::retention::remove_unneeded_of(tx, task, wall).await?;
    ctx.journal(tx, task.id, &JournalEvent::Deleted {}).await?;
    Ok(released)
}
