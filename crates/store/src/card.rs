//! Payments at the card provider: known before they can be paid, credited once, however often the provider tells of them.

use domain::card::{LAPSE_AFTER, PaymentMethod};
use domain::clock::Instant;
use domain::ids::{CardPaymentId, UserId};
use domain::ledger::TransferKind;
use domain::money::Money;

use self::row::{Row, select_payments};
use crate::keyring::KeyRing;
use crate::{Error, Random, Tx, all, exec, ledger, one, scalar};

pub mod dispute;
pub mod own_refund;
pub mod refund;
mod row;
pub mod unmatched_payment;

/// The source kind of a payment's credit in the ledger.
pub const SOURCE_PAYMENT: &str = "card_payment";

/// A payment that somebody is about to make.
#[derive(Clone, Debug)]
pub struct NewPayment<'a> {
    /// Our id.
    pub id: CardPaymentId,
    /// Whose balance it is for.
    pub user: UserId,
    /// The provider's id.
    pub intent_id: &'a str,
    /// What was asked for.
    pub asked: Money,
    /// How it is paid.
    pub method: PaymentMethod,
    /// The payer's own words.
    pub description: Option<&'a str>,
}

/// Where a payment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum State {
    /// It may still be paid.
    Open,
    /// Paid and credited.
    Succeeded,
    /// It cannot be paid any more.
    Canceled,
    /// Nobody paid for days.
    Lapsed,
}

