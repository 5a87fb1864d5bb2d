//! Portal passwords of users: encrypted, with the portal's last answer to each.

pub mod binding;
pub mod retention;

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::health::CredentialHealth;
use domain::ids::{CredentialId, PortalAccountId, UserId};
use domain::secret::SecretKind;
use uuid::Uuid;

use crate::keyring::{Sealed, SecretPlace};
use crate::task::parse_stored;
use crate::{Error, Tx, all, exec, one};

/// Password of one user for one portal account.
#[derive(Clone, Debug)]
pub struct Credential {
    /// Id of the credential.
    pub id: CredentialId,
    /// User who owns the credential.
    pub user_id: UserId,
    /// Portal account of the credential.
    pub portal_account_id: PortalAccountId,
    /// Login name, shown to its owner.
    pub username: String,
    /// Id of the key that encrypts the password.
    pub secret_kid: String,
    /// Encrypted password.
    pub secret_blob: Vec<u8>,
    /// Version of the password, bound to its ciphertext. It grows with each replacement.
    pub secret_version: i32,
    /// Health as last reported by the portal.
    pub health: CredentialHealth,
    /// Time at which the health began.
    pub health_since: Instant,
    /// Time of the last test at the portal.
    pub tested_at: Option<Instant>,
}

/// Returns the place to which the ciphertext of a portal password is bound.
#[must_use]
pub const fn place(id: CredentialId, owner: UserId, version: i32) -> SecretPlace {
    SecretPlace {
        kind: SecretKind::PortalPassword,
        table: "credential",
        column: "secret_blob",
        row: id.0,
        owner: owner.0,
        version,
    }
}

impl Credential {
    /// Returns the encrypted password, and the place to which its ciphertext is bound.
    #[must_use]
    pub fn sealed(&self) -> (SecretPlace, Sealed) {
        let sealed = Sealed { kid: self.secret_kid.clone(), blob: self.secret_blob.clone() };
        (place(self.id, self.user_id, self.secret_version), sealed)
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    user_id: Uuid,
    portal_account_id: Uuid,
    username: String,
    secret_kid: String,
    secret_blob: Vec<u8>,
    secret_version: i32,
    health: String,
    health_since: DateTime<Utc>,
    tested_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for Credential {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: CredentialId(row.id),
            user_id: UserId(row.user_id),
            portal_account_id: PortalAccountId(row.portal_account_id),
            username: row.username,
            secret_kid: row.secret_kid,
            secret_blob: row.secret_blob,
            secret_version: row.secret_version,
            health: parse_stored("credential.health", &row.health)?,
            health_since: row.health_since,
            tested_at: row.tested_at,
        })
    }
}

/// Returns one credential by id.
pub async fn get(tx: &mut Tx, id: CredentialId) -> Result<Option<Credential>, Error> {
    one!(
        tx,
        Row,
        "SELECT id, user_id, portal_account_id, username, secret_kid, secret_blob, secret_version, health,
           health_since, tested_at FROM credential WHERE id = $1",
        id.0
    )?
    .map(Credential::try_from)
    .transpose()
}

/// Returns a user's credential for a portal account.
pub async fn of_user(
    tx: &mut Tx,
    user: UserId,
    account: PortalAccountId,
) -> Result<Option<Credential>, Error> {
    one!(
        tx,
        Row,
        "SELECT id, user_id, portal_account_id, username, secret_kid, secret_blob, secret_version, health,
           health_since, tested_at FROM credential WHERE user_id = $1 AND portal_account_id = $2",
        user.0,
        account.0
    )?
    .map(Credential::try_from)
    .transpose()
}

/// Returns at most `limit` credentials of all users, spread evenly over the ids.
pub async fn sample(tx: &mut Tx, limit: i64) -> Result<Vec<Credential>, Error> {
    let all = crate::scalar!(tx, i64, "SELECT COUNT(*) FROM credential")?;
    let step = (all / limit.max(1)).max(1);
    all!(
        tx,
        Row,
        "SELECT id, user_id, portal_account_id, username, secret_kid, secret_blob, secret_version, health,
           health_since, tested_at
         FROM (SELECT credential.*, ROW_NUMBER() OVER (ORDER BY id) AS place FROM credential) AS numbered
         WHERE place % $1 = 0 ORDER BY id LIMIT $2",
        step,
        limit
    )?
    .into_iter()
    .map(Credential::try_from)
    .collect()
}

/// Returns all credentials of a user.
pub async fn all_of_user(tx: &mut Tx, user: UserId) -> Result<Vec<Credential>, Error> {
    all!(
        tx,
        Row,
        "SELECT id, user_id, portal_account_id, username, secret_kid, secret_blob, secret_version, health,
           health_since, tested_at FROM credential WHERE user_id = $1 ORDER BY created_at, id",
        user.0
    )?
    .into_iter()
    .map(Credential::try_from)
    .collect()
}

/// Writes a secret that the portal just accepted. It replaces the user's old secret for that
/// account. The caller must also call [`binding::accept`] to record the hash of the secret.
pub async fn save(tx: &mut Tx, credential: &Credential, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO credential (id, user_id, portal_account_id, username, secret_kid, secret_blob, secret_version,
           health, health_since, tested_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'valid', $8, $8, $8)
         ON CONFLICT (user_id, portal_account_id) DO UPDATE SET username = $4, secret_kid = $5, secret_blob = $6,
           secret_version = $7, health = 'valid', tested_at = $8, leaving_told_at = NULL,
           secret_hash = NULL, secret_hash_version = NULL, untested_since = NULL,
           health_since = CASE WHEN credential.health = 'valid' THEN credential.health_since ELSE $8 END",
        credential.id.0,
        credential.user_id.0,
        credential.portal_account_id.0,
        credential.username.clone(),
        credential.secret_kid.clone(),
        credential.secret_blob.clone(),
        credential.secret_version,
        now
    )?;
    Ok(())
}

/// Records that the portal accepted or rejected a secret.
pub async fn set_health(
    tx: &mut Tx,
    id: CredentialId,
    health: CredentialHealth,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE credential SET health_since = CASE WHEN health = $2 THEN health_since ELSE $3 END, health = $2,
           tested_at = $3, untested_since = CASE WHEN $2 = 'rejected' THEN NULL ELSE untested_since END WHERE id = $1",
        id.0,
        <&str>::from(health),
        now
    )?;
    Ok(())
}
