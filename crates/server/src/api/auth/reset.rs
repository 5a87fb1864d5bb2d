//! Endpoints `GET /auth/verify-reset-token` and `POST /auth/reset-password`.

use std::net::IpAddr;

use app::accounts;
use axum::extract::State;
use domain::password;
use domain::security_event::SecurityEventKind;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use store::security_event::NewEvent;
use store::session::Client;
use store::token::{TokenKind, TokenStatus};
use utoipa::ToSchema;

use super::verify::Link;
use super::{admission, guess_limits};
use crate::AppState;
use crate::auth::events;
use crate::auth::user_agent::RequestClient;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp, Query};
use crate::http::rate_limit::LimitedAction;

/// Result of the check of a password reset link.
#[derive(Serialize, ToSchema)]
pub struct Checked {
    /// `true` if the link can be used.
    valid: bool,
    /// Reason for which the link cannot be used.
    reason: Option<NotValid>,
}

/// Reason for which a password reset link cannot be used.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NotValid {
    /// The link has expired; it is valid for an hour.
    Expired,
    /// The link was used, replaced or truncated, or was never sent.
    Invalid,
}

/// Input to set a new password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// Token of the link, 64 hexadecimal characters.
    token: String,
    /// New password: at least 8 characters with an upper-case letter, a lower-case letter and a
    /// digit.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 1024)]
    password: String,
}

/// Checks a password reset link without using it. The call can be repeated.
#[utoipa::path(get, path = "/auth/verify-reset-token", tag = "auth", params(Link), responses(
    (status = 200, body = Envelope<Checked>), (status = 429, body = ErrorEnvelope),
))]
pub async fn verify_reset_token(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Query(link): Query<Link>,
) -> Answer<Checked> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let worth = match link.raw() {
        Some(raw) => {
            let mut tx = app.db.read().await?;
            store::token::peek(&mut tx, TokenKind::ResetPassword, &raw, app.wall.now()).await?
        }
        None => TokenStatus::Nothing,
    };
    let reason = match worth {
        TokenStatus::Good => None,
        TokenStatus::Expired => Some(NotValid::Expired),
        TokenStatus::Nothing => Some(NotValid::Invalid),
    };
    ok(Checked { valid: reason.is_none(), reason })
}

/// Sets a new password with a mailed link, once. Also verifies the address, and ends all sessions
/// and all other links.
#[utoipa::path(post, path = "/auth/reset-password", tag = "auth", request_body = NewPassword, responses(
    (status = 200, body = Envelope<Empty>),
    (status = 410, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope, description = "`data.fields.password`: required, too_short, too_long, classes, common, context"),
))]
pub async fn reset_password(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    RequestClient(client): RequestClient,
    Body { value: input, .. }: Body<NewPassword>,
) -> Answer<Empty> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let mut wrong = Fields::default();
    if let Err(weakness) = password::check_reset(&input.password, "") {
        wrong.add("password", weakness.code());
    }
    wrong.none()?;
    let raw = super::verify::raw(&input.token).ok_or(Code::InvalidToken)?;
    detached(async move { set(&app, &raw, input.password.into(), address, &client).await }).await?;
    ok(Empty {})
}

async fn set(
    app: &AppState,
    raw: &[u8; 32],
    password: SecretString,
    address: IpAddr,
    client: &Client,
) -> Result<(), ApiError> {
    let mut tx = app.db.read().await?;
    // Checked before the expensive hash, so that a caller without a link costs only a lookup.
    let owner = match store::token::peek(&mut tx, TokenKind::ResetPassword, raw, app.wall.now()).await? {
        TokenStatus::Good => {
            let owner = store::token::owner(&mut tx, raw).await?.ok_or(Code::InvalidToken)?;
            let owner = store::user::get(&mut tx, owner).await?.ok_or(Code::InvalidToken)?;
            if let Err(weakness) = password::check_reset(password.expose_secret(), &owner.email) {
                return Err(Fields::single("password", weakness.code()));
            }
            owner
        }
        TokenStatus::Expired => return Err(Code::TokenExpired.into()),
        TokenStatus::Nothing => return Err(Code::InvalidToken.into()),
    };
    drop(tx);
    let permit = admission::hashing_of_user(app, LimitedAction::SetPassword, owner.id, address)?;
    let hash = app.passwords.hash(&permit, password).await?;
    let mut tx = app.db.begin().await?;
    let (user, ended) = accounts::reset_password(&app.accounts(), &mut tx, raw, &hash).await?;
    let kind = SecurityEventKind::PasswordReset;
    let event = NewEvent { user, kind, succeeded: true, session: None, client: Some(client) };
    events::record(app, &mut tx, &event).await?;
    // The user has read the mail and is no attacker. Guesses of other callers must not lock the
    // user out.
    if let Some(user) = store::user::get(&mut tx, user).await? {
        guess_limits::forget_guesses(app, &mut tx, &user.email).await?;
    }
    tx.commit().await?;
    drop(permit);
    app.sessions.end(&ended, app.now());
    Ok(())
}
