//! Endpoint `POST /schedules/{id}/accept-group`.

use app::tasks;
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{ScheduleAnswer, booking_under_way, own_task_to_change, own_view};
use crate::AppState;
use crate::api::pricing::minor;
use crate::auth::caller::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Fields};
use crate::http::extract::{OptionalBody, TaskPath};
use crate::http::idempotency::{IdempotencyKey, IdempotentRequest};

/// Amount that the user saw and accepts.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// The shown amount in CAD: `price.difference.amount` for a changed group, or the task's new
    /// total for a start. If it differs from the current amount, the call is rejected with the
    /// current amount.
    #[serde(default)]
    pub expected_total: Option<f64>,
}

impl Consent {
    /// Returns the amount in minor units. It is negative if a smaller group gets a refund.
    pub(super) fn minor(self) -> Result<Option<i64>, ApiError> {
        let seen = self.expected_total.map(|total| minor(total, -1e9));
        seen.map(|minor| minor.ok_or_else(|| Fields::single("expected_total", "out_of_range"))).transpose()
    }
}

/// Accepts the price for the new size of the group. The difference is put on hold, and the task
/// continues.
#[utoipa::path(post, path = "/schedules/{id}/accept-group", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeated request with the same key and body returns the first response")),
    request_body(content = Option<Consent>),
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn accept_group(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    TaskPath(id): TaskPath,
    key: IdempotencyKey,
    OptionalBody(consent): OptionalBody<Consent>,
) -> Answer<Value> {
    let expected_difference = consent.minor()?;
    // The task is part of the compared request, so the use of one key for two tasks is an error.
    let asked = format!("{id} {:?}", consent.expected_total).into();
    let once = IdempotentRequest::new(&app, caller.user, "POST /schedules/accept-group", key, &asked);
    detached(async move {
        let mut tx = app.db.begin().await?;
        if let Some(answered) = once.answered(&mut tx).await? {
            return ok(answered);
        }
        let task = own_task_to_change(&mut tx, caller.user, id).await?;
        tasks::accept_group(&app.use_cases(), &mut tx, &task, expected_difference).await?;
        let schedule = own_view(&mut tx, &app, caller.user, id).await?;
        let booking_under_way = booking_under_way(&mut tx, id).await?;
        let answer =
            once.store_response(&mut tx, &ScheduleAnswer { schedule, booking_under_way }, app.now()).await?;
        tx.commit().await?;
        app.engine.nudge();
        ok(answer)
    })
    .await
}
