//! Money on its way back to the card it came from: never more than is unspent of that payment.

use domain::clock::Instant;
use domain::ids::{CardPaymentId, CardRefundId, UserId};
use domain::ledger::TransferKind;
use domain::money::Money;
use uuid::Uuid;

use self::row::Row;
use super::{Payment, find};
use crate::ledger::{self, DebitError};
use crate::{Error, Random, Tx, all, exec, one, scalar};

mod row;

/// The source kind of what a refund takes, of what a refused one gives back, and of what one by hand leaves owed.
const SOURCES: [&str; 3] = ["card_refund", "card_refund_failed", "card_refund_owed"];

/// A refund.
#[derive(Clone, Debug)]
pub struct Refund {
    /// Our id, under which the provider gives back once.
    pub id: CardRefundId,
    /// The payment.
    pub payment: CardPaymentId,
    /// The provider's id of the payment.
    pub intent_id: String,
    /// Whose it was.
    pub user: UserId,
    /// How much.
    pub amount: Money,
    /// `pending`, `sent` or `failed`.
    pub state: String,
    /// The provider's id of the refund.
    pub provider_id: Option<String>,
    /// The request of the balance's owner that it is part of; none where an operator asked, or the provider was asked by hand.
    pub request: Option<Uuid>,
    /// Made by hand at the provider.
    pub outside: bool,
    /// Why, in the operator's words.
    pub note: Option<String>,
    /// The provider's word for a failure.
    pub failure: Option<String>,
    /// How often the provider was asked.
    pub tries: i64,
    /// When it is asked the next time.
    pub next_try_at: Option<Instant>,
    /// When it was decided.
    pub created_at: Instant,
    /// When it was sent or refused.
    pub settled_at: Option<Instant>,
}

/// Why nothing is given back. The transaction is still usable after all but [`RefundError::Store`].
#[derive(Debug, thiserror::Error)]
pub enum RefundError {
    /// No such payment, or it was never paid.
    #[error("no such payment, or it was not paid")]
    Unknown,
    /// Everything of it is spent or has gone back.
    #[error(
        "nothing of it can go back: {unrefunded} of the payment, {available} of the balance came by card"
    )]
    NothingLeft {
        /// Of the payment.
        unrefunded: Money,
        /// Of the balance, what came by card.
        available: Money,
    },
    /// More was asked for than can go back.
    #[error("at most {most} can go back")]
    TooMuch {
        /// What can.
        most: Money,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// What of a payment can go back: what is unrefunded of it, and no more than there is of card money: codes that came after the
/// payment was spent are no money of the card's.
///
/// # Errors
/// [`RefundError::Unknown`] for a payment that is not there or was not paid.
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

/// Takes `amount` (all that can go back, when left out) of a payment from the balance, and queues it for the provider: the
/// server sends it. Write an audit row in the same transaction.
pub async fn ask(
    tx: &mut Tx,
    random: &Random,
    (intent_id, amount): (&str, Option<Money>),
    note: Option<&str>,
    now: Instant,
) -> Result<Refund, RefundError> {
    let user = find(tx, intent_id).await?.ok_or(RefundError::Unknown)?.user;
    // Two refunds of one person go one after the other.
    ledger::lock(tx, random, user, now).await?;
    let (payment, most) = most(tx, intent_id).await?;
    let amount = amount.unwrap_or(most);
    if amount.minor > most.minor || amount.minor <= 0 {
        return Err(RefundError::TooMuch { most });
    }
    Ok(queue(tx, random, &payment, amount, note, now).await?)
}

/// Takes from the balance what goes back to a payment, and queues it. The account is locked, and has it.
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
        DebitError::Insufficient { .. } => Error::Refused("a refund of more than there is".to_owned()),
    })
}

/// What became of a refund that was made by hand at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// So much was taken from the balance.
    Taken(Money),
    /// It was known, or it is of nobody's payment here.
    Nothing,
    /// The provider has given back more than is left beside what we are about to ask for: it will refuse ours, and then this is
    /// to be followed.
    Later,
}

/// Follows a refund that was made by hand at the provider, which knows it by `provider_id`: once, and what is not there any
/// more is owed.
pub async fn follow(
    tx: &mut Tx,
    random: &Random,
    (intent_id, provider_id, amount): (&str, &str, Money),
    now: Instant,
) -> Result<Followed, Error> {
    let Some(user) = find(tx, intent_id).await?.map(|payment| payment.user) else {
        return Ok(Followed::Nothing);
    };
    crate::referral::lock_circle(tx, random, user, now).await?;
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
        ledger::dispute(tx, random, user, rest, (SOURCES[2], id.0), now).await?;
    }
    Ok(Followed::Taken(fresh))
}

/// Refunds the provider is to be asked for now.
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

/// Refunds of a payment, the newest first.
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

/// How many refunds wait for the provider.
pub async fn waiting(tx: &mut Tx) -> Result<i64, Error> {
    scalar!(tx, i64, "SELECT COUNT(*) FROM card_refund WHERE state = 'pending'")
}

/// Takes a try that is due, and says when the next one is; false when another process was faster.
pub async fn take(tx: &mut Tx, refund: &Refund, next_try_at: Instant) -> Result<bool, Error> {
    let changed = exec!(
        tx,
        "UPDATE card_refund SET next_try_at = $3, tries = tries + 1 WHERE id = $1 AND next_try_at = $2",
        refund.id.0,
        refund.next_try_at,
        next_try_at
    )?;
    Ok(changed == 1)
}

/// The provider gave it back; false when that was known.
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

/// Gives a refund by hand that was followed before its id was kept this id; false when there is none of this amount.
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

/// The provider refuses it, at once or later (the card's bank did not take it): the balance gets it again, once.
pub async fn failed(
    tx: &mut Tx,
    random: &Random,
    (id, why): (CardRefundId, &str),
    now: Instant,
) -> Result<bool, Error> {
    let known = by_id(tx, id).await?.ok_or(Error::Corrupt("card_refund"))?;
    // People's money first, as everywhere: so no two wait for each other.
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

/// Our refund that the provider knows by `provider_id`, or under the key that it was asked for: that it was sent may not be
/// written down yet.
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

/// One refund.
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
