//! Database row of a refund.

use chrono::{DateTime, Utc};
use domain::ids::{CardPaymentId, CardRefundId, UserId};
use domain::money::Money;
use uuid::Uuid;

use super::Refund;

#[derive(sqlx::FromRow)]
pub(super) struct Row {
    id: Uuid,
    payment_id: Uuid,
    intent_id: String,
    user_id: Uuid,
    amount: i64,
    state: String,
    provider_id: Option<String>,
    request_id: Option<Uuid>,
    outside: bool,
    note: Option<String>,
    failure: Option<String>,
    tries: i64,
    next_try_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    settled_at: Option<DateTime<Utc>>,
}

impl From<Row> for Refund {
    fn from(row: Row) -> Self {
        Self {
            id: CardRefundId(row.id),
            payment: CardPaymentId(row.payment_id),
            intent_id: row.intent_id,
            user: UserId(row.user_id),
            amount: Money::cad(row.amount),
            state: row.state,
            provider_id: row.provider_id,
            request: row.request_id,
            outside: row.outside,
            note: row.note,
            failure: row.failure,
            tries: row.tries,
            next_try_at: row.next_try_at,
            created_at: row.created_at,
            settled_at: row.settled_at,
        }
    }
}
