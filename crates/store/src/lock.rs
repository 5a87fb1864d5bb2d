//! Locks on a subject until the end of the transaction: PostgreSQL's advisory locks, by the
//! subject's id.

use crate::{Error, Tx, exec};

/// Acquires the exclusive lock on `subject` and holds it until this transaction ends.
///
/// Does nothing on SQLite, which has one writer at a time.
pub async fn exclusive(tx: &mut Tx, subject: uuid::Uuid) -> Result<(), Error> {
    if matches!(tx, Tx::Postgres(_)) {
        exec!(tx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", subject.to_string())?;
    }
    Ok(())
}

/// Acquires a shared lock on `subject` and holds it until this transaction ends. It excludes
/// [`exclusive`] locks, but no other shared locks.
pub async fn shared(tx: &mut Tx, subject: uuid::Uuid) -> Result<(), Error> {
    if matches!(tx, Tx::Postgres(_)) {
        let sql = "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))";
        exec!(tx, sql, subject.to_string())?;
    }
    Ok(())
}
