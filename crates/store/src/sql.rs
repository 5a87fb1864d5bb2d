//! Four macros that send one SQL literal with `$n` to either database, and how many were sent.

use std::sync::atomic::{AtomicU64, Ordering};

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

/// Runs a statement; returns the number of rows it changed.
#[macro_export]
macro_rules! exec {
    ($tx:expr, $sql:expr $(, $arg:expr)* $(,)?) => {{
        let sql: &'static str = $sql;
        $crate::sent();
        match &mut *$tx {
            $crate::Tx::Sqlite(t) => ::sqlx::query(sql)$(.bind($arg))*
                .execute(&mut **t).await.map(|done| done.rows_affected()),
            $crate::Tx::Postgres(t) => ::sqlx::query(sql)$(.bind($arg))*
                .execute(&mut **t).await.map(|done| done.rows_affected()),
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
            $crate::Tx::Postgres(t) => ::sqlx::query_as::<_, $row>(sql)$(.bind($arg))*.fetch_all(&mut **t).await,
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
            $crate::Tx::Postgres(t) => ::sqlx::query_as::<_, $row>(sql)$(.bind($arg))*.fetch_optional(&mut **t).await,
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
            $crate::Tx::Postgres(t) => ::sqlx::query_scalar::<_, $value>(sql)$(.bind($arg))*.fetch_one(&mut **t).await,
        }.map_err($crate::Error::from)
    }};
}
