//! `GET /payment/stripe/config`.

use axum::extract::State;
use domain::money::Currency;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::http::envelope::{Answer, Envelope, ok};

/// What a card form needs to know.
#[derive(Serialize, ToSchema)]
pub struct StripeConfig {
    /// Whether cards are taken here; everything else is null or zero when not.
    enabled: bool,
    /// The provider's key for browsers.
    publishable_key: Option<String>,
    /// The least one may pay, two decimals.
    min_amount: f64,
    /// The most, two decimals.
    max_amount: f64,
    /// ISO 4217.
    default_currency: &'static str,
    /// Where the provider's library comes from.
    js_url: Option<String>,
}

/// Whether and how one can pay by card. Open to all: the payment page asks it without a token, and nothing here is secret.
#[utoipa::path(get, path = "/payment/stripe/config", tag = "money", responses(
    (status = 200, body = Envelope<StripeConfig>),
))]
pub async fn get_stripe_config(State(app): State<AppState>) -> Answer<StripeConfig> {
    let cards = app.cards.as_deref();
    ok(StripeConfig {
        enabled: cards.is_some(),
        publishable_key: cards.map(|cards| cards.publishable_key.clone()),
        min_amount: cards.map_or(0.0, |cards| cards.limits.min.to_wire()),
        max_amount: cards.map_or(0.0, |cards| cards.limits.max.to_wire()),
        default_currency: Currency::CAD.code(),
        js_url: cards.map(|cards| cards.js_url.clone()),
    })
}
