//! What the engine's watchdog needs of the database: an answer, and a record of the processes that it ended.

use chrono::TimeDelta;
use domain::clock::Instant;

use crate::{Error, Tx, exec, scalar};

/// A process is ended at most so often in an hour, whichever node it is.
const EXITS_IN_AN_HOUR: i64 = 3;

/// How many processes were ended that are still counted; asked to see whether the database answers as well.
pub async fn exits(tx: &mut Tx) -> Result<i64, Error> {
    scalar!(tx, i64, "SELECT COUNT(*) FROM watchdog_exit")
}

/// Records that a process is about to be ended; false where it has been done often enough.
pub async fn may_exit(tx: &mut Tx, now: Instant) -> Result<bool, Error> {
    let since = now - TimeDelta::hours(1);
    exec!(tx, "DELETE FROM watchdog_exit WHERE at <= $1", since)?;
    let lately = scalar!(tx, i64, "SELECT COUNT(*) FROM watchdog_exit WHERE at > $1", since)?;
    if lately >= EXITS_IN_AN_HOUR {
        return Ok(false);
    }
    exec!(tx, "INSERT INTO watchdog_exit (at) VALUES ($1)", now)?;
    Ok(true)
}
