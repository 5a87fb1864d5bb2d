//! Endpoint `POST /auth/refresh`.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::SET_COOKIE;
use axum::response::AppendHeaders;
use domain::security_event::SecurityEventKind;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::security_event::NewEvent;
use store::session::{Client, RefreshToken, RotateError};
use utoipa::ToSchema;

use super::exchange::{self, TokenBearer};
use crate::AppState;
use crate::auth::events;
use crate::auth::pre_session::{PreSession, no_cookie};
use crate::auth::user_agent::RequestClient;
use crate::http::detached::detached;
use crate::http::envelope::{Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::{Body, ClientIp};

/// Input of a refresh.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Refresh {
    /// The newest refresh token, or the bootstrap token of a Google flow or mailed link. A
    /// bootstrap token needs the cookie of its flow.
    refresh_token: String,
    /// Code of the authenticator app, or a recovery code. It is needed if a bootstrap token belongs
    /// to an account with a second factor.
    totp_code: Option<String>,
}

/// The next pair of tokens.
#[derive(Serialize, ToSchema)]
pub struct Tokens {
    /// Access token: a JWT, valid for 15 minutes.
    access_token: String,
    /// Refresh token, valid for one refresh. A request that is repeated after a lost response gets
    /// the same token.
    refresh_token: String,
}

/// A response that removes the pre-session cookie if it was used.
type WithCookie = (AppendHeaders<Option<(HeaderName, String)>>, Json<Envelope<Tokens>>);

/// Exchanges a refresh token for the next pair. The same device may repeat a used token for a
/// minute, until its successor is used. Later, or from another device, a used token ends the
/// session.
#[utoipa::path(post, path = "/auth/refresh", tag = "auth", request_body = Refresh, responses(
    (status = 200, body = Envelope<Tokens>),
    (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope),
    (status = 415, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
))]
pub async fn refresh_tokens(
    State(app): State<AppState>,
    PreSession(cookie): PreSession,
    RequestClient(client): RequestClient,
    ClientIp(address): ClientIp,
    Body { value: input, .. }: Body<Refresh>,
) -> Result<WithCookie, ApiError> {
    if let Some(bootstrap) = exchange::parse(&input.refresh_token) {
        let header = (SET_COOKIE, no_cookie(&app));
        let bearer = TokenBearer { cookie, code: input.totp_code, client, address };
        let tokens = detached(async move {
            let now = app.wall.now();
            let (user, started) = exchange::exchange(&app, &bootstrap, bearer, now).await?;
            Ok(Tokens {
                access_token: app.access.issue(user, started.id, started.expires_at, now)?,
                refresh_token: started.refresh.expose(),
            })
        });
        // The cookie is needed until the exchange, so only a success removes it.
        return Ok((AppendHeaders(Some(header)), ok(tokens.await?)?));
    }
    let token = RefreshToken::parse(input.refresh_token.trim()).ok_or(Code::InvalidRefreshToken)?;
    let tokens = detached(async move { rotate(&app, &token, &client).await }).await?;
    Ok((AppendHeaders(None), ok(tokens)?))
}

async fn rotate(app: &AppState, token: &RefreshToken, client: &Client) -> Result<Tokens, ApiError> {
    let now = app.wall.now();
    // A read first, so that a caller without a valid token does not occupy the writer.
    let mut tx = app.db.read().await?;
    store::session::of_token(&mut tx, token).await?.ok_or(Code::InvalidRefreshToken)?;
    drop(tx);
    let mut tx = app.db.begin().await?;
    let rotated = match store::session::rotate(&mut tx, &app.keyring, token, client, now).await {
        Ok(rotated) => rotated,
        Err(RotateError::Invalid | RotateError::TooLate) => return Err(Code::InvalidRefreshToken.into()),
        Err(RotateError::Store(error)) => return Err(error.into()),
        Err(RotateError::Reused { session, user }) => {
            if let Some(user) = store::user::get(&mut tx, user).await? {
                let (accounts, key) = (app.accounts(), format!("session_revoked:{session}"));
                let data = json!({ "link": accounts.link("/auth/login") });
                accounts.mail(&mut tx, &user, "session_revoked", &key, &data).await?;
                let kind = SecurityEventKind::SessionReused;
                let event = NewEvent {
                    user: user.id,
                    kind,
                    succeeded: true,
                    session: Some(session),
                    client: Some(client),
                };
                events::record(app, &mut tx, &event).await?;
            }
            tx.commit().await?;
            app.sessions.end(&[session], now);
            tracing::warn!(%user, %session, "refresh token was reused; ended its session");
            return Err(Code::InvalidRefreshToken.into());
        }
    };
    tx.commit().await?;
    Ok(Tokens {
        access_token: app.access.issue(rotated.user, rotated.session, rotated.expires_at, now)?,
        refresh_token: rotated.successor.expose(),
    })
}
