//! `GET|POST /payment/refunds`.

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
use crate::http::idempotency::{IdempotencyKey, Once};

/// So many refunds are listed.
const LISTED: i64 = 50;

/// What can go back to one payment.
#[derive(Serialize, ToSchema)]
pub struct RefundablePayment {
    #[schema(value_type = uuid::Uuid)]
    payment: CardPaymentId,
    paid_at: DateTime<Utc>,
    /// What came in with it, two decimals.
    paid: f64,
    /// What would go back to it, if all is asked for.
    amount: f64,
    /// Until when.
    until: DateTime<Utc>,
}

/// Where a refund stands.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RefundState {
    /// The card provider has not taken it yet.
    Pending,
    /// The card provider has taken it.
    Sent,
    /// It did not arrive: the balance has it again.
    Failed,
}

/// A refund.
#[derive(Serialize, ToSchema)]
pub struct RefundView {
    #[schema(value_type = uuid::Uuid)]
    id: CardRefundId,
    /// Two decimals.
    amount: f64,
    state: RefundState,
    /// When it left the balance.
    at: DateTime<Utc>,
    /// When the provider took it, or it came back.
    settled_at: Option<DateTime<Utc>>,
}

/// What of the balance can go back to the cards it came from.
#[derive(Serialize, ToSchema)]
pub struct Refunds {
    /// All that can go back now, two decimals: what came by card, is unspent, not set aside and not disputed.
    refundable: f64,
    /// Where it would go, the newest payment first; less than all of it goes to the first ones.
    payments: Vec<RefundablePayment>,
    /// What came by card too long ago: support decides.
    too_late: f64,
    /// For so many days after a payment it can be asked for, at most; `until` of each payment says it.
    days: i64,
    /// Asked for too often today: when one may ask again.
    again_at: Option<DateTime<Utc>>,
    /// What has left the balance, and the provider has not taken yet.
    under_way: f64,
    /// ISO 4217.
    currency: &'static str,
    /// The newest first.
    refunds: Vec<RefundView>,
}

/// How much is to go back.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefundInput {
    /// Two decimals; at most `refundable`.
    amount: f64,
}

/// What of the balance the caller can have refunded, and their refunds.
#[utoipa::path(get, path = "/payment/refunds", tag = "money", responses(
    (status = 200, body = Envelope<Refunds>), (status = 401, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_refunds(State(app): State<AppState>, caller: Caller) -> Answer<Refunds> {
    let mut tx = app.db.read().await?;
    ok(read(&app, &mut tx, caller.user).await?)
}

/// Sends unspent card money back to the payments it came from, the newest first. It leaves the balance now; the provider is
/// asked afterwards, and what it refuses is in the balance again. With an `Idempotency-Key` a repeat gets the first answer.
#[utoipa::path(post, path = "/payment/refunds", tag = "money", request_body = RefundInput,
    params(("Idempotency-Key" = Option<String>, Header, description = "Same key and body, same answer, for 7 days")),
    responses(
    (status = 200, body = Envelope<Refunds>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 403, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`BALANCE_CHANGED` with `refundable`, when that is less"),
    (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope), (status = 422, body = ErrorEnvelope),
    (status = 429, body = ErrorEnvelope, description = "Twice a day is enough"), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn ask_refund(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    key: IdempotencyKey,
    Body { value: input, bytes }: Body<RefundInput>,
) -> Result<Response, ApiError> {
    let cards = cards(&app)?;
    let amount = minor(input.amount, 0.01);
    let amount = Money::cad(amount.ok_or_else(|| Fields::one("amount", "out_of_range"))?);
    let once = Once::new(&app, caller.user, "payment.refunds", key, &bytes);
    let data = detached(async move {
        let mut tx = app.db.begin().await?;
        // A repeat waits for the first one, and then finds its answer.
        store::ledger::lock(&mut tx, &app.random, caller.user, app.wall.now()).await?;
        if let Some(data) = once.answered(&mut tx).await? {
            return Ok(data);
        }
        let ctx = app.use_cases();
        app::money::ask_refund(&ctx, &mut tx, caller.user, amount, cards.refund_deadline).await?;
        let answer = read(&app, &mut tx, caller.user).await?;
        let data = once.keep(&mut tx, &answer, app.wall.now()).await?;
        tx.commit().await?;
        cards.wake.notify_one();
        tracing::info!(user = %caller.user, %amount, "a refund was asked for by its owner");
        Ok(data)
    });
    Ok(ok(data.await?)?.into_response())
}

async fn read(app: &AppState, tx: &mut Tx, user: UserId) -> Result<Refunds, ApiError> {
    let deadline = app.cards.as_deref().map(|cards| cards.refund_deadline);
    let now = app.wall.now();
    let offer = own_refund::offer(tx, user, deadline.unwrap_or_default(), now).await?;
    let refunds = own_refund::of_user(tx, user, LISTED).await?;
    // Without a provider nothing goes anywhere.
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
