//! Endpoint `POST /auth/logout-all`.

use axum::extract::State;
use domain::security_event::SecurityEventKind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::AppState;
use crate::auth::user_agent::RequestClient;
use crate::auth::{StrictCaller, events};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::ErrorEnvelope;
use crate::http::extract::OptionalBody;

/// Selection of the sessions to end.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LogoutAll {
    /// `true` to stay signed in in this session.
    #[serde(default = "yes")]
    keep_current: bool,
}

const fn yes() -> bool {
    true
}

impl Default for LogoutAll {
    fn default() -> Self {
        Self { keep_current: true }
    }
}

/// Result of the call.
#[derive(Serialize, ToSchema)]
pub struct LoggedOut {
    /// Number of ended sessions.
    ended: usize,
}

/// Ends the caller's sessions: on this node at once, on other nodes within 5 seconds.
#[utoipa::path(post, path = "/auth/logout-all", tag = "auth", request_body(content = Option<LogoutAll>), responses(
    (status = 200, body = Envelope<LoggedOut>), (status = 401, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn logout_all(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    RequestClient(client): RequestClient,
    OptionalBody(input): OptionalBody<LogoutAll>,
) -> Answer<LoggedOut> {
    let keep = input.keep_current.then_some(caller.session);
    let ended = detached(async move {
        let now = app.wall.now();
        let mut tx = app.db.begin().await?;
        let ended = store::session::revoke_all(&mut tx, caller.user, keep, "logout_all", now).await?;
        events::record(&app, &mut tx, &events::by(&caller, SecurityEventKind::SignOut, &client)).await?;
        tx.commit().await?;
        app.sessions.end(&ended, now);
        Ok(ended.len())
    });
    ok(LoggedOut { ended: ended.await? })
}
