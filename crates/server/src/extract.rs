//! Extractors that answer in the envelope: body, query, task.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use domain::ids::TaskId;
use serde::de::DeserializeOwned;

use crate::error::{ApiError, Code};
use crate::state::AppState;

/// A JSON body, and its bytes as they came.
pub struct Body<T> {
    /// What it says.
    pub value: T,
    /// As it came, for idempotency.
    pub bytes: Bytes,
}

impl<T: DeserializeOwned> FromRequest<AppState> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            return Err(Code::UnsupportedMediaType.into());
        }
        let bytes = read(request, state).await?;
        Ok(Self { value: parse(&bytes)?, bytes })
    }
}

/// A JSON body that may be missing altogether.
pub struct OptionalBody<T>(pub T);

impl<T: DeserializeOwned + Default> FromRequest<AppState> for OptionalBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let json = is_json(request.headers());
        let bytes = read(request, state).await?;
        if bytes.is_empty() {
            return Ok(Self(T::default()));
        }
        if !json {
            return Err(Code::UnsupportedMediaType.into());
        }
        parse(&bytes).map(Self)
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|k| k.trim().eq_ignore_ascii_case("application/json"))
}

async fn read(request: Request, state: &AppState) -> Result<Bytes, ApiError> {
    Bytes::from_request(request, state).await.map_err(|rejection| {
        let too_large = rejection.status() == StatusCode::PAYLOAD_TOO_LARGE;
        ApiError::new(if too_large { Code::BodyTooLarge } else { Code::InvalidBody })
    })
}

fn parse<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, ApiError> {
    // A derived struct also reads from an array, field by field.
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        return Err(ApiError::new(Code::InvalidBody).with_message("The request body is not a JSON object"));
    }
    if has_nul(bytes) {
        return Err(ApiError::new(Code::InvalidBody).with_message("The request body holds a zero character"));
    }
    serde_json::from_slice(bytes)
        .map_err(|error| ApiError::new(Code::InvalidBody).with_message(describe(&error)))
}

/// Whether a text of the body holds the character zero, which PostgreSQL keeps in no text: written out as an escape, for as a
/// byte it is no JSON.
fn has_nul(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        if rest[at..].starts_with(b"\\u0000") {
            return true;
        }
        // What follows a backslash belongs to it, another backslash too.
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    false
}

/// Says where the body is wrong without repeating what it holds (it may be a password).
fn describe(error: &serde_json::Error) -> String {
    let what = match error.classify() {
        serde_json::error::Category::Data => "has a wrong type, an unknown or a missing field",
        _ => "is not valid JSON",
    };
    format!("The request body {what} at line {} column {}", error.line(), error.column())
}

/// A query string.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, ApiError> {
        axum::extract::Query::try_from_uri(&parts.uri)
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|_| Code::InvalidQuery.into())
    }
}

/// A task's id in the path; anything else is not found.
pub struct TaskPath(pub TaskId);

impl FromRequestParts<AppState> for TaskPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let Path(text) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::new(Code::NotFound))?;
        text.parse().map(Self).map_err(|_| Code::NotFound.into())
    }
}

/// An id in the path; anything else is not found.
pub struct IdPath<T>(pub T);

impl<T: FromStr> FromRequestParts<AppState> for IdPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let Path(text) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::new(Code::NotFound))?;
        text.parse().map(Self).map_err(|_| Code::NotFound.into())
    }
}

/// Where the request came from; forwarded addresses are believed from trusted proxies only.
#[derive(Clone, Copy, Debug)]
pub struct ClientIp(pub IpAddr);

impl FromRequestParts<AppState> for ClientIp {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let unknown = IpAddr::from([0, 0, 0, 0]);
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map_or(unknown, |c| c.0.ip());
        Ok(Self(client_ip(peer, &parts.headers, &state.settings.trusted_proxies)))
    }
}

/// Walks the forwarded addresses from the nearest, as long as trusted proxies vouch for them.
fn client_ip(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|v| v.to_str().ok());
    let mut hops: Vec<&str> = forwarded.flat_map(|v| v.split(',')).map(str::trim).collect();
    let mut nearest = peer;
    while trusted.contains(&nearest) {
        match hops.pop().map(str::parse) {
            Some(Ok(address)) => nearest = address,
            _ => break,
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::{client_ip, has_nul};
    use axum::http::HeaderMap;
    use std::net::IpAddr;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "6.6.6.6, 192.0.2.7, 10.0.0.2".parse().unwrap());
        assert_eq!(client_ip(ip("192.0.2.9"), &headers, &[]), ip("192.0.2.9"));
        let trusted = [ip("10.0.0.1"), ip("10.0.0.2")];
        assert_eq!(client_ip(ip("10.0.0.1"), &headers, &trusted), ip("192.0.2.7"));
        assert_eq!(client_ip(ip("192.0.2.9"), &headers, &trusted), ip("192.0.2.9"));
    }

    #[test]
    fn a_zero_character_is_found_where_it_is_one() {
        for body in [r#"{"a":"\u0000"}"#, r#"{"a":"x\\\u0000"}"#, r#"{"\u0000":1}"#] {
            assert!(has_nul(body.as_bytes()), "{body}");
        }
        for body in [r#"{"a":"u0000"}"#, r#"{"a":"\\u0000"}"#, r#"{"a":"\u0001\n"}"#, r"\", "", r"\u000"] {
            assert!(!has_nul(body.as_bytes()), "{body}");
        }
    }
}
