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

/// Who calls, proven by a bearer token whose sign-in was live at most 5 seconds ago.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// Who.
    pub user: UserId,
    /// Under which sign-in.
    pub session: SessionId,
    /// When the token ends; streams end with it.
    pub expires_at: Instant,
}

/// Who calls, with the sign-in looked up now: for money and credentials.
#[derive(Clone, Copy, Debug)]
pub struct StrictCaller(pub Caller);

/// How long somebody is believed who proved again who they are.
pub const STEPPED_UP: TimeDelta = TimeDelta::minutes(5);

/// Whether a sign-in that begins so is such a proof itself: a password was given, and a code where the account has a second factor. Refreshing
/// a sign-in, remembered or not, renews nothing; Google may not have asked again, and a link proves a mailbox.
#[must_use]
pub const fn is_proof(method: Method) -> bool {
    match method {
        Method::Password => true,
        Method::Google | Method::MailLink => false,
    }
}

/// Who calls, having proved at most 5 minutes ago, under this sign-in, who they are: for what a stolen sign-in must not do.
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
    /// For handlers that need it only sometimes.
    ///
    /// # Errors
    /// `STEP_UP_REQUIRED` with `{methods, totp}`: how this caller can prove who they are.
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
