//! Limit on the requests in progress of one client behind a proxy.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::AppState;
use crate::http::connections::occupancy::Guarded;
use crate::http::error::{ApiError, Code};
use crate::http::proxies::{NAME_IT, client, counted, peer};

/// Seconds in `Retry-After` for a client with too many requests in progress.
const RETRY_AFTER_SECONDS: u64 = 2;

/// Logs a warning about an untrusted proxy. Limits the concurrent requests of one client behind a
/// trusted proxy.
pub async fn limit(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let trusted = &app.settings.trusted_proxies;
    let peer = peer(request.extensions());
    if app.unnamed_proxy.is_due(peer, request.headers(), trusted, app.now()) {
        tracing::error!(
            %peer,
            "X-Forwarded-For came from an untrusted proxy; all clients behind it count as one address; {NAME_IT}"
        );
    }
    // Connections of other peers are already counted, and each has one request at a time.
    let client = match counted(peer, trusted) {
        None => counted(client(peer, request.headers(), trusted), trusted),
        Some(_) => None,
    };
    if client.is_none() {
        return next.run(request).await;
    }
    match app.ceilings.requests.acquire(client) {
        Ok(place) => next.run(request).await.map(|body| Body::new(Guarded::new(body, place))),
        Err(_) => ApiError::new(Code::TooManyAttempts).retry_after(RETRY_AFTER_SECONDS).into_response(),
    }
}
