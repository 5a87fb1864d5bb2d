//! Tests of the store. Every test runs on SQLite and on PostgreSQL. `SOONER_TEST_POSTGRES` is the
//! URL of a server whose user may create databases.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::inconsistent_digit_grouping, reason = "50_00 reads as fifty dollars")]

/// Creates two tests from one async function over a `World`: one for SQLite and one for PostgreSQL.
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
mod facilities;
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
