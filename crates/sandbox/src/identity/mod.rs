//! Simulated identity provider with invented users. It implements OpenID Connect with authorization
//! code, PKCE and signed tokens, like Google.

mod pages;
mod token;
mod users;

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    extract::{Form, Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use chrono::{DateTime, Utc};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Shared,
    control::page::frame,
    journal::{Effect, Entry},
    world::{
        clock::wall,
        faults::{FaultKind, FaultTarget},
    },
};

pub(crate) use users::IdentityUser;

/// Client id of the product at this provider.
pub const CLIENT_ID: &str = "sooner-sandbox";
/// Client secret of the product at this provider. It is public, because the sandbox protects
/// nothing.
pub const CLIENT_SECRET: &str = "sandbox-secret";
/// Path of the issuer below the control address.
pub(crate) const PATH: &str = "/identity";

/// Issued authorization codes that were not exchanged yet.
#[derive(Default)]
pub(crate) struct CardLedger {
    grants: HashMap<String, Grant>,
    given: u64,
}

/// Data stored with an issued code.
pub(crate) struct Grant {
    person: IdentityUser,
    asked: AuthorizationRequest,
    at: DateTime<Utc>,
}

/// The parameters of an authorization request.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct AuthorizationRequest {
    response_type: String,
    client_id: String,
    redirect_uri: String,
    scope: String,
    state: String,
    nonce: String,
    code_challenge: String,
    code_challenge_method: String,
    prompt: String,
    max_age: Option<u64>,
}

/// Form with the user chosen on the page.
#[derive(Deserialize)]
pub(crate) struct Choice {
    #[serde(default)]
    person: String,
    #[serde(default)]
    email: String,
}

/// Request that exchanges a code for a token.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Trade {
    grant_type: String,
    code: String,
    redirect_uri: String,
    code_verifier: String,
    client_id: String,
    client_secret: String,
}

pub(crate) fn router() -> Router<Arc<Shared>> {
    let at = |path: &str| format!("{PATH}{path}");
    Router::new()
        .route(&at("/.well-known/openid-configuration"), get(discover))
        .route(&at("/keys"), get(keys))
        .route(&at("/authorize"), get(authorize).post(choose))
        .route(&at("/token"), post(trade))
}

async fn discover(State(shared): State<Arc<Shared>>) -> Response {
    if let Some(down) = enter(&shared, "identity_discovery", "GET", "/.well-known/openid-configuration").await
    {
        return down;
    }
    let issuer = issuer(&shared);
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
        "scopes_supported": ["openid", "email"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "claims_supported": ["iss", "sub", "aud", "exp", "iat", "nonce", "auth_time", "email", "email_verified", "name"],
    }))
    .into_response()
}

async fn keys(State(shared): State<Arc<Shared>>) -> Response {
    if let Some(down) = enter(&shared, "identity_keys", "GET", "/keys").await {
        return down;
    }
    Json(token::keys(shared.seed)).into_response()
}

/// Shows the page on which the tester chooses a user.
async fn authorize(State(shared): State<Arc<Shared>>, Query(asked): Query<AuthorizationRequest>) -> Response {
    if let Some(down) = enter(&shared, "identity_authorize", "GET", "/authorize").await {
        return down;
    }
    match asked.wrong() {
        Some(wrong) => {
            (StatusCode::BAD_REQUEST, Html(frame("Sign in", pages::refused(wrong)))).into_response()
        }
        None => Html(frame("Sign in", pages::choose(&asked))).into_response(),
    }
}

async fn choose(
    State(shared): State<Arc<Shared>>,
    Query(asked): Query<AuthorizationRequest>,
    Form(choice): Form<Choice>,
) -> Response {
    if let Some(down) = enter(&shared, "identity_choice", "POST", "/authorize").await {
        return down;
    }
    if let Some(wrong) = asked.wrong() {
        return (StatusCode::BAD_REQUEST, Html(frame("Sign in", pages::refused(wrong)))).into_response();
    }
    let state = asked.state.clone();
    let to = asked.redirect_uri.clone();
    let Some(person) = IdentityUser::chosen(&choice.person, &choice.email) else {
        return (StatusCode::BAD_REQUEST, Html(frame("Sign in", pages::refused("person")))).into_response();
    };
    if person.refuses {
        return redirect_with(&to, &[("error", "access_denied"), ("state", &state)]);
    }
    let grant = Grant { person, asked, at: now(&shared) };
    let code = shared.identity().issue_code(grant);
    redirect_with(&to, &[("code", &code), ("state", &state)])
}

