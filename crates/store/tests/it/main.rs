//! Conformance suite of the store: every story on SQLite and on PostgreSQL. `SOONER_TEST_POSTGRES`
//! names a server whose user may create databases.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::inconsistent_digit_grouping, reason = "50_00 reads as fifty dollars")]

/// Makes two tests of one async function over a `World`.
macro_rules! stories {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name($crate::support::sqlite().await).await }
            )+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name($crate::support::postgres().await).await }
            )+
        }
    };
}

mod accounts;
mod bookings;
mod channels;
mod deadlines;
mod key_ring;
mod key_rotation;
mod ledger;
mod operator;
mod pooler;
mod postgres_server;
mod retention;
mod single_server;
mod support;
mod tasks_and_accounts;
mod upgrade;
