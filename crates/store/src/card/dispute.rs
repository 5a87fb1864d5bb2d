//! Payments reversed by the payer's bank: the balance covers what it can, and the rest becomes
//! debt.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{CardPaymentId, uuid_v7};
use domain::money::Money;
use uuid::Uuid;

use super::{find, take_back};
use crate::{Error, Random, Tx, all, exec, ledger, one, referral};

/// Source kinds of a dispute's debit, and of the credit after a won dispute.
const SOURCES: [&str; 2] = ["card_dispute", "card_dispute_won"];

/// State of a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum State {
    /// The bank holds the money until it decides.
    Open,
    /// The money was returned to the operator.
    Won,
    /// The money was not returned to the operator.
    Lost,
}

impl State {
    /// Returns the stored text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Result of a provider's report on a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeOutcome {
    /// This call took the money: amounts from the balance and as debt.
    Taken(ledger::Disputed),
    /// This call reinstated the amount.
    Reinstated(Money),
    /// The report was known before.
    Nothing,
    /// The payment is not stored here or not credited yet. The provider must repeat its report.
    NotYet,
}

/// Dispute of a payment.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Dispute {
    /// This service's id.
    pub id: Uuid,
    /// Provider's id.
    pub dispute_id: String,
    /// Disputed amount, in minor units.
    pub amount: i64,
    /// State: `open`, `won` or `lost`.
    pub state: String,
    /// Amount taken from the balance, in minor units.
    pub taken: i64,
    /// Amount recorded as debt, in minor units.
    pub owed: i64,
    /// Time of the first report.
    pub created_at: DateTime<Utc>,
    /// Time of the bank's decision.
    pub closed_at: Option<DateTime<Utc>>,
}

/// Applies a provider's report on a dispute that moves money, in any order and however often: it
/// takes once and reinstates once. It also voids the bonuses that depend on the payer, permanently.
pub async fn apply_report(
    tx: &mut Tx,
    random: &Random,
    (dispute_id, intent_id): (&str, &str),
    (amount, state): (Money, State),
    now: Instant,
) -> Result<DisputeOutcome, Error> {
    let Some(user) = find(tx, intent_id).await?.filter(|p| p.received.is_some()).map(|p| p.user) else {
        return Ok(DisputeOutcome::NotYet);
    };
    referral::lock_referral_users(tx, random, user, now).await?;
    let payment = find(tx, intent_id).await?.ok_or(Error::Corrupt("card_payment"))?;
    match by_provider_id(tx, dispute_id).await? {
        None => {
            let id = uuid_v7(now, random.bytes());
            let closed_at = (state != State::Open).then_some(now);
            // A dispute that was won before its first report never took anything.
            let nothing = ledger::Disputed { taken: Money::cad(0), owed: Money::cad(0) };
            let took = match state {
                State::Won => nothing,
                _ => take_back(tx, random, user, amount, (SOURCES[0], id), now).await?,
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
                return Ok(DisputeOutcome::Nothing);
            }
            count(tx, payment.id, amount.minor).await?;
            Ok(DisputeOutcome::Taken(took))
        }
        Some(known) if known.state == "open" && state != State::Open => {
            close(tx, &known, state, now).await?;
            if state == State::Lost {
                return Ok(DisputeOutcome::Nothing);
            }
            let back = Money { minor: known.taken + known.owed, ..amount };
            ledger::reinstate(tx, random, user, back, (SOURCES[1], known.id), now).await?;
            count(tx, payment.id, -known.amount).await?;
            Ok(DisputeOutcome::Reinstated(back))
        }
        Some(_) => Ok(DisputeOutcome::Nothing),
    }
}

/// Returns the disputes of a payment, newest first.
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
