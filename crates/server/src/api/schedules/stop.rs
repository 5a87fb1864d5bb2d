//! Endpoint `POST /schedules/{id}/stop`.

use app::tasks::{self, Cause};
use axum::extract::State;
use domain::task::actions::Action;

use super::{ScheduleAnswer, finish, own_task_to_change};
use crate::AppState;
use crate::auth::Caller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope};
use crate::http::extract::TaskPath;

/// Pauses a running task. The amount on hold stays on hold.
#[utoipa::path(post, path = "/schedules/{id}/stop", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")),
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn stop_schedule(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
) -> Answer<ScheduleAnswer> {
    detached(async move {
        let mut tx = app.db.begin().await?;
        let task = own_task_to_change(&mut tx, caller.user, id).await?;
        let use_cases = app.use_cases();
        tasks::demand(&use_cases, &mut tx, &task, Action::Stop).await?;
        tasks::stop(&use_cases, &mut tx, &task, Cause::Paused).await?;
        finish(&app, tx, caller.user, id).await
    })
    .await
}
