//! Which history of the database server a lease was renewed on: after a failover to an asynchronous standby commits are
//! missing that were acknowledged, among them that a booking was sent.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, exec, one, scalar};

/// Nothing is booked for so long after a change: the portal's pages lag behind a booking that was forgotten.
pub const QUIET: TimeDelta = TimeDelta::seconds(180);
/// A changed history continues at an epoch no earlier holder can have reached.
const EPOCHS_AHEAD: i64 = 1 << 20;

/// What a changed history asks of the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// A group that was not read since (wall time) is read before it is booked.
    pub guarded_at: Option<Instant>,
    /// Nothing is booked before (portal time).
    pub quiet_until: Option<Instant>,
}

/// Compares the server with the one on which the lease `name` was last renewed, and remembers it. To be called in the
/// transaction that acquires the lease; returns the new epoch when the history changed.
///
/// The first server seen is remembered without any consequence, and so is one that does not say which it is.
///
/// # Errors
/// When the database fails.
pub async fn check(
    tx: &mut Tx,
    name: &str,
    highest_epoch: i64,
    (wall, portal): (Instant, Instant),
) -> Result<Option<i64>, Error> {
    if matches!(tx, Tx::Sqlite(_)) {
        return Ok(None);
    }
    let known = "SELECT timeline, server_timeline() FROM lease WHERE name = $1";
    let Some((known, Some(now))) = one!(tx, (Option<String>, Option<String>), known, name.to_owned())? else {
        return Ok(None);
    };
    match known {
        Some(known) if known == now => Ok(None),
        None => {
            exec!(tx, "UPDATE lease SET timeline = $2 WHERE name = $1", name.to_owned(), now)?;
            Ok(None)
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
            Ok(Some(epoch))
        }
    }
}

/// What the last change of history still asks for.
pub async fn guard(tx: &mut Tx, name: &str) -> Result<Guard, Error> {
    type Row = (Option<DateTime<Utc>>, Option<DateTime<Utc>>);
    let row = one!(tx, Row, "SELECT guarded_at, quiet_until FROM lease WHERE name = $1", name.to_owned())?;
    let (guarded_at, quiet_until) = row.unwrap_or_default();
    Ok(Guard { guarded_at, quiet_until })
}
