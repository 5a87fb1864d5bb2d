//! Payments at the card provider: stored before they can be paid, and credited once, however often
//! the provider reports them.

use domain::card::{LAPSE_AFTER, PaymentMethod};
use domain::clock::Instant;
use domain::ids::{CardPaymentId, UserId};
use domain::ledger::TransferKind;
use domain::money::Money;

use self::row::{Row, select_payments};
use crate::keyring::KeyRing;
use crate::ledger::{Disputed, Source};
use crate::{Error, Random, Tx, all, exec, ledger, one, referral, scalar};

pub mod dispute;
pub mod own_refund;
pub mod refund;
mod row;
pub mod unmatched_payment;

/// Source kind of a payment's credit in the ledger.
pub const SOURCE_PAYMENT: &str = "card_payment";

/// Takes money back that a payer got back from the provider or the bank. Voids bonuses first, so
/// that only paid-in money covers the amount; the rest becomes debt.
///
/// # Errors
/// Returns [`Error::Conflict`] for a second call with the same source. The transaction is still
/// usable then.
async fn take_back(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    amount: Money,
    source: Source,
    now: Instant,
) -> Result<Disputed, Error> {
    referral::void_all(tx, random, user, now).await?;
    ledger::dispute(tx, random, user, amount, source, now).await
}

/// Payment that a user is about to make.
#[derive(Clone, Debug)]
pub struct NewPayment<'a> {
    /// This service's id.
    pub id: CardPaymentId,
    /// User whose balance is credited.
    pub user: UserId,
    /// Provider's id.
    pub intent_id: &'a str,
    /// Requested amount.
    pub asked: Money,
    /// Payment method.
    pub method: PaymentMethod,
    /// Payer's own description.
    pub description: Option<&'a str>,
}

/// State of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum State {
    /// It may still be paid.
    Open,
    /// Paid and credited.
    Succeeded,
    /// It cannot be paid any more.
    Canceled,
    /// It was not paid for days.
    Lapsed,
}

impl State {
    /// Returns the stored text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Payment as stored.
#[derive(Clone, Debug)]
pub struct Payment {
    /// This service's id.
    pub id: CardPaymentId,
    /// User whose balance is credited.
    pub user: UserId,
    /// Provider's id.
    pub intent_id: String,
    /// Requested amount.
    pub asked: Money,
    /// Payment method.
    pub method: PaymentMethod,
    /// Payer's own description.
    pub description: Option<String>,
    /// Current state.
    pub state: State,
    /// Status last reported by the provider.
    pub provider_status: String,
    /// Received amount.
    pub received: Option<Money>,
    /// Part of the received amount that was refunded, or whose refund is pending.
    pub refunded: Money,
    /// Part of the received amount that the payer's bank reversed.
    pub disputed: Money,
    /// Time at which the payment was prepared.
    pub created_at: Instant,
    /// Time at which it was credited.
    pub credited_at: Option<Instant>,
    /// Time of its next reading at the provider.
    pub next_read_at: Option<Instant>,
    /// Number of times that the payment was read at the provider.
    pub readings: i64,
}

impl Payment {
    /// Returns the received amount without refunds and disputes.
    #[must_use]
    pub fn unrefunded(&self) -> Money {
        let received = self.received.map_or(0, |money| money.minor);
        Money { minor: (received - self.refunded.minor - self.disputed.minor).max(0), ..self.asked }
    }
}

/// Provider's report on a payment, in a signed message or as a response to a request.
#[derive(Clone, Debug)]
pub enum PaymentReport<'a> {
    /// Paid: the received amount, and the payment source.
    Paid(Money, PaidWith<'a>),
    /// It cannot be paid any more.
    Canceled,
    /// Any other status of the provider.
    Else(&'a str),
}

/// Payment source, by the provider's fingerprint.
#[derive(Clone, Copy, Debug)]
pub enum PaidWith<'a> {
    /// Card or wallet with this fingerprint.
    Known(&'a str),
    /// Payment source without a fingerprint.
    Nameless,
    /// Not reported yet: the payment will be read again.
    Unread,
}

/// Result of a provider's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportOutcome {
    /// This call credited the amount.
    Credited(Money),
    /// The report moves no money, or was known before.
    Nothing,
    /// No such payment is stored here: see [`unmatched_payment`].
    Unknown,
}

/// Inserts a payment that was prepared at the provider. Returns `false` if its intent is known
/// already.
///
/// This service's id may be derived from a key of the payer's, and the payer may reuse the key
/// after it was deleted everywhere. The payment prepared then is a different one and gets a new id.
pub async fn insert(
    tx: &mut Tx,
    random: &Random,
    new: &NewPayment<'_>,
    times: (Instant, Instant),
) -> Result<bool, Error> {
    for id in [new.id, CardPaymentId::new(times.0, random.bytes())] {
        if insert_as(tx, id, new, times).await? {
            return Ok(true);
        }
        if find(tx, new.intent_id).await?.is_some() {
            return Ok(false);
        }
    }
    Err(Error::Conflict("card_payment_id".to_owned()))
}

async fn insert_as(
    tx: &mut Tx,
    id: CardPaymentId,
    new: &NewPayment<'_>,
    (now, next_read_at): (Instant, Instant),
) -> Result<bool, Error> {
    let inserted = exec!(
        tx,
        "INSERT INTO card_payment (id, user_id, intent_id, asked, currency, description, state, provider_status,
           created_at, next_read_at, method)
         VALUES ($1, $2, $3, $4, $5, $6, 'open', 'requires_payment_method', $7, $8, $9) ON CONFLICT DO NOTHING",
        id.0,
        new.user.0,
        new.intent_id.to_owned(),
        new.asked.minor,
        new.asked.currency.code(),
        new.description.map(str::to_owned),
        now,
        next_read_at,
        new.method.as_str()
    )?;
    Ok(inserted == 1)
}

