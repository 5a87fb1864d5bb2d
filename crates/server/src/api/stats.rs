//! Endpoints `GET /stats` and `GET /stats/public`.

use axum::extract::State;
use chrono::{TimeDelta, Timelike as _};
use domain::facility::REPORTING_ZONE;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};

mod public;

pub use public::{ENOUGH, PublicStats, public_stats};

/// Returns the routes of this resource.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_stats)).routes(routes!(get_public_stats))
}

/// Maximum age of the public figures.
const AGE: TimeDelta = TimeDelta::seconds(10);

/// Figures of the caller.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Stats {
    /// Number of answered polls of the caller's tasks.
    pub checks_total: i64,
    /// Number of these polls since midnight in Toronto.
    pub checks_today: i64,
    /// Sum of the days that all bookings gained.
    pub days_saved: i64,
    /// Most days that one booking gained; null before the first booking.
    pub most_days_saved: Option<i64>,
    /// Share of the sent booking requests that succeeded, from 0 to 1; null before the first
    /// request.
    pub success_rate: Option<f64>,
    /// Number of running tasks: submitted, processing or active, as in the stage `running` of the
    /// list.
    pub active: i64,
    /// Number of tasks that were submitted at any time.
    pub tasks_submitted: i64,
    /// Number of tasks with at least one booking.
    pub tasks_succeeded: i64,
    /// Number of sent booking requests.
    pub attempts: i64,
    /// Number of successful bookings.
    pub booked: i64,
}

/// Returns the caller's figures.
#[utoipa::path(get, path = "/stats", tag = "stats", security(("bearer" = [])),
    responses((status = 200, body = Envelope<Stats>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn get_stats(State(app): State<AppState>, caller: Caller) -> Answer<Stats> {
    let now = app.portal_time.now();
    let local = now.with_timezone(&REPORTING_ZONE);
    let midnight = now - chrono::TimeDelta::seconds(i64::from(local.num_seconds_from_midnight()));
    let mut tx = app.db.read().await?;
    let figures = store::task::task_stats(&mut tx, caller.user).await?;
    let days_saved = store::journal::days_saved(&mut tx, caller.user).await?;
    let context = store::stats::context(&mut tx, caller.user).await?;
    let checks_today = store::seen::checks_since(&mut tx, caller.user, midnight).await?;
    tx.commit().await?;
    let rate = (context.attempts > 0).then(|| (context.booked as f64 / context.attempts as f64).min(1.0));
    ok(Stats {
        checks_total: figures.checks,
        checks_today,
        days_saved,
        most_days_saved: context.most_days_saved,
        success_rate: rate,
        active: figures.active,
        tasks_submitted: figures.submitted,
        tasks_succeeded: figures.succeeded,
        attempts: context.attempts,
        booked: context.booked,
    })
}

/// Returns the figures of all users together. No token is needed.
#[utoipa::path(get, path = "/stats/public", tag = "stats",
    responses((status = 200, body = Envelope<PublicStats>), (status = 503, body = crate::http::error::ErrorEnvelope)))]
pub async fn get_public_stats(State(app): State<AppState>) -> Answer<PublicStats> {
    let read = async {
        let mut tx = app.db.read().await?;
        let all = public_stats(&mut tx).await?;
        tx.commit().await?;
        Ok::<_, store::Error>(all)
    };
    ok(app.public_stats.get(app.now(), AGE, read).await?)
}
