//! `GET /auth/verify-email`, `POST /auth/resend-verification`.

use axum::extract::State;
use domain::password;
use serde::Deserialize;
use store::token::{Redeemed, TokenKind};
use utoipa::{IntoParams, ToSchema};

use crate::AppState;
use crate::detached::detached;
use crate::envelope::{Answer, Empty, Envelope, ok};
use crate::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::extract::{Body, ClientIp, Query};

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

/// Proves an address. Repeats answer the same.
#[utoipa::path(get, path = "/auth/verify-email", tag = "auth", params(Link), responses(
    (status = 200, body = Envelope<Empty>),
    (status = 400, body = ErrorEnvelope), (status = 410, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
))]
pub async fn verify_email(State(app): State<AppState>, Query(link): Query<Link>) -> Answer<Empty> {
    let raw = hex::decode(link.token.trim()).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    let raw = raw.ok_or(Code::InvalidToken)?;
    detached(async move {
        let now = app.wall.now();
        let mut tx = app.db.begin().await?;
        let redeemed = store::token::redeem(&mut tx, TokenKind::VerifyEmail, &raw, now).await?;
        if let Redeemed::Now(user) = redeemed {
            // The password of whoever got this mail; other people's registrations of the address end with it.
            let registration = store::token::registration(&mut tx, &raw).await?;
            store::user::set_verified(&mut tx, user, registration.as_ref(), now).await?;
            store::token::end_all(&mut tx, user, TokenKind::VerifyEmail, now).await?;
        }
        tx.commit().await?;
        match redeemed {
            Redeemed::Now(_) | Redeemed::Before(_) => Ok(()),
            Redeemed::Expired(_) => Err(ApiError::new(Code::TokenExpired)),
            Redeemed::Unknown => Err(Code::InvalidToken.into()),
        }
    })
    .await?;
    ok(Empty {})
}

/// Sends the verification mail of the newest registration again. The answer is the same whether the address is known or not.
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
    let mut wrong = Fields::default();
    if !password::is_email(input.email.trim()) {
        wrong.add("email", "invalid");
    }
    wrong.none()?;
    app.mail_limit.take(address, app.wall.now())?;
    detached(async move {
        let now = app.wall.now();
        let mut tx = app.db.begin().await?;
        let user = store::user::by_email(&mut tx, &input.email).await?;
        if let Some(user) = user.filter(|u| u.email_verified_at.is_none()) {
            // At most once a minute per person.
            let key = format!("verify:{}:{}", user.id, now.timestamp() / 60);
            super::send_verification(&app, &mut tx, &user, &key, now).await?;
        }
        tx.commit().await?;
        app.mail.notify_one();
        Ok(())
    })
    .await?;
    ok(Empty {})
}
