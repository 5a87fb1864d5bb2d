//! The ways to sign in that an account has. One must always remain.

use domain::ids::UserId;
use store::Tx;
use store::passkey::Passkey;

use crate::AppState;
use crate::http::error::{ApiError, Code};

/// Returns `true` if a passkey works at this server's address.
#[must_use]
pub fn is_usable(app: &AppState, passkey: &Passkey) -> bool {
    app.relying_party().is_some_and(|party| party.host == passkey.host)
}

/// Returns `true` if the user can sign in with a password, a passkey, Google, or the link of a solo
/// server's owner.
///
/// # Errors
/// Returns `UNAUTHORIZED` if the user does not exist, or an error if the database fails.
pub async fn any(app: &AppState, tx: &mut Tx, user: UserId) -> Result<bool, ApiError> {
    let account = store::user::get(tx, user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    Ok(account.password_hash.is_some()
        || store::passkey::of_user(tx, user).await?.iter().any(|known| is_usable(app, known))
        || (app.google.is_some() && store::identity::is_linked(tx, user).await?)
        || store::solo_owner::get(tx).await?.is_some_and(|owner| owner.user == user))
}
