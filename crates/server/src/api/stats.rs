//! The caller's own figures, and everybody's.

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

/// The routes of this resource.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_stats)).routes(routes!(get_public_stats))
}

/// Everybody's figures are at most this old.
const AGE: TimeDelta = TimeDelta::seconds(10);

/// With fewer ratings than this an average says little.
pub const ENOUGH: i64 = 20;

/// What the service did for the caller so far.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Stats {
    /// Polls that answered any of their tasks.
    pub checks_total: i64,
    /// Of these, since midnight in Toronto.
    pub checks_today: i64,
    /// Days gained over all bookings.
    pub days_saved: i64,
    /// The most days one booking gained; null before the first.
    pub most_days_saved: Option<i64>,
    /// Bookings that succeeded / booking attempts of which something was sent, 0 to 1; null before the first attempt.
    pub success_rate: Option<f64>,
    /// Tasks that run: submitted, processing or active, as in the list's stage `running`.
    pub active: i64,
    /// Tasks ever submitted.
    pub tasks_submitted: i64,
    /// Tasks with at least one success.
    pub tasks_succeeded: i64,
    /// Booking attempts of which something was sent.
    pub attempts: i64,
    /// Bookings that succeeded.
    pub booked: i64,
}

/// Reads the caller's figures.
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

/// What the service did for everybody so far.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublicStats {
    /// Tasks with at least one success.
    pub finished_tasks: i64,
    /// Ratings given.
    pub ratings: i64,
    /// Their average, 1 to 5, to one decimal; null without any.
    pub average_rating: Option<f64>,
    /// The share of four stars and five, 0 to 1; null without any.
    pub satisfied_share: Option<f64>,
    /// Looks made.
    pub checks_total: i64,
    /// Days gained over all bookings.
    pub days_saved: i64,
    /// Whether there are enough ratings to speak of: at least twenty.
    pub enough: bool,
}

/// Reads everybody's figures; open.
#[utoipa::path(get, path = "/stats/public", tag = "stats",
    responses((status = 200, body = Envelope<PublicStats>), (status = 503, body = crate::http::error::ErrorEnvelope)))]
pub async fn get_public_stats(State(app): State<AppState>) -> Answer<PublicStats> {
    let read = async {
        let mut tx = app.db.read().await?;
        let all = everybody(&mut tx).await?;
        tx.commit().await?;
        Ok::<_, store::Error>(all)
    };
    ok(app.public_stats.get(app.now(), AGE, read).await?)
}

/// Sums everybody's figures up.
///
/// # Errors
/// Where the database does not answer.
pub async fn everybody(tx: &mut store::Tx) -> Result<PublicStats, store::Error> {
    let all = store::stats::everybody(tx).await?;
    let rated = store::rating::sum(tx).await?;
    let per_rating = |sum: i64| (rated.ratings > 0).then(|| sum as f64 / rated.ratings as f64);
    Ok(PublicStats {
        finished_tasks: all.finished,
        ratings: rated.ratings,
        average_rating: per_rating(rated.stars).map(|average| (average * 10.0).round() / 10.0),
        satisfied_share: per_rating(rated.satisfied).map(|share| (share * 1000.0).round() / 1000.0),
        checks_total: all.polls,
        days_saved: all.days_saved,
        enough: rated.ratings >= ENOUGH,
    })
}
