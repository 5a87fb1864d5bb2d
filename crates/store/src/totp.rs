//! Second factors: an encrypted TOTP secret per user, and recovery codes for its loss.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;
use domain::secret::SecretKind;
use uuid::Uuid;

use crate::keyring::{Sealed, SecretPlace};
use crate::{Error, Tx, exec, one, scalar};

/// Second factor of a user.
#[derive(Clone, Debug)]
pub struct Totp {
    /// Id of the factor.
    pub id: Uuid,
    /// User of the factor.
    pub user: UserId,
    /// Shared secret, encrypted for [`place`].
    pub sealed: Sealed,
    /// Time since which sign-ins require it. `None` while it is pending.
    pub confirmed_at: Option<Instant>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    user_id: Uuid,
    secret_kid: String,
    secret_blob: Vec<u8>,
    confirmed_at: Option<DateTime<Utc>>,
}

impl From<Row> for Totp {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            user: UserId(row.user_id),
            sealed: Sealed { kid: row.secret_kid, blob: row.secret_blob },
            confirmed_at: row.confirmed_at,
        }
    }
}

/// Returns the place to which the ciphertext of a factor's secret is bound. Each factor has its own
/// row, so a secret is never replaced in place.
#[must_use]
pub const fn place(id: Uuid, user: UserId) -> SecretPlace {
    SecretPlace {
        kind: SecretKind::Totp,
        table: "totp",
        column: "secret_blob",
        row: id,
        owner: user.0,
        version: 1,
    }
}

/// Returns the factor that sign-ins require.
pub async fn confirmed(tx: &mut Tx, user: UserId) -> Result<Option<Totp>, Error> {
    Ok(one!(
        tx,
        Row,
        "SELECT id, user_id, secret_kid, secret_blob, confirmed_at FROM totp
         WHERE user_id = $1 AND confirmed_at IS NOT NULL",
        user.0
    )?
    .map(Totp::from))
}

/// Returns the factor that waits for its first code.
pub async fn pending(tx: &mut Tx, user: UserId) -> Result<Option<Totp>, Error> {
    Ok(one!(
        tx,
        Row,
        "SELECT id, user_id, secret_kid, secret_blob, confirmed_at FROM totp
         WHERE user_id = $1 AND confirmed_at IS NULL",
        user.0
    )?
    .map(Totp::from))
}

/// Inserts a pending factor. Replaces another pending one.
pub async fn put_pending(tx: &mut Tx, new: &Totp, now: Instant) -> Result<(), Error> {
    exec!(tx, "DELETE FROM totp WHERE user_id = $1 AND confirmed_at IS NULL", new.user.0)?;
    exec!(
        tx,
        "INSERT INTO totp (id, user_id, secret_kid, secret_blob, secret_version, last_step, created_at)
         VALUES ($1, $2, $3, $4, 1, 0, $5)",
        new.id,
        new.user.0,
        new.sealed.kid.clone(),
        new.sealed.blob.clone(),
        now
    )?;
    Ok(())
}

/// Activates a pending factor with the step of its first code. Returns `false` if it is no longer
/// pending.
pub async fn confirm(tx: &mut Tx, waiting: &Totp, step: i64, now: Instant) -> Result<bool, Error> {
    exec!(tx, "DELETE FROM totp WHERE user_id = $1 AND confirmed_at IS NOT NULL", waiting.user.0)?;
    let rows = exec!(
        tx,
        "UPDATE totp SET confirmed_at = $2, last_step = $3 WHERE id = $1 AND confirmed_at IS NULL",
        waiting.id,
        now,
        step
    )?;
    Ok(rows == 1)
}

/// Records the use of a step's code. Returns `false` if that step or a later one was used before.
pub async fn take_step(tx: &mut Tx, id: Uuid, step: i64) -> Result<bool, Error> {
    Ok(exec!(tx, "UPDATE totp SET last_step = $2 WHERE id = $1 AND last_step < $2", id, step)? == 1)
}

/// Deletes the second factor with its recovery codes. Returns `false` if there was no active one.
pub async fn remove(tx: &mut Tx, user: UserId) -> Result<bool, Error> {
    exec!(tx, "DELETE FROM recovery_code WHERE user_id = $1", user.0)?;
    exec!(tx, "DELETE FROM totp WHERE user_id = $1 AND confirmed_at IS NULL", user.0)?;
    Ok(exec!(tx, "DELETE FROM totp WHERE user_id = $1", user.0)? == 1)
}

/// Stores new recovery codes, given as fingerprints. Replaces all old ones.
pub async fn put_codes(tx: &mut Tx, user: UserId, codes: &[[u8; 32]]) -> Result<(), Error> {
    exec!(tx, "DELETE FROM recovery_code WHERE user_id = $1", user.0)?;
    for code in codes {
        exec!(tx, "INSERT INTO recovery_code (user_id, code_fp) VALUES ($1, $2)", user.0, code.to_vec())?;
    }
    Ok(())
}

/// Redeems a recovery code, once. Returns `false` if it is unknown or redeemed already.
pub async fn take_code(tx: &mut Tx, user: UserId, code: &[u8; 32], now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE recovery_code SET used_at = $3 WHERE user_id = $1 AND code_fp = $2 AND used_at IS NULL",
        user.0,
        code.to_vec(),
        now
    )?;
    Ok(rows == 1)
}

/// Counts the unused recovery codes.
pub async fn codes_left(tx: &mut Tx, user: UserId) -> Result<i64, Error> {
    scalar!(tx, i64, "SELECT COUNT(*) FROM recovery_code WHERE user_id = $1 AND used_at IS NULL", user.0)
}
