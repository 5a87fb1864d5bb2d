//! Step-ups: a recent proof of identity. It is required for actions that a stolen session must not
//! perform.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chrono::TimeDelta;
use domain::clock::Instant;
use serde_json::json;
use store::session::Method;

use super::{Caller, StrictCaller};
use crate::AppState;
use crate::http::error::{ApiError, Code};

/// Time for which a step-up is valid.
pub const STEPPED_UP: TimeDelta = TimeDelta::minutes(5);

/// Returns `true` if a sign-in by this method counts as a step-up. A password does, together with a
/// code if the account has a second factor. So does a passkey, whose authenticator verifies the
/// user. Google may not have requested credentials again, and a mailed link proves only access to a
/// mailbox. A refresh of a session never counts.
#[must_use]
pub const fn is_proof(method: Method) -> bool {
    match method {
        Method::Password | Method::Passkey => true,
        Method::Google | Method::MailLink => false,
    }
}

/// A caller with a valid step-up in this session: for actions that a stolen session must not
/// perform.
#[derive(Clone, Copy, Debug)]
pub struct StepUp(pub Caller);

impl FromRequestParts<AppState> for StepUp {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = StrictCaller::from_request_parts(parts, app).await?;
        Self::require(app, caller).await
    }
}

/// Returns `true` if a proof of identity at `at` still counts as a step-up.
#[must_use]
pub fn still_counts(at: Option<Instant>, now: Instant) -> bool {
    at.is_some_and(|at| at <= now && now - at < STEPPED_UP)
}

impl StepUp {
    /// Requires a step-up, in handlers that need one only in some cases.
    ///
    /// # Errors
    /// Returns `STEP_UP_REQUIRED` with `{methods, totp}`: the methods by which this caller can step
    /// up.
    pub async fn require(app: &AppState, StrictCaller(caller): StrictCaller) -> Result<Self, ApiError> {
        let now = app.wall.now();
        let mut tx = app.db.read().await?;
        let at = store::session::stepped_up_at(&mut tx, caller.session).await?;
        if still_counts(at, now) {
            return Ok(Self(caller));
        }
        let user = store::user::get(&mut tx, caller.user).await?.ok_or(Code::Unauthorized)?;
        let mut methods = Vec::new();
        if user.password_hash.is_some() {
            methods.push("password");
        }
        if app.google.is_some() && store::identity::is_linked(&mut tx, caller.user).await? {
            methods.push("google");
        }
        if store::solo_owner::get(&mut tx).await?.is_some_and(|owner| owner.user == caller.user) {
            methods.push("link");
        }
        if let Some(party) = app.relying_party()
            && store::passkey::any_for(&mut tx, caller.user, &party.host).await?
        {
            methods.push("passkey");
        }
        let totp = store::totp::confirmed(&mut tx, caller.user).await?.is_some();
        Err(ApiError::new(Code::StepUpRequired).with_data(json!({ "methods": methods, "totp": totp })))
    }
}
