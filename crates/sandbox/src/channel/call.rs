//! Request to a notification provider and the response.

use axum::http::HeaderMap;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use chrono::{DateTime, Utc};
use ring::hmac;
use serde_json::{Value, json};

use super::arrivals::Content;
use crate::portal::http::pairs;

/// Request to a notification provider.
pub(super) struct Call<'a> {
    /// Segments of the path after the provider's name.
    pub path: Vec<String>,
    pub query: Vec<(String, String)>,
    pub headers: &'a HeaderMap,
    pub body: &'a [u8],
    /// Body as JSON, or null if the body is not JSON.
    pub json: Value,
    /// Scheme, host and port of the request.
    pub origin: String,
    pub now: DateTime<Utc>,
    pub seed: u64,
}

/// Response of a notification provider.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

impl Call<'_> {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub fn query(&self, name: &str) -> &str {
        value(&self.query, name)
    }

    /// Parses the body as form fields.
    pub fn form(&self) -> Vec<(String, String)> {
        pairs(&String::from_utf8_lossy(self.body))
    }

    /// Returns a text of the JSON body, found by JSON pointer, or an empty text.
    pub fn text(&self, pointer: &str) -> &str {
        self.json.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the path segments if there are exactly `N`.
    pub fn path<const N: usize>(&self) -> Option<[&str; N]> {
        let parts: Vec<&str> = self.path.iter().map(String::as_str).collect();
        parts.try_into().ok()
    }
}

impl Content {
    /// Creates an empty content for a receiver.
    pub fn to(target: impl Into<String>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }
}

impl Reply {
    pub fn json(status: u16, body: &Value) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            body: body.to_string(),
        }
    }

    pub fn text(status: u16, body: &str) -> Self {
        Self {
            status,
            headers: vec![("content-type", "text/plain; charset=utf-8".to_owned())],
            body: body.to_owned(),
        }
    }

    /// Adds a `Retry-After` header with this number of seconds.
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.headers.push(("retry-after", seconds.to_string()));
        self
    }

    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Returns the 404 response for a path without a provider.
    pub fn nowhere() -> Self {
        Self::json(404, &json!({ "error": "not found" }))
    }
}

/// Returns the first value with this name, or an empty text.
pub(super) fn value<'a>(pairs: &'a [(String, String)], name: &str) -> &'a str {
    pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str()).unwrap_or_default()
}

/// Splits a text into its first line and the rest.
pub(super) fn split(text: &str) -> (String, String) {
    let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
    (title.trim().to_owned(), rest.trim().to_owned())
}

/// Computes an HMAC and encodes it in base64.
pub(super) fn signed(algorithm: hmac::Algorithm, key: &str, text: &str) -> String {
    let key = hmac::Key::new(algorithm, key.as_bytes());
    BASE64_STANDARD.encode(hmac::sign(&key, text.as_bytes()))
}
