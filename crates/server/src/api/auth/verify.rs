//! `GET /auth/verify-email`, `POST /auth/resend-verification`.

use app::accounts;
use axum::extract::State;
use serde::Deserialize;
use store::mail_request::Wanted;
use store::user::normalise;
use utoipa::{IntoParams, ToSchema};

use super::forgot::{address_of, keep};
use super::throttle;
use crate::AppState;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{Code, ErrorEnvelope};
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
        let mut tx = app.db.begin().await?;
        let ended = accounts::verify_email(&app.accounts(), &mut tx, &raw).await?;
        tx.commit().await?;
        app.sessions.end(&ended, app.now());
        Ok(())
    })
    .await?;
    ok(Empty {})
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
