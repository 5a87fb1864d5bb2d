//! Detection of a failover that lost commits, by the server history on which a lease was renewed. A
//! failover to an asynchronous standby loses acknowledged commits. The record that a booking was
//! sent may be among them.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, exec, one, scalar};

/// Server history, compared with the one on which the lease was last renewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// The same history, the first one seen, or SQLite.
    Same,
    /// Another history. The lease continues under this epoch.
    Changed(i64),
    /// The role lacks the permission to read the history, so lost commits would not be noticed.
    Unknown,
}

/// Time without bookings after a change of history, because the portal's pages lag behind a lost
/// booking.
pub const QUIET: TimeDelta = TimeDelta::seconds(180);
/// Distance to the epoch of a changed history, which no earlier holder can have reached.
const EPOCHS_AHEAD: i64 = 1 << 20;

/// Restrictions on the engine after a change of history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// Time of the change (wall time). A group is booked only if its own pages were read later.
    pub guarded_at: Option<Instant>,
    /// Time before which nothing is booked (portal time).
    pub quiet_until: Option<Instant>,
}

/// Compares the server's history with the one on which the lease `name` was last renewed, and
/// stores it. The caller uses the transaction that acquires the lease. The first history seen is
/// stored without further effect.
///
/// # Errors
/// Returns a database error.
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

/// Returns `true` if the server reports its history. `None` on SQLite, which has none.
pub async fn is_known(tx: &mut Tx) -> Result<Option<bool>, Error> {
    if matches!(tx, Tx::Sqlite(_)) {
        return Ok(None);
    }
    Ok(Some(scalar!(tx, Option<String>, "SELECT server_timeline()")?.is_some()))
}

/// Returns `true` if the server's reported history differs from the one on which a lease was last
/// renewed. Its rows may lack commits, and no engine has reacted to that yet.
pub async fn is_unnoticed(tx: &mut Tx) -> Result<bool, Error> {
    if matches!(tx, Tx::Sqlite(_)) {
        return Ok(false);
    }
    scalar!(tx, bool, "SELECT EXISTS (SELECT 1 FROM lease WHERE timeline <> server_timeline())")
}

/// Returns `true` if a group may be booked whose own pages were requested at `read_at` (wall time).
/// That must be after the last change of history, and [`QUIET`] must have passed since it. Called
/// in the transaction that commits to the booking.
pub async fn allows(tx: &mut Tx, name: &str, (read_at, portal): (Instant, Instant)) -> Result<bool, Error> {
    let guard = guard(tx, name).await?;
    Ok(guard.guarded_at.is_none_or(|at| read_at > at)
        && guard.quiet_until.is_none_or(|until| portal >= until))
}

/// Sets the same restrictions for a database that was restored from a backup, which also continues
/// another history.
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

/// Returns the restrictions after the last change of history.
pub async fn guard(tx: &mut Tx, name: &str) -> Result<Guard, Error> {
    type Row = (Option<DateTime<Utc>>, Option<DateTime<Utc>>);
    let row = one!(tx, Row, "SELECT guarded_at, quiet_until FROM lease WHERE name = $1", name.to_owned())?;
    let (guarded_at, quiet_until) = row.unwrap_or_default();
    Ok(Guard { guarded_at, quiet_until })
}
