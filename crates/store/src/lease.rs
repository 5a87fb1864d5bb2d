//! Leases for work that only one process may do. Expiry is judged by the database's time.

use crate::{Error, Tx, exec, one};

/// Name of the engine's lease.
pub const ENGINE: &str = "engine";

// One process owns an SQLite database (`crate::file_lock`), so the holder's lease does not expire.
// The machine's clock may be set, and a lease lost by that would discard the process's in-memory
// state.
const ACQUIRE_SQLITE: &str = "INSERT INTO lease (name, holder, epoch, expires_us)
     VALUES ($1, $2, 1, CAST(unixepoch('now', 'subsec') * 1000000 AS BIGINT) + $3)
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_us = excluded.expires_us,
       epoch = CASE WHEN lease.expires_us <> 0 THEN lease.epoch ELSE lease.epoch + 1 END
     WHERE lease.holder = excluded.holder OR lease.expires_us = 0
     RETURNING epoch";
const ACQUIRE_POSTGRES: &str = "INSERT INTO lease (name, holder, epoch, expires_us)
     VALUES ($1, $2, 1, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + $3)
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_us = excluded.expires_us,
       epoch = CASE WHEN lease.expires_us > CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)
               THEN lease.epoch ELSE lease.epoch + 1 END
     WHERE lease.holder = excluded.holder
        OR lease.expires_us <= CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)
     RETURNING epoch";

/// Acquires a lease that is free or expired, or renews the holder's own, for `seconds`.
///
/// Returns its epoch, or `None` while another holder has it. A renewal keeps the epoch. Acquiring
/// an expired lease gives a new epoch, even to the same holder. On SQLite a lease never expires: it
/// is released or seized.
pub async fn acquire(tx: &mut Tx, name: &str, holder: &str, seconds: i64) -> Result<Option<i64>, Error> {
    let sql = tx.pick(ACQUIRE_SQLITE, ACQUIRE_POSTGRES);
    let got = one!(tx, (i64,), sql, name.to_owned(), holder.to_owned(), seconds * 1_000_000)?;
    Ok(got.map(|(epoch,)| epoch))
}

/// Returns `true` if `holder` still holds the lease under `epoch`, and locks it until this
/// transaction ends. On PostgreSQL it also returns `false` if the server is not the one on which
/// the lease was last renewed: see [`crate::timeline`].
pub async fn holds(tx: &mut Tx, name: &str, holder: &str, epoch: i64) -> Result<bool, Error> {
    let sql = tx.pick(
        "SELECT epoch FROM lease WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_us <> 0",
        "SELECT epoch FROM lease WHERE name = $1 AND holder = $2 AND epoch = $3
           AND expires_us > CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)
           AND (timeline IS NULL OR timeline = COALESCE(server_timeline(), timeline)) FOR SHARE",
    );
    Ok(one!(tx, (i64,), sql, name.to_owned(), holder.to_owned(), epoch)?.is_some())
}

/// Releases a lease at once. Does nothing if it was lost already. Its epoch is never used again.
pub async fn release(tx: &mut Tx, name: &str, holder: &str, epoch: i64) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE lease SET expires_us = 0 WHERE name = $1 AND holder = $2 AND epoch = $3",
        name.to_owned(),
        holder.to_owned(),
        epoch
    )?;
    Ok(())
}

/// Ends a lease of any holder. Only for SQLite: its database has one process, so an earlier holder
/// is gone.
pub async fn seize(tx: &mut Tx, name: &str) -> Result<(), Error> {
    exec!(tx, "UPDATE lease SET expires_us = 0 WHERE name = $1", name.to_owned())?;
    Ok(())
}

/// Returns the node that holds the lease or held it last.
pub async fn last_holder(tx: &mut Tx, name: &str) -> Result<Option<String>, Error> {
    let row = one!(tx, (String,), "SELECT holder FROM lease WHERE name = $1", name.to_owned())?;
    Ok(row.map(|(holder,)| holder))
}

/// Returns `true` if any node holds the lease now.
pub async fn is_held(tx: &mut Tx, name: &str) -> Result<bool, Error> {
    let sql = tx.pick(
        "SELECT epoch FROM lease WHERE name = $1
           AND expires_us > CAST(unixepoch('now', 'subsec') * 1000000 AS BIGINT)",
        "SELECT epoch FROM lease WHERE name = $1
           AND expires_us > CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
    );
    Ok(one!(tx, (i64,), sql, name.to_owned())?.is_some())
}
