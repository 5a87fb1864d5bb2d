//! Deletion of portal passwords: with the last task that needs them, long after that task stopped,
//! or at the owner's request.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{CredentialId, UserId};
use uuid::Uuid;

use super::Credential;
use crate::task::Task;
use crate::{Db, Error, Tx, all, exec, scalar};

/// Returns `true` if a booking with this password is in progress or has an unknown outcome. The
/// read-back needs the password.
pub async fn is_busy(tx: &mut Tx, id: CredentialId) -> Result<bool, Error> {
    let open = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM intent WHERE state IN ('acting', 'unknown')
           AND task_id IN (SELECT id FROM task WHERE credential_id = $1)",
        id.0
    )?;
    Ok(open > 0)
}

/// Deletes a secret with its wrapped key. Also clears the account's session if this was its last
/// secret. The caller sets the status of the tasks.
pub async fn remove(tx: &mut Tx, credential: &Credential, now: Instant) -> Result<(), Error> {
    let id = credential.id.0;
    exec!(tx, "UPDATE task SET credential_id = NULL, updated_at = $2 WHERE credential_id = $1", id, now)?;
    exec!(tx, "DELETE FROM credential WHERE id = $1", id)?;
    end_session(tx, credential.portal_account_id.0).await
}

/// Deletes a secret that no task needs any more, unless a booking must still be read back. Returns
/// `true` if it was deleted.
pub async fn remove_unneeded(tx: &mut Tx, credential: &Credential, now: Instant) -> Result<bool, Error> {
    let used = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM task WHERE credential_id = $1 AND (deleted_at IS NULL OR last_read_at IS NOT NULL)",
        credential.id.0
    )?;
    if used > 0 || is_busy(tx, credential.id).await? {
        return Ok(false);
    }
    remove(tx, credential, now).await?;
    Ok(true)
}

/// Deletes the secret of a task that no longer needs it, unless another task does.
pub async fn remove_unneeded_of(tx: &mut Tx, task: &Task, now: Instant) -> Result<(), Error> {
    if let Some(id) = task.credential_id
        && let Some(credential) = super::get(tx, id).await?
    {
        remove_unneeded(tx, &credential, now).await?;
    }
    Ok(())
}

/// Number of rows changed in one transaction by [`sweep_unused`].
const BATCH: i64 = 200;

/// Detaches credentials from deleted tasks that no longer need them. Then deletes credentials older
/// than `before` that no task has, and the sessions of portal accounts without a password. Searches
/// in read-only transactions and handles one batch per call. Returns the number of deleted
/// credentials.
pub async fn sweep_unused(db: &Db, before: Instant) -> Result<u64, Error> {
    let mut tx = db.read().await?;
    let tasks = detachable(&mut tx).await?;
    drop(tx);
    if !tasks.is_empty() {
        let mut tx = db.begin().await?;
        detach(&mut tx, &tasks).await?;
        tx.commit().await?;
    }
    let mut tx = db.read().await?;
    let unused = unused(&mut tx, before).await?;
    drop(tx);
    if unused.is_empty() {
        return Ok(0);
    }
    let mut tx = db.begin().await?;
    let gone = remove_unused(&mut tx, &unused).await?;
    tx.commit().await?;
    Ok(gone)
}

/// Does the same as [`sweep_unused`] within the caller's transaction.
pub async fn sweep_unused_in(tx: &mut Tx, before: Instant) -> Result<u64, Error> {
    let tasks = detachable(tx).await?;
    detach(tx, &tasks).await?;
    let unused = unused(tx, before).await?;
    remove_unused(tx, &unused).await
}

async fn detachable(tx: &mut Tx) -> Result<Vec<(Uuid,)>, Error> {
    all!(
        tx,
        (Uuid,),
        "SELECT id FROM task WHERE deleted_at IS NOT NULL AND last_read_at IS NULL AND credential_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM intent WHERE intent.task_id = task.id AND state IN ('acting', 'unknown'))
         LIMIT $1",
        BATCH
    )
}

