//! Sign-in with Google, or with another OpenID Connect provider: start of the flow, callback, and
//! session.

pub mod callback;
pub mod link_account;
pub mod login;

use chrono::TimeDelta;
use store::keyring::Signing;

use crate::AppState;
use crate::http::error::{ApiError, Code};

/// Time limit of a flow at the provider.
const FLOW_LIFE: TimeDelta = TimeDelta::minutes(10);

/// Reason of a failed sign-in, as the web page reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowFailure(pub &'static str);

impl From<ApiError> for FlowFailure {
    fn from(error: ApiError) -> Self {
        Self(if error.code == Code::TooManyAttempts { "too_many_attempts" } else { "unavailable" })
    }
}

impl From<store::Error> for FlowFailure {
    fn from(error: store::Error) -> Self {
        ApiError::from(error).into()
    }
}

/// Returns the PKCE verifier of a state. It is derived, so that it is not stored.
fn verifier(app: &AppState, state: &[u8; 32]) -> String {
    hex::encode(app.keyring.sign(Signing::Oidc, &format!("oidc-verifier|{}", hex::encode(state))))
}

/// Returns the nonce of a state, derived in the same way.
fn nonce(app: &AppState, state: &[u8; 32]) -> String {
    hex::encode(app.keyring.sign(Signing::Oidc, &format!("oidc-nonce|{}", hex::encode(state))))
}
