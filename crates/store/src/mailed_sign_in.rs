//! Sign-in links that users request by mail. A link signs in the browser that requested it. Opened
//! in another browser, it shows a code to type in the first one.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;
use uuid::Uuid;

use crate::token::{TokenStatus, hash};
use crate::{Error, Tx, exec, one, scalar};

/// Maximum number of wrong codes for the links of one browser.
const MOST_MISSES: i64 = 5;

/// Link to insert.
#[derive(Clone, Debug)]
pub struct NewMailedSignIn {
    /// User whom it signs in.
    pub user: UserId,
    /// Hash of the cookie of the browser that requested it.
    pub browser_hash: Vec<u8>,
    /// Hash of the code.
    pub code_hash: [u8; 32],
    /// `true` if "remember me" was ticked.
    pub remembered: bool,
    /// Time at which it expires.
    pub expires_at: Instant,
}

/// Link as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailedSignIn {
    /// User whom it signs in.
    pub user: UserId,
    /// `true` if "remember me" was ticked.
    pub remembered: bool,
    /// Current status.
    pub status: TokenStatus,
    /// `true` if the given browser requested it.
    pub is_own: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
    user_id: Uuid,
    remembered: bool,
    browser_hash: Vec<u8>,
    expires_at: DateTime<Utc>,
    used_at: Option<DateTime<Utc>>,
}

/// Inserts a link.
///
/// # Errors
/// Returns a database error.
pub async fn issue(tx: &mut Tx, link: &NewMailedSignIn, raw: &[u8; 32], now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO mailed_sign_in (token_hash, code_hash, browser_hash, user_id, remembered, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        hash(raw),
        link.code_hash.to_vec(),
        link.browser_hash.clone(),
        link.user.0,
        link.remembered,
        now,
        link.expires_at
    )?;
    Ok(())
}

/// Returns the number of links of a user since a time.
///
/// # Errors
/// Returns a database error.
pub async fn count_since(tx: &mut Tx, user: UserId, since: Instant) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM mailed_sign_in WHERE user_id = $1 AND created_at > $2",
        user.0,
        since
    )
}

/// Returns a link, seen from the browser with this cookie, without redeeming it. `None` if no such
/// link was created.
///
/// # Errors
/// Returns a database error.
pub async fn peek(
    tx: &mut Tx,
    raw: &[u8; 32],
    cookie: Option<&[u8; 32]>,
    now: Instant,
) -> Result<Option<MailedSignIn>, Error> {
    let row = one!(
        tx,
        Row,
        "SELECT user_id, remembered, browser_hash, expires_at, used_at FROM mailed_sign_in WHERE token_hash = $1",
        hash(raw)
    )?;
    Ok(row.map(|row| MailedSignIn {
        user: UserId(row.user_id),
        remembered: row.remembered,
        status: match (row.used_at, row.expires_at > now) {
            (Some(_), _) => TokenStatus::Nothing,
            (None, true) => TokenStatus::Good,
            (None, false) => TokenStatus::Expired,
        },
        is_own: cookie.is_some_and(|cookie| hash(cookie) == row.browser_hash),
    }))
}

/// Redeems a link, once, in the browser that requested it. Returns `false` if it was redeemed or
/// expired meanwhile, or belongs to another browser.
///
/// # Errors
/// Returns a database error.
pub async fn redeem(tx: &mut Tx, raw: &[u8; 32], cookie: &[u8; 32], now: Instant) -> Result<bool, Error> {
    let used = exec!(
        tx,
        "UPDATE mailed_sign_in SET used_at = $3
         WHERE token_hash = $1 AND browser_hash = $2 AND used_at IS NULL AND expires_at > $3",
        hash(raw),
        hash(cookie),
        now
    )?;
    Ok(used == 1)
}

/// Redeems the link of a browser by its code, once. Returns its user, and `true` if "remember me"
/// was ticked. A wrong code is counted; after [`MOST_MISSES`] the link is not valid any more.
///
/// # Errors
/// Returns a database error.
pub async fn redeem_by_code(
    tx: &mut Tx,
    cookie: &[u8; 32],
    code_hash: &[u8; 32],
    now: Instant,
) -> Result<Option<(UserId, bool)>, Error> {
    let used = one!(
        tx,
        (Uuid, bool),
        "UPDATE mailed_sign_in SET used_at = $3
         WHERE browser_hash = $1 AND code_hash = $2 AND used_at IS NULL AND expires_at > $3 AND misses < $4
         RETURNING user_id, remembered",
        hash(cookie),
        code_hash.to_vec(),
        now,
        MOST_MISSES
    )?;
    if used.is_none() {
        exec!(
            tx,
            "UPDATE mailed_sign_in SET misses = misses + 1 WHERE browser_hash = $1 AND used_at IS NULL",
            hash(cookie)
        )?;
    }
    Ok(used.map(|(user, remembered)| (UserId(user), remembered)))
}

/// Deletes all unused links of a user, and the bootstrap tokens that links were exchanged for.
///
/// # Errors
/// Returns a database error.
pub async fn end_all(tx: &mut Tx, user: UserId) -> Result<(), Error> {
    exec!(tx, "DELETE FROM mailed_sign_in WHERE user_id = $1 AND used_at IS NULL", user.0)?;
    exec!(tx, "DELETE FROM bootstrap WHERE user_id = $1 AND method = 'mail_link'", user.0)?;
    Ok(())
}
