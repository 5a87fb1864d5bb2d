//! Who does what only one may do. The only module that reads the database's time.

use std::time::Duration;

use crate::{Error, Tx, exec, one};

const NOW_SQLITE: &str = "INSERT INTO lease (name, holder, epoch, expires_us)
     VALUES ($1, $2, 1, CAST(unixepoch('now', 'subsec') * 1000000 AS BIGINT) + $3)
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, epoch = lease.epoch + 1,
       expires_us = excluded.expires_us
     WHERE lease.expires_us <= CAST(unixepoch('now', 'subsec') * 1000000 AS BIGINT)
     RETURNING epoch";
const NOW_POSTGRES: &str = "INSERT INTO lease (name, holder, epoch, expires_us)
     VALUES ($1, $2, 1, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + $3)
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, epoch = lease.epoch + 1,
       expires_us = excluded.expires_us
     WHERE lease.expires_us <= CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)
     RETURNING epoch";

/// Takes a lease that is free or has run out; answers its new epoch, or `None` while somebody holds it.
pub async fn acquire(
    tx: &mut Tx,
    name: &str,
    holder: &str,
    span: Duration,
) -> Result<Option<i64>, Error> {
    let sql = tx.pick(NOW_SQLITE, NOW_POSTGRES);
    let got = one!(
        tx,
        (i64,),
        sql,
        name.to_owned(),
        holder.to_owned(),
        micros(span)
    )?;
    Ok(got.map(|(epoch,)| epoch))
}

/// Prolongs a lease still held under `epoch`; false when it was lost (it ran out, or another took it).
pub async fn renew(tx: &mut Tx, name: &str, epoch: i64, span: Duration) -> Result<bool, Error> {
    let sql = tx.pick(
        "UPDATE lease SET expires_us = CAST(unixepoch('now', 'subsec') * 1000000 AS BIGINT) + $3
         WHERE name = $1 AND epoch = $2 AND expires_us > CAST(unixepoch('now', 'subsec') * 1000000 AS BIGINT)",
        "UPDATE lease SET expires_us = CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + $3
         WHERE name = $1 AND epoch = $2
           AND expires_us > CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
    );
    Ok(exec!(tx, sql, name.to_owned(), epoch, micros(span))? == 1)
}

/// Whether `epoch` still holds the lease; locks the row, so that nobody takes it before this transaction ends.
pub async fn holds(tx: &mut Tx, name: &str, epoch: i64) -> Result<bool, Error> {
    let sql = tx.pick(
        "SELECT epoch FROM lease WHERE name = $1 AND epoch = $2
           AND expires_us > CAST(unixepoch('now', 'subsec') * 1000000 AS BIGINT)",
        "SELECT epoch FROM lease WHERE name = $1 AND epoch = $2
           AND expires_us > CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) FOR SHARE",
    );
    Ok(one!(tx, (i64,), sql, name.to_owned(), epoch)?.is_some())
}

/// Gives a lease back at once; nothing happens when it was lost already. Its epoch is never used again.
pub async fn release(tx: &mut Tx, name: &str, epoch: i64) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE lease SET expires_us = 0 WHERE name = $1 AND epoch = $2",
        name.to_owned(),
        epoch
    )?;
    Ok(())
}

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX / 2)
}
