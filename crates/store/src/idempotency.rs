//! Idempotency keys: the same key and body get the same response.

use domain::clock::Instant;
use domain::ids::UserId;
use serde_json::Value;

use crate::{Error, Tx, exec, one};

/// Stored state of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyStatus {
    /// Not used. The caller performs the effect and calls [`store`] in the same transaction.
    New,
    /// Used before. The caller returns this response again.
    Answered(Value),
    /// The key was used with another body.
    OtherBody,
}

/// Finds a key. The caller need not repeat this inside the transaction of the effect: [`store`]
/// decides races.
pub async fn find(
    tx: &mut Tx,
    user: UserId,
    route: &str,
    key: &str,
    body_fp: &[u8],
) -> Result<KeyStatus, Error> {
    let row = one!(
        tx,
        (Vec<u8>, Value),
        "SELECT body_fp, answer FROM idempotency WHERE user_id = $1 AND route = $2 AND key = $3",
        user.0,
        route.to_owned(),
        key.to_owned()
    )?;
    Ok(match row {
        None => KeyStatus::New,
        Some((stored, answer)) if stored == body_fp => KeyStatus::Answered(answer),
        Some(_) => KeyStatus::OtherBody,
    })
}

/// Stores the response, a JSON object. Returns `false` if another transaction was first: the caller
/// rolls back and responds with 409.
pub async fn store(
    tx: &mut Tx,
    user: UserId,
    (route, key): (&str, &str),
    body_fp: &[u8],
    answer: &Value,
    now: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "INSERT INTO idempotency (user_id, route, key, body_fp, answer, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT DO NOTHING",
        user.0,
        route.to_owned(),
        key.to_owned(),
        body_fp.to_vec(),
        answer.clone(),
        now
    )?;
    Ok(rows == 1)
}
