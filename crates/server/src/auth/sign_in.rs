//! Starts sessions, for all methods of sign-in.

use domain::clock::Instant;
use domain::ids::SessionId;
use domain::security_event::SecurityEventKind;
use serde_json::json;
use store::Tx;
use store::security_event::NewEvent;
use store::session::{Client, Method, NewSession, RefreshToken};
use store::user::User;

use super::{events, session_lifetime, step_up};
use crate::AppState;
use crate::http::error::{ApiError, Code};

/// A session that was just started.
#[derive(Debug)]
pub struct Started {
    /// Identifier of the session.
    pub id: SessionId,
    /// First refresh token of the session.
    pub refresh: RefreshToken,
    /// Time at which the session ends; it cannot be extended.
    pub expires_at: Instant,
}

/// Starts a session, and records it as a security event. Mails the owner if the user never signed
/// in with this client before.
pub async fn start(
    app: &AppState,
    tx: &mut Tx,
    user: &User,
    (method, remembered): (Method, bool),
    client: Client,
) -> Result<Started, ApiError> {
    let now = app.wall.now();
    if store::user::is_suspended(tx, user.id).await? {
        return Err(Code::AccountSuspended.into());
    }
    let id = SessionId::new(now, app.random.bytes());
    let expires_at =
        now + if remembered { session_lifetime::REMEMBERED } else { session_lifetime::UNTIL_BROWSER_CLOSES };
    let refresh = RefreshToken::new(app.random.bytes());
    let new = NewSession { id, user: user.id, remembered, expires_at, method, client };
    store::session::start(tx, &new, &refresh, now).await?;
    let event = NewEvent {
        user: user.id,
        kind: SecurityEventKind::SignIn,
        succeeded: true,
        session: Some(id),
        client: Some(&new.client),
    };
    events::record(app, tx, &event).await?;
    if step_up::is_proof(method) {
        store::session::step_up(tx, id, now).await?;
    }
    let fingerprint = fingerprint(app, &new.client);
    if store::session::record_client(tx, user.id, &fingerprint, now).await? {
        let accounts = app.accounts();
        let data = json!({
            "browser": new.client.browser, "os": new.client.os, "network": new.client.network,
            "link": accounts.link("/settings"), "at": app::accounts::stamp(now),
        });
        accounts.mail(tx, user, "new_sign_in", &format!("new_sign_in:{id}"), &data).await?;
    }
    Ok(Started { id, refresh, expires_at })
}

/// Returns the fingerprint by which a client is recognized.
#[must_use]
pub fn fingerprint(app: &AppState, client: &Client) -> [u8; 32] {
    let Client { browser, os, kind, network } = client;
    app.keyring.fingerprint(&format!("client|{browser}|{os}|{kind}|{network}"))
}
