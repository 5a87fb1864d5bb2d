//! Endpoint `POST /auth/logout`.

use axum::extract::State;
use serde::Deserialize;
use store::session::RefreshToken;
use utoipa::ToSchema;

use crate::AppState;
use crate::auth::Caller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::ErrorEnvelope;
use crate::http::extract::OptionalBody;

/// Session to end, in addition to the session of the bearer token.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Logout {
    /// Refresh token of the session, for a client whose access token has expired.
    refresh_token: Option<String>,
}

/// Signs out. Invalid tokens are accepted: the caller is signed out in either case.
#[utoipa::path(post, path = "/auth/logout", tag = "auth", request_body(content = Option<Logout>), responses(
    (status = 200, body = Envelope<Empty>),
    (status = 400, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
), security(("bearer" = []), ()))]
pub async fn logout(
    State(app): State<AppState>,
    caller: Result<Caller, crate::http::error::ApiError>,
    OptionalBody(input): OptionalBody<Logout>,
) -> Answer<Empty> {
    let token = input.refresh_token.as_deref().and_then(|t| RefreshToken::parse(t.trim()));
    if token.is_none() && caller.is_err() {
        return ok(Empty {});
    }
    detached(async move {
        let now = app.wall.now();
        let mut ended = Vec::new();
        ended.extend(caller.ok().map(|c| c.session));
        if let Some(token) = token {
            let mut tx = app.db.read().await?;
            ended.extend(store::session::of_token(&mut tx, &token).await?);
        }
        // Skips the write, so that a caller without a valid token does not occupy the writer.
        if ended.is_empty() {
            return Ok(());
        }
        let mut tx = app.db.begin().await?;
        for session in &ended {
            store::session::revoke(&mut tx, *session, "logout", now).await?;
        }
        tx.commit().await?;
        app.sessions.end(&ended, now);
        Ok(())
    })
    .await?;
    ok(Empty {})
}