async fn detach(tx: &mut Tx, tasks: &[(Uuid,)]) -> Result<(), Error> {
    for (task,) in tasks {
        exec!(
            tx,
            "UPDATE task SET credential_id = NULL WHERE id = $1 AND deleted_at IS NOT NULL AND last_read_at IS NULL
               AND NOT EXISTS (SELECT 1 FROM intent WHERE intent.task_id = $1 AND state IN ('acting', 'unknown'))",
            *task
        )?;
    }
    Ok(())
}

/// Returns credentials that no task has, each with its portal account.
async fn unused(tx: &mut Tx, before: Instant) -> Result<Vec<(Uuid, Uuid)>, Error> {
    all!(
        tx,
        (Uuid, Uuid),
        "SELECT id, portal_account_id FROM credential WHERE created_at < $1
           AND NOT EXISTS (SELECT 1 FROM task WHERE task.credential_id = credential.id) LIMIT $2",
        before,
        BATCH
    )
}

async fn remove_unused(tx: &mut Tx, unused: &[(Uuid, Uuid)]) -> Result<u64, Error> {
    let mut gone = 0;
    for (credential, account) in unused {
        let removed = exec!(
            tx,
            "DELETE FROM credential WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM task WHERE task.credential_id = $1)",
            *credential
        )?;
        if removed > 0 {
            end_session(tx, *account).await?;
        }
        gone += removed;
    }
    Ok(gone)
}

/// Clears the session of a portal account without passwords.
async fn end_session(tx: &mut Tx, account: Uuid) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE portal_account SET session_kid = NULL, session_blob = NULL, session_secret = NULL, session_at = NULL WHERE id = $1
           AND NOT EXISTS (SELECT 1 FROM credential WHERE credential.portal_account_id = portal_account.id)",
        account
    )?;
    Ok(())
}

/// Secret whose tasks are all stopped or failed.
#[derive(Clone, Copy, Debug)]
pub struct UnusedCredential {
    /// Id of the credential.
    pub id: CredentialId,
    /// User who owns the secret.
    pub user: UserId,
    /// Time at which the last of its tasks stopped or failed.
    pub since: Instant,
    /// Time of the last deletion notice to the owner. A time before `since` belongs to an earlier
    /// inactive period.
    pub told_at: Option<Instant>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    user_id: Uuid,
    since: DateTime<Utc>,
    leaving_told_at: Option<DateTime<Utc>>,
}

impl From<Row> for UnusedCredential {
    fn from(row: Row) -> Self {
        let id = CredentialId(row.id);
        Self { id, user: UserId(row.user_id), since: row.since, told_at: row.leaving_told_at }
    }
}

/// Returns secrets whose tasks have all been stopped or failed since `before` at least. Leaves out
/// secrets with a booking that must still be read back.
pub async fn resting(tx: &mut Tx, before: Instant) -> Result<Vec<UnusedCredential>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT credential.id, credential.user_id, MAX(task.status_since) AS since,
           MAX(credential.leaving_told_at) AS leaving_told_at
         FROM credential JOIN task ON task.credential_id = credential.id AND task.deleted_at IS NULL
         WHERE NOT EXISTS (SELECT 1 FROM task open JOIN intent ON intent.task_id = open.id
           WHERE open.credential_id = credential.id AND intent.state IN ('acting', 'unknown'))
         GROUP BY credential.id, credential.user_id
         HAVING MAX(task.status_since) <= $1
           AND SUM(CASE WHEN task.status IN ('stopped', 'error') THEN 0 ELSE 1 END) = 0
         ORDER BY credential.id",
        before
    )?;
    Ok(rows.into_iter().map(UnusedCredential::from).collect())
}

/// Records the time of the deletion notice to the owner.
pub async fn set_notified(tx: &mut Tx, id: CredentialId, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE credential SET leaving_told_at = $2 WHERE id = $1", id.0, now)?;
    Ok(())
}

/// Returns the time of the deletion notice to the owner, if there was one.
pub async fn notified_at(tx: &mut Tx, id: CredentialId) -> Result<Option<Instant>, Error> {
    scalar!(tx, Option<DateTime<Utc>>, "SELECT leaving_told_at FROM credential WHERE id = $1", id.0)
}
