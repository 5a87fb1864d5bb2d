//! Endpoint `POST /schedules/{id}/answer`: a signed-in user approves a question of a task. The link
//! in the question's message has the same effect.

use axum::extract::State;
use chrono::NaiveDate;
use domain::journal::CityName;
use serde::Deserialize;
use utoipa::ToSchema;

use super::own_task_to_change;
use crate::AppState;
use crate::api::questions::QuestionView;
use crate::auth::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::extract::{Body, TaskPath};

/// The approved date, as the page shows it. The approval never applies to another date of a later
/// question.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AgreedDay {
    /// City of the date.
    pub facility: CityName,
    /// The date.
    pub date: NaiveDate,
}

/// Approves a date of a task's question, once. The engine then tries to book the date. If the
/// approval has no effect, `state` shows the reason. The response is 404 if no question of the task
/// was about this date.
#[utoipa::path(post, path = "/schedules/{id}/answer", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")), request_body = AgreedDay,
    responses((status = 200, body = Envelope<QuestionView>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn answer_schedule(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    TaskPath(id): TaskPath,
    Body { value: agreed, .. }: Body<AgreedDay>,
) -> Answer<QuestionView> {
    detached(async move {
        let mut tx = app.db.begin().await?;
        own_task_to_change(&mut tx, caller.user, id).await?;
        let (facility, day) = (agreed.facility.0, agreed.date);
        let asked = app::questions::approve_on_page(&app.use_cases(), &mut tx, id, facility, day).await?;
        tx.commit().await?;
        app.engine.nudge();
        ok(QuestionView::of(&asked))
    })
    .await
}
