//! Refunds to the card of a payment: never more than its unspent part.

use domain::clock::Instant;
use domain::ids::{CardPaymentId, CardRefundId, UserId};
use domain::ledger::TransferKind;
use domain::money::Money;
use uuid::Uuid;

use self::row::Row;
use super::{Payment, find, take_back};
use crate::ledger::{self, DebitError};
use crate::{Error, Random, Tx, all, exec, one, scalar};

mod row;

/// Source kinds of a refund's debit, of the credit after a refused one, and of the debt after a
/// manual one.
const SOURCES: [&str; 3] = ["card_refund", "card_refund_failed", "card_refund_owed"];

/// Refund of a card payment.
#[derive(Clone, Debug)]
pub struct Refund {
    /// This service's id, sent to the provider as idempotency key.
    pub id: CardRefundId,
    /// Payment that is refunded.
    pub payment: CardPaymentId,
    /// Provider's id of the payment.
    pub intent_id: String,
    /// User who paid.
    pub user: UserId,
    /// Amount of the refund.
    pub amount: Money,
    /// State: `pending`, `sent` or `failed`.
    pub state: String,
    /// Provider's id of the refund.
    pub provider_id: Option<String>,
    /// Request of the balance's owner that the refund is part of. `None` if an operator requested
    /// it, or if it was made manually at the provider.
    pub request: Option<Uuid>,
    /// `true` if it was made manually at the provider.
    pub outside: bool,
    /// Operator's note.
    pub note: Option<String>,
    /// Provider's reason for a failure.
    pub failure: Option<String>,
    /// Number of requests to the provider.
    pub tries: i64,
    /// Time of the next request.
    pub next_try_at: Option<Instant>,
    /// Time at which the refund was decided.
    pub created_at: Instant,
    /// Time at which it was sent or refused.
    pub settled_at: Option<Instant>,
}

