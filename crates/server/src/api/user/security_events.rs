//! Endpoint `GET /user/security-events`.

use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::security_event::SecurityEventKind;
use serde::Serialize;
use store::security_event::SecurityEvent;
use utoipa::ToSchema;
use uuid::Uuid;

use super::sessions::ClientView;
use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::ErrorEnvelope;

/// Maximum number of listed events. The export contains all events.
const SHOWN: i64 = 50;

/// Security events of the caller's account.
#[derive(Serialize, ToSchema)]
pub struct SecurityEvents {
    /// Events, newest first, at most 50.
    events: Vec<SecurityEventView>,
}

/// A security event of an account.
#[derive(Serialize, ToSchema)]
#[schema(as = SecurityEvent)]
pub struct SecurityEventView {
    id: Uuid,
    at: DateTime<Utc>,
    kind: SecurityEventKind,
    /// `true` if the action succeeded, for example if the password was right.
    succeeded: bool,
    /// Client of the action; null for actions of an operator.
    client: Option<ClientView>,
    /// Address without its last part, for example `203.0.113.x`; empty for actions of an operator.
    network: String,
}

impl From<SecurityEvent> for SecurityEventView {
    fn from(event: SecurityEvent) -> Self {
        let SecurityEvent { id, at, kind, succeeded, browser, os, client, network, .. } = event;
        let client = (!network.is_empty()).then(|| ClientView::new(browser, os, &client));
        Self { id, at, kind, succeeded, client, network }
    }
}

/// Returns the security events of the caller's account within the last 180 days, such as sign-ins
/// and changes of credentials.
#[utoipa::path(get, path = "/user/security-events", tag = "user", responses(
    (status = 200, body = Envelope<SecurityEvents>), (status = 401, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn list_security_events(State(app): State<AppState>, caller: Caller) -> Answer<SecurityEvents> {
    let mut tx = app.db.read().await?;
    let found = store::security_event::of_user(&mut tx, caller.user, SHOWN).await?;
    ok(SecurityEvents { events: found.into_iter().map(SecurityEventView::from).collect() })
}
