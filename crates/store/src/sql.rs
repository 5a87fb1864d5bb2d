//! Four macros that send one SQL literal with `$n` to either database, and how many were sent.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

static SENT: AtomicU64 = AtomicU64::new(0);

/// Statements this process has sent to its database so far, beginnings and ends of transactions included: for measures.
#[must_use]
pub fn statements() -> u64 {
    SENT.load(Ordering::Relaxed)
}

/// One more was sent.
#[doc(hidden)]
pub fn sent() {
    SENT.fetch_add(1, Ordering::Relaxed);
}

/// Waits for a server no longer than this: one that is gone without a word (a cut cable, a host that froze) says nothing for as long as
/// the kernel is patient, which is a quarter of an hour.
///
/// # Errors
/// The call's own; that of a connection when its time is over. Its transaction is of no use afterwards.
#[doc(hidden)]
pub async fn within<T>(
    deadline: Duration,
    call: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    let silent = || sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "the server does not answer"));
    tokio::time::timeout(deadline, call).await.unwrap_or_else(|_| Err(silent()))
}

/// Runs a statement; returns the number of rows it changed.
#[macro_export]
macro_rules! exec {
    ($tx:expr, $sql:expr $(, $arg:expr)* $(,)?) => {{
        let sql: &'static str = $sql;
        $crate::sent();
        match &mut *$tx {
            $crate::Tx::Sqlite(t) => ::sqlx::query(sql)$(.bind($arg))*
                .execute(&mut **t).await.map(|done| done.rows_affected()),
            $crate::Tx::Postgres(t) => {
                let (deadline, keeps) = (t.deadline(), t.keeps_statements());
                let call = ::sqlx::query(sql)$(.bind($arg))*.persistent(keeps).execute(&mut **t);
                let answer = $crate::within(deadline, call).await;
                t.checked(answer).map(|done| done.rows_affected())
            }
        }.map_err($crate::Error::from)
    }};
}

/// Reads all rows into a `Vec` of a `FromRow` type.
#[macro_export]
macro_rules! all {
    ($tx:expr, $row:ty, $sql:expr $(, $arg:expr)* $(,)?) => {{
        let sql: &'static str = $sql;
        $crate::sent();
        match &mut *$tx {
            $crate::Tx::Sqlite(t) => ::sqlx::query_as::<_, $row>(sql)$(.bind($arg))*.fetch_all(&mut **t).await,
            $crate::Tx::Postgres(t) => {
                let (deadline, keeps) = (t.deadline(), t.keeps_statements());
                let call = ::sqlx::query_as::<_, $row>(sql)$(.bind($arg))*.persistent(keeps).fetch_all(&mut **t);
                let answer = $crate::within(deadline, call).await;
                t.checked(answer)
            }
        }.map_err($crate::Error::from)
    }};
}

/// Reads at most one row into a `FromRow` type.
#[macro_export]
macro_rules! one {
    ($tx:expr, $row:ty, $sql:expr $(, $arg:expr)* $(,)?) => {{
        let sql: &'static str = $sql;
        $crate::sent();
        match &mut *$tx {
            $crate::Tx::Sqlite(t) => ::sqlx::query_as::<_, $row>(sql)$(.bind($arg))*.fetch_optional(&mut **t).await,
            $crate::Tx::Postgres(t) => {
                let (deadline, keeps) = (t.deadline(), t.keeps_statements());
                let call = ::sqlx::query_as::<_, $row>(sql)$(.bind($arg))*.persistent(keeps).fetch_optional(&mut **t);
                let answer = $crate::within(deadline, call).await;
                t.checked(answer)
            }
        }.map_err($crate::Error::from)
    }};
}

/// Reads the first column of the only row.
#[macro_export]
macro_rules! scalar {
    ($tx:expr, $value:ty, $sql:expr $(, $arg:expr)* $(,)?) => {{
        let sql: &'static str = $sql;
        $crate::sent();
        match &mut *$tx {
            $crate::Tx::Sqlite(t) => ::sqlx::query_scalar::<_, $value>(sql)$(.bind($arg))*.fetch_one(&mut **t).await,
            $crate::Tx::Postgres(t) => {
                let (deadline, keeps) = (t.deadline(), t.keeps_statements());
                let call = ::sqlx::query_scalar::<_, $value>(sql)$(.bind($arg))*.persistent(keeps).fetch_one(&mut **t);
                let answer = $crate::within(deadline, call).await;
                t.checked(answer)
            }
        }.map_err($crate::Error::from)
    }};
}
