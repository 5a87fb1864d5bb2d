//! Users with an account here.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;
use uuid::Uuid;

use crate::email_change::ProvenEmail;
use crate::token::Registration;
use crate::{Error, Tx, exec, one, scalar};

/// User with an account here.
#[derive(Clone, Debug)]
pub struct User {
    /// Id of the user.
    pub id: UserId,
    /// Address as typed at registration.
    pub email: String,
    /// Display name.
    pub display_name: Option<String>,
    /// Argon2id hash in PHC form. `None` for users who sign in only at a provider. Until the
    /// address is proven, it is the one of the newest registration.
    pub password_hash: Option<String>,
    /// Language: `en` or `zh`.
    pub language: String,
    /// Time at which the address was proven.
    pub email_verified_at: Option<Instant>,
    /// `true` to stop a task after its first success.
    pub auto_stop: bool,
    /// Referral code of the user.
    pub referral_code: String,
    /// Time of the registration.
    pub created_at: Instant,
    /// Time of the last change of this row.
    pub updated_at: Instant,
}

/// User to insert.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// Id of the user.
    pub id: UserId,
    /// Address as typed.
    pub email: String,
    /// Argon2id hash in PHC form.
    pub password_hash: Option<String>,
    /// Language: `en` or `zh`.
    pub language: String,
    /// New referral code of the user.
    pub referral_code: String,
    /// Referrer of the user.
    pub referred_by: Option<UserId>,
    /// Time at which the address was proven. Set if no mail is configured, and for the demo's
    /// account.
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

/// Returns an address in its compared form: trimmed, lower case.
#[must_use]
pub fn normalise(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Inserts a user. Returns `false` if the address is taken.
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

/// Returns `true` if there is any account that was not deleted.
pub async fn any(tx: &mut Tx) -> Result<bool, Error> {
    let count = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM (SELECT 1 FROM users WHERE email_normalised NOT LIKE 'deleted-%@deleted.invalid' LIMIT 1) AS one"
    )?;
    Ok(count > 0)
}

/// Returns the user with this id.
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

/// Returns `true` if an operator suspended this user.
pub async fn is_suspended(tx: &mut Tx, id: UserId) -> Result<bool, Error> {
    let suspended =
        scalar!(tx, i64, "SELECT COUNT(*) FROM users WHERE id = $1 AND suspended_at IS NOT NULL", id.0)?;
    Ok(suspended > 0)
}

/// Suspends a user from now on, or ends the suspension. Returns `false` if nothing changes.
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

/// Finds the user with this address, ignoring case and surrounding spaces.
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

/// Returns the user who owns this referral code.
pub async fn by_referral_code(tx: &mut Tx, code: &str) -> Result<Option<UserId>, Error> {
    let row = one!(tx, (Uuid,), "SELECT id FROM users WHERE referral_code = $1", code.to_owned())?;
    Ok(row.map(|(id,)| UserId(id)))
}

/// Sets password and language of an unproven account to those of its newest registration. Returns
/// `false` if the address is already proven.
pub async fn replace_unproven_registration(
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

/// Records that the address was proven, and the registration that proved it. Returns `false` if it
/// was proven before: the first registration stays.
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

/// Returns `true` if an unproven address was registered with several passwords, so that the owner's
/// is unknown.
pub async fn is_contested(tx: &mut Tx, id: UserId) -> Result<bool, Error> {
    scalar!(tx, bool, "SELECT contested FROM users WHERE id = $1", id.0)
}

/// Locks the user against concurrent changes of the sign-in. Returns `false` if the account was
/// deleted meanwhile, or if `checked` is no longer its password hash.
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

/// Replaces the password hash.
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

/// Replaces the address by one that a mailed link proved. Returns `false` if another user has
/// proven it. An account that was registered with it but never proven loses the address.
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

/// Replaces the address by an unproven one, if no mail can be sent. Returns `false` if any other
/// account has it, proven or not. The account counts as unproven from then on.
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

/// Sets or clears the display name.
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

/// Sets the language.
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

/// Sets the auto-stop preference.
pub async fn set_auto_stop(tx: &mut Tx, id: UserId, on: bool, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE users SET auto_stop = $2, updated_at = $3 WHERE id = $1", id.0, on, now)?;
    Ok(())
}

/// Returns the auto-stop preference.
pub async fn auto_stop(tx: &mut Tx, id: UserId) -> Result<bool, Error> {
    scalar!(tx, bool, "SELECT auto_stop FROM users WHERE id = $1", id.0)
}