impl State {
    /// The stored word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A payment as we know it.
#[derive(Clone, Debug)]
pub struct Payment {
    /// Our id.
    pub id: CardPaymentId,
    /// Whose balance it is for.
    pub user: UserId,
    /// The provider's id.
    pub intent_id: String,
    /// What was asked for.
    pub asked: Money,
    /// How it is paid.
    pub method: PaymentMethod,
    /// The payer's own words.
    pub description: Option<String>,
    /// Where it stands.
    pub state: State,
    /// The provider's word as last heard.
    pub provider_status: String,
    /// What came in.
    pub received: Option<Money>,
    /// What of it went back, or is on its way back.
    pub refunded: Money,
    /// What of it the payer's bank has taken back.
    pub disputed: Money,
    /// When it was prepared.
    pub created_at: Instant,
    /// When it was credited.
    pub credited_at: Option<Instant>,
    /// When it is read at the provider the next time.
    pub next_read_at: Option<Instant>,
    /// How often it was.
    pub readings: i64,
}

impl Payment {
    /// What of it has neither gone back nor been taken back.
    #[must_use]
    pub fn unrefunded(&self) -> Money {
        let received = self.received.map_or(0, |money| money.minor);
        Money { minor: (received - self.refunded.minor - self.disputed.minor).max(0), ..self.asked }
    }
}

/// What the provider says of a payment, in a signed message or when asked.
#[derive(Clone, Debug)]
pub enum Said<'a> {
    /// Paid: so much came in, and by whom.
    Paid(Money, PaidWith<'a>),
    /// It cannot be paid any more.
    Canceled,
    /// Anything else, in its own word.
    Else(&'a str),
}

/// What a payment was paid with, as the provider tells one from another.
#[derive(Clone, Copy, Debug)]
pub enum PaidWith<'a> {
    /// A card or wallet of this fingerprint.
    Known(&'a str),
    /// Something that the provider has no fingerprint of.
    Nameless,
    /// Not said yet: it is read.
    Unread,
}

/// What became of what the provider said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Credited by this call.
    Credited(Money),
    /// Nothing that moves money, or known before.
    Nothing,
    /// No such payment here: see [`stray`].
    Unknown,
}

/// Keeps a payment that was prepared at the provider; false when its intent is known already.
///
/// Our id may follow from a key of the payer's, who may use it again once everybody has forgotten it: what is prepared then
/// is another payment, and gets an id of its own.
pub async fn keep(
    tx: &mut Tx,
    random: &Random,
    new: &NewPayment<'_>,
    times: (Instant, Instant),
) -> Result<bool, Error> {
    for id in [new.id, CardPaymentId::new(times.0, random.bytes())] {
        if insert(tx, id, new, times).await? {
            return Ok(true);
        }
        if find(tx, new.intent_id).await?.is_some() {
            return Ok(false);
        }
    }
    Err(Error::Conflict("card_payment_id".to_owned()))
}

async fn insert(
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

/// Does what the provider says: credits a payment that was made, once, ever.
///
/// A person who has left meanwhile gets it back at once ([`refund::ask`] is called for them).
///
/// # Errors
/// [`Error::Frozen`] while money is frozen: nothing is forgotten, the provider tells again and we read again.
pub async fn hear(
    tx: &mut Tx,
    (ring, random): (&KeyRing, &Random),
    intent_id: &str,
    said: Said<'_>,
    now: Instant,
) -> Result<Heard, Error> {
    let (received, with) = match said {
        Said::Paid(received, with) => (received, with),
        Said::Canceled => return cancel(tx, intent_id).await,
        Said::Else(word) => return note(tx, intent_id, word).await,
    };
    // Lock the user's money first, in the order in which deleting an account does.
    if let Some(payment) = find(tx, intent_id).await? {
        ledger::lock(tx, random, payment.user, now).await?;
    }
    // Read again for what it was paid with where that was not said.
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
    let Some(payment) = find(tx, intent_id).await? else { return Ok(Heard::Unknown) };
    match with {
        PaidWith::Known(card) => saw_card(tx, ring, &payment, card, now).await?,
        PaidWith::Nameless => read_whole(tx, &payment).await?,
        PaidWith::Unread => {}
    }
    if changed == 0 {
        return Ok(Heard::Nothing);
    }
    let source = (SOURCE_PAYMENT, payment.id.0);
    ledger::credit(tx, random, payment.user, (TransferKind::Card, received), source, now).await?;
    if !crate::user::is_still(tx, payment.user, None).await? {
        // Whoever is gone cannot spend it.
        match refund::ask(tx, random, (intent_id, None), Some("account deleted"), now).await {
            Ok(_) | Err(refund::RefundError::NothingLeft { .. }) => {}
            Err(refund::RefundError::Store(error)) => return Err(error),
            Err(_) => return Err(Error::Corrupt("card_payment")),
        }
    }
    Ok(Heard::Credited(received))
}

async fn cancel(tx: &mut Tx, intent_id: &str) -> Result<Heard, Error> {
    exec!(
        tx,
        "UPDATE card_payment SET state = 'canceled', provider_status = 'canceled', next_read_at = NULL
         WHERE intent_id = $1 AND state IN ('open', 'lapsed')",
        intent_id.to_owned()
    )?;
    known(tx, intent_id).await
}

async fn note(tx: &mut Tx, intent_id: &str, word: &str) -> Result<Heard, Error> {
    exec!(
        tx,
        "UPDATE card_payment SET provider_status = $2 WHERE intent_id = $1 AND state = 'open'",
        intent_id.to_owned(),
        word.to_owned()
    )?;
    known(tx, intent_id).await
}

async fn known(tx: &mut Tx, intent_id: &str) -> Result<Heard, Error> {
    Ok(if find(tx, intent_id).await?.is_some() { Heard::Nothing } else { Heard::Unknown })
}

/// Remembers which card or wallet paid, by the provider's word for it: two accounts with one are no friends of each other.
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

/// Nothing is left to be read of a payment.
async fn read_whole(tx: &mut Tx, payment: &Payment) -> Result<(), Error> {
    let sql = "UPDATE card_payment SET next_read_at = NULL WHERE id = $1 AND state = 'succeeded'";
    exec!(tx, sql, payment.id.0)?;
    Ok(())
}

/// The payment of an intent.
pub async fn find(tx: &mut Tx, intent_id: &str) -> Result<Option<Payment>, Error> {
    let row = one!(tx, Row, select_payments!("WHERE intent_id = $1"), intent_id.to_owned())?;
    row.map(Payment::try_from).transpose()
}

/// Payments, the newest first; of one user when given.
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

/// Whether anybody paid by card since then.
pub async fn was_paid_since(tx: &mut Tx, since: Instant) -> Result<bool, Error> {
    let paid = "SELECT EXISTS (SELECT 1 FROM card_payment WHERE state = 'succeeded' AND credited_at >= $1)";
    scalar!(tx, bool, paid, since)
}

/// Payments that are to be read at the provider now.
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

/// Takes a reading that is due, and says when the next one is; false when another process was faster.
pub async fn take(tx: &mut Tx, payment: &Payment, next_read_at: Option<Instant>) -> Result<bool, Error> {
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

/// Gives an open payment up that the provider does not let us cancel.
pub async fn lapse(tx: &mut Tx, id: CardPaymentId) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE card_payment SET state = 'lapsed', next_read_at = NULL WHERE id = $1 AND state = 'open'",
        id.0
    )?;
    Ok(())
}

/// Why a payment is not given up. The transaction is still usable after all but [`GiveUpError::Store`].
#[derive(Debug, thiserror::Error)]
pub enum GiveUpError {
    /// No such payment.
    #[error("there is no such payment")]
    Unknown,
    /// It has come to its end.
    #[error("it has ended: {}", .0.as_str())]
    Ended(State),
    /// It may still be paid, or the provider may still say how it ended.
    #[error("it could still succeed: the server follows it until {}", .until.format("%Y-%m-%d %H:%M UTC"))]
    MayCome {
        /// When the server gives it up by itself, if the provider answers.
        until: Instant,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Ends, for an operator, a payment whose end the provider never tells: nobody reads it any more. Should it have been paid
/// after all, the provider's message still credits it ([`hear`]).
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

/// Forgets a person's own words when they leave; the payments stay, since the books rest on them, and so do the keyed hashes of
/// their cards: promotions are once per person, whatever their account.
pub async fn forget_words(tx: &mut Tx, user: UserId) -> Result<(), Error> {
    exec!(tx, "UPDATE card_payment SET description = NULL WHERE user_id = $1", user.0)?;
    Ok(())
}