/// Applies the provider's report. Credits a paid payment exactly once.
///
/// If the payer's account was deleted meanwhile, the payment is refunded at once (by
/// [`refund::request`]).
///
/// # Errors
/// Returns [`Error::Frozen`] while the ledger is frozen. Nothing is lost then: the provider repeats
/// its report, and the payment is read again.
pub async fn apply_report(
    tx: &mut Tx,
    (ring, random): (&KeyRing, &Random),
    intent_id: &str,
    report: PaymentReport<'_>,
    now: Instant,
) -> Result<ReportOutcome, Error> {
    let (received, with) = match report {
        PaymentReport::Paid(received, with) => (received, with),
        PaymentReport::Canceled => return cancel(tx, intent_id).await,
        PaymentReport::Else(word) => return record_status(tx, intent_id, word).await,
    };
    // Locks the user's money first, in the same order as account deletion.
    if let Some(payment) = find(tx, intent_id).await? {
        ledger::lock(tx, random, payment.user, now).await?;
    }
    // Reads the payment again if its payment source was not reported.
    let next_read_at = matches!(with, PaidWith::Unread).then_some(now);
    let changed = exec!(
        tx,
        "UPDATE card_payment SET state = 'succeeded', provider_status = 'succeeded', received = $2, credited_at = $3,
           next_read_at = $4, readings = 0
         WHERE intent_id = $1 AND state <> 'succeeded'",
        intent_id.to_owned(),
        received.minor,
        now,
        next_read_at
    )?;
    let Some(payment) = find(tx, intent_id).await? else { return Ok(ReportOutcome::Unknown) };
    match with {
        PaidWith::Known(card) => saw_card(tx, ring, &payment, card, now).await?,
        PaidWith::Nameless => read_whole(tx, &payment).await?,
        PaidWith::Unread => {}
    }
    if changed == 0 {
        return Ok(ReportOutcome::Nothing);
    }
    let source = (SOURCE_PAYMENT, payment.id.0);
    ledger::credit(tx, random, payment.user, (TransferKind::Card, received), source, now).await?;
    if !crate::user::is_still(tx, payment.user, None).await? {
        // A deleted user cannot spend it.
        match refund::request(tx, random, (intent_id, None), Some("account deleted"), now).await {
            Ok(_) | Err(refund::RefundError::NothingLeft { .. }) => {}
            Err(refund::RefundError::Store(error)) => return Err(error),
            Err(_) => return Err(Error::Corrupt("card_payment")),
        }
    }
    Ok(ReportOutcome::Credited(received))
}

async fn cancel(tx: &mut Tx, intent_id: &str) -> Result<ReportOutcome, Error> {
    exec!(
        tx,
        "UPDATE card_payment SET state = 'canceled', provider_status = 'canceled', next_read_at = NULL
         WHERE intent_id = $1 AND state IN ('open', 'lapsed')",
        intent_id.to_owned()
    )?;
    moved_nothing(tx, intent_id).await
}

async fn record_status(tx: &mut Tx, intent_id: &str, word: &str) -> Result<ReportOutcome, Error> {
    exec!(
        tx,
        "UPDATE card_payment SET provider_status = $2 WHERE intent_id = $1 AND state = 'open'",
        intent_id.to_owned(),
        word.to_owned()
    )?;
    moved_nothing(tx, intent_id).await
}

async fn moved_nothing(tx: &mut Tx, intent_id: &str) -> Result<ReportOutcome, Error> {
    Ok(if find(tx, intent_id).await?.is_some() { ReportOutcome::Nothing } else { ReportOutcome::Unknown })
}

