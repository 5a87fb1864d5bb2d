//! Preparation of a database restored from a backup, before a server may use it: it lacks all later
//! changes. After a failover that lost the last commits, card payments are read again in the same
//! way.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use domain::money::Money;

use crate::{Error, Tx, exec, node, one, scalar, timeline};

/// Usual time limit for reading card payments again.
const READ_WITHIN: TimeDelta = TimeDelta::minutes(10);

/// Treatment of top-up codes that were open at the time of the backup: they may have been redeemed
/// since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenCodes {
    /// They stay open.
    Keep,
    /// They are revoked.
    Revoke,
}

/// Changes made by preparing a restored database.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Time of the backup, as far as it is known. Later changes are missing.
    pub backup_at: Instant,
    /// Number of sessions that were ended.
    pub sessions: u64,
    /// Number of links and other tokens that were invalidated.
    pub links: u64,
    /// Number of waiting mails and messages that will not be sent.
    pub unsent: u64,
    /// Number of revoked top-up codes.
    pub codes_revoked: u64,
    /// Number of booking attempts to be read back.
    pub attempts: i64,
}

/// Restore, or failover with lost commits, whose card payments were not read again yet.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct UnfinishedRestore {
    /// Time after which changes may be missing, e.g. the time of the backup.
    pub backup_at: Instant,
    /// Time of the restore, or time at which the failover was noticed.
    pub restored_at: Instant,
}

/// Returns the number of open top-up codes and their total value.
pub async fn open_codes(tx: &mut Tx, now: Instant) -> Result<(i64, Money), Error> {
    let found = one!(
        tx,
        (i64, i64),
        "SELECT COUNT(*), CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM topup_code
         WHERE redeemed_at IS NULL AND revoked_at IS NULL AND expires_at > $1",
        now
    )?;
    let (count, minor) = found.unwrap_or_default();
    Ok((count, Money::cad(minor)))
}

/// Prepares a restored database in the caller's transaction:
///
/// - Ends every session and invalidates tokens and links in mails.
/// - Clears portal sessions and cancels waiting mails and messages.
/// - Holds money back until card payments were read again.
/// - Blocks bookings until each account's own pages were read.
/// - Makes every open booking attempt due for a read-back.
///
/// # Errors
/// Returns a database error, or an error if a server uses the database.
pub async fn prepare(
    tx: &mut Tx,
    engine_lease: &str,
    codes: OpenCodes,
    wall: Instant,
    portal: Instant,
) -> Result<Prepared, Error> {
    refuse_beside_servers(tx, engine_lease, wall).await?;
    let backup_at = backup_at(tx, wall).await?;
    let sessions = exec!(
        tx,
        "UPDATE session SET revoked_at = $1, revoked_reason = 'restored' WHERE revoked_at IS NULL",
        wall
    )?;
    let links = end_links(tx, wall).await?;
    crate::backup::forget_sessions(tx).await?;
    // Codes of the last minutes were used, or seen, already.
    let step = wall.timestamp() / 30 + 1;
    exec!(tx, "UPDATE totp SET last_step = $1 WHERE last_step < $1", step)?;
    // Most of them were sent before the database was lost.
    let unsent = exec!(
        tx,
        "UPDATE outbox SET dead_at = $1, claimed_till = NULL, not_sent = 'too_late'
         WHERE delivered_at IS NULL AND dead_at IS NULL",
        wall
    )?;
    let codes_revoked = match codes {
        OpenCodes::Keep => 0,
        OpenCodes::Revoke => {
            let sql = "UPDATE topup_code SET revoked_at = $1
                       WHERE redeemed_at IS NULL AND revoked_at IS NULL AND expires_at > $1";
            exec!(tx, sql, wall)?
        }
    };
    crate::booking_attempt::assume_all_sent(tx, portal, wall).await?;
    let attempts = "SELECT COUNT(*) FROM intent WHERE state IN ('acting', 'unknown')";
    let attempts = scalar!(tx, i64, attempts)?;
    timeline::guard_after_restore(tx, engine_lease, wall, portal).await?;
    read_again(tx, backup_at, wall).await?;
    Ok(Prepared { backup_at, sessions, links, unsent, codes_revoked, attempts })
}

/// Holds money back until card payments were read again, which takes the server a few seconds.
/// Called after the database server lost its last commits, as in a failover to an asynchronous
/// standby.
///
/// # Errors
/// Returns a database error.
pub async fn after_failover(tx: &mut Tx, now: Instant) -> Result<(), Error> {
    let since = backup_at(tx, now).await?;
    read_again(tx, since, now).await
}

/// Holds money back until card payments since `backup_at` were read again.
async fn read_again(tx: &mut Tx, backup_at: Instant, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO restore (id, backup_at, restored_at) VALUES (1, $1, $2)
         ON CONFLICT (id) DO UPDATE SET backup_at = excluded.backup_at, restored_at = excluded.restored_at,
           cards_read_at = NULL",
        backup_at,
        now
    )?;
    Ok(())
}

