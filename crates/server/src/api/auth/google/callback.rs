//! Endpoint `GET /auth/google/callback`, to which Google redirects the browser.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Redirect;
use providers::oidc::{OidcError, Provider};
use serde::Deserialize;
use store::identity::{Bootstrap, Flow, Purpose, Returned};
use store::session::{Client, Method};
use utoipa::IntoParams;

use super::link_account::{self, Proof};
use super::{FlowFailure, nonce, verifier};
use crate::AppState;
use crate::api::auth::exchange::{self, BOOTSTRAP_LIFE};
use crate::api::auth::guess_limits;
use crate::auth::pre_session::{PreSession, raw};
use crate::auth::user_agent::RequestClient;
use crate::http::detached::detached;
use crate::http::error::ApiError;
use crate::http::extract::{ClientIp, Query};
use crate::http::rate_limit::LimitedAction;

/// Path of the web page that continues the flow.
const PAGE: &str = "/auth/google/callback";

/// Parameters of Google's redirect. Further parameters are ignored.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GoogleRedirect {
    /// Code to exchange for the user's identity.
    code: Option<String>,
    /// State that the flow sent to Google.
    state: Option<String>,
    /// Error that Google reports instead of a code.
    error: Option<String>,
}

/// Ends a flow at Google. The response is 303 to the web page of the same path, with one of these
/// queries:
///
/// - `?success=true&token&refresh_token&is_new_user` after a sign-in.
/// - `?success=true&step_up=true` after a step-up, with `&code=true` if `/auth/step-up` still needs
///   a code of the second factor.
/// - `?success=true&linked=true` after linking an account.
/// - `?error` after a failure.
#[utoipa::path(get, path = "/auth/google/callback", tag = "auth", params(GoogleRedirect), responses(
    (status = 303, description = "Redirect to the web page, which exchanges `refresh_token` at `/auth/refresh` within a minute"),
))]
pub async fn google_callback(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    PreSession(cookie): PreSession,
    RequestClient(client): RequestClient,
    back: Result<Query<GoogleRedirect>, ApiError>,
) -> Redirect {
    let Ok(Query(back)) = back else { return to_page(Err(FlowFailure("missing_code"))) };
    if let Err(error) = guess_limits::call(&app, LimitedAction::Google, None, address) {
        return to_page(Err(error.into()));
    }
    let landed = detached(async move { Ok(land(&app, back, cookie, client).await) }).await;
    to_page(landed.unwrap_or_else(|error| Err(error.into())))
}

fn to_page(landed: Result<String, FlowFailure>) -> Redirect {
    match landed {
        Ok(query) => Redirect::to(&format!("{PAGE}?success=true&{query}")),
        Err(FlowFailure(word)) => Redirect::to(&format!("{PAGE}?error={word}")),
    }
}

async fn land(
    app: &AppState,
    back: GoogleRedirect,
    cookie: Option<[u8; 32]>,
    client: Client,
) -> Result<String, FlowFailure> {
    let google = app.google.clone().ok_or(FlowFailure("provider_unavailable"))?;
    let state = back.state.as_deref().and_then(raw);
    let flow = take_flow(app, state, cookie).await;
    if let Some(error) = back.error {
        return Err(refusal(&error));
    }
    let code = back.code.filter(|code| !code.is_empty()).ok_or(FlowFailure("missing_code"))?;
    let (flow, Some(state), Some(cookie)) = (flow?, state, cookie) else {
        return Err(FlowFailure("state_mismatch"));
    };
    let person = exchange_code(app, google, &code, &state).await?;
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    if let Purpose::StepUp { user, session } = flow.purpose {
        let proof = link_account::prove_again(&mut tx, &person, &flow, (user, session), now).await?;
        tx.commit().await?;
        return Ok(match proof {
            Proof::Whole => "step_up=true",
            Proof::CodeToCome => "step_up=true&code=true",
        }
        .to_owned());
    }
    if let Purpose::Link { user, session } = flow.purpose {
        link_account::link(app, &mut tx, &person, user, session, &client).await?;
        tx.commit().await?;
        return Ok("linked=true".to_owned());
    }
    let (user, is_new) = link_account::sign_in(app, &mut tx, &person, &flow.language, &client).await?;
    let kept = Bootstrap { user, method: Method::Google, remembered: flow.remembered };
    let token = exchange::offer(app, &mut tx, &cookie, &kept).await?;
    tx.commit().await?;
    let shown = app.access.bootstrap(user, BOOTSTRAP_LIFE, now)?;
    Ok(format!("token={shown}&refresh_token={token}&is_new_user={is_new}"))
}

/// Uses up the stored flow of a state, once, in the browser that began the flow. Another browser
/// gets an error.
async fn take_flow(
    app: &AppState,
    state: Option<[u8; 32]>,
    cookie: Option<[u8; 32]>,
) -> Result<Flow, FlowFailure> {
    let (Some(state), Some(cookie)) = (state, cookie) else { return Err(FlowFailure("state_mismatch")) };
    let mut tx = app.db.begin().await?;
    let returned = store::identity::redeem_state(&mut tx, &state, &cookie, app.wall.now()).await?;
    tx.commit().await?;
    match returned {
        Returned::Now(flow) => Ok(flow),
        Returned::Expired => Err(FlowFailure("expired")),
        Returned::Unknown => Err(FlowFailure("state_mismatch")),
    }
}

/// Exchanges the code at the provider. No transaction is open during the request.
async fn exchange_code(
    app: &AppState,
    google: Arc<Provider>,
    code: &str,
    state: &[u8; 32],
) -> Result<providers::oidc::ProviderUser, FlowFailure> {
    let asked = google.identify(code, &verifier(app, state), &nonce(app, state)).await;
    asked.map_err(|error| {
        tracing::warn!(%error, "sign-in at the identity provider failed");
        match error {
            OidcError::Refused(_) => FlowFailure("invalid_token"),
            OidcError::Unavailable(_) | OidcError::Setting(_) => FlowFailure("provider_unavailable"),
        }
    })
}

/// Returns the failure for an error of the provider (RFC 6749, 4.1.2.1).
fn refusal(error: &str) -> FlowFailure {
    match error {
        "server_error" | "temporarily_unavailable" => FlowFailure("provider_unavailable"),
        _ => FlowFailure("access_denied"),
    }
}
