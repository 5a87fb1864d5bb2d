//! Security events of users' accounts.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{SessionId, UserId, uuid_v7};
use domain::security_event::SecurityEventKind;
use uuid::Uuid;

use crate::session::Client;
use crate::{Error, Random, Tx, all, exec};

/// Event to record.
#[derive(Clone, Copy, Debug)]
pub struct NewEvent<'a> {
    /// User of the account.
    pub user: UserId,
    /// Kind of the event.
    pub kind: SecurityEventKind,
    /// `true` if the action succeeded.
    pub succeeded: bool,
    /// Session of the event.
    pub session: Option<SessionId>,
    /// Client of the event. `None` for actions of operators.
    pub client: Option<&'a Client>,
}

/// Recorded event.
#[derive(Clone, Debug)]
pub struct SecurityEvent {
    /// Id of the event, ordered by time.
    pub id: Uuid,
    /// Time of the event.
    pub at: Instant,
    /// Kind of the event.
    pub kind: SecurityEventKind,
    /// `true` if the action succeeded.
    pub succeeded: bool,
    /// Session of the event.
    pub session: Option<SessionId>,
    /// Browser, e.g. `Firefox`; empty if unknown.
    pub browser: String,
    /// Operating system, e.g. `Android`; empty if unknown.
    pub os: String,
    /// Kind of device: `phone`, `tablet`, `computer` or `other`.
    pub client: String,
    /// Network address without its last part; empty for actions of operators.
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

/// Inserts an event.
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

/// Returns the newest events of a user.
pub async fn of_user(tx: &mut Tx, user: UserId, limit: i64) -> Result<Vec<SecurityEvent>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT id, at, kind, succeeded, session_id, browser, os, client, network FROM security_event
         WHERE user_id = $1 ORDER BY at DESC, id DESC LIMIT $2",
        user.0,
        limit
    )?;
    // A newer build beside this one may write unknown kinds, which are left out.
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
