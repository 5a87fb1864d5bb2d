//! Endpoints that read tasks: the list, the status, the progress and the bookings.

use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::task::listing::{TaskFilter, TaskOrder};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{SuccessView, TaskView, VerdictView, own_task, own_view, task_view, view};
use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code};
use crate::http::extract::{Query, TaskPath};

/// Page, filter and order of the list.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ListQuery {
    /// Number of the page, from 1.
    #[serde(default = "first")]
    pub page: i64,
    /// Maximum number of tasks on a page, 1 to 100; 20 by default.
    #[serde(default = "default_size")]
    pub page_size: i64,
    /// Statuses and stages to list, comma-separated; all by default.
    pub status: Option<String>,
    /// Order of the tasks; newest first by default.
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
    /// Tasks in the requested order.
    pub schedules: Vec<TaskView>,
    /// Number of the page.
    pub page: i64,
    /// Maximum number of tasks on the page.
    pub page_size: i64,
    /// Number of tasks that match the filter, on all pages.
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
    let asking =
        if by_stage { task_view::asking(&mut tx, caller.user, app.now()).await? } else { Vec::new() };
    let listing = store::task::Listing {
        filters: &filters,
        order: query.sort,
        page: usize::try_from(query.page).unwrap_or(1),
        size: usize::try_from(query.page_size).unwrap_or(1),
        now: app.portal_time.now(),
        asking: &asking,
    };
    let (tasks, total) = store::task::list(&mut tx, caller.user, listing).await?;
    let schedules = task_view::tasks(&mut tx, &app, &tasks).await?;
    tx.commit().await?;
    ok(SchedulePage { schedules, page: query.page, page_size: query.page_size, total: total as i64 })
}

/// A task with the names of its cities.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ScheduleStatus {
    /// The task.
    pub schedule: TaskView,
    /// Names of the cities, in English.
    pub monitoring_cities: Vec<String>,
}

/// Returns one task.
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

/// Progress of a task, with its condition in the engine.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Progress {
    /// Identifier of the task.
    pub schedule_id: uuid::Uuid,
    /// Status of the task.
    pub status: String,
    /// Progress in percent, derived from the status.
    pub progress: u8,
    /// Number of polls for the task that the portal answered.
    pub checks: i64,
    /// Time of the last of these polls.
    pub last_check_at: Option<DateTime<Utc>>,
    /// Earliest time of the next poll.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Number of dates that appeared in the task's cities.
    pub slots_seen: i64,
    /// Current condition of the task.
    pub verdict: VerdictView,
}

/// Returns the progress of a task.
#[utoipa::path(get, path = "/schedules/{id}/progress", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")),
    responses((status = 200, body = Envelope<Progress>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn get_schedule_progress(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
) -> Answer<Progress> {
    let mut tx = app.db.read().await?;
    let task = own_task(&mut tx, caller.user, id).await?;
    let engine = task_view::task(&mut tx, &app, &task).await?.engine;
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

/// Lists the earlier slots that were booked for the task, newest first.
#[utoipa::path(get, path = "/schedules/{id}/success-history", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")),
    responses((status = 200, body = Envelope<Vec<SuccessView>>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn list_success_history(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
) -> Answer<Vec<SuccessView>> {
    let mut tx = app.db.read().await?;
    own_task(&mut tx, caller.user, id).await?;
    let successes = store::journal::successes(&mut tx, id).await?;
    tx.commit().await?;
    ok(successes.iter().map(view::success).collect())
}
