//! What a database needs that was restored from a backup, before a server may work on it: it forgets whatever happened since. Where
//! a failover forgot the last commits, card payments are read again in the same way.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use domain::money::Money;

use crate::{Error, Tx, exec, node, one, scalar, timeline};

/// Card payments are read again within this, as a rule.
const READ_WITHIN: TimeDelta = TimeDelta::minutes(10);

/// What becomes of top-up codes that were open when the backup was made: they may have been used since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenCodes {
    /// They stay open.
    Keep,
    /// They are revoked.
    Revoke,
}

/// What preparing a restored database changed.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// When the backup was made, as far as it is known: what happened since is missing.
    pub backup_at: Instant,
    /// Sign-ins that ended.
    pub sessions: u64,
    /// Links and other tokens that work no more.
    pub links: u64,
    /// Mails and messages that were waiting, and are not sent.
    pub unsent: u64,
    /// Top-up codes that were revoked.
    pub codes_revoked: u64,
    /// Booking attempts that are read back.
    pub attempts: i64,
}

/// A database that was restored, or forgot commits in a failover, and whose card payments were not read again yet.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Unread {
    /// Since when something may be missing, e.g. when the backup was made.
    pub backup_at: Instant,
    /// When it was restored, or the failover noticed.
    pub restored_at: Instant,
}

/// How many top-up codes are open, and what they are worth together.
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

/// Prepares a restored database in the caller's transaction: ends every sign-in and link, forgets portal sessions, sends none of
/// the mails that were waiting, holds money back until card payments were read again, books nothing before each account's own
/// pages were read, and reads back every booking attempt that was open.
///
/// # Errors
/// When the database fails, or a server works on it.
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
    // A code of the last minutes was taken, or seen, already.
    let step = wall.timestamp() / 30 + 1;
    exec!(tx, "UPDATE totp SET last_step = $1 WHERE last_step < $1", step)?;
    // Most of them left before the database was lost.
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

/// To be called where the database server forgot what was committed last, as a failover to an asynchronous standby does: money waits
/// until card payments were read again, which takes the server a few seconds.
///
/// # Errors
/// When the database fails.
pub async fn after_failover(tx: &mut Tx, now: Instant) -> Result<(), Error> {
    let since = backup_at(tx, now).await?;
    read_again(tx, since, now).await
}

/// Money waits until card payments were read again that were made since `backup_at`.
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

/// SQLite's file is locked by who works on it; servers on PostgreSQL say what they do, whatever their role.
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
        "servers work on this database, or did within the last two minutes: {named}. Stop every one first; a backup brings who worked as it was made: then wait two minutes"
    )))
}

/// Since when something is missing: as a backup says itself, or an earlier restore whose payments were not read; else since the
/// last thing that is in it.
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
    for sql in
        ["DELETE FROM token", "DELETE FROM email_change", "DELETE FROM bootstrap", "DELETE FROM oidc_flow"]
    {
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

/// The restore, or failover, after which card payments are still to be read.
pub async fn unread(tx: &mut Tx) -> Result<Option<Unread>, Error> {
    one!(
        tx,
        Unread,
        "SELECT backup_at, restored_at FROM restore WHERE restored_at IS NOT NULL AND cards_read_at IS NULL"
    )
}

/// Card payments were read again that the restore, or failover, at `restored_at` may have forgotten: money moves as usual, unless
/// there was another one meanwhile.
pub async fn cards_were_read(tx: &mut Tx, restored_at: Instant, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE restore SET cards_read_at = $2 WHERE restored_at = $1", restored_at, now)?;
    Ok(())
}

/// Why money has waited for longer than reading card payments again takes, if it has.
pub async fn waits_long(tx: &mut Tx, now: Instant) -> Result<Option<String>, Error> {
    let unread = unread(tx).await?.filter(|unread| unread.restored_at < now - READ_WITHIN);
    Ok(unread.map(|unread| waiting(&unread)))
}

fn waiting(unread: &Unread) -> String {
    format!(
        "what was committed after {} may be missing: card payments are being read again",
        unread.backup_at.format("%Y-%m-%d %H:%M UTC")
    )
}

/// Refuses to set money aside, or to let a person ask for it back, that may have left by card unknown to this database.
///
/// # Errors
/// [`Error::Frozen`] until card payments were read again, [`Error::Unavailable`] until a failover was noticed.
pub(crate) async fn refuse_until_read(tx: &mut Tx) -> Result<(), Error> {
    if timeline::is_unnoticed(tx).await? {
        let why = "after a failover an engine has to see first that card payments are read again";
        return Err(Error::Unavailable(sqlx::Error::Protocol(why.to_owned())));
    }
    match unread(tx).await? {
        None => Ok(()),
        Some(unread) => Err(Error::Frozen(waiting(&unread))),
    }
}
