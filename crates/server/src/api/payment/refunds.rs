//! Endpoints `GET /payment/refunds` and `POST /payment/refunds`.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, TimeDelta, Utc};
use domain::ids::{CardPaymentId, CardRefundId, UserId};
use domain::money::Money;
use serde::{Deserialize, Serialize};
use store::Tx;
use store::card::own_refund::{self, Part};
use store::card::refund::Refund;
use utoipa::ToSchema;

use super::cards;
use crate::AppState;
use crate::api::pricing::minor;
use crate::auth::{Caller, StepUp};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, ErrorEnvelope, Fields};
use crate::http::extract::Body;
use crate::http::idempotency::{IdempotencyKey, IdempotentRequest};

/// Maximum number of listed refunds.
const LISTED: i64 = 50;

/// Refundable part of one payment.
#[derive(Serialize, ToSchema)]
pub struct RefundablePayment {
    #[schema(value_type = uuid::Uuid)]
    payment: CardPaymentId,
    paid_at: DateTime<Utc>,
    /// Amount of the payment, two decimals.
    paid: f64,
    /// Part of the payment that a refund of the whole refundable amount would return, two decimals.
    amount: f64,
    /// Time until which the payment can be refunded.
    until: DateTime<Utc>,
}

/// State of a refund.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RefundState {
    /// The card provider has not accepted the refund yet.
    Pending,
    /// The card provider has accepted the refund.
    Sent,
    /// The refund failed, and the amount is in the balance again.
    Failed,
}

/// A refund.
#[derive(Serialize, ToSchema)]
pub struct RefundView {
    #[schema(value_type = uuid::Uuid)]
    id: CardRefundId,
    /// Amount, two decimals.
    amount: f64,
    state: RefundState,
    /// Time at which the refund was debited from the balance.
    at: DateTime<Utc>,
    /// Time at which the provider accepted the refund, or the refund failed.
    settled_at: Option<DateTime<Utc>>,
}

/// Part of the balance that can be refunded to the cards that paid it.
#[derive(Serialize, ToSchema)]
pub struct Refunds {
    /// Amount that can be refunded now, two decimals. It was paid by card, and is not spent, on
    /// hold or disputed.
    refundable: f64,
    /// Payments to which a refund would go, newest first. A partial refund goes to the first of
    /// them.
    payments: Vec<RefundablePayment>,
    /// Amount that was paid by card too long ago; only support can refund it.
    too_late: f64,
    /// Number of days after a payment in which a refund is possible. The field `until` of a payment
    /// is exact.
    days: i64,
    /// Time from which another refund is allowed; null if one is allowed now.
    again_at: Option<DateTime<Utc>>,
    /// Amount of refunds that the provider has not accepted yet.
    under_way: f64,
    /// Currency code (ISO 4217).
    currency: &'static str,
    /// Refunds, newest first.
    refunds: Vec<RefundView>,
}

/// Input of a refund.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefundInput {
    /// Amount, two decimals; at most `refundable`.
    amount: f64,
}

/// Returns the refundable part of the caller's balance, and the caller's refunds.
#[utoipa::path(get, path = "/payment/refunds", tag = "money", responses(
    (status = 200, body = Envelope<Refunds>), (status = 401, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_refunds(State(app): State<AppState>, caller: Caller) -> Answer<Refunds> {
    let mut tx = app.db.read().await?;
    ok(read(&app, &mut tx, caller.user).await?)
}

/// Refunds unspent card money to the payments that it came from, newest first. The amount is
/// debited now, and the provider is called afterwards. An amount that the provider refuses is
/// credited again. A repeated call with the same `Idempotency-Key` returns the first response.
#[utoipa::path(post, path = "/payment/refunds", tag = "money", request_body = RefundInput,
    params(("Idempotency-Key" = Option<String>, Header, description = "A repeated request with the same key and body returns the first response, for 7 days")),
    responses(
    (status = 200, body = Envelope<Refunds>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 403, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`BALANCE_CHANGED`: less than the amount can be refunded, see `data.refundable`"),
    (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope), (status = 422, body = ErrorEnvelope),
    (status = 429, body = ErrorEnvelope, description = "Only two refunds a day are allowed"), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn ask_refund(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    key: IdempotencyKey,
    Body { value: input, bytes }: Body<RefundInput>,
) -> Result<Response, ApiError> {
    let cards = cards(&app)?;
    let amount = minor(input.amount, 0.01);
    let amount = Money::cad(amount.ok_or_else(|| Fields::single("amount", "out_of_range"))?);
    let once = IdempotentRequest::new(&app, caller.user, "payment.refunds", key, &bytes);
    let data = detached(async move {
        let mut tx = app.db.begin().await?;
        // With the lock, a repeated request waits for the first one and then finds its response.
        store::ledger::lock(&mut tx, &app.random, caller.user, app.wall.now()).await?;
        if let Some(data) = once.answered(&mut tx).await? {
            return Ok(data);
        }
        let ctx = app.use_cases();
        app::money::ask_refund(&ctx, &mut tx, caller.user, amount, cards.refund_deadline).await?;
        let answer = read(&app, &mut tx, caller.user).await?;
        let data = once.store_response(&mut tx, &answer, app.wall.now()).await?;
        tx.commit().await?;
        cards.wake.notify_one();
        tracing::info!(user = %caller.user, %amount, "user requested a card refund");
        Ok(data)
    });
    Ok(ok(data.await?)?.into_response())
}

async fn read(app: &AppState, tx: &mut Tx, user: UserId) -> Result<Refunds, ApiError> {
    let deadline = app.cards.as_deref().map(|cards| cards.refund_deadline);
    let now = app.wall.now();
    let offer = own_refund::offer(tx, user, deadline.unwrap_or_default(), now).await?;
    let refunds = own_refund::of_user(tx, user, LISTED).await?;
    // Without a card provider no refund is possible.
    let there = deadline.is_some();
    Ok(Refunds {
        refundable: if there { offer.total.to_wire() } else { 0.0 },
        payments: offer.parts.into_iter().filter(|_| there).filter_map(payment).collect(),
        too_late: if there { offer.too_late.to_wire() } else { 0.0 },
        days: deadline.map_or(0, |days: TimeDelta| days.num_days()),
        again_at: offer.again_at,
        under_way: offer.under_way.to_wire(),
        currency: offer.total.currency.code(),
        refunds: refunds.into_iter().map(RefundView::from).collect(),
    })
}

fn payment(part: Part) -> Option<RefundablePayment> {
    Some(RefundablePayment {
        payment: part.payment.id,
        paid_at: part.payment.credited_at?,
        paid: part.payment.received?.to_wire(),
        amount: part.amount.to_wire(),
        until: part.until,
    })
}

impl From<Refund> for RefundView {
    fn from(refund: Refund) -> Self {
        Self {
            id: refund.id,
            amount: refund.amount.to_wire(),
            state: match refund.state.as_str() {
                "pending" => RefundState::Pending,
                "sent" => RefundState::Sent,
                _ => RefundState::Failed,
            },
            at: refund.created_at,
            settled_at: refund.settled_at,
        }
    }
}
