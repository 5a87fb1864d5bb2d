//! Database row of a payment.

use chrono::{DateTime, Utc};
use domain::ids::{CardPaymentId, UserId};
use domain::money::{Currency, Money};
use uuid::Uuid;

use super::Payment;
use crate::Error;

/// Builds a statement that reads a `Row` of each payment that matches the condition.
macro_rules! select_payments {
    ($condition:literal) => {
        concat!(
            "SELECT id, user_id, intent_id, asked, currency, method, description, state, provider_status, received,
               refunded, disputed, created_at, credited_at, next_read_at, readings
             FROM card_payment ",
            $condition
        )
    };
}
pub(super) use select_payments;

#[derive(sqlx::FromRow)]
pub(super) struct Row {
    id: Uuid,
    user_id: Uuid,
    intent_id: String,
    asked: i64,
    currency: String,
    method: String,
    description: Option<String>,
    state: String,
    provider_status: String,
    received: Option<i64>,
    refunded: i64,
    disputed: i64,
    created_at: DateTime<Utc>,
    credited_at: Option<DateTime<Utc>>,
    next_read_at: Option<DateTime<Utc>>,
    readings: i64,
}

impl TryFrom<Row> for Payment {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let currency = Currency::parse(&row.currency).ok_or(Error::Corrupt("card_payment.currency"))?;
        let state = row.state.parse();
        let money = |minor| Money { minor, currency };
        Ok(Self {
            id: CardPaymentId(row.id),
            user: UserId(row.user_id),
            intent_id: row.intent_id,
            asked: money(row.asked),
            method: row.method.parse().map_err(|_| Error::Corrupt("card_payment.method"))?,
            description: row.description,
            state: state.map_err(|_| Error::Corrupt("card_payment.state"))?,
            provider_status: row.provider_status,
            received: row.received.map(money),
            refunded: money(row.refunded),
            disputed: money(row.disputed),
            created_at: row.created_at,
            credited_at: row.credited_at,
            next_read_at: row.next_read_at,
            readings: row.readings,
        })
    }
}
