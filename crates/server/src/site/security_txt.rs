//! File `/.well-known/security.txt` (RFC 9116): the operator's contact for reports of
//! vulnerabilities.

use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use chrono::TimeDelta;
use domain::email::is_email;

use crate::AppState;

/// Path of the file, without the first slash.
pub const PATH: &str = ".well-known/security.txt";

/// Time for which a copy of the file is valid; the standard requires less than a year.
const VALID: TimeDelta = TimeDelta::days(180);

/// Returns the file; `None` if the operator's contact is neither a mail nor a web address.
#[must_use]
pub fn answer(app: &AppState) -> Option<Response> {
    let contact = contact(app.operator.contact.as_deref()?)?;
    let site = app.settings.public_url.trim_end_matches('/');
    let expires = (app.wall.now() + VALID).format("%Y-%m-%dT00:00:00Z");
    let text = format!(
        "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: zh, en\nCanonical: {site}/{PATH}\n"
    );
    Some(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

fn contact(text: &str) -> Option<String> {
    let is_link = text.starts_with("https://") && !text.contains(char::is_whitespace);
    match text {
        link if is_link => Some(link.to_owned()),
        address if is_email(address) => Some(format!("mailto:{address}")),
        _ => None,
    }
}
