//! Deletes an account: tasks end, holds are released, what is left is given up, and everything personal is erased. The books
//! stay under a pseudonym.

use domain::ids::{SessionId, UserId};
use domain::ledger::TransferKind;
use domain::money::Money;
use serde_json::json;
use store::ledger::{self, DebitError};
use store::outbox::NewMail;
use store::{Tx, deletion, lock, session, task, user};

use super::AccountCtx;
use crate::{Ctx, Error, Refusal, money, tasks};

/// Deletes the account of `user`, who is signed in by `session`, in the caller's transaction; `forfeited` is the balance that
/// they saw and give up. Returns the sign-ins that end.
///
/// # Errors
/// [`Refusal::SignedOut`]; [`Refusal::AccountBusy`] while a booking is under way or its outcome unknown;
/// [`Refusal::BalanceChanged`]; when the database fails or the books are frozen.
pub async fn delete(
    ctx: &AccountCtx,
    tx: &mut Tx,
    user: UserId,
    session: SessionId,
    forfeited: Money,
) -> Result<Vec<SessionId>, Error> {
    let now = ctx.now();
    // Of two deletions at once the second finds its sign-in gone.
    lock::exclusive(tx, user.0).await?;
    if !session::is_live(tx, session, now).await? {
        return Err(Refusal::SignedOut.into());
    }
    let user = user::get(tx, user).await?.ok_or(Refusal::SignedOut)?;
    end_tasks(&ctx.ctx, tx, user.id, forfeited).await?;
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
async fn end_tasks(ctx: &Ctx, tx: &mut Tx, user: UserId, forfeited: Money) -> Result<(), Error> {
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
    if balance.total() != forfeited {
        return Err(Refusal::BalanceChanged(balance).into());
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
    forfeit(ctx, tx, user).await?;
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

/// What is left leaves the account, so that no money stands under a pseudonym.
async fn forfeit(ctx: &Ctx, tx: &mut Tx, user: UserId) -> Result<(), Error> {
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
