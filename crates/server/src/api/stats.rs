//! The caller's own figures.

use axum::extract::State;
use domain::task::TaskStatus;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::AppState;
use crate::auth::Caller;
use crate::envelope::{Answer, Envelope, ok};

/// The routes of this resource.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_stats))
}

/// What the service did for the caller so far.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Stats {
    /// Looks that answered any of their tasks.
    pub checks_total: i64,
    /// Days gained over all bookings.
    pub days_saved: i64,
    /// Tasks with a success / tasks submitted, 0 to 1; null before the first submit.
    pub success_rate: Option<f64>,
    /// Tasks being watched.
    pub active: i64,
    /// Tasks ever submitted.
    pub tasks_submitted: i64,
    /// Tasks with at least one success.
    pub tasks_succeeded: i64,
}

/// Reads the caller's figures.
#[utoipa::path(get, path = "/stats", tag = "stats", security(("bearer" = [])),
    responses((status = 200, body = Envelope<Stats>), (status = "4XX", body = crate::error::ErrorEnvelope)))]
pub async fn get_stats(State(app): State<AppState>, caller: Caller) -> Answer<Stats> {
    let mut tx = app.db.read().await?;
    let figures = store::task::figures(&mut tx, caller.user, TaskStatus::Active.as_str()).await?;
    let days_saved = store::journal::days_saved(&mut tx, caller.user).await?;
    tx.commit().await?;
    let rate = (figures.submitted > 0).then(|| figures.succeeded as f64 / figures.submitted as f64);
    ok(Stats {
        checks_total: figures.checks,
        days_saved,
        success_rate: rate,
        active: figures.active,
        tasks_submitted: figures.submitted,
        tasks_succeeded: figures.succeeded,
    })
}
