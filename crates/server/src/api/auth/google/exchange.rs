//! What somebody came back with, traded for a sign-in.

use domain::clock::Instant;
use domain::ids::UserId;
use store::session::{Client, Method};

use super::{BOOTSTRAP, raw};
use crate::AppState;
use crate::auth::sign_in::{self, Started};
use crate::http::error::{ApiError, Code};

/// A bootstrap token; none when the text is something else.
#[must_use]
pub fn parse(text: &str) -> Option<[u8; 32]> {
    raw(text.trim().strip_prefix(BOOTSTRAP)?)
}

/// Starts the sign-in, once, within a minute, and only in the browser that left for Google.
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
    let (user, remembered) = traded.ok_or(Code::InvalidRefreshToken)?;
    let user = store::user::get(&mut tx, user).await?.ok_or(Code::InvalidRefreshToken)?;
    if !store::user::is_still(&mut tx, user.id, None).await? {
        return Err(Code::InvalidRefreshToken.into());
    }
    let started = sign_in::start(app, &mut tx, &user, (Method::Google, remembered), client).await?;
    tx.commit().await?;
    app.mail.notify_one();
    Ok((user.id, started))
}
