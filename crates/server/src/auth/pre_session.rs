//! Cookie of a flow that began before a sign-in: a flow at Google, or a registration. Its result
//! signs in no other browser.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use chrono::TimeDelta;

use crate::AppState;

/// Name of the cookie. Over https it has the prefix for which browsers accept the cookie only from
/// this host, for all paths. So another host of the same domain cannot set it. A later flow in a
/// browser replaces the earlier one.
const COOKIE: &str = "sooner_pre";
const HOST_COOKIE: &str = "__Host-sooner_pre";

/// Value of the pre-session cookie; `None` if it is missing, malformed, or present twice (one is of
/// another site).
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

/// The same, only for requests that the browser marks as sent by a page of this server; `None` for
/// all others.
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

/// Returns the header that sets the cookie for the time limit of the flow.
pub fn cookie(app: &AppState, value: &[u8; 32], life: TimeDelta) -> String {
    format!("{}={}; Max-Age={}{}", name(app), hex::encode(value), life.num_seconds(), attributes(app))
}

/// Returns the header that removes the cookie.
pub fn no_cookie(app: &AppState) -> String {
    format!("{}=; Max-Age=0{}", name(app), attributes(app))
}

/// Decodes a cookie, a state or a token.
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
