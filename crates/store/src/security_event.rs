//! What happened to people's accounts.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{SessionId, UserId, uuid_v7};
use domain::security_event::SecurityEventKind;
use uuid::Uuid;

use crate::session::Client;
use crate::{Error, Random, Tx, all, exec};

/// An event to write down.
#[derive(Clone, Copy, Debug)]
pub struct NewEvent<'a> {
    /// Whose account.
    pub user: UserId,
    /// What.
    pub kind: SecurityEventKind,
    /// Whether it came off.
    pub succeeded: bool,
    /// Under which sign-in.
    pub session: Option<SessionId>,
    /// From where; none for what operators do.
    pub client: Option<&'a Client>,
}

/// An event.
#[derive(Clone, Debug)]
pub struct SecurityEvent {
    /// Its id, in order of time.
    pub id: Uuid,
    /// When.
    pub at: Instant,
    /// What.
    pub kind: SecurityEventKind,
    /// Whether it came off.
    pub succeeded: bool,
    /// Under which sign-in.
    pub session: Option<SessionId>,
    /// E.g. `Firefox`; empty when unknown.
    pub browser: String,
    /// E.g. `Android`; empty when unknown.
    pub os: String,
    /// `phone`, `tablet`, `computer` or `other`.
    pub client: String,
    /// The address without its last part; empty for what operators do.
    pub network: String,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    at: DateTime<Utc>,
    kind: String,
    succeeded: bool,
    session_id: Option<Uuid>,
    browser: String,
    os: String,
    client: String,
    network: String,
}

/// Writes an event down.
pub async fn add(tx: &mut Tx, random: &Random, new: &NewEvent<'_>, now: Instant) -> Result<(), Error> {
    let client = new.client.cloned().unwrap_or_default();
    exec!(
        tx,
        "INSERT INTO security_event (id, user_id, at, kind, succeeded, session_id, browser, os, client, network)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        uuid_v7(now, random.bytes()),
        new.user.0,
        now,
        <&str>::from(new.kind),
        new.succeeded,
        new.session.map(|id| id.0),
        client.browser,
        client.os,
        client.kind,
        client.network
    )?;
    Ok(())
}

/// The newest events of a user.
pub async fn of_user(tx: &mut Tx, user: UserId, limit: i64) -> Result<Vec<SecurityEvent>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT id, at, kind, succeeded, session_id, browser, os, client, network FROM security_event
         WHERE user_id = $1 ORDER BY at DESC, id DESC LIMIT $2",
        user.0,
        limit
    )?;
    // A newer build beside this one may know more kinds.
    Ok(rows.into_iter().filter_map(SecurityEvent::of).collect())
}

impl SecurityEvent {
    fn of(row: Row) -> Option<Self> {
        Some(Self {
            id: row.id,
            at: row.at,
            kind: row.kind.parse().ok()?,
            succeeded: row.succeeded,
            session: row.session_id.map(SessionId),
            browser: row.browser,
            os: row.os,
            client: row.client,
            network: row.network,
        })
    }
}
