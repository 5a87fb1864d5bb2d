//! Admission to expensive work: applies the rate limit of the action, then gets a permit of the
//! queue.

use std::net::IpAddr;
use std::time::Duration;

use domain::ids::UserId;
use store::session::Client;

use super::guess_limits;
use crate::AppState;
use crate::auth::sign_in;
use crate::http::error::{ApiError, Code};
use crate::http::queue::{QueuePermit, QueueRefusal};
use crate::http::rate_limit::LimitedAction;

/// Maximum wait of a verification for a permit (wall time).
const MAX_WAIT: Duration = Duration::from_secs(20);

/// Time between two tries of a waiting verification (wall time).
const RETRY_EVERY: Duration = Duration::from_millis(100);

/// Admits a request with a password to hash, from a caller who is not signed in.
///
/// # Errors
/// Returns `TOO_MANY_ATTEMPTS` over a rate limit or the address's share of the queue, or
/// `UNAVAILABLE` if the queue is full.
pub fn hashing(
    app: &AppState,
    act: LimitedAction,
    account: Option<&str>,
    from: IpAddr,
) -> Result<QueuePermit, ApiError> {
    guess_limits::call(app, act, account, from)?;
    app.passwords.queue().enter(from).map_err(refused)
}

/// Does the same as [`hashing`] for a user who is signed in or has a mailed link. Some permits are
/// reserved for such users.
///
/// # Errors
/// Returns the errors of [`hashing`].
pub fn hashing_of_user(
    app: &AppState,
    act: LimitedAction,
    user: UserId,
    from: IpAddr,
) -> Result<QueuePermit, ApiError> {
    let user = user.to_string();
    guess_limits::call(app, act, Some(&user), from)?;
    app.passwords.queue().enter(from).or_else(|refusal| reserved(app, &user, refusal))
}

/// Does the same as [`hashing`] for a sign-in. Some permits are reserved for clients that signed in
/// to the account before.
///
/// # Errors
/// Returns the errors of [`hashing`].
pub async fn sign_in(
    app: &AppState,
    username: &str,
    client: &Client,
    from: IpAddr,
) -> Result<QueuePermit, ApiError> {
    let account = store::user::normalise(username);
    guess_limits::call(app, LimitedAction::SignIn, Some(&account), from)?;
    let refusal = match app.passwords.queue().enter(from) {
        Ok(permit) => return Ok(permit),
        Err(refusal) => refusal,
    };
    let mut tx = app.db.read().await?;
    let fingerprint = sign_in::fingerprint(app, client);
    let is_known = store::session::knows_client(&mut tx, username, &fingerprint).await?;
    drop(tx);
    if is_known { reserved(app, &account, refusal) } else { Err(refused(refusal)) }
}

/// Waits for a permit to verify a login at the portal. `reserve` is the user if the password of
/// this login is stored; some permits are reserved for such users.
///
/// # Errors
/// Returns `VERIFY_BUSY` if no permit is free in time.
pub async fn verification(
    app: &AppState,
    from: IpAddr,
    reserve: Option<UserId>,
) -> Result<QueuePermit, ApiError> {
    let account = reserve.map(|user| fingerprint(app, &user.to_string()));
    let mut waited = Duration::ZERO;
    loop {
        let permit = match (app.verifications.enter(from), account) {
            (Err(_), Some(account)) => app.verifications.enter_reserved(account),
            (permit, _) => permit,
        };
        if let Ok(permit) = permit {
            return Ok(permit);
        }
        if waited >= MAX_WAIT {
            return Err(ApiError::new(Code::VerifyBusy).retry_after(30));
        }
        waited += RETRY_EVERY;
        tokio::time::sleep(RETRY_EVERY).await;
    }
}

fn reserved(app: &AppState, account: &str, refusal: QueueRefusal) -> Result<QueuePermit, ApiError> {
    let account = fingerprint(app, account);
    app.passwords.queue().enter_reserved(account).map_err(|_| refused(refusal))
}

fn fingerprint(app: &AppState, account: &str) -> [u8; 32] {
    app.keyring.fingerprint(&format!("queue|{account}"))
}

const fn refused(refusal: QueueRefusal) -> ApiError {
    let code = match refusal {
        QueueRefusal::Share => Code::TooManyAttempts,
        QueueRefusal::Full => Code::Unavailable,
    };
    ApiError::new(code).retry_after(2)
}
