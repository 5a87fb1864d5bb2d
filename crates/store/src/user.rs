//! People with an account here.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;
use uuid::Uuid;

use crate::email_change::ProvenEmail;
use crate::token::Registration;
use crate::{Error, Tx, exec, one, scalar};

/// A person with an account here.
#[derive(Clone, Debug)]
pub struct User {
    /// Their id.
    pub id: UserId,
    /// As typed at registration.
    pub email: String,
    /// What they want to be called.
    pub display_name: Option<String>,
    /// Argon2id in PHC form; none for people who only sign in elsewhere. Of the newest registration until one is proven.
    pub password_hash: Option<String>,
    /// `en` or `zh`.
    pub language: String,
    /// When the address was proven.
    pub email_verified_at: Option<Instant>,
    /// Stop a task after its first success.
    pub auto_stop: bool,
    /// What they give to friends.
    pub referral_code: String,
    /// When they registered.
    pub created_at: Instant,
    /// When this row last changed.
    pub updated_at: Instant,
}

/// What a new user brings.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// Their id.
    pub id: UserId,
    /// As typed.
    pub email: String,
    /// Argon2id in PHC form.
    pub password_hash: Option<String>,
    /// `en` or `zh`.
    pub language: String,
    /// A fresh code of their own.
    pub referral_code: String,
    /// Who sent them.
    pub referred_by: Option<UserId>,
    /// Set where no mail is configured, and for the demo's account.
    pub email_verified_at: Option<Instant>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    email: String,
    display_name: Option<String>,
    password_hash: Option<String>,
    language: String,
    email_verified_at: Option<DateTime<Utc>>,
    auto_stop: bool,
    referral_code: String,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Row> for User {
    fn from(row: Row) -> Self {
        Self {
            id: UserId(row.id),
            email: row.email,
            display_name: row.display_name,
            password_hash: row.password_hash,
            language: row.language,
            email_verified_at: row.email_verified_at,
            auto_stop: row.auto_stop,
            referral_code: row.referral_code,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// An address as it is compared: trimmed, lower case.
#[must_use]
pub fn normalise(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Adds a user; false when the address is taken.
pub async fn insert(tx: &mut Tx, new: &NewUser, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "INSERT INTO users (id, email, email_normalised, password_hash, language, email_verified_at, auto_stop,
           referral_code, referred_by, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, FALSE, $7, $8, $9, $9) ON CONFLICT (email_normalised) DO NOTHING",
        new.id.0,
        new.email.trim().to_owned(),
        normalise(&new.email),
        new.password_hash.clone(),
        new.language.clone(),
        new.email_verified_at,
        new.referral_code.clone(),
        new.referred_by.map(|id| id.0),
        now
    )?;
    Ok(rows == 1)
}

/// Whether there is any account that was not deleted.
pub async fn any(tx: &mut Tx) -> Result<bool, Error> {
    let count = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM (SELECT 1 FROM users WHERE email_normalised NOT LIKE 'deleted-%@deleted.invalid' LIMIT 1) AS one"
    )?;
    Ok(count > 0)
}

/// The user with this id.
pub async fn get(tx: &mut Tx, id: UserId) -> Result<Option<User>, Error> {
    let row = one!(
        tx,
        Row,
        "SELECT id, email, display_name, password_hash, language, email_verified_at, auto_stop, referral_code, created_at,
           updated_at
         FROM users WHERE id = $1",
        id.0
    )?;
    Ok(row.map(User::from))
}

/// Whether an operator keeps this user out.
pub async fn is_suspended(tx: &mut Tx, id: UserId) -> Result<bool, Error> {
    let suspended =
        scalar!(tx, i64, "SELECT COUNT(*) FROM users WHERE id = $1 AND suspended_at IS NOT NULL", id.0)?;
    Ok(suspended > 0)
}

/// Keeps a user out from now on, or lets them in again; false when nothing changes.
pub async fn set_suspended(
    tx: &mut Tx,
    id: UserId,
    since: Option<Instant>,
    now: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE users SET suspended_at = $2, updated_at = $3
         WHERE id = $1 AND (suspended_at IS NULL) <> (CAST($2 AS TIMESTAMPTZ) IS NULL)",
        id.0,
        since,
        now
    )?;
    Ok(rows == 1)
}

/// The user with this address, however it is spelled.
pub async fn by_email(tx: &mut Tx, email: &str) -> Result<Option<User>, Error> {
    let row = one!(
        tx,
        Row,
        "SELECT id, email, display_name, password_hash, language, email_verified_at, auto_stop, referral_code, created_at,
           updated_at
         FROM users WHERE email_normalised = $1",
        normalise(email)
    )?;
    Ok(row.map(User::from))
}

/// The user who gives this referral code away.
pub async fn by_referral_code(tx: &mut Tx, code: &str) -> Result<Option<UserId>, Error> {
    let row = one!(tx, (Uuid,), "SELECT id FROM users WHERE referral_code = $1", code.to_owned())?;
    Ok(row.map(|(id,)| UserId(id)))
}

