//! Outermost middleware: gives each request an identifier, logs it without secrets, and sets
//! security headers on each response.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tracing::Instrument as _;

use crate::AppState;
use crate::card::Policy;
use crate::http::error::{ApiError, Code};
use crate::metrics;
use crate::site::assets::PaymentPage;
use crate::site::content_policy::POLICY;

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=(), payment=()"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Adds an identifier and a log entry to a request, and headers to its response.
pub async fn around(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let id = domain::ids::uuid_v7(app.wall.now(), app.random.bytes()).to_string();
    // The query string is not logged, because links contain tokens in it.
    let path = request.uri().path().to_owned();
    let api = path.starts_with("/api/v1/");
    let begun = app.wall.now();
    let span = tracing::info_span!("request", %id, method = %request.method(), path);
    let route = request.extensions().get::<MatchedPath>().cloned();
    // Spans of traces have no path, because paths contain identifiers and tokens.
    let traced = tracing::debug_span!(
        "answer",
        otel.kind = "server",
        request = %id,
        method = metrics::method_of(&request),
        route = route.as_ref().map_or("other", MatchedPath::as_str),
        status = tracing::field::Empty
    );
    let origin = app.cards.as_ref().and_then(|cards| cards.origin.as_ref());
    let served =
        origin.is_none_or(|origin| origin.serves(request.method(), request.uri(), request.headers()));
    let mut response = if served {
        next.run(request).instrument(traced.clone()).instrument(span.clone()).await
    } else {
        ApiError::new(Code::NotFound).into_response()
    };
    traced.record("status", response.status().as_u16());
    if api {
        let took_ms = (app.wall.now() - begun).num_milliseconds();
        let status = response.status().as_u16();
        span.in_scope(|| tracing::info!(status, took_ms, "answered request"));
    }
    let payment_page = response.extensions().get::<PaymentPage>().is_some();
    if payment_page {
        open_to_cards(&app, response.headers_mut());
    }
    finish(&app, response.headers_mut(), api, &id);
    match origin {
        // This header could not name the app's origin. The content policy does.
        Some(_) if payment_page => {
            response.headers_mut().remove(header::X_FRAME_OPTIONS);
        }
        Some(origin) => origin.admit(response.headers_mut()),
        None => {}
    }
    response
}

/// Permits the payment page to load the card provider's library, and pages of this server to frame
/// it.
fn open_to_cards(app: &AppState, headers: &mut HeaderMap) {
    let Policy(policy) =
        app.cards.as_ref().map_or_else(Policy::without_provider, |cards| cards.policy.clone());
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
}

fn finish(app: &AppState, headers: &mut HeaderMap, api: bool, id: &str) {
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if app.settings.public_url.starts_with("https://") {
        let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(year);
    }
    if api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    if let Ok(value) = HeaderValue::from_str(id) {
        headers.insert("x-request-id", value);
    }
}
