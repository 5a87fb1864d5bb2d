//! Sessions as their owner sees them: the list, repeated proofs of identity, and known clients.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{SessionId, UserId};
use uuid::Uuid;

use crate::{Error, Tx, all, exec, one, scalar};

/// Valid session.
#[derive(Clone, Debug)]
pub struct SignIn {
    /// Id of the session.
    pub id: SessionId,
    /// Method: `password`, `google` or `mail_link`.
    pub method: String,
    /// `true` if "remember me" was ticked.
    pub remembered: bool,
    /// Browser, e.g. `Firefox`; empty if unknown.
    pub browser: String,
    /// Operating system, e.g. `Android`; empty if unknown.
    pub os: String,
    /// Kind of device: `phone`, `tablet`, `computer` or `other`.
    pub kind: String,
    /// Network address without its last part.
    pub network: String,
    /// Time at which the session began.
    pub created_at: Instant,
    /// Time at which its tokens were last renewed.
    pub last_used_at: Instant,
    /// Fixed end of the session.
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

/// Returns the valid sessions of a user, last used first.
pub async fn all_of_user(tx: &mut Tx, user: UserId, now: Instant) -> Result<Vec<SignIn>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT id, CASE WHEN by_passkey THEN 'passkey' ELSE method END AS method, remembered, browser, os, kind,
           network, created_at, last_used_at, expires_at FROM session
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

/// Revokes a valid session of this user. Returns `false` if there is none.
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

/// Records that the owner repeated the proof of identity in this session.
pub async fn step_up(tx: &mut Tx, id: SessionId, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE session SET stepped_up_at = $2, proved_elsewhere_at = NULL WHERE id = $1 AND revoked_at IS NULL",
        id.0,
        now
    )?;
    Ok(())
}

/// Records that the owner proved the identity at an identity provider. A code of the second factor
/// is still required.
pub async fn prove_elsewhere(tx: &mut Tx, id: SessionId, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE session SET proved_elsewhere_at = $2 WHERE id = $1 AND revoked_at IS NULL", id.0, now)?;
    Ok(())
}

/// Returns the time of that proof, if no code followed it.
pub async fn proved_elsewhere_at(tx: &mut Tx, id: SessionId) -> Result<Option<Instant>, Error> {
    let row = one!(
        tx,
        (Option<DateTime<Utc>>,),
        "SELECT proved_elsewhere_at FROM session WHERE id = $1 AND revoked_at IS NULL",
        id.0
    )?;
    Ok(row.and_then(|(at,)| at))
}

/// Returns the time of the owner's last repeated proof in this session.
pub async fn stepped_up_at(tx: &mut Tx, id: SessionId) -> Result<Option<Instant>, Error> {
    let row = one!(tx, (Option<DateTime<Utc>>,), "SELECT stepped_up_at FROM session WHERE id = $1", id.0)?;
    Ok(row.and_then(|(at,)| at))
}

/// Records a client of a user by its fingerprint. Returns `true` if it is new, and not the user's
/// first.
pub async fn record_client(
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

/// Returns `true` if the owner of an address has signed in from a client with this fingerprint
/// before.
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
