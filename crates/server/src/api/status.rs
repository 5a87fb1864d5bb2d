//! Endpoint `GET /status`, and the probes `/healthz` and `/readyz`.

mod answer;
pub mod history;
pub(crate) mod hours;

use std::borrow::Cow;

use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, DurationRound as _, TimeDelta, Utc};
use domain::money::Currency;
use store::migrate::Schema;

pub use self::answer::{DeliveryStatus, EngineStatus, MailState, PortalState, PortalStatus, Status};
use self::hours::{HourState, PortalHour, latency};
use crate::AppState;
use crate::config::roles;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, ErrorEnvelope};

/// Maximum age of the cached status, which is the same for all callers.
const AGE: TimeDelta = TimeDelta::seconds(10);

/// Returns the status of the service. No token is needed.
#[utoipa::path(get, path = "/status", tag = "meta", responses(
    (status = 200, body = Envelope<Status>), (status = 503, body = ErrorEnvelope),
))]
pub async fn get_status(State(app): State<AppState>) -> Answer<Status> {
    ok(current(&app).await?)
}

/// Returns the status that all callers get.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn current(app: &AppState) -> Result<Status, ApiError> {
    app.status.get(app.now(), AGE, read(app)).await
}

/// Reads the status from the database.
async fn read(app: &AppState) -> Result<Status, ApiError> {
    let now = app.portal_time.now();
    let mut tx = app.db.read().await?;
    let last = store::stats::last_poll(&mut tx).await?;
    let store::task::TroubledTasks { down, overloaded } = store::task::troubled(&mut tx).await?;
    let begins = now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now) - TimeDelta::hours(23);
    let asked = store::seen::portal_hours(&mut tx, begins).await?;
    let next_poll_at = store::stats::next_poll(&mut tx, now).await?;
    let mails = store::stats::mails(&mut tx, app.now() - TimeDelta::days(1)).await?;
    let active = store::lease::is_held(&mut tx, engine::LEASE).await?;
    let pause = store::outward::paused(&mut tx, &app.engine.context().client.host()).await?;
    tx.commit().await?;
    // The state depends on the results of polls, not on the age of the last one, because without
    // running tasks there are no polls.
    let state = match (down, overloaded, last) {
        (1.., _, _) => PortalState::Down,
        (0, 1.., _) => PortalState::Slow,
        (_, _, Some(_)) => PortalState::Ok,
        (_, _, None) => PortalState::Unknown,
    };
    let since = match state {
        PortalState::Slow | PortalState::Down => history::begun(app).await?,
        PortalState::Ok | PortalState::Unknown => None,
    };
    let lately = asked.iter().filter(|h| h.hour >= begins + TimeDelta::hours(22));
    Ok(Status {
        at: now,
        portal: PortalStatus {
            state,
            since,
            last_answer_at: last,
            latency_ms: latency(lately),
            hours: (0..24).map(|at| hour(&asked, begins + TimeDelta::hours(at))).collect(),
        },
        engine: EngineStatus {
            active,
            last_poll_at: last,
            next_poll_at,
            paused_since: pause.map(|pause| pause.at),
        },
        delivery: DeliveryStatus {
            mail: match () {
                () if !app.mail_configured() => MailState::Off,
                () if mails.failing > 0 => MailState::Failing,
                () => MailState::Ok,
            },
            waiting: mails.waiting,
            failing: mails.failing,
            waiting_seconds: mails.oldest_at.map(|at| (app.now() - at).num_seconds().max(0)),
            delivered_day: mails.delivered,
        },
        demo: app.settings.demo,
        currency: Currency::CAD.code(),
    })
}

fn hour(asked: &[store::seen::PortalHour], at: DateTime<Utc>) -> PortalHour {
    let Some(h) = asked.iter().find(|h| h.hour == at) else {
        return PortalHour { hour: at, state: HourState::None, looks: 0, failures: 0, latency_ms: None };
    };
    PortalHour {
        hour: at,
        state: HourState::of(h),
        looks: h.polls,
        failures: h.failures,
        latency_ms: latency([h]),
    }
}

/// Answers the liveness probe.
pub async fn healthz() -> &'static str {
    "ok"
}

/// Answers the readiness probe. Returns success if the database is available and its schema is
/// supported by this build.
pub async fn readyz(State(app): State<AppState>) -> (StatusCode, Cow<'static, str>) {
    let ready = async {
        let mut tx = app.db.read().await?;
        store::migrate::schema(&mut tx).await
    };
    match ready.await {
        Ok(Schema::Incompatible(newer)) => {
            tracing::warn!(?newer, "not ready: a newer version migrated the database");
            (StatusCode::SERVICE_UNAVAILABLE, "a newer version migrated the database".into())
        }
        Ok(_) => {
            let leads = if app.engine.is_active() { ", leading" } else { "" };
            let roles = roles::names(&app.settings.role);
            (StatusCode::OK, format!("{roles}{leads}: ready").into())
        }
        Err(error) => {
            tracing::warn!(%error, "not ready: the database is unavailable");
            (StatusCode::SERVICE_UNAVAILABLE, "database unavailable".into())
        }
    }
}
