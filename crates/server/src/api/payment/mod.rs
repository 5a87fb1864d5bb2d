//! Endpoints `/payment/stripe/…` for payments, and `/payment/refunds` for refunds.

pub mod config;
pub mod intent;
pub mod refunds;
pub mod status;
pub mod webhook;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::AppState;
use crate::card::Cards;
use crate::http::error::{ApiError, Code};

/// Returns the routes of payments and refunds. The webhook is not among them, because it is served
/// even if billing is off.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(config::get_stripe_config))
        .routes(routes!(intent::create_payment_intent))
        .routes(routes!(refunds::get_refunds, refunds::ask_refund))
        .routes(routes!(status::get_payment_status))
}

fn cards(app: &AppState) -> Result<Arc<Cards>, ApiError> {
    app.cards.clone().ok_or_else(|| Code::CardNotConfigured.into())
}
