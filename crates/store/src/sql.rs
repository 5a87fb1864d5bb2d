//! Four macros that send one SQL literal with `$n` to either database, and a counter of the
//! statements sent.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

static SENT: AtomicU64 = AtomicU64::new(0);

/// Returns the number of statements that this process has sent to its database, including the start
/// and end of transactions. Used by benchmarks.
#[must_use]
pub fn statements() -> u64 {
    SENT.load(Ordering::Relaxed)
}

/// Counts one sent statement.
#[doc(hidden)]
pub fn sent() {
    SENT.fetch_add(1, Ordering::Relaxed);
}

/// Limits the wait for a server. A server that disappears silently (cut cable, frozen host) would
/// otherwise block for the kernel's own time-out, a quarter of an hour.
///
/// # Errors
/// Returns the error of `call`, or a time-out as a connection error. The transaction is unusable
/// after a time-out.
#[doc(hidden)]
pub async fn within<T>(
    deadline: Duration,
    call: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    let silent = || sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "the server does not answer"));
    tokio::time::timeout(deadline, call).await.unwrap_or_else(|_| Err(silent()))
}

/// Runs a statement. Returns the number of rows it changed.
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
