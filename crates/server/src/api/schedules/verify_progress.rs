//! Endpoint `GET /schedules/verify-credentials/{id}`: progress of a verification.

use axum::extract::State;
use uuid::Uuid;

use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::Code;
use crate::http::extract::IdPath;
use crate::live::verify_progress::VerifyProgress;

/// Returns the progress of the caller's verification with this `progress_id`. The response is 404
/// if the verification is unknown or expired.
#[utoipa::path(get, path = "/schedules/verify-credentials/{id}", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The `progress_id` of the verification")),
    responses((status = 200, body = Envelope<VerifyProgress>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn get_verify_progress(
    State(app): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<Uuid>,
) -> Answer<VerifyProgress> {
    match app.verifying.get(caller.user, id, app.now()) {
        Some(progress) => ok(progress),
        None => Err(Code::NotFound.into()),
    }
}
