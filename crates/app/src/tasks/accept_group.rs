//! Acceptance of a task's price after its group changed in size.

use domain::journal::JournalEvent;
use domain::money::Money;
use domain::task::{Reason, TaskStatus};
use store::task::Task;
use store::{Tx, ledger};

use super::start::resume;
use crate::money::{free, hold};
use crate::{Ctx, Error, Refusal};

/// Accepts the new price in the caller's transaction, which has locked the task. One hold for the
/// whole new price replaces the old one, and the task resumes. `expected_difference` (minor units)
/// is the value that the user saw.
///
/// # Errors
/// Returns [`Refusal::StatusChanged`] for a task that does not wait for this. Returns
/// [`Refusal::PriceChanged`], [`Refusal::Insufficient`], [`Refusal::InDebt`], [`Refusal::Action`]
/// or [`Refusal::GroupTaken`]. Returns an error if the database fails or the ledger is frozen.
pub async fn accept_group(
    ctx: &Ctx,
    tx: &mut Tx,
    task: &Task,
    expected_difference: Option<i64>,
) -> Result<(), Error> {
    let (id, now) = (task.id, ctx.wall.now());
    let waits = task.status == TaskStatus::Error && task.reason == Some(Reason::GroupChanged);
    let new = task.regrouped().filter(|_| waits).ok_or(Refusal::StatusChanged)?;
    ledger::lock(tx, &ctx.random, task.user_id, now).await?;
    if expected_difference.is_some_and(|seen| seen != new.difference) {
        return Err(Refusal::price_changed(task, new.price).into());
    }
    let available = ledger::balance(tx, task.user_id).await?.available;
    if new.difference > available.minor {
        return Err(Refusal::Insufficient { required: Money::cad(new.difference), available }.into());
    }
    // The ledger alone is used, so that the task keeps its codes.
    if let (None, Some(hold)) = (task.captured_at, task.hold_id) {
        ledger::release(tx, &ctx.random, hold, now).await?;
    }
    let hold = hold(ctx, tx, task, new.hold).await?;
    store::task::set_price(tx, id, new.price, hold, now).await?;
    if hold.is_none() && task.captured_at.is_none() {
        free(ctx, tx, task).await?;
    } else if hold.is_none() {
        store::task::set_captured(tx, id, 0, now).await?;
    }
    let event = JournalEvent::GroupAccepted {
        applicants: Some(new.price.applicants),
        difference: Some(Money::cad(new.difference).to_wire()),
    };
    ctx.journal(tx, id, &event).await?;
    resume(ctx, tx, task).await
}
