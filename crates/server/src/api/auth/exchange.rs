//! Bootstrap tokens. A browser gets one from a sign-in at Google or a mailed link, and exchanges it
//! for a session.

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

/// Time within which the page must exchange a bootstrap token.
pub const BOOTSTRAP_LIFE: TimeDelta = TimeDelta::seconds(60);
/// Prefix that distinguishes a bootstrap token from a refresh token.
const BOOTSTRAP: &str = "b-";

/// Time to exchange a bootstrap token if a code of the second factor is needed.
const WITH_CODE_LIFE: TimeDelta = TimeDelta::minutes(5);

/// Creates a bootstrap token. It is valid once, together with the same cookie, for
/// [`BOOTSTRAP_LIFE`] (`WITH_CODE_LIFE` if a second factor is needed).
pub async fn offer(
    app: &AppState,
    tx: &mut Tx,
    cookie: &[u8; 32],
    kept: &Bootstrap,
) -> Result<String, store::Error> {
    let (token, now) = (app.random.bytes::<32>(), app.wall.now());
    let life =
        if second(tx, kept.user, kept.method).await?.is_some() { WITH_CODE_LIFE } else { BOOTSTRAP_LIFE };
    store::identity::insert_bootstrap(tx, (&token, cookie), kept, (now, now + life)).await?;
    Ok(format!("{BOOTSTRAP}{}", hex::encode(token)))
}

/// Parses a bootstrap token; returns `None` for any other text.
#[must_use]
pub fn parse(text: &str) -> Option<[u8; 32]> {
    raw(text.trim().strip_prefix(BOOTSTRAP)?)
}

/// Returns the user's second factor if the sign-in method also requires it. A mailbox or an account
/// at a provider must not replace the second factor.
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

/// The bearer of a bootstrap token.
pub struct TokenBearer {
    /// Cookie of the bearer's browser.
    pub cookie: Option<[u8; 32]>,
    /// Code of the second factor.
    pub code: Option<String>,
    /// Client of the request.
    pub client: Client,
    /// Address of the client.
    pub address: IpAddr,
}

/// Exchanges the token for a session. The exchange succeeds once, before the token expires, and
/// only in the browser that began the flow or the registration. A missing or wrong code does not
/// use up the token.
///
/// # Errors
/// Returns `INVALID_REFRESH_TOKEN`, `TOTP_REQUIRED` or `TOTP_INVALID`, or the errors of the limits
/// of guesses.
pub async fn exchange(
    app: &AppState,
    token: &[u8; 32],
    bearer: TokenBearer,
    now: Instant,
) -> Result<(UserId, Started), ApiError> {
    let TokenBearer { cookie, code, client, address } = bearer;
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
    let traded = store::identity::redeem_bootstrap(&mut tx, token, &cookie, now).await?;
    let Bootstrap { user, method, remembered } = traded.ok_or(Code::InvalidRefreshToken)?;
    let user = store::user::get(&mut tx, user).await?.ok_or(Code::InvalidRefreshToken)?;
    if !store::user::is_still(&mut tx, user.id, None).await? {
        return Err(Code::InvalidRefreshToken.into());
    }
    let started = sign_in::start(app, &mut tx, &user, (method, remembered), client).await?;
    tx.commit().await?;
    Ok((user.id, started))
}
