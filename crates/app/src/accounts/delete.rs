//! Deletion of an account: ends tasks, releases holds, forfeits the remaining balance, and erases
//! all personal data. The ledger remains under a pseudonym.

use chrono::TimeDelta;
use domain::ids::{SessionId, UserId};
use domain::ledger::TransferKind;
use domain::money::Money;
use serde_json::json;
use store::card::own_refund;
use store::ledger::{self, DebitError};
use store::outbox::NewMail;
use store::{Tx, deletion, lock, session, task, user};

use super::AccountCtx;
use crate::{Ctx, Error, Refusal, money, tasks};

/// Amounts that the user gives up, as shown to the user.
#[derive(Clone, Copy, Debug)]
pub struct GivenUp {
    /// Whole balance.
    pub balance: Money,
    /// Part of it that could be refunded to a card instead.
    pub refundable: Money,
    /// Time after a payment within which it can be refunded; `None` if the server takes no cards.
    pub refund_deadline: Option<TimeDelta>,
}

/// Deletes the account of `user`, who is signed in by `session`, in the caller's transaction.
/// Returns the sessions that end.
///
/// # Errors
/// Returns [`Refusal::SignedOut`]. Returns [`Refusal::AccountBusy`] while a booking or refund is in
/// progress or a booking's outcome is unknown. Returns [`Refusal::BalanceChanged`], or
/// [`Refusal::RefundableChanged`] if more could be refunded than the user knows. Returns an error
/// if the database fails or the ledger is frozen.
pub async fn delete(
    ctx: &AccountCtx,
    tx: &mut Tx,
    user: UserId,
    session: SessionId,
    given_up: GivenUp,
) -> Result<Vec<SessionId>, Error> {
    let now = ctx.now();
    let forfeited = given_up.balance;
    // With the lock, the second of two concurrent deletions finds its session gone.
    lock::exclusive(tx, user.0).await?;
    if !session::is_live(tx, session, now).await? {
        return Err(Refusal::SignedOut.into());
    }
    let user = user::get(tx, user).await?.ok_or(Refusal::SignedOut)?;
    end_tasks(&ctx.ctx, tx, user.id, &given_up).await?;
    forfeit(&ctx.ctx, tx, user.id, &given_up).await?;
    let ended = session::revoke_all(tx, user.id, None, "deleted", now).await?;
    deletion::erase(tx, &user, now).await?;
    let mail = NewMail {
        // The row names no user.
        user: None,
        recipient: &user.email,
        language: &user.language,
        template: "account_deleted",
        data: &json!({ "forfeited": (forfeited.minor > 0).then(|| forfeited.to_string()) }),
        dedup_key: &format!("account_deleted:{}", user.id),
    };
    ctx.enqueue(tx, &mail).await?;
    Ok(ended)
}

/// Ends every task and resolves every hold, if nothing is in progress and the balance is the one
/// that was shown.
async fn end_tasks(ctx: &Ctx, tx: &mut Tx, user: UserId, given_up: &GivenUp) -> Result<(), Error> {
    let now = ctx.wall.now();
    // From here on the engine starts nothing for these tasks. Locks are taken in the order of ids,
    // so that two transactions never deadlock.
    for task in task::all_of_user(tx, user).await? {
        lock::exclusive(tx, task.id.0).await?;
    }
    if deletion::has_open_booking(tx, user).await? {
        return Err(Refusal::AccountBusy.into());
    }
    // With the lock, incoming money either waits for the deletion or is visible here. The user
    // never gives up an amount unknowingly.
    ledger::lock(tx, &ctx.random, user, now).await?;
    let balance = ledger::balance(tx, user).await?;
    if balance.total() != given_up.balance {
        return Err(Refusal::BalanceChanged(balance).into());
    }
    // A refund that fails would otherwise return to an account that does not exist.
    if own_refund::under_way(tx, user).await?.minor > 0 {
        return Err(Refusal::AccountBusy.into());
    }
    let tasks = task::all_of_user(tx, user).await?;
    for task in tasks.iter().filter(|task| task.deleted_at.is_none()) {
        tasks::delete(ctx, tx, task).await?;
    }
    // The hold of a task with recent alerts would wait for its final reading, but no password is
    // left for it.
    for task in &tasks {
        task::set_last_read(tx, task.id, None).await?;
        money::release(ctx, tx, task).await?;
    }
    for hold in ledger::open_holds(tx, user).await? {
        ledger::release(tx, &ctx.random, hold, now).await?;
    }
    for mut task in tasks {
        for person in &mut task.group.applicants {
            person.name = String::new();
            person.id = None;
        }
        task.group.ivr_account_number = None;
        task::set_group(tx, task.id, &task.group, now).await?;
    }
    Ok(())
}

/// Debits the remaining balance, so that no money stays under a pseudonym. All holds are released
/// by now. A refundable amount is forfeited only if the user agreed to it.
async fn forfeit(ctx: &Ctx, tx: &mut Tx, user: UserId, given_up: &GivenUp) -> Result<(), Error> {
    if let Some(deadline) = given_up.refund_deadline {
        let refundable = own_refund::after_release(tx, user, deadline, ctx.wall.now()).await?;
        if refundable.minor > given_up.refundable.minor {
            return Err(Refusal::RefundableChanged(refundable).into());
        }
    }
    let balance = ledger::balance(tx, user).await?;
    if balance.available.minor == 0 {
        return Ok(());
    }
    let left = (TransferKind::Forfeit, balance.available);
    match ledger::debit(tx, &ctx.random, user, left, ("user", user.0), ctx.wall.now()).await {
        Ok(_) => Ok(()),
        Err(DebitError::Insufficient { .. }) => Err(Refusal::BalanceChanged(balance).into()),
        Err(DebitError::Store(error)) => Err(error.into()),
    }
}
