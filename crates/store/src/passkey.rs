//! Passkeys of users, and the challenges that their browsers must answer.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{SessionId, UserId};
use uuid::Uuid;

use crate::{Error, Tx, all, exec, one, scalar};

/// Passkey as stored.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Passkey {
    /// Id of the passkey here.
    pub id: Uuid,
    /// Owner of the passkey.
    #[sqlx(rename = "user_id")]
    user: Uuid,
    /// Id that the authenticator gave it.
    pub credential_id: Vec<u8>,
    /// Public host of this server when it was added.
    pub host: String,
    /// Name for display.
    pub name: String,
    /// Public key and fixed properties, encoded.
    pub static_state: Vec<u8>,
    /// Signature counter and other properties that a use changes, encoded.
    pub dynamic_state: Vec<u8>,
    /// Time at which it was added.
    pub created_at: DateTime<Utc>,
    /// Time of its last use.
    pub used_at: Option<DateTime<Utc>>,
}

impl Passkey {
    /// Returns the owner.
    #[must_use]
    pub const fn user(&self) -> UserId {
        UserId(self.user)
    }
}

/// Passkey to insert.
#[derive(Clone, Debug)]
pub struct NewPasskey<'a> {
    /// Id of the passkey here.
    pub id: Uuid,
    /// Owner of the passkey.
    pub user: UserId,
    /// Id that the authenticator gave it.
    pub credential_id: &'a [u8],
    /// Public host of this server.
    pub host: &'a str,
    /// Name for display.
    pub name: &'a str,
    /// Public key and fixed properties, encoded.
    pub static_state: &'a [u8],
    /// Properties that a use changes, encoded.
    pub dynamic_state: &'a [u8],
}

/// Inserts a passkey. Returns `false` if its credential id is known.
///
/// # Errors
/// Returns a database error.
pub async fn insert(tx: &mut Tx, new: &NewPasskey<'_>, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "INSERT INTO passkey (id, user_id, credential_id, host, name, static_state, dynamic_state, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential_id) DO NOTHING",
        new.id,
        new.user.0,
        new.credential_id.to_vec(),
        new.host.to_owned(),
        new.name.to_owned(),
        new.static_state.to_vec(),
        new.dynamic_state.to_vec(),
        now
    )?;
    Ok(rows == 1)
}

/// Returns the passkeys of a user, the oldest first.
///
/// # Errors
/// Returns a database error.
pub async fn of_user(tx: &mut Tx, user: UserId) -> Result<Vec<Passkey>, Error> {
    all!(
        tx,
        Passkey,
        "SELECT id, user_id, credential_id, host, name, static_state, dynamic_state, created_at, used_at
         FROM passkey WHERE user_id = $1 ORDER BY created_at, id",
        user.0
    )
}

/// Returns the passkey with this credential id, unless a mailed link reset the password after it
/// was added. Builds that do not know passkeys keep them at a reset.
///
/// # Errors
/// Returns a database error.
pub async fn by_credential(tx: &mut Tx, credential_id: &[u8]) -> Result<Option<Passkey>, Error> {
    one!(
        tx,
        Passkey,
        "SELECT id, user_id, credential_id, host, name, static_state, dynamic_state, created_at, used_at
         FROM passkey p WHERE credential_id = $1
           AND NOT EXISTS (SELECT 1 FROM security_event e
             WHERE e.user_id = p.user_id AND e.kind = 'password_reset' AND e.succeeded AND e.at > p.created_at)",
        credential_id.to_vec()
    )
}

/// Returns `true` if the user has a passkey for this host.
///
/// # Errors
/// Returns a database error.
pub async fn any_for(tx: &mut Tx, user: UserId, host: &str) -> Result<bool, Error> {
    let count = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM passkey WHERE user_id = $1 AND host = $2",
        user.0,
        host.to_owned()
    )?;
    Ok(count > 0)
}

/// Records a use of a passkey. Returns `false` if it was removed meanwhile.
///
/// # Errors
/// Returns a database error.
pub async fn record_use(tx: &mut Tx, id: Uuid, dynamic_state: &[u8], now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE passkey SET dynamic_state = $2, used_at = $3 WHERE id = $1",
        id,
        dynamic_state.to_vec(),
        now
    )?;
    Ok(rows == 1)
}

/// Removes a passkey of a user. Returns its name; `None` if the user has no such passkey.
///
/// # Errors
/// Returns a database error.
pub async fn remove(tx: &mut Tx, user: UserId, id: Uuid) -> Result<Option<String>, Error> {
    let row =
        one!(tx, (String,), "DELETE FROM passkey WHERE id = $1 AND user_id = $2 RETURNING name", id, user.0)?;
    Ok(row.map(|(name,)| name))
}

/// Removes all passkeys of a user. Returns their number.
///
/// # Errors
/// Returns a database error.
pub async fn remove_all(tx: &mut Tx, user: UserId) -> Result<u64, Error> {
    exec!(tx, "DELETE FROM passkey WHERE user_id = $1", user.0)
}

/// Stores a challenge. `session` is the session that adds a passkey; `None` for a sign-in or a
/// step-up.
///
/// # Errors
/// Returns a database error.
pub async fn put_challenge(
    tx: &mut Tx,
    challenge: [u8; 16],
    session: Option<SessionId>,
    state: &[u8],
    expires_at: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO passkey_challenge (challenge, session_id, state, expires_at) VALUES ($1, $2, $3, $4)",
        challenge.to_vec(),
        session.map(|id| id.0),
        state.to_vec(),
        expires_at
    )?;
    Ok(())
}

/// Takes a challenge, once, and returns its state. `None` if it was taken, has expired or belongs
/// to another session.
///
/// # Errors
/// Returns a database error.
pub async fn take_challenge(
    tx: &mut Tx,
    challenge: [u8; 16],
    session: Option<SessionId>,
    now: Instant,
) -> Result<Option<Vec<u8>>, Error> {
    let row = one!(
        tx,
        (Vec<u8>, Option<Uuid>, DateTime<Utc>),
        "DELETE FROM passkey_challenge WHERE challenge = $1 RETURNING state, session_id, expires_at",
        challenge.to_vec()
    )?;
    Ok(row
        .filter(|(_, owner, expires_at)| *owner == session.map(|id| id.0) && *expires_at > now)
        .map(|(state, ..)| state))
}
