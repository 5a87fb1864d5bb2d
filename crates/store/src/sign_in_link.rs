//! Single-use sign-in links, created by operator commands: 32 random bytes, of which only the
//! SHA-256 is stored.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;
use uuid::Uuid;

use crate::token::{TokenStatus, hash};
use crate::{Error, Tx, exec, one};

/// Purpose of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum LinkKind {
    /// Sets the first password of an account and proves its address.
    Invitation,
    /// Signs in the owner of a solo server.
    Owner,
}

impl LinkKind {
    fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Link as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptLink {
    /// User whom it signs in.
    pub user: UserId,
    /// Current status.
    pub status: TokenStatus,
    /// Time at which it expires.
    pub expires_at: Instant,
}

#[derive(sqlx::FromRow)]
struct Row {
    user_id: Uuid,
    expires_at: DateTime<Utc>,
    used_at: Option<DateTime<Utc>>,
}

/// Link to insert.
#[derive(Clone, Copy, Debug)]
pub struct NewLink {
    /// User whom it signs in.
    pub user: UserId,
    /// Purpose of the link.
    pub kind: LinkKind,
    /// Time at which it expires.
    pub expires_at: Instant,
}

/// Inserts a link. Deletes the user's unused links of its kind.
///
/// # Errors
/// Returns a database error.
pub async fn issue(tx: &mut Tx, link: &NewLink, raw: &[u8; 32], now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "DELETE FROM sign_in_link WHERE user_id = $1 AND kind = $2 AND used_at IS NULL",
        link.user.0,
        link.kind.as_str()
    )?;
    exec!(
        tx,
        "INSERT INTO sign_in_link (token_hash, user_id, kind, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
        hash(raw),
        link.user.0,
        link.kind.as_str(),
        now,
        link.expires_at
    )?;
    Ok(())
}

/// Returns a link without redeeming it. `None` if no such link was created.
///
/// # Errors
/// Returns a database error.
pub async fn peek(
    tx: &mut Tx,
    kind: LinkKind,
    raw: &[u8; 32],
    now: Instant,
) -> Result<Option<KeptLink>, Error> {
    let row = one!(
        tx,
        Row,
        "SELECT user_id, expires_at, used_at FROM sign_in_link WHERE token_hash = $1 AND kind = $2",
        hash(raw),
        kind.as_str()
    )?;
    Ok(row.map(|row| {
        let status = match (row.used_at, row.expires_at > now) {
            (Some(_), _) => TokenStatus::Nothing,
            (None, true) => TokenStatus::Good,
            (None, false) => TokenStatus::Expired,
        };
        KeptLink { user: UserId(row.user_id), status, expires_at: row.expires_at }
    }))
}

/// Redeems a link, once. Returns `false` if it was redeemed or expired meanwhile.
///
/// # Errors
/// Returns a database error.
pub async fn redeem(tx: &mut Tx, kind: LinkKind, raw: &[u8; 32], now: Instant) -> Result<bool, Error> {
    let used = exec!(
        tx,
        "UPDATE sign_in_link SET used_at = $3
         WHERE token_hash = $1 AND kind = $2 AND used_at IS NULL AND expires_at > $3",
        hash(raw),
        kind.as_str(),
        now
    )?;
    Ok(used == 1)
}
