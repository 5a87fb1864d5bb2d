//! Sessions: families of refresh tokens. Each token can be exchanged for one successor.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use domain::ids::{SessionId, UserId};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::keyring::{KeyRing, Signing};
use crate::{Error, Tx, all, exec, one, scalar};

mod own_sessions;

pub use own_sessions::*;

/// Time in which a token returns its successor again while the successor is unused, because mobile
/// networks lose responses.
pub const REPLAY: TimeDelta = TimeDelta::seconds(60);
/// The same time if its successor was used, because several tabs may refresh at once.
pub const REPLAY_USED: TimeDelta = TimeDelta::seconds(10);
/// Number of times that the tokens of one session may be repeated from another network. Phones
/// change networks. A second party that uses the tokens alternately with the owner repeats them
/// more often.
pub const REPEATS_ELSEWHERE: i64 = 3;

/// Refresh token: 32 bytes, sent as hex. Only its SHA-256 is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct RefreshToken([u8; 32]);

/// Result of a refresh.
#[derive(Clone, Debug)]
pub struct Rotated {
    /// Session of the token.
    pub session: SessionId,
    /// User of the session.
    pub user: UserId,
    /// Next token. A repeated request after a lost response gets the same one.
    pub successor: RefreshToken,
    /// End of the session.
    pub expires_at: Instant,
}

/// Errors of a refresh.
#[derive(Debug, thiserror::Error)]
pub enum RotateError {
    /// The token is unknown, expired or revoked. The user signs in again.
    #[error("the refresh token is not valid")]
    Invalid,
    /// The response to this token was lost too long ago to be repeated. The user signs in again.
    /// The family stays as it is.
    #[error("the refresh token was used before, and its answer is no longer repeated")]
    TooLate,
    /// A token was presented again after its successor was used, or from elsewhere, so another
    /// party has it. This call revokes the family, so the caller must commit.
    #[error("a used refresh token was presented")]
    Reused {
        /// Session that was revoked.
        session: SessionId,
        /// User of the session, who must be notified.
        user: UserId,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Method of a sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Method {
    /// Password of the account here.
    Password,
    /// Google account.
    Google,
    /// Link in a mail, opened in the browser that registered or requested it.
    MailLink,
    /// Passkey, whose authenticator verified the user.
    Passkey,
}

/// Origin of a sign-in, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Browser, e.g. `Firefox`; empty if unknown.
    pub browser: String,
    /// Operating system, e.g. `Android`; empty if unknown.
    pub os: String,
    /// Kind of device: `phone`, `tablet`, `computer` or `other`.
    pub kind: &'static str,
    /// Network address without its last part, e.g. `203.0.113.x`.
    pub network: String,
}

/// Session to start.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Id of the session.
    pub id: SessionId,
    /// User of the session.
    pub user: UserId,
    /// `true` if "remember me" was ticked.
    pub remembered: bool,
    /// Fixed end of the session.
    pub expires_at: Instant,
    /// Method of the sign-in.
    pub method: Method,
    /// Origin of the sign-in.
    pub client: Client,
}

impl Method {
    /// Returns the stored text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Client {
    /// Returns the part that stays the same in another network.
    fn device(&self) -> String {
        format!("{}|{}|{}", self.browser, self.os, self.kind)
    }
}

impl Default for Client {
    fn default() -> Self {
        Self { browser: String::new(), os: String::new(), kind: "other", network: String::new() }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    session_id: Uuid,
    user_id: Uuid,
    generation: i64,
    newest: i64,
    rotated_at: Option<DateTime<Utc>>,
    rotated_by: Option<String>,
    rotated_from: Option<String>,
    expires_at: DateTime<Utc>,
    revoked_at: Option<DateTime<Utc>>,
}

impl RefreshToken {
    /// Creates a token from 32 random bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses a token as sent by the client.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = hex::decode(text).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// Returns the token in the form that is sent.
    #[must_use]
    pub fn expose(&self) -> String {
        hex::encode(self.0)
    }

    /// Derives the successor. It is not random, so that a repeated request gets the same one
    /// although it is not stored.
    fn successor(&self, ring: &KeyRing) -> Self {
        Self(ring.sign(Signing::RefreshTokens, &format!("refresh-successor|{}", hex::encode(self.0))))
    }

    fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0).to_vec()
    }
}

impl std::fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RefreshToken")
    }
}

/// Starts a session with its first token.
pub async fn start(tx: &mut Tx, new: &NewSession, first: &RefreshToken, now: Instant) -> Result<(), Error> {
    // Builds that do not know passkeys read such a session as one of a password: both are proofs.
    let by_passkey = new.method == Method::Passkey;
    let method = if by_passkey { Method::Password } else { new.method };
    exec!(
        tx,
        "INSERT INTO session (id, user_id, remembered, created_at, expires_at, method, browser, os, kind, network,
           by_passkey)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        new.id.0,
        new.user.0,
        new.remembered,
        now,
        new.expires_at,
        method.as_str(),
        new.client.browser.clone(),
        new.client.os.clone(),
        new.client.kind,
        new.client.network.clone(),
        by_passkey
    )?;
    insert(tx, new.id.0, first, 0, now).await?;
    Ok(())
}

