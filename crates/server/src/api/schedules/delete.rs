//! Deletes a task.

use app::money::{ReturnedAfter, tell_returned};
use app::tasks;
use axum::extract::State;
use domain::money::Money;
use serde::Serialize;
use utoipa::ToSchema;

use super::{BookingUnderWay, booking_under_way, own_to_change};
use crate::AppState;
use crate::auth::caller::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::extract::TaskPath;

/// What a deletion gave back.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Deleted {
    /// Released from hold; 0 when nothing was held or a booking is still being read back.
    pub released_amount: f64,
    /// ISO 4217.
    pub currency: String,
    /// A booking for the task that was sent and cannot be called back: the hold waits for its outcome.
    pub booking_under_way: Option<BookingUnderWay>,
}

/// Deletes a task; an uncaptured hold goes back whole.
// The portal password leaves with the last task that needs it: that gives nobody anything they could not have had by pausing,
// so it asks for no step-up, as deleting a password that is in use does.
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
        let task = own_to_change(&mut tx, caller.user, id).await?;
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
