//! Endpoints `POST /topup/validate` and `POST /topup/use`.

use app::Error;
use app::money::top_up;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use domain::ids::UserId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Tx;
use store::guess_limits::{Memory, Policy, Subject};
use store::topup_code::Code as TopupCode;
use utoipa::ToSchema;

use crate::AppState;
use crate::api::auth::guess_limits;
use crate::auth::caller::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::Body;
use crate::http::idempotency::{IdempotencyKey, IdempotentRequest};

/// Maximum number of wrong codes an hour per user. At that rate, codes of 16 hexadecimal characters
/// cannot be guessed.
const MISSES: Policy =
    Policy { free: 10, first: TimeDelta::hours(1), longest: TimeDelta::hours(1), memory: Memory::WhileBusy };

/// A top-up code as the user entered it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeInput {
    /// The code, 16 hexadecimal characters; spaces and dashes between groups are allowed.
    code: String,
}

/// Result of checking a code.
#[derive(Serialize, ToSchema)]
pub struct Validity {
    valid: bool,
}

/// Result of a top-up.
#[derive(Serialize, ToSchema)]
pub struct ToppedUp {
    message: String,
    /// Credited amount, two decimals.
    amount: f64,
    /// Currency code (ISO 4217).
    currency: String,
    /// Available balance before the top-up.
    balance_before: f64,
    /// Available balance after the top-up.
    balance_after: f64,
}

/// Checks if a code can be redeemed, without redeeming it.
#[utoipa::path(post, path = "/topup/validate", tag = "money", request_body = CodeInput, responses(
    (status = 200, body = Envelope<Validity>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn validate_topup(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    Body { value: input, .. }: Body<CodeInput>,
) -> Answer<Validity> {
    let valid = detached(async move {
        let now = app.wall.now();
        let guard = guard(&app, caller.user);
        let mut tx = app.db.begin().await?;
        guess_limits::demand_no_wait(&app, &mut tx, &guard).await?;
        let valid = match TopupCode::parse(&input.code) {
            Some(code) => store::topup_code::is_valid(&mut tx, &app.keyring, &code, now).await?,
            None => false,
        };
        if !valid {
            store::guess_limits::fail(&mut tx, &guard, now).await?;
        }
        tx.commit().await?;
        Ok(valid)
    });
    ok(Validity { valid: valid.await? })
}

/// Credits the amount of a code to the caller. A repeated call with the same `Idempotency-Key`
/// returns the first response.
#[utoipa::path(post, path = "/topup/use", tag = "money", request_body = CodeInput,
    params(("Idempotency-Key" = Option<String>, Header, description = "A repeated request with the same key and body returns the first response, for 7 days")),
    responses(
    (status = 200, body = Envelope<ToppedUp>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 404, body = ErrorEnvelope), (status = 409, body = ErrorEnvelope), (status = 410, body = ErrorEnvelope),
    (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope), (status = 422, body = ErrorEnvelope),
    (status = 429, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn use_topup(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    key: IdempotencyKey,
    Body { value: input, bytes }: Body<CodeInput>,
) -> Result<Response, ApiError> {
    let once = IdempotentRequest::new(&app, caller.user, "topup.use", key, &bytes);
    let data = detached(async move { redeem(&app, caller.user, &input.code, &once).await }).await?;
    Ok(ok(data)?.into_response())
}

async fn redeem(
    app: &AppState,
    user: UserId,
    typed: &str,
    once: &IdempotentRequest,
) -> Result<Value, ApiError> {
    let now = app.wall.now();
    let guard = guard(app, user);
    let mut tx = app.db.begin().await?;
    if let Some(data) = once.answered(&mut tx).await? {
        return Ok(data);
    }
    // If the account was deleted while this call waited for the lock, the code is not used.
    store::ledger::lock(&mut tx, &app.random, user, now).await?;
    if !store::user::is_still(&mut tx, user, None).await? {
        return Err(Code::Unauthorized.into());
    }
    guess_limits::demand_no_wait(app, &mut tx, &guard).await?;
    let refusal = match top_up(&app.use_cases(), &mut tx, &app.keyring, user, typed).await {
        Ok(credited) => {
            let data = ToppedUp {
                message: "Topup successful".to_owned(),
                amount: credited.amount.to_wire(),
                currency: credited.amount.currency.code().to_owned(),
                balance_before: credited.before.to_wire(),
                balance_after: credited.after.to_wire(),
            };
            return commit_with_response(app, tx, once, &data).await;
        }
        Err(Error::Store(error)) => return Err(error.into()),
        Err(Error::Refused(refusal)) => refusal,
    };
    store::guess_limits::fail(&mut tx, &guard, now).await?;
    tx.commit().await?;
    Err(refusal.into())
}

/// Stores the response in the transaction of the top-up, commits it, and returns the response.
async fn commit_with_response(
    app: &AppState,
    mut tx: Tx,
    once: &IdempotentRequest,
    data: &ToppedUp,
) -> Result<Value, ApiError> {
    let now = app.wall.now();
    let answer = once.store_response(&mut tx, data, now).await?;
    tx.commit().await?;
    Ok(answer)
}

fn guard(app: &AppState, user: UserId) -> Subject {
    Subject { key: hex::encode(app.keyring.fingerprint(&format!("topup|{user}"))), policy: MISSES }
}
