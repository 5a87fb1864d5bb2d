//! Promises of the ledger (RELIABILITY 3, 4, 5, 6, 7) against the whole server, on SQLite and on
//! PostgreSQL (`SOONER_TEST_POSTGRES`).
//!
//! `SOONER_MONEY=full` requests the full figures. `SOONER_KILLS`, `SOONER_WINDOWS`,
//! `SOONER_CANCELS` and `SOONER_PAYMENTS` choose other sizes. The seed is printed; `SOONER_SEED`
//! replays it as far as the kernel's timing permits. The oracle is the clients' responses, and sums
//! over the rows by the tests' own SQL.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "the files shared with other suites hold more than this one needs")]

/// Defines two tests of one async function over a `TestApp` with today's date.
macro_rules! stories {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name($crate::house::sqlite().await).await }
            )+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name($crate::house::postgres().await).await }
            )+
        }
    };
}

#[path = "../it/app.rs"]
mod app;
mod customer;
mod deliveries;
mod house;
mod kills;
mod payments;
#[path = "../../../store/tests/money/size.rs"]
mod size;
#[path = "../../../store/tests/money/tally.rs"]
mod tally;
mod vanish;
