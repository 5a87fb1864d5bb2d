//! Submits configured tasks: their price is set aside, and the engine begins.

use domain::booking::RequestedMode;
use domain::criteria::SearchCriteria;
use domain::ids::UserId;
use domain::journal::JournalEvent;
use domain::money::Money;
use domain::pricing::CodeStatus;
use domain::task::TaskStatus;
use store::task::Task;
use store::{Tx, ledger};

use super::start::demand_password;
use crate::money::{CodeOutcome, Codes, TaskPrice, free, hold, price, reserve_codes};
use crate::{Ctx, Error, Refusal};

/// What a user submits.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The user.
    pub user: UserId,
    /// Tasks of theirs, which the caller has locked.
    pub tasks: &'a [Task],
    /// Codes as they were typed; one that takes nothing off refuses the submission.
    pub codes: Codes<'a>,
    /// What the tasks do with a day; as configured where there is none.
    pub mode: Option<RequestedMode>,
    /// The total that the user saw, minor units.
    pub expected_total: Option<i64>,
}

/// What a submission cost.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// Each task's price, in their order.
    pub prices: Vec<TaskPrice>,
    /// The available balance before.
    pub before: Money,
    /// The available balance after.
    pub after: Money,
}

/// Submits all tasks in the caller's transaction, or none.
///
/// # Errors
/// [`Refusal::StatusChanged`] for a task that is not configured; [`Refusal::Action`], [`Refusal::Promo`],
/// [`Refusal::Referral`], [`Refusal::TotalChanged`], [`Refusal::InDebt`], [`Refusal::Insufficient`],
/// [`Refusal::GroupTaken`]; when the database fails or the books are frozen.
pub async fn submit(ctx: &Ctx, tx: &mut Tx, submission: &Submission<'_>) -> Result<Receipt, Error> {
    let Submission { user, tasks, codes, mode, expected_total } = *submission;
    for task in tasks {
        if task.status != TaskStatus::Configured {
            return Err(Refusal::StatusChanged.into());
        }
        demand_password(tx, task).await?;
    }
    // One person's submissions go one after the other from here on: what was counted for one of them stays true.
    ledger::lock(tx, &ctx.random, user, ctx.wall.now()).await?;
    let price = price(ctx, tx, user, None, tasks, codes).await?;
    // The user expects what the code takes off.
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
    // A conflict ends the transaction: who holds the group is read before.
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
