//! `GET /payment/stripe/config`.

use axum::extract::State;
use domain::card::PaymentMethod;
use domain::money::Currency;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::card::CardOrigin;
use crate::http::envelope::{Answer, Envelope, ok};

/// A way to pay at the card provider.
#[derive(Serialize, ToSchema)]
pub struct MethodOffer {
    method: PaymentMethod,
    /// The least one may pay so, two decimals.
    min_amount: f64,
    /// The most, two decimals.
    max_amount: f64,
    /// ISO 4217.
    currency: &'static str,
}

/// What a card form needs to know.
#[derive(Serialize, ToSchema)]
pub struct StripeConfig {
    /// Whether cards are taken here; everything else is null or zero when not.
    enabled: bool,
    /// The ways to pay, in the order in which they are offered.
    methods: Vec<MethodOffer>,
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
    /// The payment page, where it has an origin of its own.
    page_url: Option<String>,
}

/// Whether and how one can pay by card. Open to all: the payment page asks it without a token, and nothing here is secret.
#[utoipa::path(get, path = "/payment/stripe/config", tag = "money", responses(
    (status = 200, body = Envelope<StripeConfig>),
))]
pub async fn get_stripe_config(State(app): State<AppState>) -> Answer<StripeConfig> {
    let cards = app.cards.as_deref();
    let methods = cards.map_or_else(Vec::new, |cards| {
        let offer = |method: &PaymentMethod| MethodOffer {
            method: *method,
            min_amount: cards.limits.min.to_wire(),
            max_amount: cards.limits.max.to_wire(),
            currency: Currency::CAD.code(),
        };
        cards.methods.iter().map(offer).collect()
    });
    ok(StripeConfig {
        enabled: cards.is_some(),
        methods,
        publishable_key: cards.map(|cards| cards.publishable_key.clone()),
        min_amount: cards.map_or(0.0, |cards| cards.limits.min.to_wire()),
        max_amount: cards.map_or(0.0, |cards| cards.limits.max.to_wire()),
        default_currency: Currency::CAD.code(),
        js_url: cards.map(|cards| cards.js_url.clone()),
        page_url: cards.and_then(|cards| cards.origin.as_ref()).map(CardOrigin::page),
    })
}
