//! Keyed hash of each stored password, and the time at which the portal accepted it. They bind
//! sessions to secrets.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::health::CredentialHealth;
use domain::ids::{CredentialId, PortalAccountId, TaskId, UserId};
use domain::secret::Tested;
use uuid::Uuid;

use super::{get, place};
use crate::keyring::{KeyRing, Sealed, SecretHash};
use crate::{Db, Error, Tx, all, exec, one};

/// Number of rows hashed in one transaction.
const BATCH: i64 = 200;

/// Result of the portal's last test of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretStatus {
    /// The portal accepted it, and no other secret since.
    Valid,
    /// The portal accepted another secret at the same time. This one is tested once before it is
    /// used.
    Untested,
    /// The portal rejected it, or accepted another secret later.
    Rejected,
}

/// Part of a credential that matters for sessions.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Id of the credential.
    pub id: CredentialId,
    /// User who owns the credential.
    pub user: UserId,
    /// Hash of the password. `None` until it was computed.
    pub secret: Option<SecretHash>,
    /// Result of the last test at the portal.
    pub standing: SecretStatus,
    /// Test that accepted the password, if known.
    pub accepted: Option<Tested>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    user_id: Uuid,
    secret_hash: Option<Vec<u8>>,
    secret_hash_version: Option<i32>,
    health: String,
    untested_since: Option<DateTime<Utc>>,
    accepted_sent_at: Option<DateTime<Utc>>,
    accepted_at: Option<DateTime<Utc>>,
}

impl From<Row> for Bound {
    fn from(row: Row) -> Self {
        let accepted = row.accepted_sent_at.zip(row.accepted_at);
        Self {
            id: CredentialId(row.id),
            user: UserId(row.user_id),
            secret: SecretHash::of_columns(row.secret_hash_version, row.secret_hash),
            standing: match row.untested_since {
                _ if row.health == CredentialHealth::Rejected.as_ref() => SecretStatus::Rejected,
                Some(_) => SecretStatus::Untested,
                None => SecretStatus::Valid,
            },
            accepted: accepted.map(|(sent, answered)| Tested { sent, answered }),
        }
    }
}

/// Returns one credential by id.
pub async fn bound(tx: &mut Tx, id: CredentialId) -> Result<Option<Bound>, Error> {
    let row = one!(
        tx,
        Row,
        "SELECT id, user_id, secret_hash, secret_hash_version, health, untested_since, accepted_sent_at, accepted_at
         FROM credential WHERE id = $1",
        id.0
    )?;
    Ok(row.map(Bound::from))
}

/// Returns and locks every credential of a portal account, in the order of their ids.
pub async fn of_account(tx: &mut Tx, account: PortalAccountId) -> Result<Vec<Bound>, Error> {
    let sql = tx.pick(
        "SELECT id, user_id, secret_hash, secret_hash_version, health, untested_since, accepted_sent_at, accepted_at
         FROM credential WHERE portal_account_id = $1 ORDER BY id",
        "SELECT id, user_id, secret_hash, secret_hash_version, health, untested_since, accepted_sent_at, accepted_at
         FROM credential WHERE portal_account_id = $1 ORDER BY id FOR UPDATE",
    );
    Ok(all!(tx, Row, sql, account.0)?.into_iter().map(Bound::from).collect())
}

/// Returns the users with an accepted password of a portal account.
pub async fn holders(tx: &mut Tx, account: PortalAccountId) -> Result<Vec<UserId>, Error> {
    let rows = all!(
        tx,
        (Uuid,),
        "SELECT user_id FROM credential WHERE portal_account_id = $1 AND health = 'valid' AND untested_since IS NULL
         ORDER BY user_id",
        account.0
    )?;
    Ok(rows.into_iter().map(|(id,)| UserId(id)).collect())
}

/// Records that the portal accepted this secret in this test.
pub async fn accept(tx: &mut Tx, id: CredentialId, secret: &SecretHash, test: Tested) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE credential SET secret_hash = $2, secret_hash_version = $3, accepted_sent_at = $4, accepted_at = $5,
           tested_at = $5, untested_since = NULL,
           health_since = CASE WHEN health = 'valid' THEN health_since ELSE $5 END, health = 'valid' WHERE id = $1",
        id.0,
        secret.hash.to_vec(),
        secret.version,
        test.sent,
        test.answered
    )?;
    Ok(())
}

/// Marks a secret as untested, because the portal accepted another one at the same time. It is
/// tested once more before it is used.
pub async fn set_untested(tx: &mut Tx, id: CredentialId, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE credential SET untested_since = COALESCE(untested_since, $2) WHERE id = $1 AND health = 'valid'",
        id.0,
        now
    )?;
    Ok(())
}

