//! Endpoint `POST /schedules/{id}/rating`: the user rates a task once, after a booking.

use axum::extract::State;
use domain::task::actions::Action;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{ScheduleAnswer, finish, own_task_to_change};
use crate::AppState;
use crate::auth::Caller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope};
use crate::http::error::{ApiError, Code, Fields};
use crate::http::extract::{Body, TaskPath};

/// Maximum length of the comment, in characters.
const LONGEST: usize = 500;

/// Input of a rating: stars with a comment, or the dismissal of the request to rate.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Number of stars, 1 to 5.
    #[schema(minimum = 1, maximum = 5)]
    pub stars: Option<u8>,
    /// Comment, at most 500 characters.
    #[schema(max_length = 500)]
    pub comment: Option<String>,
    /// `true` to dismiss the request to rate for good.
    #[serde(default)]
    pub dismissed: bool,
}

/// Rates a task once, after a booking, or dismisses the request to rate it.
#[utoipa::path(post, path = "/schedules/{id}/rating", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")), request_body = Rate,
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn rate_schedule(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
    body: Body<Rate>,
) -> Answer<ScheduleAnswer> {
    let asked = body.value;
    let comment = asked.comment.as_deref().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned);
    let mut wrong = Fields::default();
    match asked.stars {
        Some(1..=5) => {}
        None if asked.dismissed => {}
        Some(_) => wrong.add("stars", "out_of_range"),
        None => wrong.add("stars", "required"),
    }
    if comment.as_deref().is_some_and(|line| line.chars().count() > LONGEST) {
        wrong.add("comment", "too_long");
    }
    if asked.dismissed && (asked.stars.is_some() || comment.is_some()) {
        wrong.add("dismissed", "not_with_stars");
    }
    wrong.none()?;
    detached(async move {
        let mut tx = app.db.begin().await?;
        let task = own_task_to_change(&mut tx, caller.user, id).await?;
        let now = app.now();
        app::tasks::demand(&app.use_cases(), &mut tx, &task, Action::Rate).await?;
        match asked.stars {
            Some(stars) => {
                if !store::rating::rate(&mut tx, (id, caller.user), stars, comment.as_deref(), now).await? {
                    return Err(ApiError::new(Code::AlreadyRated));
                }
            }
            None => store::rating::dismiss(&mut tx, id, caller.user, now).await?,
        }
        finish(&app, tx, caller.user, id).await
    })
    .await
}
