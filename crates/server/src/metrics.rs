//! Endpoint `/metrics` in Prometheus' text format: its access rules, and the metrics that are read
//! on request.

use std::sync::Arc;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use domain::clock::Instant;
use engine::metrics as figures;

use crate::AppState;
use crate::http::error::{ApiError, Code};

mod exporter;

pub use exporter::Exporter;

/// Minimum length of the token; a shorter one could be guessed.
pub const TOKEN_AT_LEAST: usize = 16;

/// Serves `/metrics` on the main port to clients with the token. Without a configured token the
/// response is 404, except in an open demo.
pub async fn get_metrics(State(app): State<AppState>, headers: HeaderMap) -> Response {
    match (&app.exporter, &app.settings.metrics_token) {
        (Some(exporter), Some(token)) if knows(&headers, token) => page(&app, exporter).await,
        (Some(_), Some(_)) => {
            let mut refused = ApiError::new(Code::Unauthorized).into_response();
            refused.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            refused
        }
        (Some(exporter), None) if app.settings.metrics_open => page(&app, exporter).await,
        _ => ApiError::new(Code::NotFound).into_response(),
    }
}

/// Returns the routes of the separate metrics port: only `/metrics`, with the token if one is set.
pub fn own_port(app: AppState) -> Router {
    let settings = crate::config::Settings { metrics_open: true, ..(*app.settings).clone() };
    let app = AppState { settings: Arc::new(settings), ..app };
    Router::new().route("/metrics", get(get_metrics)).with_state(app)
}

/// Returns `true` if the request has the token. The comparison takes constant time, so it reveals
/// nothing about partial matches.
fn knows(headers: &HeaderMap, token: &str) -> bool {
    let given = headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let given = given.strip_prefix("Bearer ").unwrap_or_default().as_bytes();
    let unlike = given.iter().zip(token.as_bytes()).fold(0, |unlike, (a, b)| unlike | (a ^ b));
    given.len() == token.len() && unlike == 0
}

async fn page(app: &AppState, exporter: &Exporter) -> Response {
    if exporter.is_due(app.wall.now()) {
        app.engine.show_stats();
        let read = read_stats(app).await;
        figures::database(read.is_ok());
        if let Err(error) = read {
            tracing::warn!(%error, "failed to read the metrics of the database");
        }
    }
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    (StatusCode::OK, [(header::CONTENT_TYPE, kind)], exporter.handle.render()).into_response()
}

async fn read_stats(app: &AppState) -> Result<(), store::Error> {
    let now = app.wall.now();
    let mut tx = app.db.read().await?;
    figures::tasks(&store::operator::tasks_by_status(&mut tx).await?);
    figures::attempts(&store::operator::attempts_by_state(&mut tx).await?);
    let waits = store::restore::waits_long(&mut tx, now).await?;
    figures::frozen(waits.is_some() || store::ledger::frozen(&mut tx).await?.is_some());
    let cards = store::operator::cards_by_state(&mut tx).await?;
    let refund = store::operator::oldest_refund(&mut tx).await?;
    let outbox = store::operator::outbox(&mut tx).await?;
    let answers = store::stats::last_answers(&mut tx).await?;
    tx.commit().await?;
    let portal = app.portal_time.now();
    for (of, answered) in
        [("task", &answers.tasks), ("city", &answers.cities), ("account", &answers.accounts)]
    {
        let mut ages: Vec<_> = answered.iter().map(|a| ((portal - a.at).num_seconds(), a.count)).collect();
        figures::watch_age(of, &mut ages);
    }
    let age = |since: Option<Instant>| since.map_or(0, |at| (now - at).num_seconds().max(0));
    figures::cards(&cards, age(refund));
    figures::outbox(outbox.waiting, outbox.given_up, age(outbox.oldest));
    Ok(())
}

/// Counts a request by the pattern of its route, and measures its duration. The path is not
/// recorded, because it can contain identifiers.
pub async fn count(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let begun = app.wall.now();
    let method = method_of(&request);
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    let took = (app.wall.now() - begun).as_seconds_f64();
    figures::http(method, route, response.status().as_u16(), took);
    response
}

/// Returns a request's method as a fixed label.
pub fn method_of(request: &Request) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    known.into_iter().find(|m| request.method() == *m).unwrap_or("other")
}

/// Wraps a router in [`count`].
pub fn counted(router: Router<AppState>, app: &AppState) -> Router<AppState> {
    router.layer(middleware::from_fn_with_state(app.clone(), count))
}
