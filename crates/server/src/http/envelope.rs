//! Envelope of successful responses.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::error::{ApiError, ErrorBody};

/// Envelope of a successful response: `{success, data, error}`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Envelope<T> {
    /// Always `true`.
    pub success: bool,
    /// Result of the call.
    pub data: T,
    /// Always null.
    pub error: Option<ErrorBody>,
}

/// A result without content.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
pub struct Empty {}

/// Return type of handlers.
pub type Answer<T> = Result<Json<Envelope<T>>, ApiError>;

/// Wraps the data of a success in the envelope.
#[allow(clippy::unnecessary_wraps)]
pub fn ok<T>(data: T) -> Answer<T> {
    Ok(Json(Envelope { success: true, data, error: None }))
}
