//! Sign-ins as their owner sees them: the list, the proof given again, the clients known.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{SessionId, UserId};
use uuid::Uuid;

use crate::{Error, Tx, all, exec, one, scalar};

/// A living sign-in.
#[derive(Clone, Debug)]
pub struct SignIn {
    /// Its id.
    pub id: SessionId,
    /// `password`, `google` or `mail_link`.
    pub method: String,
    /// Whether "remember me" was ticked.
    pub remembered: bool,
    /// E.g. `Firefox`; empty when unknown.
    pub browser: String,
    /// E.g. `Android`; empty when unknown.
    pub os: String,
    /// `phone`, `tablet`, `computer` or `other`.
    pub kind: String,
    /// The address without its last part.
    pub network: String,
    /// When it began.
    pub created_at: Instant,
    /// When its tokens were last renewed.
    pub last_used_at: Instant,
    /// When it ends, whatever happens.
    pub expires_at: Instant,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    method: String,
    remembered: bool,
    browser: String,
    os: String,
    kind: String,
    network: String,
    created_at: DateTime<Utc>,
    last_used_at: Option<DateTime<Utc>>,
    expires_at: DateTime<Utc>,
}

/// The living sign-ins of a user, the one used last first.
pub async fn all_of_user(tx: &mut Tx, user: UserId, now: Instant) -> Result<Vec<SignIn>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT id, method, remembered, browser, os, kind, network, created_at, last_used_at, expires_at FROM session
         WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2
         ORDER BY COALESCE(last_used_at, created_at) DESC, id DESC",
        user.0,
        now
    )?;
    let own = |row: Row| SignIn {
        id: SessionId(row.id),
        method: row.method,
        remembered: row.remembered,
        browser: row.browser,
        os: row.os,
        kind: row.kind,
        network: row.network,
        created_at: row.created_at,
        last_used_at: row.last_used_at.unwrap_or(row.created_at),
        expires_at: row.expires_at,
    };
    Ok(rows.into_iter().map(own).collect())
}

/// Ends a living sign-in of this user; false when there is none.
pub async fn revoke_own(
    tx: &mut Tx,
    user: UserId,
    id: SessionId,
    why: &str,
    now: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE session SET revoked_at = $3, revoked_reason = $4
         WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $3",
        id.0,
        user.0,
        now,
        why.to_owned()
    )?;
    Ok(rows == 1)
}

/// Records that the owner proved again who they are, under this sign-in.
pub async fn step_up(tx: &mut Tx, id: SessionId, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE session SET stepped_up_at = $2, proved_elsewhere_at = NULL WHERE id = $1 AND revoked_at IS NULL",
        id.0,
        now
    )?;
    Ok(())
}

/// Records that the owner proved at an identity provider who they are; a code of their second factor is still to come.
pub async fn prove_elsewhere(tx: &mut Tx, id: SessionId, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE session SET proved_elsewhere_at = $2 WHERE id = $1 AND revoked_at IS NULL", id.0, now)?;
    Ok(())
}

/// When the owner did so, if no code came since.
pub async fn proved_elsewhere_at(tx: &mut Tx, id: SessionId) -> Result<Option<Instant>, Error> {
    let row = one!(
        tx,
        (Option<DateTime<Utc>>,),
        "SELECT proved_elsewhere_at FROM session WHERE id = $1 AND revoked_at IS NULL",
        id.0
    )?;
    Ok(row.and_then(|(at,)| at))
}

/// When the owner last proved it under this sign-in.
pub async fn stepped_up_at(tx: &mut Tx, id: SessionId) -> Result<Option<Instant>, Error> {
    let row = one!(tx, (Option<DateTime<Utc>>,), "SELECT stepped_up_at FROM session WHERE id = $1", id.0)?;
    Ok(row.and_then(|(at,)| at))
}

/// Remembers a client of a user, given as its fingerprint; true when it is new, and not the user's first.
pub async fn meet_client(
    tx: &mut Tx,
    user: UserId,
    fingerprint: &[u8; 32],
    now: Instant,
) -> Result<bool, Error> {
    let known = scalar!(tx, i64, "SELECT COUNT(*) FROM known_client WHERE user_id = $1", user.0)?;
    let fresh = exec!(
        tx,
        "INSERT INTO known_client (user_id, client_fp, seen_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        user.0,
        fingerprint.to_vec(),
        now
    )?;
    if fresh == 0 {
        exec!(
            tx,
            "UPDATE known_client SET seen_at = $3 WHERE user_id = $1 AND client_fp = $2",
            user.0,
            fingerprint.to_vec(),
            now
        )?;
    }
    Ok(fresh == 1 && known > 0)
}

/// Whether the owner of an address has signed in from such a client before, given as its fingerprint.
pub async fn knows_client(tx: &mut Tx, email: &str, fingerprint: &[u8; 32]) -> Result<bool, Error> {
    let known = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM known_client JOIN users ON users.id = known_client.user_id
         WHERE users.email_normalised = $1 AND known_client.client_fp = $2",
        crate::user::normalise(email),
        fingerprint.to_vec()
    )?;
    Ok(known > 0)
}
