//! Signing in with Google, or another provider of OpenID Connect: there, back, and into a sign-in.

pub mod callback;
pub mod link_account;
pub mod login;

use chrono::TimeDelta;
use store::keyring::Signing;

use crate::AppState;
use crate::http::error::{ApiError, Code};

/// How long somebody may take at the provider.
const FLOW_LIFE: TimeDelta = TimeDelta::minutes(10);

/// A word for why nobody was signed in, as the page reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed(pub &'static str);

impl From<ApiError> for Failed {
    fn from(error: ApiError) -> Self {
        Self(if error.code == Code::TooManyAttempts { "too_many_attempts" } else { "unavailable" })
    }
}

impl From<store::Error> for Failed {
    fn from(error: store::Error) -> Self {
        ApiError::from(error).into()
    }
}

/// The PKCE verifier of a state: derived, so that it is kept nowhere.
fn verifier(app: &AppState, state: &[u8; 32]) -> String {
    hex::encode(app.keyring.sign(Signing::Oidc, &format!("oidc-verifier|{}", hex::encode(state))))
}

/// The nonce of a state, derived likewise.
fn nonce(app: &AppState, state: &[u8; 32]) -> String {
    hex::encode(app.keyring.sign(Signing::Oidc, &format!("oidc-nonce|{}", hex::encode(state))))
}
