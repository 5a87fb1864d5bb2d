//! Sends unspent card money back to the payments it came from, when the owner of the balance asks for it, and tells them.

use chrono::TimeDelta;
use domain::ids::{CardRefundId, UserId};
use domain::money::Money;
use serde_json::json;
use store::Tx;
use store::card::own_refund::{self, OwnRefundError};
use store::card::refund::{self, Refund};

use crate::{Ctx, Error, Refusal};

/// Takes `amount` from the balance of `user` in the caller's transaction and queues it for their payments, the newest first;
/// `deadline` is how long after a payment. The server sends it.
///
/// # Errors
/// [`Refusal::SignedOut`] when the account is gone; [`Refusal::RefundableChanged`]; [`Refusal::RefundsToday`]; when the database
/// fails or the books are frozen.
pub async fn ask_refund(
    ctx: &Ctx,
    tx: &mut Tx,
    user: UserId,
    amount: Money,
    deadline: TimeDelta,
) -> Result<Vec<Refund>, Error> {
    let now = ctx.wall.now();
    // An account that was being deleted is gone once it is our turn.
    store::ledger::lock(tx, &ctx.random, user, now).await?;
    if !store::user::is_still(tx, user, None).await? {
        return Err(Refusal::SignedOut.into());
    }
    let refunds = own_refund::ask(tx, &ctx.random, user, amount, deadline, now).await;
    let refunds = refunds.map_err(|error| match error {
        OwnRefundError::TooMuch { most } => Refusal::RefundableChanged(most).into(),
        OwnRefundError::TooOften { again_at } => Refusal::RefundsToday { wait: again_at - now }.into(),
        OwnRefundError::Store(error) => Error::Store(error),
    })?;
    if let Some(request) = refunds.first().and_then(|refund| refund.request) {
        tell(ctx, tx, user, amount, "asked", &format!("refund_asked:{request}")).await?;
    }
    Ok(refunds)
}

/// Writes down that the provider took a refund, and tells who asked for it: once.
///
/// # Errors
/// When the database fails.
pub async fn refund_sent(ctx: &Ctx, tx: &mut Tx, id: CardRefundId, provider_id: &str) -> Result<(), Error> {
    if refund::sent(tx, id, provider_id, ctx.wall.now()).await? {
        tell_owner(ctx, tx, id, "sent").await?;
    }
    Ok(())
}

/// Puts a refund that will not arrive into the balance again, and tells who asked for it: once. Returns whether this call did.
///
/// # Errors
/// When the database fails or the books are frozen.
pub async fn refund_failed(ctx: &Ctx, tx: &mut Tx, id: CardRefundId, why: &str) -> Result<bool, Error> {
    let changed = refund::failed(tx, &ctx.random, (id, why), ctx.wall.now()).await?;
    if changed {
        tell_owner(ctx, tx, id, "failed").await?;
    }
    Ok(changed)
}

/// Operators write themselves to those they refund.
async fn tell_owner(ctx: &Ctx, tx: &mut Tx, id: CardRefundId, state: &str) -> Result<(), Error> {
    match refund::by_id(tx, id).await? {
        Some(of) if of.request.is_some() => {
            tell(ctx, tx, of.user, of.amount, state, &format!("refund_{state}:{id}")).await
        }
        _ => Ok(()),
    }
}

async fn tell(
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
