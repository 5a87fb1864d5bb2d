//! Rejected verifications per portal login, over all users: the portal locks accounts. Those under way reserve a share.

use chrono::TimeDelta;
use domain::clock::Instant;
use uuid::Uuid;

use crate::{Error, Tx, exec, one};

/// An attempt that has not ended after this time counts as rejected: its process died, and the portal may have said no.
const LASTS: TimeDelta = TimeDelta::minutes(5);

/// Who tries, and whether the portal is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// By somebody who holds an accepted password of the login, or where nobody does.
    Known,
    /// By somebody who does not, where somebody else does.
    Stranger,
    /// The same, refused without asking the portal.
    Unasked,
}

/// How many attempts of a login were rejected, and how many are being made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Failures {
    /// As a stranger sees it: those refused without asking included.
    pub seen: i64,
    /// By the portal.
    pub asked: i64,
    /// By the portal, of strangers.
    pub strangers: i64,
    /// Being made: the portal has not answered yet.
    pub under_way: i64,
    /// Of those, by strangers.
    pub strangers_under_way: i64,
}

/// Keeps others that count this login waiting until this transaction ends.
pub async fn queue(tx: &mut Tx, login_fp: &[u8]) -> Result<(), Error> {
    let queue = tx.pick(
        "SELECT 1 WHERE $1 IS NOT NULL",
        "SELECT CAST(pg_advisory_xact_lock(hashtext(encode($1, 'hex'))) AS TEXT)",
    );
    exec!(tx, queue, login_fp.to_vec())?;
    Ok(())
}

/// Counts an attempt before it is made: one that asks the portal as under way, any other as rejected. Concurrent callers
/// for the same login wait for this transaction.
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

/// The portal rejected an attempt that was under way.
pub async fn rejected(tx: &mut Tx, id: Uuid) -> Result<(), Error> {
    exec!(tx, "UPDATE verify_failure SET ends_by = NULL WHERE id = $1", id)?;
    Ok(())
}

/// Gives back the share of an attempt that the portal did not reject.
pub async fn forget(tx: &mut Tx, id: Uuid) -> Result<(), Error> {
    exec!(tx, "DELETE FROM verify_failure WHERE id = $1", id)?;
    Ok(())
}

/// How many verifications of a login were rejected since `since` and are under way at `now`, over all users.
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
