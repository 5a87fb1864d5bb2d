//! Refunds unspent card money to the original payments when the owner of the balance requests it,
//! and notifies the owner.

use chrono::TimeDelta;
use domain::ids::{CardRefundId, UserId};
use domain::money::Money;
use serde_json::json;
use store::Tx;
use store::card::own_refund::{self, OwnRefundError};
use store::card::refund::{self, Refund};

use crate::{Ctx, Error, Refusal};

/// Debits `amount` from the balance of `user` in the caller's transaction and queues refunds of
/// their payments, newest first. `deadline` is the time after a payment within which it can be
/// refunded. The server sends the refunds.
///
/// # Errors
/// Returns [`Refusal::SignedOut`] if the account is gone, [`Refusal::RefundableChanged`], or
/// [`Refusal::RefundsToday`]. Returns an error if the database fails or the ledger is frozen.
pub async fn ask_refund(
    ctx: &Ctx,
    tx: &mut Tx,
    user: UserId,
    amount: Money,
    deadline: TimeDelta,
) -> Result<Vec<Refund>, Error> {
    let now = ctx.wall.now();
    // After waiting for the lock, the account may have been deleted.
    store::ledger::lock(tx, &ctx.random, user, now).await?;
    if !store::user::is_still(tx, user, None).await? {
        return Err(Refusal::SignedOut.into());
    }
    let refunds = own_refund::request(tx, &ctx.random, user, amount, deadline, now).await;
    let refunds = refunds.map_err(|error| match error {
        OwnRefundError::TooMuch { most } => Refusal::RefundableChanged(most).into(),
        OwnRefundError::TooOften { again_at } => Refusal::RefundsToday { wait: again_at - now }.into(),
        OwnRefundError::Store(error) => Error::Store(error),
    })?;
    if let Some(request) = refunds.first().and_then(|refund| refund.request) {
        notify(ctx, tx, user, amount, "asked", &format!("refund_asked:{request}")).await?;
    }
    Ok(refunds)
}

/// Records that the provider accepted a refund and notifies its requester, once.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn refund_sent(ctx: &Ctx, tx: &mut Tx, id: CardRefundId, provider_id: &str) -> Result<(), Error> {
    if refund::sent(tx, id, provider_id, ctx.wall.now()).await? {
        tell_owner(ctx, tx, id, "sent").await?;
    }
    Ok(())
}

/// Returns a failed refund to the balance and notifies its requester, once. Returns `true` if this
/// call did so.
///
/// # Errors
/// Returns an error if the database fails or the ledger is frozen.
pub async fn refund_failed(ctx: &Ctx, tx: &mut Tx, id: CardRefundId, why: &str) -> Result<bool, Error> {
    let changed = refund::failed(tx, &ctx.random, (id, why), ctx.wall.now()).await?;
    if changed {
        tell_owner(ctx, tx, id, "failed").await?;
    }
    Ok(changed)
}

/// Notifies the requester. Refunds made by an operator send no mail, because operators write to
/// these users themselves.
async fn tell_owner(ctx: &Ctx, tx: &mut Tx, id: CardRefundId, state: &str) -> Result<(), Error> {
    match refund::by_id(tx, id).await? {
        Some(of) if of.request.is_some() => {
            notify(ctx, tx, of.user, of.amount, state, &format!("refund_{state}:{id}")).await
        }
        _ => Ok(()),
    }
}

async fn notify(
    ctx: &Ctx,
    tx: &mut Tx,
    user: UserId,
    amount: Money,
    state: &str,
    key: &str,
) -> Result<(), Error> {
    // A deleted account has no mailbox.
    if !store::user::is_still(tx, user, None).await? {
        return Ok(());
    }
    let available = store::ledger::balance(tx, user).await?.available.to_string();
    let data = json!({ "amount": amount.to_string(), "available": available, "state": state });
    Ok(store::outbox::enqueue_mail(tx, &ctx.random, user, "refund", key, &data, ctx.wall.now()).await?)
}
