//! Extractors that answer in the envelope: body, query, caller, task, idempotency key.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use domain::ids::{SessionId, TaskId, UserId};
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
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok());
        if !kind.is_some_and(|k| k.to_ascii_lowercase().starts_with("application/json")) {
            return Err(Code::UnsupportedMediaType.into());
        }
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            let too_large = rejection.status() == StatusCode::PAYLOAD_TOO_LARGE;
            ApiError::new(if too_large { Code::BodyTooLarge } else { Code::InvalidBody })
        })?;
        let value = serde_json::from_slice(&bytes)
            .map_err(|error| ApiError::new(Code::InvalidBody).message(describe(&error)))?;
        Ok(Self { value, bytes })
    }
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
        let Path(text) =
            Path::<String>::from_request_parts(parts, state).await.map_err(|_| ApiError::new(Code::NotFound))?;
        text.parse().map(Self).map_err(|_| Code::NotFound.into())
    }
}

/// The `Idempotency-Key` header, when one was sent.
pub struct IdempotencyKey(pub Option<String>);

impl FromRequestParts<AppState> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, ApiError> {
        let Some(value) = parts.headers.get("idempotency-key") else { return Ok(Self(None)) };
        let key = value.to_str().ok().filter(|k| (1..=255).contains(&k.len()));
        key.map(|k| Self(Some(k.to_owned()))).ok_or_else(|| Code::InvalidBody.into())
    }
}

/// Who calls, by a valid access token of a living session.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// The user.
    pub user_id: UserId,
    /// The sign-in family.
    pub session_id: SessionId,
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let token = parts
            .headers
            .get(header::AUTHORIZATION)
            .and_then(|v| v.to_str().ok())
            .and_then(|v| v.strip_prefix("Bearer ").or_else(|| v.strip_prefix("bearer ")))
            .ok_or_else(|| ApiError::new(Code::Unauthenticated))?;
        crate::token::verify(state, token.trim()).await
    }
}
