//! `GET /auth/verify-reset-token`, `POST /auth/reset-password`.

use axum::extract::State;
use domain::ids::UserId;
use domain::password;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::Tx;
use store::token::{Redeemed, TokenKind, Worth};
use utoipa::ToSchema;

use super::throttle;
use super::verify::Link;
use crate::AppState;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp, Query};
use crate::http::rate_limit::Act;

/// Whether a link can be used.
#[derive(Serialize, ToSchema)]
pub struct Checked {
    /// The form may be shown.
    valid: bool,
    /// Why not.
    reason: Option<NotValid>,
}

/// Why a link cannot be used.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NotValid {
    /// Its hour is over.
    Expired,
    /// Used, overtaken, cut off, or never sent.
    Invalid,
}

/// A new password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// From the link: 64 hex characters.
    token: String,
    /// At least 8 characters with an upper-case letter, a lower-case letter and a digit.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 1024)]
    password: String,
}

/// Looks at a link without using it, however often.
#[utoipa::path(get, path = "/auth/verify-reset-token", tag = "auth", params(Link), responses(
    (status = 200, body = Envelope<Checked>), (status = 429, body = ErrorEnvelope),
))]
pub async fn verify_reset_token(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Query(link): Query<Link>,
) -> Answer<Checked> {
    throttle::call(&app, Act::UseLink, None, address)?;
    let worth = match link.raw() {
        Some(raw) => {
            let mut tx = app.db.read().await?;
            store::token::peek(&mut tx, TokenKind::ResetPassword, &raw, app.wall.now()).await?
        }
        None => Worth::Nothing,
    };
    let reason = match worth {
        Worth::Good => None,
        Worth::Expired => Some(NotValid::Expired),
        Worth::Nothing => Some(NotValid::Invalid),
    };
    ok(Checked { valid: reason.is_none(), reason })
}

/// Sets a new password by a mailed link, once. That proves the address, ends all sign-ins and every other link.
#[utoipa::path(post, path = "/auth/reset-password", tag = "auth", request_body = NewPassword, responses(
    (status = 200, body = Envelope<Empty>),
    (status = 410, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope, description = "`data.fields.password`: required, too_short, too_long, classes"),
))]
pub async fn reset_password(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Body { value: input, .. }: Body<NewPassword>,
) -> Answer<Empty> {
    throttle::call(&app, Act::UseLink, None, address)?;
    let mut wrong = Fields::default();
    if let Err(weakness) = password::check_reset(&input.password) {
        wrong.add("password", weakness.code());
    }
    wrong.none()?;
    let raw = super::verify::raw(&input.token).ok_or(Code::InvalidToken)?;
    detached(async move { set(&app, &raw, input.password.into()).await }).await?;
    ok(Empty {})
}

async fn set(app: &AppState, raw: &[u8; 32], password: SecretString) -> Result<(), ApiError> {
    let mut tx = app.db.read().await?;
    // Before the costly hash; whoever has no link costs us a lookup.
    match store::token::peek(&mut tx, TokenKind::ResetPassword, raw, app.wall.now()).await? {
        Worth::Good => {}
        Worth::Expired => return Err(Code::TokenExpired.into()),
        Worth::Nothing => return Err(Code::InvalidToken.into()),
    }
    drop(tx);
    let hash = app.passwords.hash(password).await?;
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    let user = match store::token::redeem(&mut tx, TokenKind::ResetPassword, raw, now).await? {
        Redeemed::Now(user) => user,
        Redeemed::Expired(_) => return Err(Code::TokenExpired.into()),
        Redeemed::Before(_) | Redeemed::Unknown => return Err(Code::InvalidToken.into()),
    };
    prove(&mut tx, user, now).await?;
    store::user::set_password(&mut tx, user, &hash, now).await?;
    store::token::end_all(&mut tx, user, TokenKind::ResetPassword, now).await?;
    store::email_change::forget(&mut tx, user, now).await?;
    let ended = store::session::revoke_all(&mut tx, user, None, "password_reset", now).await?;
    notify_changed(app, &mut tx, user, (&hex::encode(app.random.bytes::<8>()), false), now).await?;
    tx.commit().await?;
    app.sessions.end(&ended, now);
    app.mail.notify_one();
    Ok(())
}

/// Whoever read this mail owns the address: registrations of it by others end.
async fn prove(tx: &mut Tx, user: UserId, now: domain::clock::Instant) -> Result<(), ApiError> {
    if let Some(user) = store::user::get(tx, user).await? {
        if let Some(old) = user.password_hash.filter(|_| user.email_verified_at.is_none()) {
            store::mail_request::forget_password(tx, &user.email, &old).await?;
        }
        store::user::set_verified(tx, user.id, None, now).await?;
        store::token::end_all(tx, user.id, TokenKind::VerifyEmail, now).await?;
    }
    Ok(())
}

/// Tells a user that their password is another one, once per `key`.
pub(super) async fn notify_changed(
    app: &AppState,
    tx: &mut Tx,
    user: UserId,
    (key, others_only): (&str, bool),
    now: domain::clock::Instant,
) -> Result<(), ApiError> {
    if let Some(user) = store::user::get(tx, user).await? {
        let link = format!("{}/auth/forgot-password", app.settings.public_url);
        let data = json!({ "link": link, "at": crate::workers::mail_requests::stamp(now), "others_only": others_only });
        let key = format!("password_changed:{}:{key}", user.id);
        crate::auth::mail::queue(app, tx, &user, ("password_changed", &key), &data, now).await?;
    }
    Ok(())
}
