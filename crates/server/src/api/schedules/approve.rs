//! Endpoint `POST /schedules/{id}/answer`: a signed-in user answers a question of a task. The link
//! in the question's message has the same effect.

use app::questions::{AskedDate, QuestionAnswer};
use axum::extract::State;
use chrono::NaiveDate;
use domain::journal::CityName;
use serde::Deserialize;
use utoipa::ToSchema;

use super::own_task_to_change;
use crate::AppState;
use crate::api::questions::{AnswerChoice, QuestionView};
use crate::auth::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::extract::{Body, TaskPath};

/// Answer to a question about a date, as the page shows it. An approval never applies to another
/// date of a later question.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AgreedDay {
    /// City of the date.
    pub facility: CityName,
    /// The date.
    pub date: NaiveDate,
    /// The answer; without it, yes.
    #[serde(default)]
    pub answer: AnswerChoice,
    /// `true` to approve the date even if the time for an answer has ended. The date is booked only
    /// if it is still listed.
    #[serde(default)]
    pub late: bool,
}

/// Answers a task's question about a date. It is approved at most once; the engine then tries to
/// book the date. If the approval has no effect, `state` shows the reason. The response is 404 if
/// no question of the task was about this date.
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
        let date = AskedDate { task: id, facility: agreed.facility.0, day: agreed.date };
        let answer = match (agreed.answer, agreed.late) {
            (AnswerChoice::No, _) => QuestionAnswer::No,
            (AnswerChoice::Yes, true) => QuestionAnswer::YesIfListed,
            (AnswerChoice::Yes, false) => QuestionAnswer::Yes,
        };
        let asked = app::questions::answer_on_page(&app.use_cases(), &mut tx, date, answer).await?;
        tx.commit().await?;
        app.engine.nudge();
        ok(QuestionView::of(&asked))
    })
    .await
}