/// Returns `true` if a credential holds exactly this secret, accepted and not in doubt. Locks it
/// until this transaction ends.
pub async fn is_valid(tx: &mut Tx, id: CredentialId, secret: &SecretHash) -> Result<bool, Error> {
    let sql = tx.pick(
        "SELECT id FROM credential WHERE id = $1 AND health = 'valid' AND untested_since IS NULL
           AND secret_hash = $2 AND secret_hash_version = $3",
        "SELECT id FROM credential WHERE id = $1 AND health = 'valid' AND untested_since IS NULL
           AND secret_hash = $2 AND secret_hash_version = $3 FOR SHARE",
    );
    let found = one!(tx, (Uuid,), sql, id.0, secret.hash.to_vec(), secret.version)?;
    Ok(found.is_some())
}

/// Returns the tasks of a portal account that hold their groups, in the order of their ids.
pub async fn holding(tx: &mut Tx, account: PortalAccountId) -> Result<Vec<TaskId>, Error> {
    let rows = all!(
        tx,
        (Uuid,),
        "SELECT task.id FROM task JOIN credential ON credential.id = task.credential_id
         WHERE credential.portal_account_id = $1 AND task.deleted_at IS NULL
           AND task.status IN ('submitted', 'processing', 'active', 'stopped') ORDER BY task.id",
        account.0
    )?;
    Ok(rows.into_iter().map(|(id,)| TaskId(id)).collect())
}

/// Returns tasks that hold their groups with a rejected password and have no open attempt.
pub async fn to_stop(tx: &mut Tx) -> Result<Vec<TaskId>, Error> {
    let rows = all!(
        tx,
        (Uuid,),
        "SELECT task.id FROM credential JOIN task ON task.credential_id = credential.id
         WHERE credential.health = 'rejected' AND task.deleted_at IS NULL
           AND task.status IN ('submitted', 'processing', 'active', 'stopped')
           AND NOT EXISTS (SELECT 1 FROM intent WHERE intent.task_id = task.id AND intent.state IN ('acting', 'unknown'))
         ORDER BY task.id LIMIT 100"
    )?;
    Ok(rows.into_iter().map(|(id,)| TaskId(id)).collect())
}

/// Returns `true` if a booking for this task was sent and its outcome is not settled yet.
pub async fn is_open(tx: &mut Tx, task: TaskId) -> Result<bool, Error> {
    let open = one!(
        tx,
        (i64,),
        "SELECT CAST(1 AS BIGINT) FROM intent WHERE task_id = $1 AND state IN ('acting', 'unknown') LIMIT 1",
        task.0
    )?;
    Ok(open.is_some())
}

/// Hashes the passwords that have no hash with the key ring's current key, and clears sessions
/// without such a hash. Returns the number of passwords hashed. Safe to run concurrently and to
/// restart.
pub async fn fill(db: &Db, ring: &KeyRing) -> Result<u64, Error> {
    let mut after = Uuid::nil();
    let mut filled = 0;
    loop {
        let mut tx = db.begin().await?;
        let rows = all!(
            &mut tx,
            (Uuid,),
            "SELECT id FROM credential WHERE (secret_hash IS NULL OR secret_hash_version <> $1) AND id > $2
             ORDER BY id LIMIT $3",
            ring.index_version(),
            after,
            BATCH
        )?;
        let Some((last,)) = rows.last().copied() else { break };
        after = last;
        for (id,) in rows {
            filled += u64::from(hash_one(&mut tx, ring, CredentialId(id)).await?);
        }
        tx.commit().await?;
    }
    let mut tx = db.begin().await?;
    exec!(
        &mut tx,
        "UPDATE portal_account SET session_kid = NULL, session_blob = NULL, session_secret = NULL, session_at = NULL
         WHERE session_kid IS NOT NULL AND (session_secret IS NULL OR session_secret_version <> $1)",
        ring.index_version()
    )?;
    tx.commit().await?;
    Ok(filled)
}

/// Hashes one password. A password that cannot be decrypted gets no hash, and it can use no session
/// either.
async fn hash_one(tx: &mut Tx, ring: &KeyRing, id: CredentialId) -> Result<bool, Error> {
    let Some(row) = get(tx, id).await? else { return Ok(false) };
    let sealed = Sealed { kid: row.secret_kid.clone(), blob: row.secret_blob.clone() };
    let Ok(password) = ring.open(&place(row.id, row.user_id, row.secret_version), &sealed) else {
        return Ok(false);
    };
    let secret = ring.secret_hash(row.portal_account_id, &password);
    let rows = exec!(
        tx,
        "UPDATE credential SET secret_hash = $2, secret_hash_version = $3 WHERE id = $1 AND secret_version = $4",
        id.0,
        secret.hash.to_vec(),
        secret.version,
        row.secret_version
    )?;
    Ok(rows == 1)
}
