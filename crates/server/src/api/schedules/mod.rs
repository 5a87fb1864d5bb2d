//! Monitoring tasks; the API calls them schedules.

mod accept_group;
mod actions;
mod approve;
mod calendar;
mod check;
mod configure;
mod delete;
mod edit;
mod ics;
mod journal;
mod list;
mod params;
mod rating;
mod seen;
mod start;
mod stop;
mod submit;
mod task_view;
mod verify;
mod verify_progress;
mod view;
mod why_not;

use chrono::NaiveDate;
use domain::ids::{TaskId, UserId};
use store::Tx;
use store::task::Task;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use params::SearchParams;
pub(crate) use task_view::{stage, tasks as task_views};
pub use view::{AppointmentView, SuccessView, TaskView, VerdictView};

use crate::AppState;
use crate::http::envelope::{Answer, ok};
use crate::http::error::{ApiError, Code};

/// Returns the routes of this resource.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(verify::verify_credentials))
        .routes(routes!(verify_progress::get_verify_progress))
        .routes(routes!(check::check_schedule))
        .routes(routes!(configure::configure_schedule))
        .routes(routes!(submit::submit_schedules))
        .routes(routes!(list::list_schedules))
        .routes(routes!(edit::update_schedule, delete::delete_schedule))
        .routes(routes!(edit::update_schedule_facilities))
        .routes(routes!(list::get_schedule_status))
        .routes(routes!(list::get_schedule_progress))
        .routes(routes!(list::list_success_history))
        .routes(routes!(journal::get_schedule_journal))
        .routes(routes!(calendar::get_schedule_calendar))
        .routes(routes!(seen::get_schedule_seen))
        .routes(routes!(ics::get_appointment_file))
        .routes(routes!(rating::rate_schedule))
        .routes(routes!(approve::answer_schedule))
        .routes(routes!(accept_group::accept_group))
        .routes(routes!(start::start_schedule))
        .routes(routes!(stop::stop_schedule))
}

/// Returns a task of the caller. Returns `NOT_FOUND` for tasks of other users and for unknown ones.
async fn own_task(tx: &mut Tx, user: UserId, id: TaskId) -> Result<Task, ApiError> {
    store::task::of_user(tx, user, id).await?.ok_or_else(|| Code::NotFound.into())
}

/// Returns a task of the caller, locked until the transaction ends, so that changes of a task are
/// serialized.
async fn own_task_to_change(tx: &mut Tx, user: UserId, id: TaskId) -> Result<Task, ApiError> {
    store::lock::exclusive(tx, id.0).await?;
    own_task(tx, user, id).await
}

/// Returns the JSON view of a task of the caller.
async fn own_view(tx: &mut Tx, app: &AppState, user: UserId, id: TaskId) -> Result<TaskView, ApiError> {
    let task = own_task(tx, user, id).await?;
    task_view::task(tx, app, &task).await
}

/// Response with one task.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct ScheduleAnswer {
    /// The task.
    pub schedule: TaskView,
    /// Booking request that was already sent and cannot be cancelled; null if there is none. The
    /// change applies after its outcome is known.
    pub booking_under_way: Option<BookingUnderWay>,
}

/// A booking request that was sent, with an unknown outcome.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct BookingUnderWay {
    /// Date of the slot.
    pub date: NaiveDate,
    /// Local time of the slot, `HH:MM`.
    pub time: Option<String>,
    /// City, in English.
    pub facility: String,
}

/// Returns the task's booking request that was sent and has no outcome yet.
async fn booking_under_way(tx: &mut Tx, id: TaskId) -> Result<Option<BookingUnderWay>, ApiError> {
    let attempt = store::booking_attempt::under_way(tx, id).await?;
    Ok(attempt.map(|attempt| BookingUnderWay {
        date: attempt.date,
        time: attempt.target.map(|target| target.consular.time.format("%H:%M").to_string()),
        facility: attempt.facility.name().to_owned(),
    }))
}

/// Wrapped form of `keep_current_appointment`.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AppointmentManagement {
    /// `true` to only notify and never book.
    #[serde(alias = "keepCurrentAppointment")]
    pub keep_current_appointment: Option<bool>,
}

/// Commits a change of a task of the caller, and returns the changed task.
async fn finish(app: &AppState, mut tx: Tx, user: UserId, id: TaskId) -> Answer<ScheduleAnswer> {
    let schedule = own_view(&mut tx, app, user, id).await?;
    let booking_under_way = booking_under_way(&mut tx, id).await?;
    tx.commit().await?;
    app.engine.nudge();
    ok(ScheduleAnswer { schedule, booking_under_way })
}
