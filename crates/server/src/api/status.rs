//! `GET /status`, and the probes an operator's tools ask.

use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use domain::money::Currency;
use domain::verdict::Verdict;
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
    /// Whether one holds the lease.
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
    let accounts = store::portal_account::in_use(&mut tx).await?;
    let looks = accounts.iter().map(|a| i64::from(a.budget.looks(now).0)).sum();
    let down = store::task::running_with_verdict(&mut tx, Verdict::PortalDown).await?;
    let overloaded = store::task::running_with_verdict(&mut tx, Verdict::Overloaded).await?;
    let active = store::lease::is_held(&mut tx, engine::LEASE).await?;
    tx.commit().await?;
    // What the looks met, not how long ago the last one was: with nobody to watch for, nobody looks.
    let state = match (down, overloaded, last) {
        (1.., _, _) => PortalState::Down,
        (0, 1.., _) => PortalState::Slow,
        (_, _, Some(_)) => PortalState::Ok,
        (_, _, None) => PortalState::Unknown,
    };
    ok(Status {
        portal: PortalStatus { state, last_answer_at: last },
        engine: EngineStatus { active, last_look_at: last, looks_last_hour: looks },
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
