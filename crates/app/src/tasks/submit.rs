//! Submits configured tasks: places a hold for each price, and lets the engine start.

use domain::country::CountryCode;
use domain::criteria::{RequestedMode, SearchCriteria};
use domain::ids::UserId;
use domain::journal::JournalEvent;
use domain::money::Money;
use domain::pricing::CodeStatus;
use domain::task::TaskStatus;
use store::task::Task;
use store::{Tx, ledger};

use super::start::demand_password;
use super::submitted::{self, SubmittedTasks};
use crate::money::{CodeOutcome, Codes, TaskPrice, free, hold, price, reserve_codes};
use crate::{Ctx, Error, Refusal};

/// Request to submit tasks.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// Owner of the tasks.
    pub user: UserId,
    /// Tasks of that user, locked by the caller.
    pub tasks: &'a [Task],
    /// Codes as typed. A code without a discount refuses the submission.
    pub codes: Codes<'a>,
    /// Booking mode for all tasks, or `None` to keep the configured ones.
    pub mode: Option<RequestedMode>,
    /// Total that the user saw, in minor units.
    pub expected_total: Option<i64>,
    /// Countries whose booking pages were read once; `None` if that is not required. Elsewhere
    /// automatic tasks ask first for now.
    pub walked: Option<&'a [CountryCode]>,
}

/// Cost of a submission.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// Price of each task, in the order of the tasks.
    pub prices: Vec<TaskPrice>,
    /// Available balance before the submission.
    pub before: Money,
    /// Available balance after the submission.
    pub after: Money,
}

/// Submits all tasks in the caller's transaction, or none. Queues a mail that confirms it.
///
/// # Errors
/// Returns [`Refusal::StatusChanged`] for a task that is not configured. Returns
/// [`Refusal::Action`], [`Refusal::Promo`], [`Refusal::Referral`], [`Refusal::TotalChanged`],
/// [`Refusal::InDebt`], [`Refusal::Insufficient`] or [`Refusal::GroupTaken`]. Returns an error if
/// the database fails or the ledger is frozen.
pub async fn submit(ctx: &Ctx, tx: &mut Tx, submission: &Submission<'_>) -> Result<Receipt, Error> {
    let Submission { user, tasks, codes, mode, expected_total, .. } = *submission;
    for task in tasks {
        if task.status != TaskStatus::Configured {
            return Err(Refusal::StatusChanged.into());
        }
        demand_password(tx, task).await?;
    }
    // The lock serialises the submissions of one user, so that the values read below stay true.
    ledger::lock(tx, &ctx.random, user, ctx.wall.now()).await?;
    let price = price(ctx, tx, user, None, tasks, codes).await?;
    // The user expects the discount of a typed code.
    require_applied(price.promo.as_ref()).map_err(Refusal::Promo)?;
    require_applied(price.referral.as_ref()).map_err(Refusal::Referral)?;
    let total = price.total();
    if expected_total.is_some_and(|seen| seen != total) {
        return Err(Refusal::TotalChanged(price.tasks).into());
    }
    let (required, before) = (Money::cad(total), ledger::balance(tx, user).await?.available);
    let owed = ledger::debt(tx, user).await?;
    if owed.minor > 0 && total > 0 {
        return Err(Refusal::InDebt { required, owed }.into());
    }
    if before.minor < total {
        return Err(Refusal::Insufficient { required, available: before }.into());
    }
    for (task, price) in tasks.iter().zip(&price.tasks) {
        submit_one(ctx, tx, task, price, mode).await?;
    }
    let after = ledger::balance(tx, user).await?.available;
    let done = SubmittedTasks { user, tasks, prices: &price.tasks, walked: submission.walked };
    submitted::notify(ctx, tx, &done).await?;
    Ok(Receipt { prices: price.tasks, before, after })
}

fn require_applied(outcome: Option<&CodeOutcome>) -> Result<(), CodeStatus> {
    outcome.map(|code| code.status).filter(|status| *status != CodeStatus::Applied).map_or(Ok(()), Err)
}

async fn submit_one(
    ctx: &Ctx,
    tx: &mut Tx,
    task: &Task,
    price: &TaskPrice,
    mode: Option<RequestedMode>,
) -> Result<(), Error> {
    let (now, total) = (ctx.wall.now(), price.price.total);
    if let (Some(mode), Some(criteria)) = (mode, &task.criteria) {
        let criteria = SearchCriteria { mode: mode.after(criteria.mode), ..criteria.clone() };
        store::task::set_criteria(tx, task.id, &criteria, now).await?;
    }
    let hold = hold(ctx, tx, task, total).await?;
    // A conflict aborts the transaction, so the holders of the group are read before.
    let holders = store::task::of_group(tx, task.country, &task.portal_schedule_id).await?;
    match store::task::submit(tx, task.id, price.price, hold, now).await {
        Err(store::Error::Conflict(_)) => return Err(Refusal::group_taken(task, &holders).into()),
        Err(error) => return Err(error.into()),
        Ok(false) => return Err(Refusal::StatusChanged.into()),
        Ok(true) => {}
    }
    reserve_codes(ctx, tx, task, price).await?;
    if total == 0 {
        free(ctx, tx, task).await?;
    }
    Ok(ctx.journal(tx, task.id, &JournalEvent::Submitted { held: Money::cad(total).to_wire() }).await?)
}
