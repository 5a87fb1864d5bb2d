//! What is kept only for a time, forgotten in small batches: on SQLite everybody else waits for a transaction that writes.

use domain::clock::Instant;
use serde_json::json;

use crate::{Db, Error, Tx, all, exec};

/// Rows removed in one transaction, which then takes a few milliseconds.
pub const BATCH: usize = 200;

/// What is forgotten after a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Old {
    /// Answers kept for an `Idempotency-Key`.
    Answers,
    /// Refresh tokens of sign-ins that are over.
    RefreshTokens,
    /// Sign-ins that are over; after their tokens.
    SignIns,
    /// Browsers that somebody signed in with.
    Clients,
    /// Links in mails.
    Links,
    /// Changes of address that nobody confirmed.
    EmailChanges,
    /// What was asked for by mail and done.
    MailRequests,
    /// Sign-ins with Google that were never traded for a session.
    Bootstraps,
    /// Ways to Google that nobody came back from.
    Flows,
    /// Guesses.
    Guesses,
    /// Rejected verifications of portal logins.
    VerifyFailures,
    /// Verifications of portal logins.
    Verifications,
    /// Looks by the hour (portal time).
    Hours,
}

/// Finds rows and removes them by their places, for each database.
struct Texts {
    find: [&'static str; 2],
    remove: [&'static str; 2],
}

macro_rules! texts {
    ($table:literal, $condition:literal) => {
        Texts {
            find: [
                concat!("SELECT CAST(rowid AS TEXT) FROM ", $table, " WHERE ", $condition, " LIMIT $2"),
                concat!("SELECT CAST(ctid AS TEXT) FROM ", $table, " WHERE ", $condition, " LIMIT $2"),
            ],
            // The condition again: a place may hold another row by now.
            remove: [
                concat!(
                    "DELETE FROM ",
                    $table,
                    " WHERE rowid IN (SELECT CAST(value AS INTEGER) FROM json_each($2)) AND ",
                    $condition
                ),
                concat!(
                    "DELETE FROM ",
                    $table,
                    " WHERE ctid = ANY(CAST(ARRAY(SELECT jsonb_array_elements_text($2)) AS tid[])) AND ",
                    $condition
                ),
            ],
        }
    };
}

impl Old {
    /// Everything that is forgotten, tokens before the sign-ins they belong to.
    pub const ALL: [Self; 13] = [
        Self::Answers,
        Self::RefreshTokens,
        Self::SignIns,
        Self::Clients,
        Self::Links,
        Self::EmailChanges,
        Self::MailRequests,
        Self::Bootstraps,
        Self::Flows,
        Self::Guesses,
        Self::VerifyFailures,
        Self::Verifications,
        Self::Hours,
    ];

    const fn texts(self) -> Texts {
        match self {
            Self::Answers => texts!("idempotency", "created_at < $1"),
            Self::RefreshTokens => {
                texts!("refresh_token", "session_id IN (SELECT id FROM session WHERE expires_at < $1)")
            }
            Self::SignIns => texts!(
                "session",
                "expires_at < $1 AND NOT EXISTS (SELECT 1 FROM refresh_token t WHERE t.session_id = session.id)"
            ),
            Self::Clients => texts!("known_client", "seen_at < $1"),
            Self::Links => texts!("token", "expires_at < $1"),
            Self::EmailChanges => texts!("email_change", "expires_at < $1"),
            Self::MailRequests => texts!("mail_request", "created_at < $1 AND resolved_at IS NOT NULL"),
            Self::Bootstraps => texts!("bootstrap", "expires_at < $1"),
            Self::Flows => texts!("oidc_flow", "expires_at < $1"),
            Self::Guesses => texts!("throttle", "last_at < $1 AND not_before < $1"),
            Self::VerifyFailures => texts!("verify_failure", "failed_at < $1"),
            Self::Verifications => texts!("verification", "at < $1"),
            Self::Hours => texts!("look_hour", "hour < $1"),
        }
    }
}

/// Forgets what is older than `before`, [`BATCH`] rows a transaction; they are searched for in one that only reads.
pub async fn forget(db: &Db, what: Old, before: Instant) -> Result<u64, Error> {
    let mut forgotten = 0;
    loop {
        let mut tx = db.read().await?;
        let found = find(&mut tx, what, before).await?;
        drop(tx);
        if found.is_empty() {
            return Ok(forgotten);
        }
        let mut tx = db.begin().await?;
        let removed = remove(&mut tx, what, &found, before).await?;
        tx.commit().await?;
        forgotten += removed;
        // Somebody else removed them, or they are new again.
        if removed == 0 {
            return Ok(forgotten);
        }
    }
}

/// One batch within the caller's transaction.
pub async fn batch(tx: &mut Tx, what: Old, before: Instant) -> Result<u64, Error> {
    let found = find(tx, what, before).await?;
    remove(tx, what, &found, before).await
}

async fn find(tx: &mut Tx, what: Old, before: Instant) -> Result<Vec<String>, Error> {
    let [sqlite, postgres] = what.texts().find;
    let sql = tx.pick(sqlite, postgres);
    let most = i64::try_from(BATCH).unwrap_or(i64::MAX);
    let rows = all!(tx, (String,), sql, before, most)?;
    Ok(rows.into_iter().map(|(place,)| place).collect())
}

async fn remove(tx: &mut Tx, what: Old, found: &[String], before: Instant) -> Result<u64, Error> {
    let [sqlite, postgres] = what.texts().remove;
    let sql = tx.pick(sqlite, postgres);
    exec!(tx, sql, before, json!(found))
}
