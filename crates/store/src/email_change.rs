//! Links to a new address: the account has its old one until the new one is proven.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;
use uuid::Uuid;

use crate::token::{Redeemed, hash};
use crate::{Error, Tx, exec, one};

#[derive(sqlx::FromRow)]
struct Row {
    user_id: Uuid,
    email: String,
    used_at: Option<DateTime<Utc>>,
}

/// Proof that a person read the mail at their new address: only [`redeem`] makes one.
#[derive(Debug)]
pub struct ProvenEmail {
    user: UserId,
    email: String,
}

impl ProvenEmail {
    /// Who proved it.
    #[must_use]
    pub const fn user(&self) -> UserId {
        self.user
    }

    /// The address, as it was typed.
    #[must_use]
    pub fn email(&self) -> &str {
        &self.email
    }
}

/// Keeps a link to `email` until `expires_at`; older ones of the same user end.
pub async fn issue(
    tx: &mut Tx,
    user: UserId,
    email: &str,
    raw: &[u8; 32],
    (now, expires_at): (Instant, Instant),
) -> Result<(), Error> {
    end_all(tx, user, now).await?;
    exec!(
        tx,
        "INSERT INTO email_change (token_hash, user_id, email, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
        hash(raw),
        user.0,
        email.to_owned(),
        now,
        expires_at
    )?;
    Ok(())
}

/// Uses a link, once: what became of it, with the proof when it is used now.
pub async fn redeem(
    tx: &mut Tx,
    raw: &[u8; 32],
    now: Instant,
) -> Result<(Redeemed, Option<ProvenEmail>), Error> {
    // The person first, as token::redeem does.
    exec!(
        tx,
        "UPDATE users SET updated_at = updated_at WHERE id = (SELECT user_id FROM email_change WHERE token_hash = $1)",
        hash(raw)
    )?;
    let used = exec!(
        tx,
        "UPDATE email_change SET used_at = $2
         WHERE token_hash = $1 AND used_at IS NULL AND ended_at IS NULL AND expires_at > $2",
        hash(raw),
        now
    )?;
    let row =
        one!(tx, Row, "SELECT user_id, email, used_at FROM email_change WHERE token_hash = $1", hash(raw))?;
    Ok(match row {
        None => (Redeemed::Unknown, None),
        Some(row) if used == 1 => {
            let user = UserId(row.user_id);
            (Redeemed::Now(user), Some(ProvenEmail { user, email: row.email }))
        }
        Some(row) if row.used_at.is_some() => (Redeemed::Before(UserId(row.user_id)), None),
        Some(row) => (Redeemed::Expired(UserId(row.user_id)), None),
    })
}

/// Ends a user's unused links.
pub async fn end_all(tx: &mut Tx, user: UserId, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE email_change SET ended_at = $2 WHERE user_id = $1 AND used_at IS NULL AND ended_at IS NULL",
        user.0,
        now
    )?;
    Ok(())
}

/// The same, and what was asked for and is not worked off yet: for a new password, after which no change of address
/// that was begun before may go on.
pub async fn forget(tx: &mut Tx, user: UserId, now: Instant) -> Result<(), Error> {
    end_all(tx, user, now).await?;
    exec!(tx, "DELETE FROM mail_request WHERE kind = 'change_email' AND user_id = $1", user.0)?;
    Ok(())
}
