//! Registering, verifying, signing in and out.

pub mod change;
pub mod forgot;
pub mod google;
pub mod login;
pub mod logout;
pub mod logout_all;
pub mod methods;
pub mod profile;
pub mod proof;
pub mod refresh;
pub mod register;
pub mod reset;
pub mod step_up;
pub mod throttle;
pub mod verify;

use domain::clock::Instant;
use domain::ids::UserId;
use serde_json::json;
use store::Tx;

use crate::AppState;
use crate::http::error::ApiError;

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
        crate::auth::mail::queue(app, tx, &user, ("session_revoked", key), &data, now).await?;
    }
    Ok(())
}
