//! Endpoint `GET /payment/stripe/config`.

use axum::extract::State;
use domain::card::PaymentMethod;
use domain::money::Currency;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::card::CardOrigin;
use crate::http::envelope::{Answer, Envelope, ok};

/// A payment method of the card provider.
#[derive(Serialize, ToSchema)]
pub struct MethodOffer {
    method: PaymentMethod,
    /// Minimum amount with this method, two decimals.
    min_amount: f64,
    /// Maximum amount, two decimals.
    max_amount: f64,
    /// Currency code (ISO 4217).
    currency: &'static str,
}

/// Configuration of the payment form.
#[derive(Serialize, ToSchema)]
pub struct StripeConfig {
    /// `true` if the server accepts card payments. If `false`, all other fields are null or zero.
    enabled: bool,
    /// Payment methods in the order in which they are offered.
    methods: Vec<MethodOffer>,
    /// The provider's key for browsers.
    publishable_key: Option<String>,
    /// Minimum amount, two decimals.
    min_amount: f64,
    /// Maximum amount, two decimals.
    max_amount: f64,
    /// Currency code (ISO 4217).
    default_currency: &'static str,
    /// Address of the provider's library.
    js_url: Option<String>,
    /// Address of the payment page, if it has a separate origin.
    page_url: Option<String>,
}

/// Returns the configuration of card payments. No token is needed: the payment page has none, and
/// the configuration is not secret.
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