/// Fails if servers use this database. SQLite needs no check, because the file lock excludes them.
/// On PostgreSQL every server, whatever its role, records itself in the database.
async fn refuse_beside_servers(tx: &mut Tx, engine_lease: &str, now: Instant) -> Result<(), Error> {
    if matches!(tx, Tx::Sqlite(_)) {
        return Ok(());
    }
    let mut works: Vec<_> = node::running(tx, now).await?.into_iter().map(|node| node.name).collect();
    if works.is_empty() && crate::lease::is_held(tx, engine_lease).await? {
        works.push("one with the engine's lease".to_owned());
    }
    if works.is_empty() {
        return Ok(());
    }
    let named = works.join(", ");
    Err(Error::Refused(format!(
        "servers use this database, or did in the last two minutes: {named}. Stop them first. If none runs, these rows came with the backup: wait two minutes and try again"
    )))
}

/// Returns the time after which changes are missing: from the backup's own record, or from an
/// earlier restore whose payments were not read. Without either it is the time of the newest row.
async fn backup_at(tx: &mut Tx, now: Instant) -> Result<Instant, Error> {
    let said = "SELECT backup_at FROM restore WHERE cards_read_at IS NULL";
    if let Some((at,)) = one!(tx, (DateTime<Utc>,), said)? {
        return Ok(at);
    }
    let mut newest = None;
    for sql in [
        "SELECT MAX(created_at) FROM ledger_transfer",
        "SELECT MAX(updated_at) FROM task",
        "SELECT MAX(created_at) FROM card_payment",
        "SELECT MAX(created_at) FROM session",
        "SELECT MAX(created_at) FROM users",
    ] {
        newest = newest.max(scalar!(tx, Option<DateTime<Utc>>, sql)?);
    }
    Ok(newest.unwrap_or(now))
}

async fn end_links(tx: &mut Tx, now: Instant) -> Result<u64, Error> {
    let mut ended = 0;
    for sql in [
        "DELETE FROM token",
        "DELETE FROM sign_in_link",
        "DELETE FROM mailed_sign_in",
        "DELETE FROM passkey_challenge",
        "DELETE FROM email_change",
        "DELETE FROM bootstrap",
        "DELETE FROM oidc_flow",
    ] {
        ended += exec!(tx, sql)?;
    }
    exec!(tx, "DELETE FROM channel WHERE state = 'pending'")?;
    exec!(
        tx,
        "UPDATE mail_request SET resolved_at = $1, password_hash = NULL WHERE resolved_at IS NULL",
        now
    )?;
    Ok(ended)
}

/// Returns the restore, or failover, whose card payments must still be read.
pub async fn unfinished(tx: &mut Tx) -> Result<Option<UnfinishedRestore>, Error> {
    one!(
        tx,
        UnfinishedRestore,
        "SELECT backup_at, restored_at FROM restore WHERE restored_at IS NOT NULL AND cards_read_at IS NULL"
    )
}

/// Records that the card payments possibly lost by the restore, or failover, at `restored_at` were
/// read again. New holds are allowed again, unless another restore or failover happened meanwhile.
pub async fn cards_were_read(tx: &mut Tx, restored_at: Instant, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE restore SET cards_read_at = $2 WHERE restored_at = $1", restored_at, now)?;
    Ok(())
}

/// Returns the reason for a hold on money that lasts longer than reading card payments usually
/// takes, if there is one.
pub async fn waits_long(tx: &mut Tx, now: Instant) -> Result<Option<String>, Error> {
    let unread = unfinished(tx).await?.filter(|unread| unread.restored_at < now - READ_WITHIN);
    Ok(unread.map(|unread| waiting(&unread)))
}

fn waiting(unread: &UnfinishedRestore) -> String {
    format!(
        "commits after {} may be missing; the server is reading card payments again",
        unread.backup_at.format("%Y-%m-%d %H:%M UTC")
    )
}

/// Refuses holds and refund requests while money may have left by card without a record in this
/// database.
///
/// # Errors
/// Returns [`Error::Frozen`] until card payments were read again. Returns [`Error::Unavailable`]
/// until an engine has noticed a failover.
pub(crate) async fn refuse_until_read(tx: &mut Tx) -> Result<(), Error> {
    if timeline::is_unnoticed(tx).await? {
        let why = "an engine must first notice the failover, so that card payments are read again";
        return Err(Error::Unavailable(sqlx::Error::Protocol(why.to_owned())));
    }
    match unfinished(tx).await? {
        None => Ok(()),
        Some(unread) => Err(Error::Frozen(waiting(&unread))),
    }
}
