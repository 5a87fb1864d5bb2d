//! Locks on a subject for the length of a transaction: PostgreSQL's advisory locks, by a subject's id.

use crate::{Error, Tx, exec};

/// Waits until no other transaction works on `subject`, and keeps others waiting until this one ends.
///
/// SQLite has one writer at a time anyway.
pub async fn exclusive(tx: &mut Tx, subject: uuid::Uuid) -> Result<(), Error> {
    if matches!(tx, Tx::Postgres(_)) {
        exec!(tx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", subject.to_string())?;
    }
    Ok(())
}

/// Waits until nobody holds [`exclusive`] on `subject`, and keeps such a lock waiting until this transaction ends; shared
/// locks do not exclude each other.
pub async fn shared(tx: &mut Tx, subject: uuid::Uuid) -> Result<(), Error> {
    if matches!(tx, Tx::Postgres(_)) {
        let sql = "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))";
        exec!(tx, sql, subject.to_string())?;
    }
    Ok(())
}
