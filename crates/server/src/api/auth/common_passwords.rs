//! Endpoint `GET /auth/common-passwords/{beginning}`.

use axum::extract::Path;
use axum::http::{HeaderName, header};
use axum::response::AppendHeaders;
use domain::password::common;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::envelope::{Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};

/// Passwords that are not allowed.
#[derive(Serialize, ToSchema)]
pub struct CommonPasswords {
    /// First 5 bytes of the SHA-256 of each password, in hexadecimal. The password is hashed in
    /// NFKC and lower case, without leading and trailing characters that are no letters or digits.
    hashes: Vec<String>,
}

/// A response that any cache may store for a day.
type CacheableResponse =
    (AppendHeaders<[(HeaderName, &'static str); 1]>, axum::Json<Envelope<CommonPasswords>>);

/// Returns the common passwords whose hash begins with these three hexadecimal characters. The
/// browser compares them itself. So a password is judged while it is typed, and is sent only to be
/// set.
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
