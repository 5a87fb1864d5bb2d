//! What somebody came back with, from Google or by the link of a mail, and how it is traded for a sign-in.

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::UserId;
use store::Tx;
use store::identity::Bootstrap;
use store::session::Client;

use crate::AppState;
use crate::auth::pre_session::raw;
use crate::auth::sign_in::{self, Started};
use crate::http::error::{ApiError, Code};

/// How long the page that gets a bootstrap token may take to trade it.
pub const BOOTSTRAP_LIFE: TimeDelta = TimeDelta::seconds(60);
/// Tells a token to be traded once from one that rotates.
const BOOTSTRAP: &str = "b-";

/// A fresh bootstrap token: good once, for a minute, with the same cookie.
pub async fn offer(
    app: &AppState,
    tx: &mut Tx,
    cookie: &[u8; 32],
    kept: &Bootstrap,
) -> Result<String, store::Error> {
    let (token, now) = (app.random.bytes::<32>(), app.wall.now());
    store::identity::keep_bootstrap(tx, (&token, cookie), kept, (now, now + BOOTSTRAP_LIFE)).await?;
    Ok(format!("{BOOTSTRAP}{}", hex::encode(token)))
}

/// A bootstrap token; none when the text is something else.
#[must_use]
pub fn parse(text: &str) -> Option<[u8; 32]> {
    raw(text.trim().strip_prefix(BOOTSTRAP)?)
}

/// Starts the sign-in, once, within a minute, and only in the browser that left for Google, or registered.
///
/// # Errors
/// `INVALID_REFRESH_TOKEN`.
pub async fn exchange(
    app: &AppState,
    token: &[u8; 32],
    cookie: Option<[u8; 32]>,
    client: Client,
    now: Instant,
) -> Result<(UserId, Started), ApiError> {
    let cookie = cookie.ok_or(Code::InvalidRefreshToken)?;
    let mut tx = app.db.begin().await?;
    let traded = store::identity::trade_bootstrap(&mut tx, token, &cookie, now).await?;
    let Bootstrap { user, method, remembered } = traded.ok_or(Code::InvalidRefreshToken)?;
    let user = store::user::get(&mut tx, user).await?.ok_or(Code::InvalidRefreshToken)?;
    if !store::user::is_still(&mut tx, user.id, None).await? {
        return Err(Code::InvalidRefreshToken.into());
    }
    let started = sign_in::start(app, &mut tx, &user, (method, remembered), client).await?;
    tx.commit().await?;
    Ok((user.id, started))
}
