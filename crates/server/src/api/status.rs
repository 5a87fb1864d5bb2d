//! `GET /status`, and the probes an operator's tools ask.

pub mod history;
pub(crate) mod hours;

use std::borrow::Cow;

use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, DurationRound as _, TimeDelta, Utc};
use domain::money::Currency;
use serde::Serialize;
use store::migrate::Schema;
use utoipa::ToSchema;

use self::hours::{HourState, PortalHour, latency};
use crate::AppState;
use crate::config::roles;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, ErrorEnvelope};

/// The status is at most this old: everybody gets the same.
const AGE: TimeDelta = TimeDelta::seconds(10);

/// How the service is doing.
#[derive(Clone, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct Status {
    /// When this was so, by the clock the polls are stamped with.
    pub(crate) at: DateTime<Utc>,
    pub(crate) portal: PortalStatus,
    pub(crate) engine: EngineStatus,
    pub(crate) delivery: DeliveryStatus,
    /// Whether this is a demonstration.
    pub(crate) demo: bool,
    /// ISO 4217.
    #[cfg_attr(test, serde(skip_deserializing))]
    pub(crate) currency: &'static str,
}

/// How the portal is doing, as far as we see.
#[derive(Clone, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct PortalStatus {
    pub(crate) state: PortalState,
    /// Since when it is slow or down, to the hour; null while it answers, or where the hours do not tell.
    pub(crate) since: Option<DateTime<Utc>>,
    pub(crate) last_answer_at: Option<DateTime<Utc>>,
    /// Milliseconds an answer to a poll took on average within the last two hours; null without any.
    pub(crate) latency_ms: Option<i64>,
    /// The last 24 hours, oldest first; the last of them is under way.
    pub(crate) hours: Vec<PortalHour>,
}

/// Whether mails go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
#[serde(rename_all = "lowercase")]
pub enum MailState {
    /// They do.
    Ok,
    /// Some were tried in vain and wait.
    Failing,
    /// No mail server is set up.
    Off,
}

/// How mails go out.
#[derive(Clone, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct DeliveryStatus {
    pub(crate) mail: MailState,
    /// Mails that wait.
    pub(crate) waiting: i64,
    /// Of these, tried before in vain.
    pub(crate) failing: i64,
    /// Seconds the one that waits longest has waited; null when none does.
    pub(crate) waiting_seconds: Option<i64>,
    /// Mails the mail server took within the last 24 hours.
    pub(crate) delivered_day: i64,
}

/// How the portal is doing.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
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
#[derive(Clone, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct EngineStatus {
    /// Whether one holds the lease.
    pub(crate) active: bool,
    #[serde(rename = "last_look_at")]
    pub(crate) last_poll_at: Option<DateTime<Utc>>,
    /// When the next poll is due, as things stand; null while nothing runs.
    #[serde(rename = "next_look_at")]
    pub(crate) next_poll_at: Option<DateTime<Utc>>,
    /// Since when the operator has paused every request to the portal, but those that read back a booking; null while they
    /// may go out.
    pub(crate) paused_since: Option<DateTime<Utc>>,
}

/// How the service is doing, open to everyone.
#[utoipa::path(get, path = "/status", tag = "meta", responses(
    (status = 200, body = Envelope<Status>), (status = 503, body = ErrorEnvelope),
))]
pub async fn get_status(State(app): State<AppState>) -> Answer<Status> {
    ok(current(&app).await?)
}

/// The status as everybody is told it.
///
/// # Errors
/// Where the database does not answer.
pub async fn current(app: &AppState) -> Result<Status, ApiError> {
    app.status.get(app.now(), AGE, read(app)).await
}

/// Asks the database.
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
    // What the polls met, not how long ago the last one was: with nobody to watch for, nobody looks.
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

/// The process is alive.
pub async fn healthz() -> &'static str {
    "ok"
}

/// The database answers and has a schema that this build can serve, so requests may be sent here.
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
            tracing::warn!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "database unavailable".into())
        }
    }
}
