//! Endpoint `POST /auth/forgot-password`.

use axum::extract::State;
use domain::email::is_email;
use serde::Deserialize;
use store::mail_request::MailAction;
use store::user::normalise;
use utoipa::ToSchema;

use super::guess_limits;
use crate::AppState;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::rate_limit::LimitedAction;

/// Input of a request for a password reset.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Forgotten)]
pub struct ForgotPasswordInput {
    /// E-mail address of the account.
    email: String,
}

/// Requests a password reset link. Response and duration are the same for known and unknown
/// addresses.
#[utoipa::path(post, path = "/auth/forgot-password", tag = "auth", request_body = ForgotPasswordInput, responses(
    (status = 200, body = Envelope<Empty>),
    (status = 422, body = ErrorEnvelope, description = "`data.fields.email`: required, invalid"),
    (status = 429, body = ErrorEnvelope),
))]
pub async fn forgot_password(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Body { value: input, .. }: Body<ForgotPasswordInput>,
) -> Answer<Empty> {
    let email = address_of(&input.email)?;
    guess_limits::call(&app, LimitedAction::Forgot, Some(&normalise(&email)), address)?;
    store_request(app, email, MailAction::ResetPassword).await?;
    ok(Empty {})
}

/// Checks that an address can receive mail, and returns it trimmed.
///
/// # Errors
/// Returns `VALIDATION_FAILED` with `email`.
pub(super) fn address_of(typed: &str) -> Result<String, ApiError> {
    let mut wrong = Fields::default();
    let email = typed.trim();
    if email.is_empty() {
        wrong.add("email", "required");
    } else if !is_email(email) {
        wrong.add("email", "invalid");
    }
    wrong.none()?;
    Ok(email.to_owned())
}

/// Stores a mail request. A worker sends the mail later, if the address should get one.
pub(crate) async fn store_request(app: AppState, email: String, action: MailAction) -> Result<(), ApiError> {
    detached(async move {
        let mut tx = app.db.begin().await?;
        store::mail_request::insert(&mut tx, &app.random, &email, &action, app.wall.now()).await?;
        tx.commit().await?;
        if !app.mail_configured() {
            // Without a mail server the request is resolved now: the account must exist when the
            // response is sent.
            crate::workers::mail_requests::resolve_due(&app).await?;
        }
        Ok(())
    })
    .await
}
