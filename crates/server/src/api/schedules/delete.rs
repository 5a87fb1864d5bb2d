//! Deletes a task.

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
    /// Amount released from the hold; 0 without a hold, or while a booking is being verified.
    pub released_amount: f64,
    /// Currency code (ISO 4217).
    pub currency: String,
    /// Booking of the task that was sent and cannot be cancelled: the hold waits for its outcome.
    pub booking_under_way: Option<BookingUnderWay>,
}

/// Deletes a task and releases its uncaptured hold in full.
// The last task that needs a portal password removes it. A caller gains nothing by that which a
// pause does not give, so no step-up is needed. The deletion of a password in use does need one.
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
