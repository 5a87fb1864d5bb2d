//! Single-use tokens sent by mail: 32 random bytes, of which only the SHA-256 is stored.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::keyring::{KeyRing, Signing};
use crate::{Error, Tx, exec, one, scalar};

/// Purpose of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TokenKind {
    /// Proves an address, 24 h.
    VerifyEmail,
    /// Sets a new password, 1 h.
    ResetPassword,
}

impl TokenKind {
    fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Result of redeeming a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redeemed {
    /// Redeemed by this call.
    Now(UserId),
    /// Redeemed before, by the same link.
    Before(UserId),
    /// Expired unredeemed.
    Expired(UserId),
    /// Never issued.
    Unknown,
}

/// Registration data. It takes effect once its mailed link proves the address.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Registration {
    /// Argon2id hash in PHC form.
    pub password_hash: String,
    /// Language: `en` or `zh`.
    pub language: String,
}

/// Browser of a registration: the hash of its pre-session cookie.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Browser {
    /// SHA-256 of the cookie.
    #[sqlx(rename = "browser_hash")]
    pub hash: Vec<u8>,
    /// Time until which it counts.
    #[sqlx(rename = "browser_until")]
    pub until: Instant,
}

impl Browser {
    /// Creates the browser with this cookie.
    #[must_use]
    pub fn new(cookie: &[u8; 32], until: Instant) -> Self {
        Self { hash: hash(cookie), until }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    user_id: Uuid,
    used_at: Option<DateTime<Utc>>,
}

/// Inserts a token that is valid until `expires_at`, with its registration if there is one.
pub async fn issue(
    tx: &mut Tx,
    (user, kind): (UserId, TokenKind),
    raw: &[u8; 32],
    (now, expires_at): (Instant, Instant),
    registration: Option<&Registration>,
) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO token (token_hash, user_id, kind, created_at, expires_at, password_hash, language)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        hash(raw),
        user.0,
        kind.as_str(),
        now,
        expires_at,
        registration.map(|r| r.password_hash.clone()),
        registration.map(|r| r.language.clone())
    )?;
    Ok(())
}

/// Redeems a token, once.
pub async fn redeem(tx: &mut Tx, kind: TokenKind, raw: &[u8; 32], now: Instant) -> Result<Redeemed, Error> {
    // Locks the user first. Two links of one user that are used at once then queue here and cannot
    // deadlock on other rows.
    exec!(
        tx,
        "UPDATE users SET updated_at = updated_at WHERE id = (SELECT user_id FROM token WHERE token_hash = $1)",
        hash(raw)
    )?;
    let used = exec!(
        tx,
        "UPDATE token SET used_at = $3
         WHERE token_hash = $1 AND kind = $2 AND used_at IS NULL AND ended_at IS NULL
           AND expires_at > $3",
        hash(raw),
        kind.as_str(),
        now
    )?;
    let row = one!(
        tx,
        Row,
        "SELECT user_id, used_at FROM token WHERE token_hash = $1 AND kind = $2",
        hash(raw),
        kind.as_str()
    )?;
    Ok(match row {
        None => Redeemed::Unknown,
        Some(row) if used == 1 => Redeemed::Now(UserId(row.user_id)),
        Some(row) if row.used_at.is_some() => Redeemed::Before(UserId(row.user_id)),
        Some(row) => Redeemed::Expired(UserId(row.user_id)),
    })
}

/// Status of a token that is not redeemed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenStatus {
    /// It can be redeemed.
    Good,
    /// It expired unredeemed.
    Expired,
    /// It was redeemed, superseded, or never issued.
    Nothing,
}

/// Returns the status of a token without redeeming it.
pub async fn peek(tx: &mut Tx, kind: TokenKind, raw: &[u8; 32], now: Instant) -> Result<TokenStatus, Error> {
    let row = one!(
        tx,
        (DateTime<Utc>,),
        "SELECT expires_at FROM token
         WHERE token_hash = $1 AND kind = $2 AND used_at IS NULL AND ended_at IS NULL",
        hash(raw),
        kind.as_str()
    )?;
    Ok(match row {
        Some((expires_at,)) if expires_at > now => TokenStatus::Good,
        Some(_) => TokenStatus::Expired,
        None => TokenStatus::Nothing,
    })
}

