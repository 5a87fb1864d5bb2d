//! Endpoint `GET /events`: an event stream with a pair of task and version for each change. The
//! client then fetches the task again.
//!
//! Streams are level-triggered: a stream reads the changes since its last event, so no change is
//! lost between two connections. Every connection begins with the balance, so the client need not
//! fetch it. The number of streams is limited per user, per address and overall.

use std::collections::HashSet;
use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use chrono::{DateTime, TimeDelta};
use domain::clock::Instant;
use domain::ids::TaskId;
use futures_util::Stream;
use serde_json::json;
use tokio::sync::watch;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::rounds::{Round, RoundSource};
use crate::AppState;
use crate::auth::Caller;
use crate::auth::sessions::Page;
use crate::http::connections::occupancy::{Full, OccupancyPermit};
use crate::http::error::{ApiError, Code};
use crate::http::extract::ClientIp;
use crate::http::proxies;

pub mod rounds;
mod user_limit;

use user_limit::OwnPlace;
pub use user_limit::{MOST_STREAMS, Streams};

/// Returns the routes of this resource.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(stream_events))
}

/// Interval of a stream if the rounds have ended, because the process is shutting down.
const ALONE: Duration = Duration::from_millis(700);
/// Number of rounds without a change (two minutes) after which a stream queries the database
/// itself. Rounds miss a change only if its commit becomes visible long after its time stamp.
const QUIET_ROUNDS: u32 = 171;
/// Overlap of two queries, because a commit may become visible shortly after its time stamp.
const LATE_COMMITS: TimeDelta = TimeDelta::seconds(3);
/// Seconds in `Retry-After` for a user with too many streams. The server notices a lost connection
/// at its next ping.
const ASK_AGAIN: u64 = 20;
const PING_EVERY: Duration = Duration::from_secs(15);

/// State of a stream.
struct Feed {
    app: AppState,
    caller: Caller,
    /// Time up to which all changes were sent.
    since: Instant,
    /// Events sent within the overlap of queries, so that none is sent twice.
    sent: HashSet<(TaskId, i64)>,
    credit: Option<(i64, i64)>,
    waiting: Vec<Event>,
    begun: bool,
    rounds: watch::Receiver<Round>,
    heard: u64,
    quiet: u32,
    page: Page,
    _places: (OwnPlace, OccupancyPermit),
}

/// Returns the time after which a stream sends changes, from the identifier of the last received
/// event. The client may send any identifier. A time in the future is replaced by the current time,
/// because the stream would send nothing.
fn resumed(headers: &HeaderMap, now: Instant) -> Instant {
    let last = headers.get("last-event-id").and_then(|v| v.to_str().ok()).and_then(|v| v.parse::<i64>().ok());
    let last = last.map(|micros| micros.clamp(0, now.timestamp_micros()));
    last.and_then(DateTime::from_timestamp_micros).unwrap_or(now)
}

/// Streams the changes of the caller's tasks as server-sent events. Resumes after `Last-Event-ID`.
#[utoipa::path(get, path = "/events", tag = "events", security(("bearer" = [])),
    params(("Last-Event-ID" = Option<String>, Header, description = "Identifier of the last event that the client received")),
    responses((status = 200, content_type = "text/event-stream", body = String),
        (status = 401, body = crate::http::error::ErrorEnvelope), (status = 429, body = crate::http::error::ErrorEnvelope)))]
pub async fn stream_events(
    State(app): State<AppState>,
    caller: Caller,
    ClientIp(from): ClientIp,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let too_many = || ApiError::new(Code::TooManyAttempts).retry_after(ASK_AGAIN);
    let own = OwnPlace::acquire(&app.streams, caller.user).ok_or_else(too_many)?;
    let counted = proxies::counted(from, &app.settings.trusted_proxies);
    let place = app.ceilings.streams.acquire(counted).map_err(|full| match full {
        Full::Address => too_many(),
        Full::Overall => ApiError::new(Code::Unavailable).retry_after(ASK_AGAIN),
    })?;
    let since = resumed(&headers, app.now());
    let page = Page::open(&app.sessions, caller.session);
    let rounds = app.rounds.listen(RoundSource {
        db: app.db.clone(),
        sessions: app.sessions.clone(),
        wall: app.wall.clone(),
    });
    let heard = rounds.borrow().number();
    let feed = Feed {
        app,
        caller,
        since,
        sent: HashSet::new(),
        credit: None,
        waiting: Vec::new(),
        begun: false,
        rounds,
        heard,
        quiet: 0,
        page,
        _places: (own, place),
    };
    let stream = futures_util::stream::unfold(feed, |mut feed| async move {
        loop {
            if let Some(event) = feed.waiting.pop() {
                return Some((Ok(event), feed));
            }
            let due = feed.round().await;
            // A stream ends with its token, and when its session is revoked.
            let now = feed.app.now();
            let live = feed.page.is_live(&feed.app.db, now).await;
            if now >= feed.caller.expires_at || !matches!(live, Ok(true)) {
                return None;
            }
            if !due {
                continue;
            }
            if let Err(error) = feed.read_changes().await {
                tracing::debug!(%error, "event stream failed to read changes");
                feed.quiet = QUIET_ROUNDS;
            }
        }
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(PING_EVERY).text("ping")))
}

impl Feed {
    /// Waits for the next round, except for the first one. Returns `true` if the stream must query
    /// the database.
    async fn round(&mut self) -> bool {
        if !std::mem::replace(&mut self.begun, true) {
            return true;
        }
        let told = match self.rounds.changed().await {
            Ok(()) => {
                let round = self.rounds.borrow_and_update();
                let since = std::mem::replace(&mut self.heard, round.number());
                round.concerns(self.caller.user, since)
            }
            Err(_) => {
                tokio::time::sleep(ALONE).await;
                true
            }
        };
        self.quiet = if told || self.quiet >= QUIET_ROUNDS { 0 } else { self.quiet + 1 };
        self.quiet == 0
    }

    async fn read_changes(&mut self) -> Result<(), store::Error> {
        let mut tx = self.app.db.read().await?;
        let changed =
            store::task::changed_of_user(&mut tx, self.caller.user, self.since - LATE_COMMITS).await?;
        let balance = store::ledger::balance(&mut tx, self.caller.user).await?;
        tx.commit().await?;
        for change in changed.iter().rev() {
            let version = change.at.timestamp_micros();
            if self.sent.insert((change.id, version)) {
                let data = json!({ "id": change.id, "version": version, "deleted": change.deleted });
                self.push("task", version, &data);
            }
        }
        // The events are sent from the end of the list. So the balance, which is pushed last, is
        // sent first.
        let credit = (balance.available.minor, balance.held.minor);
        if self.credit != Some(credit) {
            let id = self.since.timestamp_micros();
            let (credit, on_hold) = (balance.available.to_wire(), balance.held.to_wire());
            self.push("credit", id, &json!({ "version": id, "credit": credit, "on_hold": on_hold }));
        }
        self.credit = Some(credit);
        if let Some(newest) = changed.last().map(|change| change.at) {
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
