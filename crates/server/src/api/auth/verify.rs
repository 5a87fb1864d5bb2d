//! `GET /auth/verify-email`, `POST /auth/resend-verification`.

use axum::extract::State;
use domain::clock::Instant;
use domain::ids::SessionId;
use serde::Deserialize;
use store::Tx;
use store::mail_request::Wanted;
use store::token::{Redeemed, TokenKind};
use store::user::normalise;
use utoipa::{IntoParams, ToSchema};

use super::forgot::{address_of, keep};
use super::throttle;
use crate::AppState;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::{Body, ClientIp, Query};
use crate::http::rate_limit::Act;

/// The token of a link.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Link {
    /// 64 hex characters.
    token: String,
}

/// Which address.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// The address that was registered.
    email: String,
}

impl Link {
    /// The token's bytes; none when it was cut off or is something else.
    pub(super) fn raw(&self) -> Option<[u8; 32]> {
        raw(&self.token)
    }
}

/// A token's bytes as they were mailed.
pub(super) fn raw(token: &str) -> Option<[u8; 32]> {
    hex::decode(token.trim()).ok()?.try_into().ok()
}

/// Proves an address: of a registration, or the new one of an account. Repeats answer the same.
#[utoipa::path(get, path = "/auth/verify-email", tag = "auth", params(Link), responses(
    (status = 200, body = Envelope<Empty>),
    (status = 400, body = ErrorEnvelope), (status = 410, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
))]
pub async fn verify_email(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Query(link): Query<Link>,
) -> Answer<Empty> {
    throttle::call(&app, Act::UseLink, None, address)?;
    let raw = link.raw().ok_or(Code::InvalidToken)?;
    detached(async move {
        let now = app.wall.now();
        let mut tx = app.db.begin().await?;
        let mut ended = Vec::new();
        let redeemed = match store::token::redeem(&mut tx, TokenKind::VerifyEmail, &raw, now).await? {
            Redeemed::Now(user) => {
                register(&mut tx, user, &raw, now).await?;
                Redeemed::Now(user)
            }
            Redeemed::Unknown => {
                let (redeemed, sessions) = change(&mut tx, &raw, now).await?;
                ended = sessions;
                redeemed
            }
            other => other,
        };
        match redeemed {
            Redeemed::Now(_) => {
                tx.commit().await?;
                app.sessions.end(&ended, now);
                Ok(())
            }
            Redeemed::Before(_) => Ok(()),
            Redeemed::Expired(_) => Err(ApiError::new(Code::TokenExpired)),
            Redeemed::Unknown => Err(Code::InvalidToken.into()),
        }
    })
    .await?;
    ok(Empty {})
}

/// The password of whoever got this mail counts; other people's registrations of the address end with it.
async fn register(
    tx: &mut Tx,
    user: domain::ids::UserId,
    raw: &[u8; 32],
    now: Instant,
) -> Result<(), ApiError> {
    let registration = store::token::registration(tx, raw).await?;
    store::user::set_verified(tx, user, registration.as_ref(), now).await?;
    store::token::end_all(tx, user, TokenKind::VerifyEmail, now).await?;
    if let (Some(user), Some(registration)) = (store::user::get(tx, user).await?, registration) {
        store::mail_request::forget_password(tx, &user.email, &registration.password_hash).await?;
    }
    Ok(())
}

/// The account's new address. Links mailed to the old one end: they prove nothing about this one; and so do all
/// sign-ins: who leaves a mailbox others can read leaves them behind with it.
async fn change(tx: &mut Tx, raw: &[u8; 32], now: Instant) -> Result<(Redeemed, Vec<SessionId>), ApiError> {
    let (redeemed, proven) = store::email_change::redeem(tx, raw, now).await?;
    let mut ended = Vec::new();
    if let Some(proven) = proven {
        let user = proven.user();
        if !store::user::set_email(tx, &proven, now).await? {
            // Somebody else proved it meanwhile.
            return Ok((Redeemed::Unknown, ended));
        }
        ended = store::session::revoke_all(tx, user, None, "email_changed", now).await?;
        store::email_change::end_all(tx, user, now).await?;
        store::token::end_all(tx, user, TokenKind::ResetPassword, now).await?;
        store::token::end_all(tx, user, TokenKind::VerifyEmail, now).await?;
    }
    Ok((redeemed, ended))
}

/// Sends the verification mail again. The answer is the same whether the address is known or not.
#[utoipa::path(post, path = "/auth/resend-verification", tag = "auth", request_body = Address, responses(
    (status = 200, body = Envelope<Empty>),
    (status = 400, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
))]
pub async fn resend_verification(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Body { value: input, .. }: Body<Address>,
) -> Answer<Empty> {
    let email = address_of(&input.email)?;
    throttle::call(&app, Act::Resend, Some(&normalise(&email)), address)?;
    keep(app, email, Wanted::VerifyEmail).await?;
    ok(Empty {})
}
