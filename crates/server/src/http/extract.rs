//! Extractors of body, query and path. Their errors are API errors.

use std::net::IpAddr;
use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use domain::ids::TaskId;
use serde::de::DeserializeOwned;

use crate::http::connections::TooSlow;
use crate::http::error::{ApiError, Code};
use crate::http::proxies;
use crate::state::AppState;

/// A JSON body, both parsed and as raw bytes.
pub struct Body<T> {
    /// Parsed body.
    pub value: T,
    /// Raw bytes, for idempotency.
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

/// A JSON body that may be absent.
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
    Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(Code::BodyTooLarge),
        _ if TooSlow::caused(&rejection) => ApiError::new(Code::RequestTimeout),
        _ => ApiError::new(Code::InvalidBody),
    })
}

fn parse<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, ApiError> {
    // A derived struct would also deserialize from an array.
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        return Err(ApiError::new(Code::InvalidBody).with_message("The request body is not a JSON object"));
    }
    if has_nul(bytes) {
        return Err(ApiError::new(Code::InvalidBody).with_message("The request body holds a zero character"));
    }
    let mut body = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut body)
        .map_err(|error| ApiError::new(Code::InvalidBody).with_message(describe(&error)))?;
    body.end().map_err(|_| {
        ApiError::new(Code::InvalidBody).with_message("The request body has text after its JSON object")
    })?;
    Ok(value)
}

/// Returns `true` if a text of the body contains the character U+0000, which PostgreSQL cannot
/// store. Only its escape is searched, because JSON does not allow the raw byte.
fn has_nul(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        if rest[at..].starts_with(b"\\u0000") {
            return true;
        }
        // The character after a backslash belongs to the escape, even if it is another backslash.
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    false
}

/// Describes an error by its field and position. Values of the body are not repeated, because they
/// may contain a password.
fn describe(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let inner = error.inner();
    let (line, column) = (inner.line(), inner.column());
    if inner.classify() != serde_json::error::Category::Data {
        return format!("The request body is not valid JSON at line {line} column {column}");
    }
    // Of serde's message only the name of a missing field is used. Other messages repeat values.
    let text = inner.to_string();
    let missing = text.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    let what = match (missing, error.path().to_string()) {
        (Some(field), _) => format!("lacks the field {field}"),
        (None, path) if !is_field_path(&path) => "has a wrong type or an unknown field".to_owned(),
        (None, path) if text.starts_with("unknown field") => format!("has the unknown field {path}"),
        (None, path) => format!("has a wrong type or value in the field {path}"),
    };
    format!("The request body {what} at line {line} column {column}")
}

/// Returns `true` for a path of plain field names and indexes. Other names may be arbitrary text
/// from the caller.
fn is_field_path(path: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_.[]".contains(c);
    (2..=64).contains(&path.len()) && path.chars().all(is_plain)
}

/// A parsed query string.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, ApiError> {
        axum::extract::Query::try_from_uri(&parts.uri)
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|_| Code::InvalidQuery.into())
    }
}

/// Identifier of a task in the path. Any other text leads to `NOT_FOUND`.
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

/// Identifier in the path. Any other text leads to `NOT_FOUND`.
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

/// Address of the client. `X-Forwarded-For` is used only from trusted proxies.
#[derive(Clone, Copy, Debug)]
pub struct ClientIp(pub IpAddr);

impl FromRequestParts<AppState> for ClientIp {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let peer = proxies::peer(&parts.extensions);
        Ok(Self(proxies::client(peer, &parts.headers, &state.settings.trusted_proxies)))
    }
}

#[cfg(test)]
mod tests {
    use super::has_nul;

    #[test]
    fn only_real_nul_escapes_are_detected() {
        for body in [r#"{"a":"\u0000"}"#, r#"{"a":"x\\\u0000"}"#, r#"{"\u0000":1}"#] {
            assert!(has_nul(body.as_bytes()), "{body}");
        }
        for body in [r#"{"a":"u0000"}"#, r#"{"a":"\\u0000"}"#, r#"{"a":"\u0001\n"}"#, r"\", "", r"\u000"] {
            assert!(!has_nul(body.as_bytes()), "{body}");
        }
    }
}
