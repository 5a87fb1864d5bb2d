//! What PostgreSQL says of its standbys.

use crate::{Error, Tx, one, scalar};

/// The standbys of a server, as far as the role may know.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Standbys {
    /// `synchronous_standby_names`; empty where commits wait for nobody.
    pub waits_for: String,
    /// Whether the role sees how far standbys are (`pg_read_all_stats`).
    pub may_tell: bool,
    /// Standbys that are connected.
    pub connected: i64,
    /// Of these, synchronous ones that follow; always 0 where it may not tell.
    pub synchronous: i64,
}

/// Asks the server; none on SQLite.
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

/// The server's process that serves this connection; none on SQLite. For measures.
pub async fn process(tx: &mut Tx) -> Result<Option<u32>, Error> {
    if let Tx::Sqlite(_) = tx {
        return Ok(None);
    }
    let own = scalar!(tx, i32, "SELECT pg_backend_pid()")?;
    Ok(u32::try_from(own).ok())
}
