//! What a browser keeps of what somebody began in it before they signed in there: a way to Google, or a registration. What comes
//! back to another browser signs nobody in.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use chrono::TimeDelta;

use crate::AppState;

/// The cookie; over https with the prefix by which browsers take it from this host alone, for the whole of it: no neighbour under
/// the same domain can set one of that name. What is begun later in a browser takes the place of what was begun before.
const COOKIE: &str = "sooner_pre";
const HOST_COOKIE: &str = "__Host-sooner_pre";

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

/// The same for a call that a page of ours makes, as the browser says by itself; none for all others.
#[derive(Clone, Copy, Debug)]
pub struct OwnPreSession(pub Option<[u8; 32]>);

impl FromRequestParts<AppState> for OwnPreSession {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        let PreSession(cookie) = PreSession::from_request_parts(parts, app).await?;
        let own = parts.headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin");
        Ok(Self(cookie.filter(|_| own)))
    }
}

/// Sets the cookie for as long as what was begun may take.
pub fn cookie(app: &AppState, value: &[u8; 32], life: TimeDelta) -> String {
    format!("{}={}; Max-Age={}{}", name(app), hex::encode(value), life.num_seconds(), attributes(app))
}

/// Takes the cookie back.
pub fn no_cookie(app: &AppState) -> String {
    format!("{}=; Max-Age=0{}", name(app), attributes(app))
}

/// The bytes of a cookie, a state or a token.
#[must_use]
pub fn raw(text: &str) -> Option<[u8; 32]> {
    hex::decode(text).ok()?.try_into().ok()
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
