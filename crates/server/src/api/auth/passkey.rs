//! Endpoints `POST /auth/passkey/options` and `POST /auth/passkey`.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::session::Method;
use utoipa::ToSchema;

use super::guess_limits;
use super::login::SignedIn;
use crate::AppState;
use crate::auth::user_agent::RequestClient;
use crate::auth::{passkey, sign_in};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{Code, ErrorEnvelope};
use crate::http::extract::{Body, ClientIp};
use crate::http::rate_limit::LimitedAction;

/// Options for the browser's passkey functions.
#[derive(Serialize, ToSchema)]
pub struct PasskeyOptions {
    /// JSON form of the options, as `PublicKeyCredential` parses it.
    #[schema(value_type = Value)]
    pub(in crate::api) options: Value,
}

/// Input of a sign-in with a passkey.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasskeySignIn {
    /// Answer of the browser, as `PublicKeyCredential.toJSON()` returns it.
    #[schema(value_type = Value)]
    credential: Value,
    /// `true` to stay signed in for 30 days instead of 24 hours.
    #[serde(rename = "rememberMe", default)]
    remember_me: bool,
}

/// Starts a sign-in or a step-up with a passkey. The options are valid for five minutes.
#[utoipa::path(post, path = "/auth/passkey/options", tag = "auth", responses(
    (status = 200, body = Envelope<PasskeyOptions>),
    (status = 404, body = ErrorEnvelope, description = "This server accepts no passkeys: its address has no host name or no https"),
    (status = 429, body = ErrorEnvelope),
))]
pub async fn start_passkey(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
) -> Answer<PasskeyOptions> {
    guess_limits::call(&app, LimitedAction::Passkey, None, address)?;
    let options = detached(async move {
        let mut tx = app.db.begin().await?;
        let options = passkey::start_proof(&app, &mut tx).await?;
        tx.commit().await?;
        Ok(options)
    });
    ok(PasskeyOptions { options: options.await? })
}

/// Signs in with a passkey. It counts as a password with a second factor, because the authenticator
/// verifies its user.
#[utoipa::path(post, path = "/auth/passkey", tag = "auth", request_body = PasskeySignIn, responses(
    (status = 200, body = Envelope<SignedIn>),
    (status = 403, body = ErrorEnvelope, description = "`ACCOUNT_SUSPENDED`"), (status = 404, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope, description = "`PASSKEY_REFUSED`: the passkey was removed, or the answer is wrong or late"),
    (status = 429, body = ErrorEnvelope),
))]
pub async fn sign_in_with_passkey(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    RequestClient(client): RequestClient,
    Body { value: input, .. }: Body<PasskeySignIn>,
) -> Answer<SignedIn> {
    guess_limits::call(&app, LimitedAction::Passkey, None, address)?;
    let signed_in = detached(async move {
        let mut tx = app.db.begin().await?;
        let used = passkey::prove(&app, &mut tx, &input.credential).await?;
        let user = store::user::get(&mut tx, used.user()).await?.ok_or(Code::PasskeyRefused)?;
        // Another caller may have added the passkey before the address was proven.
        if user.email_verified_at.is_none() && app.mail_configured() {
            return Err(Code::PasskeyRefused.into());
        }
        let how = (Method::Passkey, input.remember_me);
        let started = sign_in::start(&app, &mut tx, &user, how, client).await?;
        let signed_in = SignedIn::of(&app, &mut tx, &user, &started).await?;
        tx.commit().await?;
        Ok(signed_in)
    });
    ok(signed_in.await?)
}
