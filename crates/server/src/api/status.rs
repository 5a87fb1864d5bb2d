//! `GET /status`, and the probes an operator's tools ask.

use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, TimeDelta, Utc};
use domain::money::Currency;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::envelope::{Answer, Envelope, ok};
use crate::error::ErrorEnvelope;

/// How the service is doing.
#[derive(Serialize, ToSchema)]
pub struct Status {
    portal: PortalStatus,
    engine: EngineStatus,
    /// Whether this is a demonstration.
    demo: bool,
    /// ISO 4217.
    currency: &'static str,
}

/// How the portal is doing, as far as we see.
#[derive(Serialize, ToSchema)]
pub struct PortalStatus {
    state: PortalState,
    last_answer_at: Option<DateTime<Utc>>,
}

/// How the portal is doing.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PortalState {
    /// It answered within ten minutes.
    Ok,
    /// It answered within the hour.
    Slow,
    /// It has not answered for longer.
    Down,
    /// Nobody asked it lately.
    Unknown,
}

/// What the engine is doing.
#[derive(Serialize, ToSchema)]
pub struct EngineStatus {
    /// Whether one runs in this process.
    active: bool,
    last_look_at: Option<DateTime<Utc>>,
    looks_last_hour: i64,
}

/// How the service is doing, open to everyone.
#[utoipa::path(get, path = "/status", tag = "meta", responses(
    (status = 200, body = Envelope<Status>), (status = 503, body = ErrorEnvelope),
))]
pub async fn get_status(State(app): State<AppState>) -> Answer<Status> {
    let now = app.portal_time.now();
    let mut tx = app.db.read().await?;
    let calendars = store::observation::calendars(&mut tx).await?;
    let last = calendars.iter().filter_map(|c| c.last_look_at).max();
    let state = match last.map(|at| now - at) {
        None => PortalState::Unknown,
        Some(age) if age <= TimeDelta::minutes(10) => PortalState::Ok,
        Some(age) if age <= TimeDelta::hours(1) => PortalState::Slow,
        Some(_) => PortalState::Down,
    };
    ok(Status {
        portal: PortalStatus { state, last_answer_at: last },
        engine: EngineStatus { active: true, last_look_at: last, looks_last_hour: 0 },
        demo: app.settings.demo,
        currency: Currency::CAD.code(),
    })
}

/// The process is alive.
pub async fn healthz() -> &'static str {
    "ok"
}

/// The database answers, so requests may be sent here.
pub async fn readyz(State(app): State<AppState>) -> (StatusCode, &'static str) {
    let ready = async {
        let mut tx = app.db.read().await?;
        store::ledger::frozen(&mut tx).await
    };
    match ready.await {
        Ok(_) => (StatusCode::OK, "ready"),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "database unavailable")
        }
    }
}
