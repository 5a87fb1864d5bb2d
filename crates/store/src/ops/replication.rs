//! PostgreSQL's report on its standbys.

use crate::{Error, Tx, one, scalar};

/// Standbys of a server, as far as the role may see them.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Standbys {
    /// Value of `synchronous_standby_names`; empty if commits wait for no standby.
    pub waits_for: String,
    /// `true` if the role sees the progress of standbys (`pg_read_all_stats`).
    pub may_tell: bool,
    /// Number of connected standbys.
    pub connected: i64,
    /// Number of these that are synchronous and streaming; always 0 if `may_tell` is `false`.
    pub synchronous: i64,
}

/// Reads the standbys from the server. `None` on SQLite.
pub async fn standbys(tx: &mut Tx) -> Result<Option<Standbys>, Error> {
    if let Tx::Sqlite(_) = tx {
        return Ok(None);
    }
    one!(
        tx,
        Standbys,
        "SELECT current_setting('synchronous_standby_names') AS waits_for,
           pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS may_tell,
           COUNT(*) AS connected,
           COUNT(*) FILTER (WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')) AS synchronous
         FROM pg_stat_replication"
    )
}

/// Returns the id of the server process of this connection. `None` on SQLite. Used by benchmarks.
pub async fn process(tx: &mut Tx) -> Result<Option<u32>, Error> {
    if let Tx::Sqlite(_) = tx {
        return Ok(None);
    }
    let own = scalar!(tx, i32, "SELECT pg_backend_pid()")?;
    Ok(u32::try_from(own).ok())
}
