//! What wraps every request: an id, one log line without secrets, and the headers every answer carries.

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

/// Scripts are files of our own; styles may stand within a page, until every page is a document whose styles are listed.
const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; media-src 'self'; worker-src 'self'; \
    manifest-src 'self'; object-src 'none'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The policy of a document that the build has listed the scripts and styles of, by their hashes (`sha256-…`): those and files of
/// our own, and no style of an element.
#[must_use]
pub fn policy_of(scripts: &[String], styles: &[String]) -> Option<HeaderValue> {
    let listed = |hashes: &[String]| hashes.iter().fold(String::new(), |line, hash| line + " '" + hash + "'");
    let scripts = format!("script-src 'self'{}", listed(scripts));
    let styles = format!("style-src 'self'{}", listed(styles));
    let policy = POLICY.replacen("script-src 'self'", &scripts, 1);
    HeaderValue::from_str(&policy.replacen("style-src 'self' 'unsafe-inline'", &styles, 1)).ok()
}

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=(), payment=()"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Gives a request its id and log line, and its answer the headers.
pub async fn around(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let id = domain::ids::uuid_v7(app.wall.now(), app.random.bytes()).to_string();
    // Never the query string: links carry tokens there.
    let path = request.uri().path().to_owned();
    let api = path.starts_with("/api/v1/");
    let begun = app.wall.now();
    let span = tracing::info_span!("request", %id, method = %request.method(), path);
    let route = request.extensions().get::<MatchedPath>().cloned();
    // For traces, without the path: ids and tokens stand there.
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
        span.in_scope(|| tracing::info!(status, took_ms, "answered"));
    }
    let payment_page = response.extensions().get::<PaymentPage>().is_some();
    if payment_page {
        open_to_cards(&app, response.headers_mut());
    }
    finish(&app, response.headers_mut(), api, &id);
    match origin {
        // The policy names who may frame it; this header can name nobody but its own origin.
        Some(_) if payment_page => {
            response.headers_mut().remove(header::X_FRAME_OPTIONS);
        }
        Some(origin) => origin.admit(response.headers_mut()),
        None => {}
    }
    response
}

/// The payment page alone may load the card provider's library, and be framed by pages of ours.
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
