//! Endpoint `POST /auth/step-up`.

use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::security_event::SecurityEventKind;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::session::Client;
use utoipa::ToSchema;

use super::{guess_limits, proof};
use crate::AppState;
use crate::auth::step_up::{STEPPED_UP, still_counts};
use crate::auth::user_agent::RequestClient;
use crate::auth::{Caller, StrictCaller, events, passkey};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::rate_limit::LimitedAction;

/// Credentials of a step-up.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StepUpWith {
    /// Password of the account; not needed within five minutes of a step-up at Google.
    #[schema(format = Password)]
    password: Option<String>,
    /// Code of the authenticator app, or a recovery code; needed if the second factor is on.
    totp_code: Option<String>,
    /// Answer of the browser with a passkey of the account, instead of all other fields.
    #[schema(value_type = Option<Value>)]
    passkey: Option<Value>,
}

/// Result of a step-up.
#[derive(Serialize, ToSchema)]
pub struct SteppedUp {
    /// Time at which the step-up expires: five minutes from now, in this session only.
    until: DateTime<Utc>,
}

/// Confirms the caller's identity again, as required for actions that a stolen session must not
/// perform.
#[utoipa::path(post, path = "/auth/step-up", tag = "auth", request_body = StepUpWith, responses(
    (status = 200, body = Envelope<SteppedUp>),
    (status = 404, body = ErrorEnvelope, description = "A passkey was sent to a server that accepts none"),
    (status = 422, body = ErrorEnvelope, description = "`data.fields` names the fields that are missing or wrong; or `PASSKEY_REFUSED`"),
    (status = 429, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn step_up(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    ClientIp(address): ClientIp,
    RequestClient(client): RequestClient,
    Body { value: input, .. }: Body<StepUpWith>,
) -> Answer<SteppedUp> {
    let until = detached(async move {
        let mut tx = app.db.read().await?;
        let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
        drop(tx);
        let password = input.password.filter(|p| !p.is_empty()).map(SecretString::from);
        let from = (address, &client);
        if let Some(answer) = &input.passkey {
            guess_limits::call(&app, LimitedAction::Passkey, None, address)?;
            prove_by_passkey(&app, &caller, answer).await?;
            return record(&app, &caller, &client).await;
        }
        match after_google(&app, &caller, password.as_ref()).await? {
            Some(second) => {
                let code = input.totp_code.filter(|code| !code.trim().is_empty());
                let code = code.ok_or_else(|| Fields::single("totp_code", "required"))?;
                if !proof::code(&app, &user, &second, &code, from).await? {
                    return Err(Fields::single("totp_code", "wrong"));
                }
            }
            None => proof::check(&app, &user, password, input.totp_code, from).await?,
        }
        record(&app, &caller, &client).await
    });
    ok(SteppedUp { until: until.await? })
}

/// Requires a passkey of the caller.
async fn prove_by_passkey(app: &AppState, caller: &Caller, answer: &Value) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let used = passkey::prove(app, &mut tx, answer).await?;
    if used.user() != caller.user {
        return Err(Code::PasskeyRefused.into());
    }
    tx.commit().await?;
    Ok(())
}

/// Records the step-up of the caller's session. Returns the time at which it expires.
async fn record(app: &AppState, caller: &Caller, client: &Client) -> Result<Instant, ApiError> {
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    store::session::step_up(&mut tx, caller.session, now).await?;
    events::record(app, &mut tx, &events::by(caller, SecurityEventKind::StepUp, client)).await?;
    tx.commit().await?;
    Ok(now + STEPPED_UP)
}

/// Returns the second factor whose code completes a step-up that began at Google; `None` if the
/// password is needed.
async fn after_google(
    app: &AppState,
    caller: &Caller,
    password: Option<&SecretString>,
) -> Result<Option<store::totp::Totp>, ApiError> {
    if password.is_some() {
        return Ok(None);
    }
    let mut tx = app.db.read().await?;
    let (at, now) = (store::session::proved_elsewhere_at(&mut tx, caller.session).await?, app.wall.now());
    if still_counts(at, now) {
        return Ok(store::totp::confirmed(&mut tx, caller.user).await?);
    }
    Ok(None)
}
