//! Refunds requested by the owner of a balance: the refundable amounts per payment, the request,
//! and its progress.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use domain::ids::{UserId, uuid_v7};
use domain::money::Money;
use domain::refund::{Paid, again_at, split};
use uuid::Uuid;

use super::refund::{Refund, queue, whole};
use super::{Payment, Row, select_payments};
use crate::{Error, Random, Tx, all, exec, ledger, scalar};

/// Refundable part of one payment.
#[derive(Clone, Debug)]
pub struct Part {
    /// Payment of the part.
    pub payment: Payment,
    /// Amount, if everything is refunded.
    pub amount: Money,
    /// Time until which it can be requested.
    pub until: Instant,
}

/// Refund offer for the owner of a balance.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Total refundable amount.
    pub total: Money,
    /// Parts by payment, newest payment first.
    pub parts: Vec<Part>,
    /// Card money whose payments are too old. Support decides about it.
    pub too_late: Money,
    /// Amount of pending refunds.
    pub under_way: Money,
    /// Time of the next allowed request, if there were too many today.
    pub again_at: Option<Instant>,
}

/// Errors of [`request`]. The transaction is still usable after all but [`OwnRefundError::Store`].
#[derive(Debug, thiserror::Error)]
pub enum OwnRefundError {
    /// The amount exceeds what can be refunded.
    #[error("at most {most} can be refunded")]
    TooMuch {
        /// Maximum refundable amount.
        most: Money,
    },
    /// There were too many requests today.
    #[error("requested too often; try again at {again_at}")]
    TooOften {
        /// Time of the next allowed request.
        again_at: Instant,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Returns the refund offer for `user` now. `deadline` is the time after a payment in which it can
/// be refunded, unless its method has a shorter one.
pub async fn offer(tx: &mut Tx, user: UserId, deadline: TimeDelta, now: Instant) -> Result<Offer, Error> {
    let (card, payments) = (card_money(tx, user).await?, paid(tx, user, deadline).await?);
    let known: Vec<Paid> = payments.iter().map(|(_, paid)| *paid).collect();
    let amounts = split(card, &known, now);
    let total: i64 = amounts.iter().sum();
    let unspent = card.min(known.iter().map(Paid::open).sum());
    let parts = payments.into_iter().zip(amounts).filter(|(_, minor)| *minor > 0);
    let parts = parts.map(|((payment, paid), minor)| {
        let amount = Money { minor, ..payment.asked };
        Part { payment, amount, until: paid.until }
    });
    Ok(Offer {
        total: Money::cad(total),
        parts: parts.collect(),
        too_late: Money::cad(unspent - total),
        under_way: under_way(tx, user).await?,
        again_at: again_at(&request_times(tx, user, now).await?, now),
    })
}

/// Returns the amount that `user` could have refunded if no money were on hold. Deleting the
/// account forfeits this amount.
pub async fn after_release(
    tx: &mut Tx,
    user: UserId,
    deadline: TimeDelta,
    now: Instant,
) -> Result<Money, Error> {
    // The released money first pays the debt.
    let (owed, balance) =
        (ledger::debt(tx, user).await?, ledger::balance_by_source_without_holds(tx, user).await?);
    let card = balance.card - (owed.minor - balance.code).clamp(0, balance.card);
    let known: Vec<Paid> = paid(tx, user, deadline).await?.into_iter().map(|(_, paid)| paid).collect();
    Ok(Money::cad(split(card, &known, now).iter().sum()))
}

/// Takes `amount` from the balance of `user` and queues refunds to its payments, newest first. The
/// server sends them. Writes nothing unless the whole amount can be refunded.
pub async fn request(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    amount: Money,
    deadline: TimeDelta,
    now: Instant,
) -> Result<Vec<Refund>, OwnRefundError> {
    crate::restore::refuse_until_read(tx).await?;
    // Serialises two requests of one user.
    ledger::lock(tx, random, user, now).await?;
    let offer = offer(tx, user, deadline, now).await?;
    if let Some(again_at) = offer.again_at {
        return Err(OwnRefundError::TooOften { again_at });
    }
    if amount.minor <= 0 || amount.minor > offer.total.minor {
        return Err(OwnRefundError::TooMuch { most: offer.total });
    }
    let request = uuid_v7(now, random.bytes());
    let mut rest = amount.minor;
    let mut refunds = Vec::new();
    for part in &offer.parts {
        let minor = rest.min(part.amount.minor);
        if minor == 0 {
            break;
        }
        rest -= minor;
        let part_amount = Money { minor, ..amount };
        let made = queue(tx, random, &part.payment, part_amount, Some("asked by its owner"), now).await?;
        exec!(tx, "UPDATE card_refund SET request_id = $2 WHERE id = $1", made.id.0, request)?;
        refunds.push(Refund { request: Some(request), ..made });
    }
    Ok(refunds)
}

/// Returns all refunds of a user, from any requester, newest first.
pub async fn of_user(tx: &mut Tx, user: UserId, limit: i64) -> Result<Vec<Refund>, Error> {
    let ids = all!(
        tx,
        (Uuid,),
        "SELECT r.id FROM card_refund r JOIN card_payment p ON p.id = r.payment_id WHERE p.user_id = $1
         ORDER BY r.created_at DESC, r.id DESC LIMIT $2",
        user.0,
        limit
    )?;
    whole(tx, ids).await
}

/// Returns the amount of refunds that the provider has not accepted yet.
pub async fn under_way(tx: &mut Tx, user: UserId) -> Result<Money, Error> {
    let minor = scalar!(
        tx,
        i64,
        "SELECT CAST(COALESCE(SUM(r.amount), 0) AS BIGINT) FROM card_refund r JOIN card_payment p ON p.id = r.payment_id
         WHERE p.user_id = $1 AND r.state = 'pending'",
        user.0
    )?;
    Ok(Money::cad(minor))
}

/// Returns the part of the balance that was paid by card: zero while the user has a debt.
async fn card_money(tx: &mut Tx, user: UserId) -> Result<i64, Error> {
    let owed = ledger::debt(tx, user).await?;
    Ok(if owed.minor > 0 { 0 } else { ledger::balance_by_source(tx, user).await?.card })
}

async fn paid(tx: &mut Tx, user: UserId, deadline: TimeDelta) -> Result<Vec<(Payment, Paid)>, Error> {
    let rows = all!(
        tx,
        Row,
        select_payments!("WHERE user_id = $1 AND received IS NOT NULL ORDER BY credited_at DESC, id DESC"),
        user.0
    )?;
    let mut payments = Vec::with_capacity(rows.len());
    for row in rows {
        let payment = Payment::try_from(row)?;
        let at = payment.credited_at.ok_or(Error::Corrupt("card_payment.credited_at"))?;
        let disputed = payment.disputed.minor > 0;
        let until = at + payment.method.refundable_for().map_or(deadline, |limit| limit.min(deadline));
        let paid = Paid { unrefunded: payment.unrefunded().minor, disputed, until };
        payments.push((payment, paid));
    }
    Ok(payments)
}

/// Returns the times of `user`'s requests within the last days.
async fn request_times(tx: &mut Tx, user: UserId, now: Instant) -> Result<Vec<Instant>, Error> {
    let rows = all!(
        tx,
        (DateTime<Utc>,),
        "SELECT MIN(r.created_at) FROM card_refund r JOIN card_payment p ON p.id = r.payment_id
         WHERE p.user_id = $1 AND r.request_id IS NOT NULL AND r.created_at > $2 GROUP BY r.request_id",
        user.0,
        now - TimeDelta::days(2)
    )?;
    Ok(rows.into_iter().map(|(at,)| at).collect())
}
