//! Endpoint `POST /auth/google/login`.

use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::AppendHeaders;
use domain::ids::UserId;
use providers::oidc::AuthorizationParameters;
use serde::{Deserialize, Serialize};
use store::identity::{Flow, Purpose};
use utoipa::ToSchema;

use super::{FLOW_LIFE, nonce, verifier};
use crate::AppState;
use crate::api::auth::guess_limits;
use crate::api::user::Language;
use crate::auth::pre_session::cookie;
use crate::auth::{StepUp, StrictCaller};
use crate::http::detached::detached;
use crate::http::envelope::{Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::{Body, ClientIp};
use crate::http::rate_limit::LimitedAction;

/// Input to begin a flow at Google.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GoogleLogin {
    /// Language of a new account's mails; Chinese if absent.
    language: Option<Language>,
    /// `true` to stay signed in for 30 days instead of 24 hours.
    #[serde(rename = "rememberMe", alias = "remember_me", default)]
    remember_me: bool,
    /// Purpose of the flow; sign-in if absent. A step-up needs a live session (bearer token).
    purpose: Option<GooglePurpose>,
    /// Page from which the flow began; ignored.
    #[allow(dead_code, reason = "accepted because clients send it; they remember it themselves")]
    origin: Option<String>,
}

/// Purpose of a flow at Google.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GooglePurpose {
    /// Sign in or register.
    SignIn,
    /// Step up the current session.
    StepUp,
    /// Link the Google account for later sign-ins; needs a step-up.
    Link,
}

/// Address of Google's sign-in page for one flow.
#[derive(Serialize, ToSchema)]
pub struct GoogleAddress {
    /// Address of Google's page.
    auth_url: String,
    /// State that Google sends back.
    state: String,
}

type WithCookie = (AppendHeaders<[(axum::http::HeaderName, String); 1]>, Json<Envelope<GoogleAddress>>);

/// Begins a flow at Google. Sets the cookie `sooner_pre` (`__Host-sooner_pre` over https), which
/// the end of the flow requires.
#[utoipa::path(post, path = "/auth/google/login", tag = "auth", request_body = GoogleLogin, responses(
    (status = 200, body = Envelope<GoogleAddress>),
    (status = 401, body = ErrorEnvelope, description = "`purpose` is `step_up` or `link`, and the caller is not signed in"),
    (status = 403, body = ErrorEnvelope, description = "`purpose` is `step_up`, but no Google account is linked. `STEP_UP_REQUIRED` if `purpose` is `link`"),
    (status = 429, body = ErrorEnvelope),
    (status = 502, body = ErrorEnvelope, description = "`GOOGLE_OAUTH_ERROR`: Google does not answer"),
    (status = 503, body = ErrorEnvelope, description = "`GOOGLE_NOT_CONFIGURED`"),
), security((), ("bearer" = [])))]
pub async fn google_login(
    State(app): State<AppState>,
    caller: Result<StrictCaller, ApiError>,
    ClientIp(address): ClientIp,
    Body { value: input, .. }: Body<GoogleLogin>,
) -> Result<WithCookie, ApiError> {
    let google = app.google.clone().ok_or(Code::GoogleNotConfigured)?;
    guess_limits::call(&app, LimitedAction::Google, None, address)?;
    let purpose = match input.purpose.unwrap_or(GooglePurpose::SignIn) {
        GooglePurpose::SignIn => Purpose::SignIn,
        GooglePurpose::StepUp => {
            let StrictCaller(caller) = caller?;
            linked(&app, caller.user).await?;
            Purpose::StepUp { user: caller.user, session: caller.session }
        }
        GooglePurpose::Link => {
            let StepUp(caller) = StepUp::require(&app, caller?).await?;
            Purpose::Link { user: caller.user, session: caller.session }
        }
    };
    let (state, pre) = (app.random.bytes::<32>(), app.random.bytes::<32>());
    let text = hex::encode(state);
    let (nonce, verifier) = (nonce(&app, &state), verifier(&app, &state));
    let reauthenticate = purpose != Purpose::SignIn;
    let parameters =
        AuthorizationParameters { state: &text, nonce: &nonce, verifier: &verifier, reauthenticate };
    let auth_url = google.address(parameters).await.map_err(|error| {
        tracing::warn!(%error, "failed to start a sign-in at the identity provider");
        ApiError::new(Code::GoogleOauthError)
    })?;
    let header = AppendHeaders([(SET_COOKIE, cookie(&app, &pre, FLOW_LIFE))]);
    detached(async move {
        let now = app.wall.now();
        let language = input.language.unwrap_or(Language::Zh).code().to_owned();
        let (remembered, expires_at) = (input.remember_me, now + FLOW_LIFE);
        let flow = Flow { purpose, language, remembered, created_at: now, expires_at };
        let mut tx = app.db.begin().await?;
        store::identity::insert_flow(&mut tx, &state, &pre, &flow).await?;
        Ok(tx.commit().await?)
    })
    .await?;
    Ok((header, ok(GoogleAddress { auth_url, state: text })?))
}

async fn linked(app: &AppState, user: UserId) -> Result<(), ApiError> {
    let mut tx = app.db.read().await?;
    let linked = store::identity::is_linked(&mut tx, user).await?;
    linked.then_some(()).ok_or_else(|| Code::Forbidden.into())
}
