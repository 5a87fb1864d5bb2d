//! Handler arguments that require a signed-in caller.

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use domain::clock::Instant;
use domain::ids::{SessionId, UserId};

use crate::AppState;
use crate::http::error::{ApiError, Code};

/// A caller with a valid bearer token. The session may have ended up to 5 seconds ago.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// User of the session.
    pub user: UserId,
    /// Session of the token.
    pub session: SessionId,
    /// Time at which the token expires; event streams end then.
    pub expires_at: Instant,
}

/// A caller whose session was checked in the database for this request. Required for money and
/// credentials.
#[derive(Clone, Copy, Debug)]
pub struct StrictCaller(pub Caller);

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

fn from_token(parts: &Parts, app: &AppState) -> Option<Caller> {
    let value = parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return None;
    }
    let claim = app.access.read(token.trim(), app.wall.now())?;
    Some(Caller { user: claim.user, session: claim.session, expires_at: claim.expires_at })
}
