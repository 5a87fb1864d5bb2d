//! Endpoint `POST /schedules/{id}/start`.

use app::tasks;
use axum::extract::State;

use super::accept_group::Consent;
use super::{ScheduleAnswer, finish, own_task_to_change};
use crate::AppState;
use crate::auth::caller::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope};
use crate::http::extract::{OptionalBody, TaskPath};

/// Starts a paused or failed task again. If its hold was released, the amount is put on hold again.
#[utoipa::path(post, path = "/schedules/{id}/start", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")),
    request_body(content = Option<Consent>),
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn start_schedule(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    TaskPath(id): TaskPath,
    OptionalBody(consent): OptionalBody<Consent>,
) -> Answer<ScheduleAnswer> {
    let expected_total = consent.minor()?;
    detached(async move {
        let mut tx = app.db.begin().await?;
        let task = own_task_to_change(&mut tx, caller.user, id).await?;
        tasks::start(&app.use_cases(), &mut tx, &task, expected_total).await?;
        finish(&app, tx, caller.user, id).await
    })
    .await
}
