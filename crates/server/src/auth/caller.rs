//! The signed-in caller as a handler argument.

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::{SessionId, UserId};
use serde_json::json;
use store::session::Method;

use crate::AppState;
use crate::http::error::{ApiError, Code};

/// A caller with a bearer token whose session was live at most 5 seconds ago.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// User who calls.
    pub user: UserId,
    /// Session of the token.
    pub session: SessionId,
    /// End of the token; streams end with it.
    pub expires_at: Instant,
}

/// A caller whose session was checked for this request: for money and credentials.
#[derive(Clone, Copy, Debug)]
pub struct StrictCaller(pub Caller);

/// Time for which a step-up is valid.
pub const STEPPED_UP: TimeDelta = TimeDelta::minutes(5);

/// Returns `true` if a sign-in by this method counts as a step-up. A password does, with a code if
/// the account has a second factor. Google may not have asked for credentials again, and a link
/// proves only access to a mailbox. A refresh of a session never counts.
#[must_use]
pub const fn is_proof(method: Method) -> bool {
    match method {
        Method::Password => true,
        Method::Google | Method::MailLink => false,
    }
}

/// A caller with a step-up in this session at most 5 minutes ago: for actions that a stolen session
/// must not perform.
#[derive(Clone, Copy, Debug)]
pub struct StepUp(pub Caller);

impl FromRequestParts<AppState> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = from_token(parts, app).ok_or(Code::Unauthorized)?;
        let live = app.sessions.is_live(&app.db, caller.session, app.wall.now()).await?;
        if live { Ok(caller) } else { Err(Code::Unauthorized.into()) }
    }
}

impl FromRequestParts<AppState> for StrictCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = from_token(parts, app).ok_or(Code::Unauthorized)?;
        app.sessions.forget(caller.session);
        let live = app.sessions.is_live(&app.db, caller.session, app.wall.now()).await?;
        if live { Ok(Self(caller)) } else { Err(Code::Unauthorized.into()) }
    }
}

impl FromRequestParts<AppState> for StepUp {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = StrictCaller::from_request_parts(parts, app).await?;
        Self::require(app, caller).await
    }
}

impl StepUp {
    /// Requires a step-up in handlers that need it only in some cases.
    ///
    /// # Errors
    /// Returns `STEP_UP_REQUIRED` with `{methods, totp}`: the methods by which this caller can step
    /// up.
    pub async fn require(app: &AppState, StrictCaller(caller): StrictCaller) -> Result<Self, ApiError> {
        let now = app.wall.now();
        let mut tx = app.db.read().await?;
        let at = store::session::stepped_up_at(&mut tx, caller.session).await?;
        if at.is_some_and(|at| at <= now && now - at < STEPPED_UP) {
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
        let totp = store::totp::confirmed(&mut tx, caller.user).await?.is_some();
        Err(ApiError::new(Code::StepUpRequired).with_data(json!({ "methods": methods, "totp": totp })))
    }
}

fn from_token(parts: &Parts, app: &AppState) -> Option<Caller> {
    let value = parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return None;
    }
    let claim = app.access.read(token.trim(), app.wall.now())?;
    Some(Caller { user: claim.user, session: claim.session, expires_at: claim.expires_at })
}
