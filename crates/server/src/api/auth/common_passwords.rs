//! Endpoint `GET /auth/common-passwords/{beginning}`.

use axum::extract::Path;
use axum::http::{HeaderName, header};
use axum::response::AppendHeaders;
use domain::password::common;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::envelope::{Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};

/// Hashes of common passwords, which the server rejects.
#[derive(Serialize, ToSchema)]
pub struct CommonPasswords {
    /// First 5 bytes of the SHA-256 of each password, in hexadecimal. Before hashing, the password
    /// is normalised to NFKC and lower case. Leading and trailing characters other than letters and
    /// digits are removed.
    hashes: Vec<String>,
}

/// A response that any cache may store for a day.
type CacheableResponse =
    (AppendHeaders<[(HeaderName, &'static str); 1]>, axum::Json<Envelope<CommonPasswords>>);

/// Returns the common passwords whose hash begins with three hexadecimal characters. The browser
/// compares the hashes itself, so it can check a password during typing without sending it.
#[utoipa::path(get, path = "/auth/common-passwords/{beginning}", tag = "auth",
    params(("beginning" = String, Path, description = "Three hex characters")), responses(
    (status = 200, body = Envelope<CommonPasswords>), (status = 404, body = ErrorEnvelope),
))]
pub async fn list_common_passwords(Path(beginning): Path<String>) -> Result<CacheableResponse, ApiError> {
    let bits = u16::from_str_radix(&beginning, 16).ok().filter(|_| beginning.len() == 3);
    let bits = bits.ok_or(Code::NotFound)?;
    let hashes = common::beginning_with(bits).map(hex::encode).collect();
    Ok((AppendHeaders([(header::CACHE_CONTROL, "public, max-age=86400")]), ok(CommonPasswords { hashes })?))
}
