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

#[path = "it/accounts.rs"]
mod accounts;
#[path = "it/bookings.rs"]
mod bookings;
#[path = "it/channels.rs"]
mod channels;
#[path = "it/deadlines.rs"]
mod deadlines;
#[path = "it/keys.rs"]
mod keys;
#[path = "it/ledger.rs"]
mod ledger;
#[path = "it/one_engine.rs"]
mod one_engine;
#[path = "it/operator.rs"]
mod operator;
#[path = "it/pooler.rs"]
mod pooler;
#[path = "it/retention.rs"]
mod retention;
#[path = "it/rotation.rs"]
mod rotation;
#[path = "it/server.rs"]
mod server;
#[path = "it/support.rs"]
mod support;
#[path = "it/upgrade.rs"]
mod upgrade;
#[path = "it/watching.rs"]
mod watching;
