//! Endpoints `GET /user/sessions` and `DELETE /user/sessions/{id}`.

use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::ids::SessionId;
use domain::security_event::SecurityEventKind;
use serde::Serialize;
use store::security_event::NewEvent;
use store::session::SignIn;
use utoipa::ToSchema;

use crate::AppState;
use crate::auth::user_agent::RequestClient;
use crate::auth::{Caller, StrictCaller, events};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::IdPath;

/// Sessions of the caller.
#[derive(Serialize, ToSchema)]
pub struct SignIns {
    /// Sessions, the most recently used first.
    sessions: Vec<SignInView>,
}

/// A live session.
#[derive(Serialize, ToSchema)]
pub struct SignInView {
    #[schema(value_type = uuid::Uuid)]
    id: SessionId,
    /// `true` for the session that this call uses.
    current: bool,
    method: Method,
    /// `true` if the user selected "remember me".
    remembered: bool,
    client: ClientView,
    /// Address without its last part, for example `203.0.113.x`.
    network: String,
    created_at: DateTime<Utc>,
    last_used_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
}

/// Client of a session.
#[derive(Serialize, ToSchema)]
pub struct ClientView {
    /// Browser, for example `Firefox`; empty if unknown.
    browser: String,
    /// Operating system, for example `Android`; empty if unknown.
    os: String,
    kind: Kind,
}

/// Method of a sign-in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SignInMethod)]
pub enum Method {
    /// The password of the account.
    Password,
    /// Google.
    Google,
    /// A mailed link.
    MailLink,
    /// A passkey.
    Passkey,
}

/// Kind of a device.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DeviceKind)]
pub enum Kind {
    /// A phone.
    Phone,
    /// A tablet.
    Tablet,
    /// A desktop or laptop computer.
    Computer,
    /// A script or other program, or an unknown device.
    Other,
}

impl ClientView {
    pub(super) fn new(browser: String, os: String, kind: &str) -> Self {
        let kind = match kind {
            "phone" => Kind::Phone,
            "tablet" => Kind::Tablet,
            "computer" => Kind::Computer,
            _ => Kind::Other,
        };
        Self { browser, os, kind }
    }
}

impl SignInView {
    pub(super) fn of(sign_in: SignIn, current: SessionId) -> Self {
        Self {
            id: sign_in.id,
            current: sign_in.id == current,
            method: match sign_in.method.as_str() {
                "google" => Method::Google,
                "mail_link" => Method::MailLink,
                "passkey" => Method::Passkey,
                _ => Method::Password,
            },
            remembered: sign_in.remembered,
            client: ClientView::new(sign_in.browser, sign_in.os, &sign_in.kind),
            network: sign_in.network,
            created_at: sign_in.created_at,
            last_used_at: sign_in.last_used_at,
            expires_at: sign_in.expires_at,
        }
    }
}

/// Returns the caller's sessions.
#[utoipa::path(get, path = "/user/sessions", tag = "user", responses(
    (status = 200, body = Envelope<SignIns>), (status = 401, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn list_sessions(State(app): State<AppState>, caller: Caller) -> Answer<SignIns> {
    let mut tx = app.db.read().await?;
    let living = store::session::all_of_user(&mut tx, caller.user, app.wall.now()).await?;
    let sessions = living.into_iter().map(|one| SignInView::of(one, caller.session)).collect();
    ok(SignIns { sessions })
}

/// Ends one of the caller's sessions: on this node at once, on other nodes within 5 seconds.
#[utoipa::path(delete, path = "/user/sessions/{id}", tag = "user", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 200, body = Envelope<Empty>), (status = 401, body = ErrorEnvelope),
        (status = 404, body = ErrorEnvelope)))]
pub async fn revoke_session(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    IdPath(id): IdPath<SessionId>,
    RequestClient(client): RequestClient,
) -> Answer<Empty> {
    detached(async move {
        let now = app.wall.now();
        let mut tx = app.db.begin().await?;
        if !store::session::revoke_own(&mut tx, caller.user, id, "revoked", now).await? {
            return Err(ApiError::new(Code::NotFound));
        }
        let event =
            NewEvent { session: Some(id), ..events::by(&caller, SecurityEventKind::SignOut, &client) };
        events::record(&app, &mut tx, &event).await?;
        tx.commit().await?;
        app.sessions.end(&[id], now);
        Ok(())
    })
    .await?;
    ok(Empty {})
}