/// Records the fingerprint of the card or wallet that paid. Two accounts with the same one get no
/// referral rewards from each other.
async fn saw_card(
    tx: &mut Tx,
    ring: &KeyRing,
    payment: &Payment,
    card: &str,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO payment_card (user_id, card_fp, first_seen_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        payment.user.0,
        ring.fingerprint(&format!("payment-card|{card}")).to_vec(),
        now
    )?;
    read_whole(tx, payment).await
}

/// Ends the readings of a payment.
async fn read_whole(tx: &mut Tx, payment: &Payment) -> Result<(), Error> {
    let sql = "UPDATE card_payment SET next_read_at = NULL WHERE id = $1 AND state = 'succeeded'";
    exec!(tx, sql, payment.id.0)?;
    Ok(())
}

/// Returns the payment of an intent.
pub async fn find(tx: &mut Tx, intent_id: &str) -> Result<Option<Payment>, Error> {
    let row = one!(tx, Row, select_payments!("WHERE intent_id = $1"), intent_id.to_owned())?;
    row.map(Payment::try_from).transpose()
}

/// Returns payments of one user or of all, newest first.
pub async fn list(tx: &mut Tx, user: Option<UserId>, limit: i64) -> Result<Vec<Payment>, Error> {
    let rows = all!(
        tx,
        Row,
        select_payments!("WHERE user_id = COALESCE($1, user_id) ORDER BY created_at DESC, id DESC LIMIT $2"),
        user.map(|id| id.0),
        limit
    )?;
    rows.into_iter().map(Payment::try_from).collect()
}

/// Returns `true` if any card payment was credited at or after `since`.
pub async fn was_paid_since(tx: &mut Tx, since: Instant) -> Result<bool, Error> {
    let paid = "SELECT EXISTS (SELECT 1 FROM card_payment WHERE state = 'succeeded' AND credited_at >= $1)";
    scalar!(tx, bool, paid, since)
}

/// Returns payments whose reading at the provider is due.
pub async fn due(tx: &mut Tx, now: Instant, limit: i64) -> Result<Vec<Payment>, Error> {
    let rows = all!(
        tx,
        Row,
        select_payments!("WHERE next_read_at <= $1 ORDER BY next_read_at LIMIT $2"),
        now,
        limit
    )?;
    rows.into_iter().map(Payment::try_from).collect()
}

/// Claims a due reading and sets the time of the next one. Returns `false` if another process
/// claimed it first.
pub async fn claim(tx: &mut Tx, payment: &Payment, next_read_at: Option<Instant>) -> Result<bool, Error> {
    let changed = exec!(
        tx,
        "UPDATE card_payment SET next_read_at = $3, readings = readings + 1
         WHERE id = $1 AND next_read_at = $2",
        payment.id.0,
        payment.next_read_at,
        next_read_at
    )?;
    Ok(changed == 1)
}

/// Gives up an open payment that cannot be cancelled at the provider.
pub async fn lapse(tx: &mut Tx, id: CardPaymentId) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE card_payment SET state = 'lapsed', next_read_at = NULL WHERE id = $1 AND state = 'open'",
        id.0
    )?;
    Ok(())
}

/// Errors of [`give_up`]. The transaction is still usable after all but [`GiveUpError::Store`].
#[derive(Debug, thiserror::Error)]
pub enum GiveUpError {
    /// There is no such payment.
    #[error("there is no such payment")]
    Unknown,
    /// The payment has ended already.
    #[error("the payment has ended: {}", .0.as_str())]
    Ended(State),
    /// It may still be paid, or the provider may still report its end.
    #[error("the payment could still succeed; the server reads it until {}", .until.format("%Y-%m-%d %H:%M UTC"))]
    MayCome {
        /// Time at which the server gives it up by itself, if the provider responds.
        until: Instant,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Ends a payment for an operator, if the provider never reports its end. It is not read any more.
/// If it was paid after all, the provider's message still credits it ([`apply_report`]).
pub async fn give_up(tx: &mut Tx, intent_id: &str, now: Instant) -> Result<Payment, GiveUpError> {
    let payment = find(tx, intent_id).await?.ok_or(GiveUpError::Unknown)?;
    let until = payment.created_at + LAPSE_AFTER;
    match payment.state {
        State::Open if now <= until => Err(GiveUpError::MayCome { until }),
        State::Open => {
            lapse(tx, payment.id).await?;
            find(tx, intent_id).await?.ok_or(GiveUpError::Unknown)
        }
        ended => Err(GiveUpError::Ended(ended)),
    }
}

/// Deletes a user's descriptions when the account is deleted. The payments stay, because the ledger
/// depends on them. The keyed hashes of the cards also stay, because a promotion applies once per
/// card holder, whatever the account.
pub async fn forget_words(tx: &mut Tx, user: UserId) -> Result<(), Error> {
    exec!(tx, "UPDATE card_payment SET description = NULL WHERE user_id = $1", user.0)?;
    Ok(())
}
