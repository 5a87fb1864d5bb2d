//! Endpoint `POST /payment/stripe/webhook`: messages of the card provider.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;

use super::cards;
use crate::AppState;
use crate::card;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};

/// Receives a message from the card provider. It must be signed (`Stripe-Signature`, scheme v1) and
/// at most five minutes old. Messages may be repeated and arrive in any order.
#[utoipa::path(post, path = "/payment/stripe/webhook", tag = "money",
    request_body(content = String, content_type = "application/json", description = "The signed message, byte for byte"),
    params(("Stripe-Signature" = Option<String>, Header, description = "t=…,v1=…")),
    responses(
    (status = 200, body = Envelope<Empty>), (status = 400, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope),
    (status = 415, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope, description = "The message was not processed; the provider should send it again"),
))]
pub async fn stripe_webhook(
    State(app): State<AppState>,
    headers: HeaderMap,
    body: Result<Bytes, axum::extract::rejection::BytesRejection>,
) -> Answer<Empty> {
    let cards = cards(&app)?;
    let body = body.map_err(|_| ApiError::new(Code::BodyTooLarge))?;
    let signature = headers.get("stripe-signature").and_then(|v| v.to_str().ok()).unwrap_or_default();
    let read = cards.provider.event(signature, &body, app.wall.now().timestamp());
    let event = read.map_err(|why| {
        tracing::warn!(%why, "rejected a message to the card webhook");
        engine::metrics::card_message("not_believed");
        ApiError::new(Code::InvalidSignature)
    })?;
    tracing::debug!(event = event.id, kind = event.kind, "received a message from the card provider");
    let heeded = detached(async move { card::heed(&app, &cards, event.about).await }).await;
    engine::metrics::card_message(if heeded.is_ok() { "taken" } else { "again" });
    heeded?;
    ok(Empty::default())
}
