//! A yes to what a task asks, by its signed-in user: the same yes as by the link of the message.

use axum::extract::State;
use chrono::NaiveDate;
use domain::journal::CityName;
use serde::Deserialize;
use utoipa::ToSchema;

use super::own_to_change;
use crate::AppState;
use crate::api::questions::QuestionView;
use crate::auth::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::extract::{Body, TaskPath};

/// The day that is agreed to, as the page shows it: a yes never counts for another one that was asked about meanwhile.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AgreedDay {
    /// The city.
    pub facility: CityName,
    /// The day.
    pub date: NaiveDate,
}

/// Says yes to a day that the task asks about, once: it is tried for from now on. A yes that does not count changes nothing;
/// `state` says why. Not found where the task never asked about that day.
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
        own_to_change(&mut tx, caller.user, id).await?;
        let (facility, day) = (agreed.facility.0, agreed.date);
        let asked = app::questions::say_yes_on_page(&app.use_cases(), &mut tx, id, facility, day).await?;
        tx.commit().await?;
        app.engine.nudge();
        ok(QuestionView::of(&asked))
    })
    .await
}