/// Errors of [`request`]. The transaction is still usable after all but [`RefundError::Store`].
#[derive(Debug, thiserror::Error)]
pub enum RefundError {
    /// There is no such payment, or it was never paid.
    #[error("no such payment, or it was not paid")]
    Unknown,
    /// All of it is spent or refunded.
    #[error("nothing can be refunded: {unrefunded} of the payment, {available} of the balance came by card")]
    NothingLeft {
        /// Unrefunded part of the payment.
        unrefunded: Money,
        /// Part of the balance that was paid by card.
        available: Money,
    },
    /// The amount exceeds what can be refunded.
    #[error("at most {most} can be refunded")]
    TooMuch {
        /// Maximum refundable amount.
        most: Money,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Returns a payment and its maximum refundable amount: its unrefunded part, limited to the
/// available card money. Balance from codes redeemed after the payment was spent is not card money.
///
/// # Errors
/// Returns [`RefundError::Unknown`] for a payment that is not stored or was not paid. Returns
/// [`RefundError::NothingLeft`] if nothing can be refunded.
pub async fn most(tx: &mut Tx, intent_id: &str) -> Result<(Payment, Money), RefundError> {
    let payment = find(tx, intent_id).await?.filter(|p| p.received.is_some()).ok_or(RefundError::Unknown)?;
    let available = ledger::refundable(tx, payment.user).await?;
    let unrefunded = payment.unrefunded();
    let most = Money { minor: unrefunded.minor.min(available.minor).max(0), ..unrefunded };
    if most.minor == 0 {
        return Err(RefundError::NothingLeft { unrefunded, available });
    }
    Ok((payment, most))
}

/// Takes `amount` (or all that is refundable) of a payment from the balance and queues a refund.
/// The server sends it. The caller writes an audit row in the same transaction.
pub async fn request(
    tx: &mut Tx,
    random: &Random,
    (intent_id, amount): (&str, Option<Money>),
    note: Option<&str>,
    now: Instant,
) -> Result<Refund, RefundError> {
    let user = find(tx, intent_id).await?.ok_or(RefundError::Unknown)?.user;
    // Serialises two refunds of one user.
    ledger::lock(tx, random, user, now).await?;
    let (payment, most) = most(tx, intent_id).await?;
    let amount = amount.unwrap_or(most);
    if amount.minor > most.minor || amount.minor <= 0 {
        return Err(RefundError::TooMuch { most });
    }
    Ok(queue(tx, random, &payment, amount, note, now).await?)
}

/// Takes the amount from the balance and queues a refund. The caller has locked the account, and
/// its balance covers the amount.
pub(super) async fn queue(
    tx: &mut Tx,
    random: &Random,
    payment: &Payment,
    amount: Money,
    note: Option<&str>,
    now: Instant,
) -> Result<Refund, Error> {
    let id = CardRefundId::new(now, random.bytes());
    insert(tx, (id, payment.id, amount), Some(now), (false, note), now).await?;
    count(tx, payment.id, amount.minor).await?;
    take_from_balance(tx, random, payment.user, amount, id, now).await?;
    by_id(tx, id).await?.ok_or(Error::Corrupt("card_refund"))
}

async fn take_from_balance(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    amount: Money,
    id: CardRefundId,
    now: Instant,
) -> Result<(), Error> {
    let taken =
        ledger::debit(tx, random, user, (TransferKind::Refund, amount), (SOURCES[0], id.0), now).await;
    taken.map(|_| ()).map_err(|error| match error {
        DebitError::Store(error) => error,
        DebitError::Insufficient { .. } => {
            Error::Refused("a refund of more than the available balance".to_owned())
        }
    })
}

/// Result of a refund that was made manually at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// The amount was taken from the user.
    Taken(Money),
    /// The refund was known, or belongs to no payment here.
    Nothing,
    /// The provider refunded more than is left beside the pending refunds of this service. It will
    /// refuse the pending ones, and this refund must be recorded after that.
    Later,
}

/// Records a refund that was made manually at the provider, with the provider's id `provider_id`,
/// exactly once. The part that the balance does not cover becomes debt.
pub async fn follow(
    tx: &mut Tx,
    random: &Random,
    (intent_id, provider_id, amount): (&str, &str, Money),
    now: Instant,
) -> Result<Followed, Error> {
    let Some(user) = find(tx, intent_id).await?.map(|payment| payment.user) else {
        return Ok(Followed::Nothing);
    };
    crate::referral::lock_referral_users(tx, random, user, now).await?;
    let Some(payment) = find(tx, intent_id).await? else { return Ok(Followed::Nothing) };
    if by_provider_id(tx, provider_id).await?.is_some() || is_named(tx, &payment, provider_id, amount).await?
    {
        return Ok(Followed::Nothing);
    }
    let received = payment.received.map_or(0, |money| money.minor);
    let fresh = amount.minor.min(received - payment.refunded.minor);
    if fresh < amount.minor && is_waiting(tx, payment.id).await? {
        return Ok(Followed::Later);
    }
    if fresh <= 0 {
        return Ok(Followed::Nothing);
    }
    let fresh = Money { minor: fresh, ..amount };
    let id = CardRefundId::new(now, random.bytes());
    insert(tx, (id, payment.id, fresh), None, (true, Some("made at the provider")), now).await?;
    exec!(tx, "UPDATE card_refund SET provider_id = $2 WHERE id = $1", id.0, provider_id.to_owned())?;
    count(tx, payment.id, fresh.minor).await?;
    let there = ledger::balance(tx, user).await?.available.minor.min(fresh.minor);
    if there > 0 {
        take_from_balance(tx, random, user, Money { minor: there, ..fresh }, id, now).await?;
    }
    if there < fresh.minor {
        let rest = Money { minor: fresh.minor - there, ..fresh };
        take_back(tx, random, user, rest, (SOURCES[2], id.0), now).await?;
    }
    Ok(Followed::Taken(fresh))
}

/// Returns refunds whose request to the provider is due.
pub async fn due(tx: &mut Tx, now: Instant, limit: i64) -> Result<Vec<Refund>, Error> {
    let ids = all!(
        tx,
        (Uuid,),
        "SELECT id FROM card_refund WHERE next_try_at <= $1 ORDER BY next_try_at LIMIT $2",
        now,
        limit
    )?;
    whole(tx, ids).await
}

/// Returns the refunds of a payment, newest first.
pub async fn of_payment(tx: &mut Tx, payment: CardPaymentId) -> Result<Vec<Refund>, Error> {
    let ids = all!(
        tx,
        (Uuid,),
        "SELECT id FROM card_refund WHERE payment_id = $1 ORDER BY created_at DESC, id DESC",
        payment.0
    )?;
    whole(tx, ids).await
}

async fn is_waiting(tx: &mut Tx, payment: CardPaymentId) -> Result<bool, Error> {
    let sql = "SELECT COUNT(*) FROM card_refund WHERE payment_id = $1 AND state = 'pending'";
    Ok(scalar!(tx, i64, sql, payment.0)? > 0)
}

/// Counts the pending refunds.
pub async fn waiting(tx: &mut Tx) -> Result<i64, Error> {
    scalar!(tx, i64, "SELECT COUNT(*) FROM card_refund WHERE state = 'pending'")
}

/// Claims a due try and sets the time of the next one. Returns `false` if another process claimed
/// it first.
pub async fn claim(tx: &mut Tx, refund: &Refund, next_try_at: Instant) -> Result<bool, Error> {
    let changed = exec!(
        tx,
        "UPDATE card_refund SET next_try_at = $3, tries = tries + 1 WHERE id = $1 AND next_try_at = $2",
        refund.id.0,
        refund.next_try_at,
        next_try_at
    )?;
    Ok(changed == 1)
}

/// Records that the provider sent a refund. Returns `false` if that was known.
pub async fn sent(tx: &mut Tx, id: CardRefundId, provider_id: &str, now: Instant) -> Result<bool, Error> {
    let changed = exec!(
        tx,
        "UPDATE card_refund SET state = 'sent', provider_id = $2, settled_at = $3, next_try_at = NULL
         WHERE id = $1 AND state = 'pending'",
        id.0,
        provider_id.to_owned(),
        now
    )?;
    Ok(changed == 1)
}

/// Sets the provider's id of a manual refund that was recorded without one. Returns `false` if
/// there is none of this amount.
async fn is_named(tx: &mut Tx, payment: &Payment, provider_id: &str, amount: Money) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE card_refund SET provider_id = $2 WHERE id = (SELECT id FROM card_refund
           WHERE payment_id = $1 AND outside AND provider_id IS NULL AND amount = $3 ORDER BY created_at, id LIMIT 1)",
        payment.id.0,
        provider_id.to_owned(),
        amount.minor
    )?;
    Ok(rows == 1)
}