/// Exchanges a token for its successor, for `client`.
///
/// The newest token rotates. Its parent returns the same successor again, to the same device only:
/// for [`REPLAY`] while the successor is unused, and for [`REPLAY_USED`] in any case. A token that
/// is repeated revokes the family if it comes from another device, too often from another network,
/// or after its successor was used.
pub async fn rotate(
    tx: &mut Tx,
    ring: &KeyRing,
    presented: &RefreshToken,
    client: &Client,
    now: Instant,
) -> Result<Rotated, RotateError> {
    let row = find(tx, presented).await?.ok_or(RotateError::Invalid)?;
    if row.revoked_at.is_some() || row.expires_at <= now {
        return Err(RotateError::Invalid);
    }
    let session = SessionId(row.session_id);
    let user = UserId(row.user_id);
    let successor = presented.successor(ring);
    let rotated = Rotated { session, user, successor, expires_at: row.expires_at };
    let first_use = exec!(
        tx,
        "UPDATE refresh_token SET rotated_at = $2, rotated_by = $3, rotated_from = $4
         WHERE token_hash = $1 AND rotated_at IS NULL",
        presented.hash(),
        now,
        client.device(),
        client.network.clone()
    )?;
    if first_use == 1 {
        insert(tx, row.session_id, &rotated.successor, row.generation + 1, now).await?;
        exec!(tx, "UPDATE session SET last_used_at = $2 WHERE id = $1", session.0, now)?;
        return Ok(rotated);
    }
    // Read again, because another request may have rotated it between the two statements.
    let row = find(tx, presented).await?.ok_or(RotateError::Invalid)?;
    if !is_stolen(tx, &row, client, now).await? {
        let age = row.rotated_at.map_or(TimeDelta::MAX, |at| now - at);
        return if age <= REPLAY { Ok(rotated) } else { Err(RotateError::TooLate) };
    }
    revoke(tx, session, "reused", now).await?;
    Err(RotateError::Reused { session, user })
}

/// Returns `true` if a repeated token shows that two parties have it.
async fn is_stolen(tx: &mut Tx, row: &Row, client: &Client, now: Instant) -> Result<bool, Error> {
    let used = row.generation + 1 < row.newest;
    let just_now = row.rotated_at.is_some_and(|at| now - at <= REPLAY_USED);
    let other_device = row.rotated_by.as_ref().is_some_and(|by| *by != client.device());
    if other_device || (used && !just_now) {
        return Ok(true);
    }
    if row.rotated_from.as_ref().is_none_or(|from| *from == client.network) {
        return Ok(false);
    }
    let elsewhere = scalar!(
        tx,
        i64,
        "UPDATE session SET repeated_elsewhere = repeated_elsewhere + 1 WHERE id = $1 RETURNING repeated_elsewhere",
        row.session_id
    )?;
    Ok(elsewhere > REPEATS_ELSEWHERE)
}

/// Revokes a session. Does nothing if it was revoked before.
pub async fn revoke(tx: &mut Tx, id: SessionId, why: &str, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE session SET revoked_at = $2, revoked_reason = $3 WHERE id = $1 AND revoked_at IS NULL",
        id.0,
        now,
        why.to_owned()
    )?;
    Ok(())
}

/// Revokes all sessions of a user but `keep`. Returns the revoked ones, so that this process can
/// drop them from its memory.
pub async fn revoke_all(
    tx: &mut Tx,
    user: UserId,
    keep: Option<SessionId>,
    why: &str,
    now: Instant,
) -> Result<Vec<SessionId>, Error> {
    let ended = all!(
        tx,
        (Uuid,),
        "UPDATE session SET revoked_at = $2, revoked_reason = $3
         WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND id <> $4 RETURNING id",
        user.0,
        now,
        why.to_owned(),
        keep.map_or(Uuid::nil(), |id| id.0)
    )?;
    Ok(ended.into_iter().map(|(id,)| SessionId(id)).collect())
}

/// Returns `true` if access tokens of this session are still valid.
pub async fn is_live(tx: &mut Tx, id: SessionId, now: Instant) -> Result<bool, Error> {
    let live = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM session WHERE id = $1 AND revoked_at IS NULL AND expires_at > $2",
        id.0,
        now
    )?;
    Ok(live == 1)
}

/// Returns those of the sessions that are valid: one query for all open pages of a process.
pub async fn live_of(tx: &mut Tx, ids: &[SessionId], now: Instant) -> Result<HashSet<SessionId>, Error> {
    let mut live = HashSet::new();
    if let Tx::Sqlite(_) = tx {
        for id in ids {
            if is_live(tx, *id, now).await? {
                live.insert(*id);
            }
        }
        return Ok(live);
    }
    let ids: Vec<String> = ids.iter().map(|id| id.0.to_string()).collect();
    let found = all!(
        tx,
        (Uuid,),
        "SELECT id FROM session WHERE id = ANY(CAST(ARRAY(SELECT jsonb_array_elements_text($1)) AS uuid[]))
           AND revoked_at IS NULL AND expires_at > $2",
        serde_json::json!(ids),
        now
    )?;
    live.extend(found.into_iter().map(|(id,)| SessionId(id)));
    Ok(live)
}

/// Returns the session of a token, in any state.
pub async fn of_token(tx: &mut Tx, token: &RefreshToken) -> Result<Option<SessionId>, Error> {
    Ok(find(tx, token).await?.map(|row| SessionId(row.session_id)))
}

async fn find(tx: &mut Tx, token: &RefreshToken) -> Result<Option<Row>, Error> {
    one!(
        tx,
        Row,
        "SELECT t.session_id, s.user_id, t.generation, t.rotated_at, t.rotated_by, t.rotated_from, s.expires_at,
           s.revoked_at,
           (SELECT MAX(n.generation) FROM refresh_token n WHERE n.session_id = t.session_id) AS newest
         FROM refresh_token t JOIN session s ON s.id = t.session_id WHERE t.token_hash = $1",
        token.hash()
    )
}

async fn insert(
    tx: &mut Tx,
    session: Uuid,
    token: &RefreshToken,
    generation: i64,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO refresh_token (token_hash, session_id, generation, created_at) VALUES ($1, $2, $3, $4)",
        token.hash(),
        session,
        generation,
        now
    )?;
    Ok(())
}
