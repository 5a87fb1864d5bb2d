//! Reading tasks: list, status, progress, success history.

use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::task::listing::{TaskFilter, TaskOrder};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{SuccessView, TaskView, VerdictView, own, own_view, shown, view};
use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code};
use crate::http::extract::{Query, TaskPath};

/// Which page of which tasks.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ListQuery {
    /// From 1.
    #[serde(default = "first")]
    pub page: i64,
    /// 1 to 100; 20 when left out.
    #[serde(default = "default_size")]
    pub page_size: i64,
    /// Comma-separated statuses and stages; all when left out.
    pub status: Option<String>,
    /// In which order; the newest first when left out.
    #[serde(default)]
    #[param(inline)]
    pub sort: TaskOrder,
}

const fn first() -> i64 {
    1
}

const fn default_size() -> i64 {
    20
}

/// A page of tasks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SchedulePage {
    /// The tasks, in the order asked for.
    pub schedules: Vec<TaskView>,
    /// Which page.
    pub page: i64,
    /// How many at most on it.
    pub page_size: i64,
    /// How many in all.
    pub total: i64,
}

/// Lists the caller's tasks.
#[utoipa::path(get, path = "/schedules", tag = "schedules", security(("bearer" = [])), params(ListQuery),
    responses((status = 200, body = Envelope<SchedulePage>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn list_schedules(
    State(app): State<AppState>,
    caller: Caller,
    Query(query): Query<ListQuery>,
) -> Answer<SchedulePage> {
    let words = query.status.iter().flat_map(|list| list.split(','));
    let filters = words.map(TaskFilter::parse).collect::<Option<Vec<_>>>();
    let filters = filters.ok_or_else(|| ApiError::new(Code::InvalidQuery))?;
    if !(1..=100).contains(&query.page_size) || !(1..=1_000_000).contains(&query.page) {
        return Err(ApiError::new(Code::InvalidQuery));
    }
    let mut tx = app.db.read().await?;
    let by_stage = filters.iter().any(|filter| matches!(filter, TaskFilter::Stage(_)));
    let asking = if by_stage { shown::asking(&mut tx, caller.user, app.now()).await? } else { Vec::new() };
    let listing = store::task::Listing {
        filters: &filters,
        order: query.sort,
        page: usize::try_from(query.page).unwrap_or(1),
        size: usize::try_from(query.page_size).unwrap_or(1),
        now: app.portal_time.now(),
        asking: &asking,
    };
    let (tasks, total) = store::task::list(&mut tx, caller.user, listing).await?;
    let schedules = shown::tasks(&mut tx, &app, &tasks).await?;
    tx.commit().await?;
    ok(SchedulePage { schedules, page: query.page, page_size: query.page_size, total: total as i64 })
}

/// A task with its cities.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ScheduleStatus {
    /// The task.
    pub schedule: TaskView,
    /// English city names.
    pub monitoring_cities: Vec<String>,
}

/// Reads one task.
#[utoipa::path(get, path = "/schedules/{id}/status", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")),
    responses((status = 200, body = Envelope<ScheduleStatus>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn get_schedule_status(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
) -> Answer<ScheduleStatus> {
    let mut tx = app.db.read().await?;
    let schedule = own_view(&mut tx, &app, caller.user, id).await?;
    tx.commit().await?;
    let monitoring_cities = schedule.monitoring_cities.clone();
    ok(ScheduleStatus { schedule, monitoring_cities })
}

/// How far a task is and what the engine does for it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Progress {
    /// The task.
    pub schedule_id: uuid::Uuid,
    /// Where it stands.
    pub status: String,
    /// Percent, by status.
    pub progress: u8,
    /// Polls that answered it.
    pub checks: i64,
    /// The last of them.
    pub last_check_at: Option<DateTime<Utc>>,
    /// The next, at the soonest.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Days that appeared in its cities.
    pub slots_seen: i64,
    /// What it means.
    pub verdict: VerdictView,
}

/// Reads a task's progress.
#[utoipa::path(get, path = "/schedules/{id}/progress", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")),
    responses((status = 200, body = Envelope<Progress>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn get_schedule_progress(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
) -> Answer<Progress> {
    let mut tx = app.db.read().await?;
    let task = own(&mut tx, caller.user, id).await?;
    let engine = shown::task(&mut tx, &app, &task).await?.engine;
    tx.commit().await?;
    ok(Progress {
        schedule_id: task.id.0,
        status: task.status.as_str().to_owned(),
        progress: task.status.progress(),
        checks: engine.checks,
        last_check_at: engine.last_check_at,
        next_check_at: engine.next_check_at,
        slots_seen: engine.slots_seen,
        verdict: engine.verdict,
    })
}

/// Lists the earlier slots a task has booked, newest first.
#[utoipa::path(get, path = "/schedules/{id}/success-history", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")),
    responses((status = 200, body = Envelope<Vec<SuccessView>>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn list_success_history(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
) -> Answer<Vec<SuccessView>> {
    let mut tx = app.db.read().await?;
    own(&mut tx, caller.user, id).await?;
    let successes = store::journal::successes(&mut tx, id).await?;
    tx.commit().await?;
    ok(successes.iter().map(view::success).collect())
}
