//! Rejected verifications per portal login, over all users, because the portal locks accounts.
//! Verifications in progress reserve a share of the limit.

use chrono::TimeDelta;
use domain::clock::Instant;
use uuid::Uuid;

use crate::{Error, Tx, exec, one};

/// Time after which an unfinished attempt counts as rejected: its process has ended, and the portal
/// may have rejected it.
const LASTS: TimeDelta = TimeDelta::minutes(5);

/// Kind of attempt, by its user and by its request to the portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Attempt by a user with an accepted password of the login, or at a login of which no user has
    /// an accepted password.
    Known,
    /// Attempt by another user, if a user with an accepted password exists.
    Stranger,
    /// Attempt by another user that was refused without a request to the portal.
    Unasked,
}

/// Numbers of rejected and running attempts of a login.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Failures {
    /// Rejected attempts as other users see them, including those refused without a request.
    pub seen: i64,
    /// Attempts that the portal rejected.
    pub asked: i64,
    /// Attempts of other users that the portal rejected.
    pub strangers: i64,
    /// Attempts in progress, without a response of the portal yet.
    pub under_way: i64,
    /// Attempts of other users in progress.
    pub strangers_under_way: i64,
}

/// Locks the count of this login until the transaction ends.
pub async fn queue(tx: &mut Tx, login_fp: &[u8]) -> Result<(), Error> {
    let queue = tx.pick(
        "SELECT 1 WHERE $1 IS NOT NULL",
        "SELECT CAST(pg_advisory_xact_lock(hashtext(encode($1, 'hex'))) AS TEXT)",
    );
    exec!(tx, queue, login_fp.to_vec())?;
    Ok(())
}

/// Counts an attempt before it is made: as in progress if it sends a request to the portal,
/// otherwise as rejected. Concurrent callers for the same login wait for this transaction.
pub async fn add(
    tx: &mut Tx,
    id: Uuid,
    login_fp: &[u8],
    attempt: Attempt,
    now: Instant,
) -> Result<(), Error> {
    queue(tx, login_fp).await?;
    let asks = attempt != Attempt::Unasked;
    exec!(
        tx,
        "INSERT INTO verify_failure (id, login_fp, failed_at, stranger, asked, ends_by)
         VALUES ($1, $2, $3, $4, $5, $6)",
        id,
        login_fp.to_vec(),
        now,
        attempt != Attempt::Known,
        asks,
        asks.then(|| now + LASTS)
    )?;
    Ok(())
}

/// Records that the portal rejected an attempt that was in progress.
pub async fn rejected(tx: &mut Tx, id: Uuid) -> Result<(), Error> {
    exec!(tx, "UPDATE verify_failure SET ends_by = NULL WHERE id = $1", id)?;
    Ok(())
}

/// Releases the share of an attempt that the portal did not reject.
pub async fn forget(tx: &mut Tx, id: Uuid) -> Result<(), Error> {
    exec!(tx, "DELETE FROM verify_failure WHERE id = $1", id)?;
    Ok(())
}

/// Counts the verifications of a login that were rejected since `since`, and those in progress at
/// `now`, over all users.
pub async fn count(tx: &mut Tx, login_fp: &[u8], since: Instant, now: Instant) -> Result<Failures, Error> {
    let counted = one!(
        tx,
        Failures,
        "SELECT COALESCE(SUM(1 - under_way), 0) AS seen,
           COALESCE(SUM(asked * (1 - under_way)), 0) AS asked,
           COALESCE(SUM(asked * stranger * (1 - under_way)), 0) AS strangers,
           COALESCE(SUM(under_way), 0) AS under_way,
           COALESCE(SUM(stranger * under_way), 0) AS strangers_under_way
         FROM (
           SELECT CASE WHEN asked THEN 1 ELSE 0 END AS asked, CASE WHEN stranger THEN 1 ELSE 0 END AS stranger,
             CASE WHEN ends_by > $3 THEN 1 ELSE 0 END AS under_way
           FROM verify_failure WHERE login_fp = $1 AND failed_at > $2
         ) attempt",
        login_fp.to_vec(),
        since,
        now
    )?;
    Ok(counted.unwrap_or_default())
}
