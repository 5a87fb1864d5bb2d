//! Which history of the database server a lease was renewed on: after a failover to an asynchronous standby commits are
//! missing that were acknowledged, among them that a booking was sent.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, exec, one, scalar};

/// What the server says of its history, against the one on which the lease was renewed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// It is the same one, or the first that was met, or a file's.
    Same,
    /// Another one: the lease continues under this epoch.
    Changed(i64),
    /// The role may not ask which it is: commits that a failover forgot would not be noticed.
    Unknown,
}

/// Nothing is booked for so long after a change: the portal's pages lag behind a booking that was forgotten.
pub const QUIET: TimeDelta = TimeDelta::seconds(180);
/// A changed history continues at an epoch no earlier holder can have reached.
const EPOCHS_AHEAD: i64 = 1 << 20;

/// What a changed history asks of the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// A group whose own pages were not read since (wall time) is not booked.
    pub guarded_at: Option<Instant>,
    /// Nothing is booked before (portal time).
    pub quiet_until: Option<Instant>,
}

/// Compares the server with the one on which the lease `name` was last renewed, and remembers it. To be called in the
/// transaction that acquires the lease. The first server seen is remembered without any consequence.
///
/// # Errors
/// When the database fails.
pub async fn check(
    tx: &mut Tx,
    name: &str,
    highest_epoch: i64,
    (wall, portal): (Instant, Instant),
) -> Result<History, Error> {
    if matches!(tx, Tx::Sqlite(_)) {
        return Ok(History::Same);
    }
    let known = "SELECT timeline, server_timeline() FROM lease WHERE name = $1";
    let Some((known, now)) = one!(tx, (Option<String>, Option<String>), known, name.to_owned())? else {
        return Ok(History::Same);
    };
    let Some(now) = now else { return Ok(History::Unknown) };
    match known {
        Some(known) if known == now => Ok(History::Same),
        None => {
            exec!(tx, "UPDATE lease SET timeline = $2 WHERE name = $1", name.to_owned(), now)?;
            Ok(History::Same)
        }
        Some(_) => {
            let epoch = scalar!(
                tx,
                i64,
                "UPDATE lease SET timeline = $2, guarded_at = $3, quiet_until = $4,
                   epoch = GREATEST(epoch, $5, COALESCE((SELECT MAX(epoch) FROM intent), 0)) + $6
                 WHERE name = $1 RETURNING epoch",
                name.to_owned(),
                now,
                wall,
                portal + QUIET,
                highest_epoch,
                EPOCHS_AHEAD
            )?;
            Ok(History::Changed(epoch))
        }
    }
}

/// Whether the server says which history it continues; none where there is nothing to say, in a file.
pub async fn is_known(tx: &mut Tx) -> Result<Option<bool>, Error> {
    if matches!(tx, Tx::Sqlite(_)) {
        return Ok(None);
    }
    Ok(Some(scalar!(tx, Option<String>, "SELECT server_timeline()")?.is_some()))
}

/// Whether the server continues another history than the one on which the lease was last renewed, as far as it says so: its rows
/// may lack what was committed, and no engine has acted on that yet.
pub async fn is_unnoticed(tx: &mut Tx) -> Result<bool, Error> {
    if matches!(tx, Tx::Sqlite(_)) {
        return Ok(false);
    }
    scalar!(tx, bool, "SELECT EXISTS (SELECT 1 FROM lease WHERE timeline <> server_timeline())")
}

/// Whether a group may be booked whose own pages were asked for at `read_at` (wall time): after the last change of history,
/// and not within [`QUIET`] of it. To be asked in the transaction that commits to it.
pub async fn allows(tx: &mut Tx, name: &str, (read_at, portal): (Instant, Instant)) -> Result<bool, Error> {
    let guard = guard(tx, name).await?;
    Ok(guard.guarded_at.is_none_or(|at| read_at > at)
        && guard.quiet_until.is_none_or(|until| portal >= until))
}

/// The same guard for a database that was restored from a backup, which continues another history as well.
pub async fn guard_after_restore(
    tx: &mut Tx,
    name: &str,
    wall: Instant,
    portal: Instant,
) -> Result<(), Error> {
    let sql = tx.pick(
        "INSERT INTO lease (name, holder, epoch, expires_us, guarded_at, quiet_until) VALUES ($1, '', $4, 0, $2, $3)
         ON CONFLICT (name) DO UPDATE SET expires_us = 0, guarded_at = $2, quiet_until = $3, timeline = NULL,
           epoch = MAX(lease.epoch, COALESCE((SELECT MAX(epoch) FROM intent), 0)) + $4",
        "INSERT INTO lease (name, holder, epoch, expires_us, guarded_at, quiet_until) VALUES ($1, '', $4, 0, $2, $3)
         ON CONFLICT (name) DO UPDATE SET expires_us = 0, guarded_at = $2, quiet_until = $3, timeline = NULL,
           epoch = GREATEST(lease.epoch, COALESCE((SELECT MAX(epoch) FROM intent), 0)) + $4",
    );
    exec!(tx, sql, name.to_owned(), wall, portal + QUIET, EPOCHS_AHEAD)?;
    Ok(())
}

/// What the last change of history still asks for.
pub async fn guard(tx: &mut Tx, name: &str) -> Result<Guard, Error> {
    type Row = (Option<DateTime<Utc>>, Option<DateTime<Utc>>);
    let row = one!(tx, Row, "SELECT guarded_at, quiet_until FROM lease WHERE name = $1", name.to_owned())?;
    let (guarded_at, quiet_until) = row.unwrap_or_default();
    Ok(Guard { guarded_at, quiet_until })
}
