//! `GET /events`: (task, version) as it changes; the client fetches again. Level-triggered: the stream reads
//! what changed since the last event it sent, so nothing is lost between two connections.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use chrono::{DateTime, TimeDelta};
use domain::clock::Instant;
use futures_util::Stream;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::AppState;
use crate::auth::Caller;
use crate::error::ApiError;

/// The routes of this resource.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(stream_events))
}

/// How often a stream looks for changes.
const LOOK_EVERY: Duration = Duration::from_millis(700);
/// Commits may land a little after their stamp: each look goes back this far.
const LATE_COMMITS: TimeDelta = TimeDelta::seconds(3);

/// Where a stream stands.
struct Feed {
    app: AppState,
    caller: Caller,
    /// Everything up to here was sent.
    since: Instant,
    /// What was sent within the overlap, so that nothing is sent twice.
    sent: Vec<(uuid::Uuid, i64)>,
    credit: Option<(i64, i64)>,
    waiting: Vec<Event>,
    begun: bool,
}

/// Streams the caller's task changes as server-sent events; resumes after `Last-Event-ID`.
#[utoipa::path(get, path = "/events", tag = "events", security(("bearer" = [])),
    params(("Last-Event-ID" = Option<String>, Header, description = "The last event's id")),
    responses((status = 200, content_type = "text/event-stream", body = String),
        (status = 401, body = crate::error::ErrorEnvelope)))]
pub async fn stream_events(
    State(app): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let last = headers.get("last-event-id").and_then(|v| v.to_str().ok()).and_then(|v| v.parse::<i64>().ok());
    let since = last.and_then(DateTime::from_timestamp_micros).unwrap_or_else(|| app.now());
    let feed = Feed { app, caller, since, sent: Vec::new(), credit: None, waiting: Vec::new(), begun: false };
    let stream = futures_util::stream::unfold(feed, |mut feed| async move {
        loop {
            if let Some(event) = feed.waiting.pop() {
                return Some((Ok(event), feed));
            }
            if feed.begun {
                tokio::time::sleep(LOOK_EVERY).await;
            }
            feed.begun = true;
            // A stream ends with its token, and when its session is revoked.
            let now = feed.app.now();
            let live = feed.app.sessions.is_live(&feed.app.db, feed.caller.session, now).await;
            if now >= feed.caller.expires_at || !matches!(live, Ok(true)) {
                return None;
            }
            if let Err(error) = feed.look().await {
                tracing::debug!(%error, "an event stream missed a look");
            }
        }
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)).text("ping")))
}

impl Feed {
    async fn look(&mut self) -> Result<(), store::Error> {
        let mut tx = self.app.db.read().await?;
        let changed =
            store::task::changed_of_user(&mut tx, self.caller.user, self.since - LATE_COMMITS).await?;
        let balance = store::ledger::balance(&mut tx, self.caller.user).await?;
        tx.commit().await?;
        for task in changed.iter().rev() {
            let key = (task.id.0, task.version());
            if self.sent.contains(&key) {
                continue;
            }
            self.sent.push(key);
            if task.updated_at <= self.since && !self.begun {
                continue;
            }
            let data =
                json!({ "id": task.id, "version": task.version(), "deleted": task.deleted_at.is_some() });
            self.push("task", task.version(), &data);
        }
        // What is pushed last goes out first: on every connection the balance, which may have changed unseen.
        let credit = (balance.available.minor, balance.held.minor);
        if self.credit != Some(credit) {
            let id = self.since.timestamp_micros();
            self.push("credit", id, &json!({ "version": id }));
        }
        self.credit = Some(credit);
        if let Some(newest) = changed.iter().map(|t| t.updated_at).max() {
            self.since = self.since.max(newest);
        }
        let horizon = (self.since - LATE_COMMITS).timestamp_micros();
        self.sent.retain(|(_, version)| *version >= horizon);
        Ok(())
    }

    fn push(&mut self, name: &str, id: i64, data: &serde_json::Value) {
        self.waiting.push(Event::default().event(name).id(id.to_string()).data(data.to_string()));
    }
}
