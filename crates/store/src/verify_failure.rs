//! Rejected verifications per portal login, over all users: the portal locks accounts.

use domain::clock::Instant;
use uuid::Uuid;

use crate::{Error, Tx, exec, one};

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

/// How many attempts of a login were rejected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Failures {
    /// As a stranger sees it: those refused without asking included.
    pub seen: i64,
    /// By the portal.
    pub asked: i64,
    /// By the portal, of strangers.
    pub strangers: i64,
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

/// Counts a rejected verification of a login; whoever counts the same login at once waits for this transaction.
pub async fn add(
    tx: &mut Tx,
    id: Uuid,
    login_fp: &[u8],
    attempt: Attempt,
    now: Instant,
) -> Result<(), Error> {
    queue(tx, login_fp).await?;
    exec!(
        tx,
        "INSERT INTO verify_failure (id, login_fp, failed_at, stranger, asked) VALUES ($1, $2, $3, $4, $5)",
        id,
        login_fp.to_vec(),
        now,
        attempt != Attempt::Known,
        attempt != Attempt::Unasked
    )?;
    Ok(())
}

/// Takes back an attempt that was counted as rejected before it was made.
pub async fn forget(tx: &mut Tx, id: Uuid) -> Result<(), Error> {
    exec!(tx, "DELETE FROM verify_failure WHERE id = $1", id)?;
    Ok(())
}

/// How many verifications of a login were rejected since `since`, over all users.
pub async fn count(tx: &mut Tx, login_fp: &[u8], since: Instant) -> Result<Failures, Error> {
    let counted = one!(
        tx,
        Failures,
        "SELECT COUNT(*) AS seen, CAST(COALESCE(SUM(CASE WHEN asked THEN 1 ELSE 0 END), 0) AS BIGINT) AS asked,
           CAST(COALESCE(SUM(CASE WHEN asked AND stranger THEN 1 ELSE 0 END), 0) AS BIGINT) AS strangers
         FROM verify_failure WHERE login_fp = $1 AND failed_at > $2",
        login_fp.to_vec(),
        since
    )?;
    Ok(counted.unwrap_or_default())
}

/// Forgets what was counted before `before`.
pub async fn sweep(tx: &mut Tx, before: Instant) -> Result<u64, Error> {
    exec!(tx, "DELETE FROM verify_failure WHERE failed_at < $1", before)
}
