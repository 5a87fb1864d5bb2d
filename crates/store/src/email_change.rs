//! Links that prove a new email address. The account keeps its old address until then.

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

/// Proof that a user received the mail at the new address. Only [`redeem`] creates it.
#[derive(Debug)]
pub struct ProvenEmail {
    user: UserId,
    email: String,
}

impl ProvenEmail {
    /// Returns the user who proved the address.
    #[must_use]
    pub const fn user(&self) -> UserId {
        self.user
    }

    /// Returns the address as the user typed it.
    #[must_use]
    pub fn email(&self) -> &str {
        &self.email
    }
}

/// Inserts a link to `email`, valid until `expires_at`, and ends older links of the same user.
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

/// Redeems a link, once. Returns the result, and the proof if it was redeemed by this call.
pub async fn redeem(
    tx: &mut Tx,
    raw: &[u8; 32],
    now: Instant,
) -> Result<(Redeemed, Option<ProvenEmail>), Error> {
    // Locks the user first, as `token::redeem` does.
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

/// Ends a user's unused links and deletes pending requests for one. Called for a new password,
/// after which no earlier change of address may continue.
pub async fn forget(tx: &mut Tx, user: UserId, now: Instant) -> Result<(), Error> {
    end_all(tx, user, now).await?;
    exec!(tx, "DELETE FROM mail_request WHERE kind = 'change_email' AND user_id = $1", user.0)?;
    Ok(())
}
