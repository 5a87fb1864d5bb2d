//! Payments taken back by the payer's bank: what is there goes back, the rest is owed.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{CardPaymentId, uuid_v7};
use domain::money::Money;
use uuid::Uuid;

use super::find;
use crate::{Error, Random, Tx, all, exec, ledger, one, referral};

/// The source kinds of what a dispute takes, and of what one that was won gives back.
const SOURCES: [&str; 2] = ["card_dispute", "card_dispute_won"];

/// Where a dispute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum State {
    /// The bank has the money until it decides.
    Open,
    /// It came back.
    Won,
    /// It did not.
    Lost,
}

impl State {
    /// The stored word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// What became of what the provider said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Taken by this call: from the balance, and what is owed.
    Taken(ledger::Disputed),
    /// Given back by this call.
    Reinstated(Money),
    /// Known before.
    Nothing,
    /// The payment is not here, or was not credited yet: to be told again.
    NotYet,
}

/// A dispute.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Dispute {
    /// Our id.
    pub id: Uuid,
    /// The provider's id.
    pub dispute_id: String,
    /// Minor units.
    pub amount: i64,
    /// `open`, `won` or `lost`.
    pub state: String,
    /// From the balance, minor units.
    pub taken: i64,
    /// Owed since, minor units.
    pub owed: i64,
    /// When we heard of it.
    pub created_at: DateTime<Utc>,
    /// When the bank decided.
    pub closed_at: Option<DateTime<Utc>>,
}

/// Does what the provider says of a dispute that moves money, in any order and however often: takes once, gives back once.
/// Bonuses that hang on the payer are void with it, and stay so.
pub async fn hear(
    tx: &mut Tx,
    random: &Random,
    (dispute_id, intent_id): (&str, &str),
    (amount, state): (Money, State),
    now: Instant,
) -> Result<Heard, Error> {
    let Some(user) = find(tx, intent_id).await?.filter(|p| p.received.is_some()).map(|p| p.user) else {
        return Ok(Heard::NotYet);
    };
    referral::lock_circle(tx, random, user, now).await?;
    let payment = find(tx, intent_id).await?.ok_or(Error::Corrupt("card_payment"))?;
    match by_provider_id(tx, dispute_id).await? {
        None => {
            let id = uuid_v7(now, random.bytes());
            let closed_at = (state != State::Open).then_some(now);
            // One that was won before we heard of it never took anything.
            let nothing = ledger::Disputed { taken: Money::cad(0), owed: Money::cad(0) };
            let took = match state {
                State::Won => nothing,
                _ => {
                    // What was given because of this payment goes first, so that only money covers the rest.
                    referral::void_all(tx, random, user, now).await?;
                    ledger::dispute(tx, random, user, amount, (SOURCES[0], id), now).await?
                }
            };
            exec!(
                tx,
                "INSERT INTO card_dispute (id, dispute_id, payment_id, amount, state, taken, owed, created_at, closed_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                id,
                dispute_id.to_owned(),
                payment.id.0,
                amount.minor,
                state.as_str(),
                took.taken.minor,
                took.owed.minor,
                now,
                closed_at
            )?;
            if state == State::Won {
                return Ok(Heard::Nothing);
            }
            count(tx, payment.id, amount.minor).await?;
            Ok(Heard::Taken(took))
        }
        Some(known) if known.state == "open" && state != State::Open => {
            close(tx, &known, state, now).await?;
            if state == State::Lost {
                return Ok(Heard::Nothing);
            }
            let back = Money { minor: known.taken + known.owed, ..amount };
            ledger::reinstate(tx, random, user, back, (SOURCES[1], known.id), now).await?;
            count(tx, payment.id, -known.amount).await?;
            Ok(Heard::Reinstated(back))
        }
        Some(_) => Ok(Heard::Nothing),
    }
}

/// Disputes of a payment, the newest first.
pub async fn of_payment(tx: &mut Tx, payment: CardPaymentId) -> Result<Vec<Dispute>, Error> {
    all!(
        tx,
        Dispute,
        "SELECT id, dispute_id, amount, state, taken, owed, created_at, closed_at FROM card_dispute
         WHERE payment_id = $1 ORDER BY created_at DESC, id DESC",
        payment.0
    )
}

async fn by_provider_id(tx: &mut Tx, dispute_id: &str) -> Result<Option<Dispute>, Error> {
    one!(
        tx,
        Dispute,
        "SELECT id, dispute_id, amount, state, taken, owed, created_at, closed_at FROM card_dispute
         WHERE dispute_id = $1",
        dispute_id.to_owned()
    )
}

async fn close(tx: &mut Tx, dispute: &Dispute, state: State, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE card_dispute SET state = $2, closed_at = $3 WHERE id = $1",
        dispute.id,
        state.as_str(),
        now
    )?;
    Ok(())
}

async fn count(tx: &mut Tx, payment: CardPaymentId, change: i64) -> Result<(), Error> {
    exec!(tx, "UPDATE card_payment SET disputed = disputed + $2 WHERE id = $1", payment.0, change)?;
    Ok(())
}
