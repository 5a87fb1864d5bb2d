//! The envelope of every success.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::error::{ApiError, ErrorBody};

/// `{success, data, error}`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Envelope<T> {
    /// Always true.
    pub success: bool,
    /// The answer.
    pub data: T,
    /// Always null.
    pub error: Option<ErrorBody>,
}

/// An answer without content.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
pub struct Empty {}

/// What handlers answer.
pub type Answer<T> = Result<Json<Envelope<T>>, ApiError>;

/// A success.
#[allow(clippy::unnecessary_wraps)]
pub fn ok<T>(data: T) -> Answer<T> {
    Ok(Json(Envelope { success: true, data, error: None }))
}