async fn trade(State(shared): State<Arc<Shared>>, headers: HeaderMap, Form(trade): Form<Trade>) -> Response {
    if let Some(down) = enter(&shared, "identity_token", "POST", "/token").await {
        return down;
    }
    let refused = |status: StatusCode, error: &str| (status, Json(json!({ "error": error }))).into_response();
    if !trade.is_of_our_client(&headers) {
        return refused(StatusCode::UNAUTHORIZED, "invalid_client");
    }
    if trade.grant_type != "authorization_code" {
        return refused(StatusCode::BAD_REQUEST, "unsupported_grant_type");
    }
    // Remove the code first, because a code may be used only once, even if the exchange fails.
    let grant = shared.identity().grants.remove(&trade.code);
    let now = now(&shared);
    let Some(grant) = grant.filter(|grant| grant.accepts(&trade, now)) else {
        return refused(StatusCode::BAD_REQUEST, "invalid_grant");
    };
    let mut answer = json!({
        "access_token": token::digest(&["access token", &trade.code]),
        "token_type": "Bearer", "expires_in": 3600, "scope": grant.asked.scope,
    });
    if let Some(id_token) = token::id_token(&issuer(&shared), shared.seed, &grant, now) {
        answer["id_token"] = Value::from(id_token);
    }
    ([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response()
}

/// Records the request in the journal. Returns a 503 response if a fault keeps the provider down.
async fn enter(shared: &Shared, kind: &str, method: &str, path: &str) -> Option<Response> {
    let (down, slow_ms) = shared.step(|world| {
        let struck = world.strike(&FaultTarget { kind, account: None, schedule: None });
        let down = struck.has(&FaultKind::IdentityDown);
        world.journal.write(Entry {
            seq: 0,
            world_time: world.now,
            wall_time: Some(wall()),
            kind: kind.to_owned(),
            account: None,
            portal_schedule_id: None,
            method: method.to_owned(),
            path: format!("{PATH}{path}"),
            status: if down { 503 } else { 200 },
            effect: Effect::None,
            asc: None,
            faults: struck.names(),
            empty_because: Vec::new(),
            retry_after: None,
            latency_ms: 0,
        });
        (down, struck.find(|f| if let FaultKind::Slow { millis } = f { Some(*millis) } else { None }))
    });
    if let Some(millis) = slow_ms {
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
    down.then(|| (StatusCode::SERVICE_UNAVAILABLE, "the identity provider is down").into_response())
}

fn issuer(shared: &Shared) -> String {
    shared.urls.get().map(|urls| urls.identity_issuer.clone()).unwrap_or_default()
}

/// Returns the time used for sign-ins. This is wall time if world time is scaled, because sign-ins
/// must not age faster.
pub(crate) fn now(shared: &Shared) -> DateTime<Utc> {
    if shared.clock.speed.is_some() { wall() } else { shared.clock.now() }
}

fn redirect_with(to: &str, parameters: &[(&str, &str)]) -> Response {
    let query: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)))
        .collect();
    let mark = if to.contains('?') { '&' } else { '?' };
    match HeaderValue::from_str(&format!("{to}{mark}{}", query.join("&"))) {
        Ok(location) => (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

impl CardLedger {
    /// Issues a code for a grant. The code depends on the request's state parameter, so other runs
    /// of this sandbox issue other codes.
    fn issue_code(&mut self, grant: Grant) -> String {
        self.given += 1;
        let code = token::digest(&["code", &self.given.to_string(), &grant.asked.state]);
        self.grants.insert(code.clone(), grant);
        code
    }
}

impl AuthorizationRequest {
    /// Returns the name of the first invalid parameter, if there is one.
    fn wrong(&self) -> Option<&'static str> {
        let scopes = || self.scope.split(' ');
        let web = self.redirect_uri.starts_with("http://") || self.redirect_uri.starts_with("https://");
        let checks = [
            (self.client_id == CLIENT_ID, "client_id"),
            (self.response_type == "code", "response_type"),
            (web, "redirect_uri"),
            (scopes().any(|s| s == "openid"), "scope"),
            (self.code_challenge_method == "S256" && self.code_challenge.len() == 43, "code_challenge"),
        ];
        checks.into_iter().find(|(right, _)| !right).map(|(_, name)| name)
    }

    /// Returns `true` if the client requires that the user authenticates again.
    fn afresh(&self) -> bool {
        self.max_age == Some(0) || self.prompt.split(' ').any(|p| p == "login")
    }
}

impl Trade {
    /// Checks the client's credentials, which may be in the header or in the form.
    fn is_of_our_client(&self, headers: &HeaderMap) -> bool {
        let value = headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok()).unwrap_or_default();
        value == format!("Basic {}", token::base64(&format!("{CLIENT_ID}:{CLIENT_SECRET}")))
            || (self.client_id == CLIENT_ID && self.client_secret == CLIENT_SECRET)
    }
}

impl Grant {
    fn accepts(&self, trade: &Trade, now: DateTime<Utc>) -> bool {
        self.asked.redirect_uri == trade.redirect_uri
            && self.asked.code_challenge == token::challenge(&trade.code_verifier)
            && now - self.at < chrono::Duration::minutes(10)
    }
}
