//! Signing in with Google, or another provider of OpenID Connect: there, back, and into a sign-in.

pub mod callback;
pub mod exchange;
pub mod link_account;
pub mod login;

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use chrono::TimeDelta;

use crate::AppState;
use crate::http::error::{ApiError, Code};

/// How long somebody may take at the provider.
const FLOW_LIFE: TimeDelta = TimeDelta::minutes(10);
/// How long the page they come back to may take to trade its token.
pub const BOOTSTRAP_LIFE: TimeDelta = TimeDelta::seconds(60);
/// The cookie of a browser that left for the provider; over https with the prefix by which browsers take it from this host
/// alone, for the whole of it: no neighbour under the same domain can set one of that name.
const COOKIE: &str = "sooner_pre";
const HOST_COOKIE: &str = "__Host-sooner_pre";
/// Tells a token to be traded once from one that rotates.
const BOOTSTRAP: &str = "b-";

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

/// The pre-session cookie; none where it is missing, malformed, or there twice (one of them is somebody else's).
#[derive(Clone, Copy, Debug)]
pub struct PreSession(pub Option<[u8; 32]>);

impl FromRequestParts<AppState> for PreSession {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        let wanted = name(app);
        let values = parts.headers.get_all(header::COOKIE).iter().filter_map(|v| v.to_str().ok());
        let mut own = values.flat_map(|v| v.split(';')).filter_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == wanted).then_some(value)
        });
        let only = own.next().filter(|_| own.next().is_none());
        Ok(Self(only.and_then(raw)))
    }
}

/// Sets the cookie for as long as somebody may be away.
fn cookie(app: &AppState, value: &[u8; 32]) -> String {
    let (name, life) = (name(app), FLOW_LIFE.num_seconds());
    format!("{name}={}; Max-Age={life}{}", hex::encode(value), attributes(app))
}

/// Takes the cookie back.
pub(super) fn no_cookie(app: &AppState) -> String {
    format!("{}=; Max-Age=0{}", name(app), attributes(app))
}

fn over_https(app: &AppState) -> bool {
    app.settings.public_url.starts_with("https://")
}

fn name(app: &AppState) -> &'static str {
    if over_https(app) { HOST_COOKIE } else { COOKIE }
}

fn attributes(app: &AppState) -> &'static str {
    if over_https(app) {
        "; Path=/; HttpOnly; SameSite=Lax; Secure"
    } else {
        "; Path=/api/v1/auth; HttpOnly; SameSite=Lax"
    }
}

/// The PKCE verifier of a state: derived, so that it is kept nowhere.
fn verifier(app: &AppState, state: &[u8; 32]) -> String {
    hex::encode(app.keyring.fingerprint(&format!("oidc-verifier|{}", hex::encode(state))))
}

/// The nonce of a state, derived likewise.
fn nonce(app: &AppState, state: &[u8; 32]) -> String {
    hex::encode(app.keyring.fingerprint(&format!("oidc-nonce|{}", hex::encode(state))))
}

fn raw(text: &str) -> Option<[u8; 32]> {
    hex::decode(text).ok()?.try_into().ok()
}