/// Puts a newer registration in the place of the last one; false when the address is already proven.
pub async fn register_again(
    tx: &mut Tx,
    email: &str,
    wanted: &Registration,
    now: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE users SET password_hash = $2, language = $3, updated_at = $4,
           contested = contested OR password_hash IS NULL OR password_hash <> $2
         WHERE email_normalised = $1 AND email_verified_at IS NULL",
        normalise(email),
        wanted.password_hash.clone(),
        wanted.language.clone(),
        now
    )?;
    Ok(rows == 1)
}

/// Records that the address was proven, and by whose registration; false when it was proven before: the first stays.
pub async fn set_verified(
    tx: &mut Tx,
    id: UserId,
    by: Option<&Registration>,
    now: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE users SET email_verified_at = $2, updated_at = $2, password_hash = COALESCE($3, password_hash),
           language = COALESCE($4, language), contested = FALSE
         WHERE id = $1 AND email_verified_at IS NULL",
        id.0,
        now,
        by.map(|r| r.password_hash.clone()),
        by.map(|r| r.language.clone())
    )?;
    Ok(rows == 1)
}

/// Whether an unproven address was registered with several passwords: its owner's is not known.
pub async fn is_contested(tx: &mut Tx, id: UserId) -> Result<bool, Error> {
    scalar!(tx, bool, "SELECT contested FROM users WHERE id = $1", id.0)
}

/// Takes turns with whatever changes who may sign in as this person. False when the account was deleted meanwhile, or
/// its password is no longer the one that was checked.
pub async fn is_still(tx: &mut Tx, id: UserId, checked: Option<&str>) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE users SET updated_at = updated_at
         WHERE id = $1 AND email_normalised NOT LIKE 'deleted-%@deleted.invalid'
           AND (CAST($2 AS TEXT) IS NULL OR password_hash = $2)",
        id.0,
        checked.map(ToOwned::to_owned)
    )?;
    Ok(rows == 1)
}

/// Replaces the password.
pub async fn set_password(tx: &mut Tx, id: UserId, hash: &str, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE users SET password_hash = $2, updated_at = $3 WHERE id = $1",
        id.0,
        hash.to_owned(),
        now
    )?;
    Ok(())
}

/// Replaces the address by one that a mailed link proved; false when it is somebody else's proven one. An account that
/// was registered with it but never proven gives way.
pub async fn set_email(tx: &mut Tx, proven: &ProvenEmail, now: Instant) -> Result<bool, Error> {
    let (id, email) = (proven.user(), proven.email());
    exec!(
        tx,
        "UPDATE users SET email_normalised = 'given-up:' || referral_code, updated_at = $3
         WHERE email_normalised = $2 AND email_verified_at IS NULL AND id <> $1",
        id.0,
        normalise(email),
        now
    )?;
    let rows = exec!(
        tx,
        "UPDATE users SET email = $2, email_normalised = $3, email_verified_at = COALESCE(email_verified_at, $4),
           updated_at = $4
         WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM users WHERE email_normalised = $3 AND id <> $1)",
        id.0,
        email.trim().to_owned(),
        normalise(email),
        now
    )?;
    Ok(rows == 1)
}

/// Replaces the address by one that nobody proved, where no mail can be sent; false when any account has it, proven or
/// not. The account counts as unproven from then on.
pub async fn set_unproven_email(tx: &mut Tx, id: UserId, email: &str, now: Instant) -> Result<bool, Error> {
    let changed = exec!(
        tx,
        "UPDATE users SET email = $2, email_normalised = $3, updated_at = $4,
           email_verified_at = CASE WHEN email_normalised = $3 THEN email_verified_at END
         WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM users WHERE email_normalised = $3 AND id <> $1)",
        id.0,
        email.trim().to_owned(),
        normalise(email),
        now
    );
    Ok(changed? == 1)
}

/// Changes what they want to be called.
pub async fn set_display_name(
    tx: &mut Tx,
    id: UserId,
    name: Option<&str>,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE users SET display_name = $2, updated_at = $3 WHERE id = $1",
        id.0,
        name.map(ToOwned::to_owned),
        now
    )?;
    Ok(())
}

/// Changes the language.
pub async fn set_language(tx: &mut Tx, id: UserId, language: &str, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE users SET language = $2, updated_at = $3 WHERE id = $1",
        id.0,
        language.to_owned(),
        now
    )?;
    Ok(())
}

/// Changes the auto-stop preference.
pub async fn set_auto_stop(tx: &mut Tx, id: UserId, on: bool, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE users SET auto_stop = $2, updated_at = $3 WHERE id = $1", id.0, on, now)?;
    Ok(())
}

/// The auto-stop preference.
pub async fn auto_stop(tx: &mut Tx, id: UserId) -> Result<bool, Error> {
    scalar!(tx, bool, "SELECT auto_stop FROM users WHERE id = $1", id.0)
}
