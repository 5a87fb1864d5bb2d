//! Repeated proof of a signed-in user's identity, with limits of guesses.

use std::net::IpAddr;

use domain::security_event::SecurityEventKind;
use secrecy::SecretString;
use store::session::Client;
use store::user::User;

use super::guess_limits::Guess;
use super::{admission, guess_limits};
use crate::AppState;
use crate::auth::{events, sign_in, totp};
use crate::http::error::{ApiError, Fields};
use crate::http::rate_limit::LimitedAction;

/// Checks the user's password, and the code if the user has a second factor.
///
/// # Errors
/// Returns `VALIDATION_FAILED` with `password` or `totp_code`, or `TOO_MANY_ATTEMPTS`.
pub async fn check(
    app: &AppState,
    user: &User,
    password: Option<SecretString>,
    given: Option<String>,
    from: (IpAddr, &Client),
) -> Result<(), ApiError> {
    let mut tx = app.db.read().await?;
    let second = store::totp::confirmed(&mut tx, user.id).await?;
    drop(tx);
    let given = given.filter(|code| !code.trim().is_empty());
    if user.password_hash.is_none() {
        return Err(Fields::single("password", "not_set"));
    }
    let Some(password) = password else { return Err(Fields::single("password", "required")) };
    if second.is_some() && given.is_none() {
        return Err(Fields::single("totp_code", "required"));
    }
    let (address, client) = from;
    let permit = admission::hashing_of_user(app, LimitedAction::ProveAgain, user.id, address)?;
    let id = user.id.to_string();
    let guess = Guess { act: LimitedAction::ProveAgain, account: &id, from: address, known: false };
    let counted = guess_limits::count_guess(app, guess).await?;
    if !app.passwords.verify(&permit, password, user.password_hash.clone()).await? {
        events::failed(app, user, SecurityEventKind::StepUp, client, counted.security_notice());
        return Err(Fields::single("password", "wrong"));
    }
    counted.right(app).await?;
    drop(permit);
    let (Some(second), Some(given)) = (second, given) else { return Ok(()) };
    if code(app, user, &second, &given, from).await? {
        Ok(())
    } else {
        Err(Fields::single("totp_code", "wrong"))
    }
}

/// Consumes a code of the second factor and counts wrong guesses. Returns `false` if the code is
/// wrong or was used before.
pub async fn code(
    app: &AppState,
    user: &User,
    second: &store::totp::Totp,
    given: &str,
    (address, client): (IpAddr, &Client),
) -> Result<bool, ApiError> {
    let mut tx = app.db.read().await?;
    let fingerprint = sign_in::fingerprint(app, client);
    let known = store::session::knows_client(&mut tx, &user.email, &fingerprint).await?;
    drop(tx);
    let counted = guess_limits::guess_code(app, user.id, given, address, known).await?;
    let mut tx = app.db.begin().await?;
    let right = totp::spend(app, &mut tx, user, second, given, client).await?;
    tx.commit().await?;
    if right {
        counted.right(app).await?;
    } else {
        events::failed(app, user, SecurityEventKind::SecondFactor, client, counted.security_notice());
    }
    Ok(right)
}
