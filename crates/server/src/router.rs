//! All routes of the server.

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::SwaggerUi;

use crate::AppState;
use crate::api::{
    auth, channels, credit, digest, facilities, notices, payment, pricing, questions, schedules, sms, stats,
    status, support, topup, user,
};
use crate::http::error::{ApiError, Code};
use crate::http::{host, requests_in_progress};
use crate::live::streams;
use crate::metrics;
use crate::openapi;
use crate::site::assets;
use crate::site::security;

/// Maximum size of a request body; a larger one is answered with 413.
const BODY_LIMIT: usize = 64 * 1024;

/// Returns the API's routes that are served even if billing is off, relative to `/api/v1`.
fn api() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(openapi::Document::openapi())
        .routes(routes!(auth::register::register))
        .routes(routes!(auth::verify::verify_email))
        .routes(routes!(auth::verify::resend_verification))
        .routes(routes!(auth::forgot::forgot_password))
        .routes(routes!(auth::reset::verify_reset_token))
        .routes(routes!(auth::reset::reset_password))
        .routes(routes!(auth::change::change_password))
        .routes(routes!(auth::login::login))
        .routes(routes!(auth::refresh::refresh_tokens))
        .routes(routes!(auth::methods::get_sign_in_methods))
        .routes(routes!(auth::links::get_invitation, auth::links::accept_invitation))
        .routes(routes!(auth::links::use_owner_link))
        .routes(routes!(auth::mailed_sign_in::request_sign_in_link, auth::mailed_sign_in::get_sign_in_link))
        .routes(routes!(auth::mailed_sign_in::use_sign_in_link))
        .routes(routes!(auth::passkey::start_passkey))
        .routes(routes!(auth::passkey::sign_in_with_passkey))
        .routes(routes!(auth::common_passwords::list_common_passwords))
        .routes(routes!(auth::google::login::google_login))
        .routes(routes!(auth::google::callback::google_callback))
        .routes(routes!(auth::logout::logout))
        .routes(routes!(auth::logout_all::logout_all))
        .routes(routes!(auth::step_up::step_up))
        .routes(routes!(user::get_user_profile))
        .routes(routes!(user::get_auth_profile, auth::profile::set_profile))
        .routes(routes!(user::set_language))
        .routes(routes!(user::set_auto_stop_scheduler))
        .routes(routes!(user::credentials::list_credentials))
        .routes(routes!(user::credentials::delete_credential))
        .routes(routes!(user::links::list_links))
        .routes(routes!(user::links::revoke_link))
        .routes(routes!(user::sessions::list_sessions))
        .routes(routes!(user::sessions::revoke_session))
        .routes(routes!(user::security_events::list_security_events))
        .routes(routes!(user::totp::get_totp, user::totp::begin_totp, user::totp::remove_totp))
        .routes(routes!(user::totp::confirm_totp))
        .routes(routes!(user::passkeys::list_passkeys, user::passkeys::add_passkey))
        .routes(routes!(user::passkeys::start_passkey_addition))
        .routes(routes!(user::passkeys::remove_passkey))
        .routes(routes!(user::export::export_data))
        .routes(routes!(user::google::unlink_google))
        .routes(routes!(user::deletion::get_deletion, user::deletion::delete_account))
        .routes(routes!(user::totp::renew_recovery_codes))
        .routes(routes!(payment::webhook::stripe_webhook))
        .merge(schedules::routes())
        .merge(channels::routes())
        .routes(routes!(digest::ask_to_unsubscribe, digest::unsubscribe))
        .routes(routes!(notices::show_notice, notices::notice_seen))
        .merge(sms::routes())
        .routes(routes!(questions::get_question))
        .routes(routes!(questions::answer_question))
        .merge(streams::routes())
        .merge(stats::routes())
        .routes(routes!(support::get_support))
        .routes(routes!(facilities::get_facilities))
        .routes(routes!(status::get_status))
        .routes(routes!(status::history::get_status_history))
}

/// Returns the API's routes about money, which return `BILLING_OFF` if billing is off.
fn money() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(credit::get_credit))
        .routes(routes!(credit::get_ledger))
        .routes(routes!(credit::get_movement))
        .routes(routes!(user::referral::get_referral))
        .routes(routes!(topup::validate_topup))
        .routes(routes!(topup::use_topup))
        .routes(routes!(pricing::get_pricing_plans))
        .routes(routes!(pricing::calculate_price, pricing::get_price))
        .merge(payment::routes())
}

async fn demand_billing(State(app): State<AppState>, request: Request, next: Next) -> Response {
    if app.settings.billing.is_on() {
        next.run(request).await
    } else {
        ApiError::from(Code::BillingOff).into_response()
    }
}

/// Returns the whole server: API, its documentation, probes, web app, and the middleware around
/// them.
pub fn router(app: AppState) -> Router {
    let ((api, _), (money, _)) = (api().split_for_parts(), money().split_for_parts());
    let api = api
        .merge(money.route_layer(middleware::from_fn_with_state(app.clone(), demand_billing)))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(CompressionLayer::new());
    let routes = Router::new()
        .nest("/api/v1", api)
        .merge(SwaggerUi::new("/api/docs").url("/api/openapi.json", document()))
        .route("/api/{*rest}", get(not_found).fallback(not_found))
        .route("/healthz", get(status::healthz))
        .route("/readyz", get(status::readyz))
        .route("/metrics", get(metrics::get_metrics))
        .fallback(assets::serve)
        .layer(CatchPanicLayer::custom(|_| {
            axum::response::IntoResponse::into_response(ApiError::internal(&"a handler panicked"))
        }))
        .layer(middleware::from_fn_with_state(app.clone(), requests_in_progress::limit))
        .layer(middleware::from_fn_with_state(app.clone(), host::around))
        .layer(middleware::from_fn_with_state(app.clone(), security::around));
    metrics::counted(routes, &app).with_state(app)
}

/// Returns the routes of a server that serves no browsers.
pub fn probes(app: AppState) -> Router {
    let routes = Router::new()
        .route("/healthz", get(status::healthz))
        .route("/readyz", get(status::readyz))
        .route("/metrics", get(metrics::get_metrics))
        .fallback(not_found);
    metrics::counted(routes, &app).with_state(app)
}

/// Returns the complete OpenAPI document.
#[must_use]
pub fn document() -> utoipa::openapi::OpenApi {
    let (_, mut document) = api().merge(money()).split_for_parts();
    openapi::complete(&mut document);
    document
}

/// Returns the document as formatted JSON with a final newline, as in `web/openapi.json`.
///
/// # Errors
/// Never fails in practice: the document is plain data.
pub fn document_json() -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&document())? + "\n")
}

async fn not_found() -> ApiError {
    Code::NotFound.into()
}

async fn method_not_allowed() -> ApiError {
    Code::MethodNotAllowed.into()
}
