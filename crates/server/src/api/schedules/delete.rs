//! Endpoint `DELETE /schedules/{id}`.

use app::money::{ReturnedAfter, tell_returned};
use app::tasks;
use axum::extract::State;
use domain::money::Money;
use serde::Serialize;
use utoipa::ToSchema;

use super::{BookingUnderWay, booking_under_way, own_task_to_change};
use crate::AppState;
use crate::auth::caller::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::extract::TaskPath;

/// Result of a deletion.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Deleted {
    /// Amount released from the hold. It is 0 without a hold, or while the outcome of a booking is
    /// unknown.
    pub released_amount: f64,
    /// Currency code (ISO 4217).
    pub currency: String,
    /// Booking request that was already sent and cannot be cancelled; null if there is none. The
    /// hold remains until its outcome is known.
    pub booking_under_way: Option<BookingUnderWay>,
}

/// Deletes a task, and releases the part of its hold that was not captured.
// If no other task needs the portal password, this deletes it as well. Pausing the task would have
// the same effect, so no step-up is needed. Deleting a password in use needs one.
#[utoipa::path(delete, path = "/schedules/{id}", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")),
    responses((status = 200, body = Envelope<Deleted>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn delete_schedule(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    TaskPath(id): TaskPath,
) -> Answer<Deleted> {
    detached(async move {
        let mut tx = app.db.begin().await?;
        let task = own_task_to_change(&mut tx, caller.user, id).await?;
        let released = tasks::delete(&app.use_cases(), &mut tx, &task).await?;
        tell_returned(&app.use_cases(), &mut tx, &task, released, ReturnedAfter::Deletion).await?;
        let booking_under_way = booking_under_way(&mut tx, id).await?;
        tx.commit().await?;
        app.engine.nudge();
        ok(Deleted {
            released_amount: Money::cad(released).to_wire(),
            currency: "CAD".to_owned(),
            booking_under_way,
        })
    })
    .await
}