/// Derives the token of a waiting mail from `seed`. It is derived again when the mail is sent, so
/// that the outbox and its copies contain nothing that opens a link.
#[must_use]
pub fn mailed(ring: &KeyRing, seed: &str) -> [u8; 32] {
    ring.sign(Signing::Links, &format!("mailed-token|{seed}"))
}

/// Extends the validity of the token of a mail that is being sent, up to `expires_at`.
pub async fn sent(tx: &mut Tx, raw: &[u8; 32], expires_at: Instant) -> Result<(), Error> {
    for sql in [
        "UPDATE token SET expires_at = $2
         WHERE token_hash = $1 AND used_at IS NULL AND ended_at IS NULL AND expires_at < $2",
        "UPDATE email_change SET expires_at = $2
         WHERE token_hash = $1 AND used_at IS NULL AND ended_at IS NULL AND expires_at < $2",
    ] {
        exec!(tx, sql, hash(raw), expires_at)?;
    }
    Ok(())
}

/// Counts the tokens of a kind that were issued to a user since `since`.
pub async fn count_since(tx: &mut Tx, user: UserId, kind: TokenKind, since: Instant) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM token WHERE user_id = $1 AND kind = $2 AND created_at > $3",
        user.0,
        kind.as_str(),
        since
    )
}

/// Returns the registration of a token.
pub async fn registration(tx: &mut Tx, raw: &[u8; 32]) -> Result<Option<Registration>, Error> {
    one!(
        tx,
        Registration,
        "SELECT password_hash, language FROM token
         WHERE token_hash = $1 AND password_hash IS NOT NULL AND language IS NOT NULL",
        hash(raw)
    )
}

/// Stores the browser that a link signs in.
pub async fn bind(tx: &mut Tx, raw: &[u8; 32], browser: &Browser) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE token SET browser_hash = $2, browser_until = $3 WHERE token_hash = $1",
        hash(raw),
        browser.hash.clone(),
        browser.until
    )?;
    Ok(())
}

/// Returns the browser of a registration with this password hash, from an earlier link of the same
/// user.
pub async fn browser(
    tx: &mut Tx,
    user: UserId,
    password_hash: &str,
    now: Instant,
) -> Result<Option<Browser>, Error> {
    one!(
        tx,
        Browser,
        "SELECT browser_hash, browser_until FROM token
         WHERE user_id = $1 AND kind = 'verify_email' AND password_hash = $2 AND browser_until > $3
         ORDER BY created_at DESC LIMIT 1",
        user.0,
        password_hash.to_owned(),
        now
    )
}

/// Returns `true` if a link was requested in the browser with this cookie.
pub async fn is_of_browser(
    tx: &mut Tx,
    raw: &[u8; 32],
    cookie: &[u8; 32],
    now: Instant,
) -> Result<bool, Error> {
    let count = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM token WHERE token_hash = $1 AND browser_hash = $2 AND browser_until > $3",
        hash(raw),
        hash(cookie),
        now
    )?;
    Ok(count > 0)
}

/// Returns the user of a token, in any state.
pub async fn owner(tx: &mut Tx, raw: &[u8; 32]) -> Result<Option<UserId>, Error> {
    let row = one!(tx, (Uuid,), "SELECT user_id FROM token WHERE token_hash = $1", hash(raw))?;
    Ok(row.map(|(id,)| UserId(id)))
}

/// Ends a user's unused tokens of a kind, and deletes the registration data of all of them.
pub async fn end_all(tx: &mut Tx, user: UserId, kind: TokenKind, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE token SET password_hash = NULL, language = NULL,
           ended_at = CASE WHEN used_at IS NULL THEN COALESCE(ended_at, $3) END
         WHERE user_id = $1 AND kind = $2",
        user.0,
        kind.as_str(),
        now
    )?;
    Ok(())
}

pub(crate) fn hash(raw: &[u8; 32]) -> Vec<u8> {
    Sha256::digest(raw).to_vec()
}
