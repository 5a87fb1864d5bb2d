//! Work that a client's disconnect must not cancel.

use std::future::Future;

use crate::http::error::ApiError;

/// Runs `work` to its end even when the caller goes away; every handler that changes something uses it.
///
/// # Errors
/// Those of `work`; `INTERNAL` when it panicked.
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
