//! Registering, verifying, signing in and out.

pub mod login;
pub mod logout;
pub mod logout_all;
pub mod proof;
pub mod refresh;
pub mod register;
pub mod step_up;
pub mod verify;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::UserId;
use serde_json::json;
use store::Tx;
use store::token::{Registration, TokenKind};
use store::user::User;

use crate::AppState;
use crate::error::ApiError;

/// How long a verification link works.
const VERIFY_LIFE: TimeDelta = TimeDelta::hours(24);

/// Issues a link for the newest registration and queues its mail, once per key.
///
/// Anyone can register an address that is not theirs. So until it is proven, each registration has a link of its own
/// which carries its password: the link that is used makes its registration the account, and the others die.
async fn send_verification(
    app: &AppState,
    tx: &mut Tx,
    user: &User,
    key: &str,
    now: Instant,
) -> Result<(), ApiError> {
    let raw = app.random.bytes::<32>();
    let link = format!("{}/auth/verify-email?token={}", app.settings.public_url, hex::encode(raw));
    let data = json!({ "link": link, "hours": VERIFY_LIFE.num_hours() });
    if queue(app, tx, user, ("verify_email", key), &data, now).await? {
        let language = user.language.clone();
        let registration =
            user.password_hash.clone().map(|hash| Registration { password_hash: hash, language });
        let span = (now, now + VERIFY_LIFE);
        store::token::issue(tx, (user.id, TokenKind::VerifyEmail), &raw, span, registration.as_ref()).await?;
    }
    Ok(())
}

/// Tells the owner of an address that somebody tried to register it, at most once an hour.
async fn send_already_registered(
    app: &AppState,
    tx: &mut Tx,
    user: &User,
    now: Instant,
) -> Result<(), ApiError> {
    let data = json!({ "link": format!("{}/auth/login", app.settings.public_url) });
    let key = format!("already_registered:{}:{}", user.id, now.timestamp() / 3600);
    queue(app, tx, user, ("already_registered", &key), &data, now).await?;
    Ok(())
}

/// Tells the owner that an old refresh token came back and everybody was signed out of that family.
async fn send_session_revoked(
    app: &AppState,
    tx: &mut Tx,
    user: UserId,
    key: &str,
    now: Instant,
) -> Result<(), ApiError> {
    if let Some(user) = store::user::get(tx, user).await? {
        let data = json!({ "link": format!("{}/auth/login", app.settings.public_url) });
        queue(app, tx, &user, ("session_revoked", key), &data, now).await?;
    }
    Ok(())
}

/// Queues a mail to a user, once per key; false when it was queued before, or no mail is configured.
pub(crate) async fn queue(
    app: &AppState,
    tx: &mut Tx,
    user: &User,
    (template, dedup_key): (&str, &str),
    data: &serde_json::Value,
    now: Instant,
) -> Result<bool, ApiError> {
    if !app.mail_configured() {
        return Ok(false);
    }
    let mail = store::outbox::NewMail {
        user: Some(user.id),
        recipient: &user.email,
        language: &user.language,
        template,
        data,
        dedup_key,
    };
    Ok(store::outbox::enqueue(tx, &app.random, &mail, now).await?)
}
