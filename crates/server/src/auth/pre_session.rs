//! Pre-session cookie: binds a flow that began before a sign-in to its browser. The flow is a
//! sign-in at Google or a registration, and its result cannot sign in another browser.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use chrono::TimeDelta;

use crate::AppState;

/// Name of the cookie. Over https its prefix makes browsers accept it only from this host, for all
/// paths, so another host of the domain cannot set it. A later flow in a browser replaces the
/// cookie of the earlier one.
const COOKIE: &str = "sooner_pre";
const HOST_COOKIE: &str = "__Host-sooner_pre";

/// Value of the pre-session cookie. `None` if the cookie is missing or malformed, or is present
/// twice, because another site may have set one of them.
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

/// Value of the pre-session cookie if the browser marks the request as sent by a page of this
/// server; `None` for other requests.
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

/// Returns the header that sets the cookie, for the lifetime of the flow.
pub fn cookie(app: &AppState, value: &[u8; 32], life: TimeDelta) -> String {
    format!("{}={}; Max-Age={}{}", name(app), hex::encode(value), life.num_seconds(), attributes(app))
}

/// Returns the header that removes the cookie.
pub fn no_cookie(app: &AppState) -> String {
    format!("{}=; Max-Age=0{}", name(app), attributes(app))
}

/// Decodes the hexadecimal text of a cookie, a state or a token.
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
