//! Header `Idempotency-Key`: a repeated request with the same key and body gets the first response,
//! for example after a lost connection.

use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use domain::clock::Instant;
use domain::ids::UserId;
use serde::Serialize;
use serde_json::{Value, json};
use store::Tx;
use store::idempotency::KeyStatus;

use crate::AppState;
use crate::http::error::{ApiError, Code};

/// Value of the header: 1 to 255 visible characters, or `None` if it is absent.
#[derive(Clone, Debug)]
pub struct IdempotencyKey(pub Option<String>);

/// A request with its idempotency key. Without a key its methods do nothing.
#[derive(Clone, Debug)]
pub struct IdempotentRequest {
    user: UserId,
    route: &'static str,
    key: Option<String>,
    body_fp: [u8; 32],
}

impl FromRequestParts<AppState> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, ApiError> {
        let Some(value) = parts.headers.get("idempotency-key") else { return Ok(Self(None)) };
        let key = value.to_str().ok().filter(|k| (1..=255).contains(&k.len()));
        let wrong =
            || ApiError::new(Code::InvalidQuery).with_message("Idempotency-Key is 1 to 255 ASCII characters");
        Ok(Self(Some(key.ok_or_else(wrong)?.to_owned())))
    }
}

impl IdempotentRequest {
    /// Creates the value for a request of `user` to `route` with this body.
    #[must_use]
    pub fn new(app: &AppState, user: UserId, route: &'static str, key: IdempotencyKey, body: &Bytes) -> Self {
        let body_fp = app.keyring.fingerprint(&format!("idempotency|{}", String::from_utf8_lossy(body)));
        Self { user, route, key: key.0, body_fp }
    }

    /// Returns the data of the first response if the request was completed before. It must be
    /// called first in the transaction of the effect.
    pub async fn answered(&self, tx: &mut Tx) -> Result<Option<Value>, ApiError> {
        let Some(key) = &self.key else { return Ok(None) };
        match store::idempotency::find(tx, self.user, self.route, key, &self.body_fp).await? {
            KeyStatus::New => Ok(None),
            KeyStatus::Answered(answer) => Ok(Some(answer["data"].clone())),
            KeyStatus::OtherBody => Err(Code::IdempotencyKeyReused.into()),
        }
    }

    /// Stores the response in the transaction of the effect, and returns it as JSON.
    ///
    /// # Errors
    /// Returns `IDEMPOTENCY_IN_FLIGHT` if a concurrent request with this key stored its response
    /// first. The transaction must then not be committed.
    pub async fn store_response<T: Serialize>(
        &self,
        tx: &mut Tx,
        data: &T,
        now: Instant,
    ) -> Result<Value, ApiError> {
        let data = serde_json::to_value(data).map_err(|e| ApiError::internal(&e))?;
        if let Some(key) = &self.key {
            let answer = json!({ "data": data });
            let place = (self.route, key.as_str());
            if !store::idempotency::store(tx, self.user, place, &self.body_fp, &answer, now).await? {
                return Err(Code::IdempotencyInFlight.into());
            }
        }
        Ok(data)
    }
}
