//! Database access of the engine's watchdog: a check that the database responds, and a record of
//! the processes that it ended.

use chrono::TimeDelta;
use domain::clock::Instant;

use crate::{Error, Tx, exec, scalar};

/// Maximum number of processes ended in an hour, over all nodes.
const EXITS_IN_AN_HOUR: i64 = 3;

/// Counts the ended processes that are still recorded. The watchdog also calls it to check that the
/// database responds.
pub async fn exits(tx: &mut Tx) -> Result<i64, Error> {
    scalar!(tx, i64, "SELECT COUNT(*) FROM watchdog_exit")
}

/// Records that a process is about to be ended. Returns `false` if the limit is reached.
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