/// Records that the provider refused a refund, at once or later (the card's bank did not accept
/// it). Credits the balance again, once. Returns `false` if that was known.
pub async fn failed(
    tx: &mut Tx,
    random: &Random,
    (id, why): (CardRefundId, &str),
    now: Instant,
) -> Result<bool, Error> {
    let known = by_id(tx, id).await?.ok_or(Error::Corrupt("card_refund"))?;
    // Locks the user's account first, as everywhere, so that no two transactions deadlock.
    ledger::lock(tx, random, known.user, now).await?;
    let changed = exec!(
        tx,
        "UPDATE card_refund SET state = 'failed', failure = $2, settled_at = $3, next_try_at = NULL
         WHERE id = $1 AND state <> 'failed'",
        id.0,
        why.to_owned(),
        now
    )?;
    if changed == 0 {
        return Ok(false);
    }
    count(tx, known.payment, -known.amount.minor).await?;
    let source = (SOURCES[1], id.0);
    ledger::credit(tx, random, known.user, (TransferKind::Card, known.amount), source, now).await?;
    Ok(true)
}

/// Finds a refund of this service by the provider's id `provider_id`, or by the idempotency key of
/// its request. The second is needed if the send is not recorded yet.
pub async fn find_sent(
    tx: &mut Tx,
    provider_id: &str,
    key: Option<&str>,
) -> Result<Option<CardRefundId>, Error> {
    match (by_provider_id(tx, provider_id).await?, key.and_then(|key| key.parse().ok())) {
        (None, Some(id)) => Ok(by_id(tx, id).await?.map(|refund| refund.id)),
        (known, _) => Ok(known),
    }
}

async fn by_provider_id(tx: &mut Tx, provider_id: &str) -> Result<Option<CardRefundId>, Error> {
    let found =
        one!(tx, (Uuid,), "SELECT id FROM card_refund WHERE provider_id = $1", provider_id.to_owned())?;
    Ok(found.map(|(id,)| CardRefundId(id)))
}

async fn insert(
    tx: &mut Tx,
    (id, payment, amount): (CardRefundId, CardPaymentId, Money),
    next_try_at: Option<Instant>,
    (outside, note): (bool, Option<&str>),
    now: Instant,
) -> Result<(), Error> {
    let pending = next_try_at.is_some();
    exec!(
        tx,
        "INSERT INTO card_refund (id, payment_id, amount, state, outside, note, next_try_at, created_at, settled_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        id.0,
        payment.0,
        amount.minor,
        if pending { "pending" } else { "sent" },
        outside,
        note.map(str::to_owned),
        next_try_at,
        now,
        (!pending).then_some(now)
    )?;
    Ok(())
}

async fn count(tx: &mut Tx, payment: CardPaymentId, change: i64) -> Result<(), Error> {
    exec!(tx, "UPDATE card_payment SET refunded = refunded + $2 WHERE id = $1", payment.0, change)?;
    Ok(())
}

/// Returns one refund.
pub async fn by_id(tx: &mut Tx, id: CardRefundId) -> Result<Option<Refund>, Error> {
    let row = one!(
        tx,
        Row,
        "SELECT r.id, r.payment_id, p.intent_id, p.user_id, r.amount, r.state, r.provider_id, r.request_id, r.outside,
           r.note, r.failure, r.tries, r.next_try_at, r.created_at, r.settled_at
         FROM card_refund r JOIN card_payment p ON p.id = r.payment_id WHERE r.id = $1",
        id.0
    )?;
    Ok(row.map(Refund::from))
}

pub(super) async fn whole(tx: &mut Tx, ids: Vec<(Uuid,)>) -> Result<Vec<Refund>, Error> {
    let mut refunds = Vec::with_capacity(ids.len());
    for (id,) in ids {
        refunds.extend(by_id(tx, CardRefundId(id)).await?);
    }
    Ok(refunds)
}
