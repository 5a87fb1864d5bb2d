//! Deletes an account: tasks end, holds are released, what is left is given up, and everything personal is erased. The books
//! stay under a pseudonym.

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

/// What somebody who leaves gives up, as they saw it.
#[derive(Clone, Copy, Debug)]
pub struct GivenUp {
    /// The whole balance.
    pub balance: Money,
    /// What of it could be refunded to a card instead.
    pub refundable: Money,
    /// How long after a payment it can be; none where no cards are taken.
    pub refund_deadline: Option<TimeDelta>,
}

/// Deletes the account of `user`, who is signed in by `session`, in the caller's transaction. Returns the sign-ins that end.
///
/// # Errors
/// [`Refusal::SignedOut`]; [`Refusal::AccountBusy`] while a booking is under way or its outcome unknown, or a refund on its way;
/// [`Refusal::BalanceChanged`]; [`Refusal::RefundableChanged`] when more could be refunded than is given up knowingly; when the
/// database fails or the books are frozen.
pub async fn delete(
    ctx: &AccountCtx,
    tx: &mut Tx,
    user: UserId,
    session: SessionId,
    given_up: GivenUp,
) -> Result<Vec<SessionId>, Error> {
    let now = ctx.now();
    let forfeited = given_up.balance;
    // Of two deletions at once the second finds its sign-in gone.
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

/// Ends every task and resolves every hold, if nothing is under way and the balance is the one that was shown.
async fn end_tasks(ctx: &Ctx, tx: &mut Tx, user: UserId, given_up: &GivenUp) -> Result<(), Error> {
    let now = ctx.wall.now();
    // From here on nothing begins to act for any of them; in the order of their ids, so that two transactions never deadlock.
    for task in task::all_of_user(tx, user).await? {
        lock::exclusive(tx, task.id.0).await?;
    }
    if deletion::has_open_booking(tx, user).await? {
        return Err(Refusal::AccountBusy.into());
    }
    // Whatever comes in waits for the end of the account, or is seen here: nothing is given up unasked.
    ledger::lock(tx, &ctx.random, user, now).await?;
    let balance = ledger::balance(tx, user).await?;
    if balance.total() != given_up.balance {
        return Err(Refusal::BalanceChanged(balance).into());
    }
    // One that does not arrive would come back to nobody.
    if own_refund::under_way(tx, user).await?.minor > 0 {
        return Err(Refusal::AccountBusy.into());
    }
    let tasks = task::all_of_user(tx, user).await?;
    for task in tasks.iter().filter(|task| task.deleted_at.is_none()) {
        tasks::delete(ctx, tx, task).await?;
    }
    // Of tasks that told of a slot the hold would wait for a last poll; there is no password left to poll with.
    for task in &tasks {
        task::set_last_read(tx, task.id, None).await?;
        money::release(ctx, tx, task).await?;
    }
    for hold in deletion::open_holds(tx, user).await? {
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

/// What is left leaves the account, so that no money stands under a pseudonym. Holds are released by now; what could go back to
/// a card instead is only given up by who said so.
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
