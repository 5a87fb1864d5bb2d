//! Endpoint `GET /payment/stripe/status/{id}`.

use axum::extract::{Path, State};
use providers::stripe::is_intent_id;
use serde::Serialize;
use store::card::{Payment, State as Stand};
use utoipa::ToSchema;

use super::cards;
use crate::AppState;
use crate::api::auth::guess_limits;
use crate::auth::Caller;
use crate::card;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::ClientIp;
use crate::http::rate_limit::LimitedAction;

/// Status of a payment.
#[derive(Serialize, ToSchema)]
pub struct PaymentStatus {
    /// The provider's status, for example `succeeded`, `processing`, `requires_payment_method` or
    /// `canceled`.
    status: String,
    /// Amount received, or the requested amount until then; two decimals.
    amount: f64,
    /// Currency code (ISO 4217).
    currency: &'static str,
    /// `true` if the amount is in the balance.
    credited: bool,
}

/// Returns the status of a payment of the caller. The status of an open payment is read at the
/// provider, and a paid amount is credited.
#[utoipa::path(get, path = "/payment/stripe/status/{id}", tag = "money",
    params(("id" = String, Path, description = "`payment_intent_id` in the response of create-intent")),
    responses(
    (status = 200, body = Envelope<PaymentStatus>), (status = 401, body = ErrorEnvelope),
    (status = 404, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope), (status = 502, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_payment_status(
    State(app): State<AppState>,
    caller: Caller,
    ClientIp(address): ClientIp,
    Path(intent): Path<String>,
) -> Answer<PaymentStatus> {
    let cards = cards(&app)?;
    let own = find(&app, &caller, &intent).await?;
    if own.state != Stand::Open {
        return ok(own.into());
    }
    guess_limits::call(&app, LimitedAction::ReadPayment, Some(&caller.user.to_string()), address)?;
    let (reading, id) = (app.clone(), intent.clone());
    detached(async move { card::read(&reading, &cards, &id).await }).await?;
    ok(find(&app, &caller, &intent).await?.into())
}

async fn find(app: &AppState, caller: &Caller, intent: &str) -> Result<Payment, ApiError> {
    if !is_intent_id(intent) {
        return Err(Code::NotFound.into());
    }
    let mut tx = app.db.read().await?;
    let found = store::card::find(&mut tx, intent).await?;
    found.filter(|payment| payment.user == caller.user).ok_or_else(|| Code::NotFound.into())
}

impl From<Payment> for PaymentStatus {
    fn from(payment: Payment) -> Self {
        let amount = payment.received.unwrap_or(payment.asked);
        Self {
            amount: amount.to_wire(),
            currency: amount.currency.code(),
            credited: payment.received.is_some(),
            status: payment.provider_status,
        }
    }
}
