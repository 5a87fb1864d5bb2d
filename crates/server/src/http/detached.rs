//! Work that must not be cancelled when its client disconnects.

use std::future::Future;

use crate::http::error::ApiError;

/// Runs `work` to its end even if the client disconnects. Every handler that changes data must use
/// this function.
///
/// # Errors
/// Returns the errors of `work`, or `INTERNAL` if it panicked.
pub async fn detached<T, F>(work: F) -> Result<T, ApiError>
where
    F: Future<Output = Result<T, ApiError>> + Send + 'static,
    T: Send + 'static,
{
    match tokio::spawn(work).await {
        Ok(outcome) => outcome,
        Err(error) => Err(ApiError::internal(&error)),
    }
}
