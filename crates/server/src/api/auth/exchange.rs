//! What somebody came back with, from Google or by the link of a mail, and how it is traded for a sign-in.

use std::net::IpAddr;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::UserId;
use store::Tx;
use store::identity::Bootstrap;
use store::session::{Client, Method};

use super::proof;
use crate::AppState;
use crate::auth::pre_session::raw;
use crate::auth::sign_in::{self, Started};
use crate::http::error::{ApiError, Code};

/// How long the page that gets a bootstrap token may take to trade it.
pub const BOOTSTRAP_LIFE: TimeDelta = TimeDelta::seconds(60);
/// Tells a token to be traded once from one that rotates.
const BOOTSTRAP: &str = "b-";

/// How long somebody has who still has to look up a code of their second factor.
const WITH_CODE_LIFE: TimeDelta = TimeDelta::minutes(5);

/// A fresh bootstrap token: good once, for a minute (five where a code is needed), with the same cookie.
pub async fn offer(
    app: &AppState,
    tx: &mut Tx,
    cookie: &[u8; 32],
    kept: &Bootstrap,
) -> Result<String, store::Error> {
    let (token, now) = (app.random.bytes::<32>(), app.wall.now());
    let life =
        if second(tx, kept.user, kept.method).await?.is_some() { WITH_CODE_LIFE } else { BOOTSTRAP_LIFE };
    store::identity::keep_bootstrap(tx, (&token, cookie), kept, (now, now + life)).await?;
    Ok(format!("{BOOTSTRAP}{}", hex::encode(token)))
}

/// A bootstrap token; none when the text is something else.
#[must_use]
pub fn parse(text: &str) -> Option<[u8; 32]> {
    raw(text.trim().strip_prefix(BOOTSTRAP)?)
}

/// The second factor that a way in demands besides: a mailbox or an account elsewhere must not replace it.
async fn second(
    tx: &mut Tx,
    user: UserId,
    method: Method,
) -> Result<Option<store::totp::Totp>, store::Error> {
    if method == Method::Password {
        return Ok(None);
    }
    store::totp::confirmed(tx, user).await
}

/// Who brings a bootstrap token.
pub struct Bringer {
    /// The cookie of their browser.
    pub cookie: Option<[u8; 32]>,
    /// A code of their second factor.
    pub code: Option<String>,
    /// What they come with.
    pub client: Client,
    /// Where from.
    pub address: IpAddr,
}

/// Starts the sign-in, once, in time, and only in the browser that left for Google, or registered. A code that is missing or wrong
/// uses nothing up.
///
/// # Errors
/// `INVALID_REFRESH_TOKEN`; `TOTP_REQUIRED`, `TOTP_INVALID`; those of guessing.
pub async fn exchange(
    app: &AppState,
    token: &[u8; 32],
    bringer: Bringer,
    now: Instant,
) -> Result<(UserId, Started), ApiError> {
    let Bringer { cookie, code, client, address } = bringer;
    let cookie = cookie.ok_or(Code::InvalidRefreshToken)?;
    let mut tx = app.db.read().await?;
    let peeked = store::identity::peek_bootstrap(&mut tx, token, &cookie, now).await?;
    let (who, method) = peeked.ok_or(Code::InvalidRefreshToken)?;
    let factor = second(&mut tx, who, method).await?;
    let user = store::user::get(&mut tx, who).await?.ok_or(Code::InvalidRefreshToken)?;
    drop(tx);
    if let Some(factor) = factor {
        let code = code.filter(|code| !code.trim().is_empty()).ok_or(Code::TotpRequired)?;
        if !proof::code(app, &user, &factor, &code, (address, &client)).await? {
            return Err(Code::TotpInvalid.into());
        }
    }
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
