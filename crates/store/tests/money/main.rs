//! Tests of the promises about the ledger (RELIABILITY 1, 2, 4, 5, 6 and 8) on SQLite and on
//! PostgreSQL (`SOONER_TEST_POSTGRES`).
//!
//! `SOONER_MONEY=full` selects the full sizes. `SOONER_OPS`, `SOONER_HOLDS`, `SOONER_CODES`,
//! `SOONER_CUTS`, `SOONER_WINDOWS` and `SOONER_CANCELS` select other sizes. Each test prints its
//! seed, and `SOONER_SEED` repeats a run. The tests do not rely on the ledger's own sums. They
//! compute the sums from the results that callers got.

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

mod codes;
mod crowd;
mod full_disk;
mod holds;
mod log_cuts;
mod lost_writes;
mod model;
mod size;
#[path = "../it/support.rs"]
mod support;
mod tally;

/// Returns the world with a random source that follows from the run's seed.
fn seeded(mut w: support::World) -> (support::World, u64) {
    let seed = size::seed();
    w.random = store::Random::seeded(seed);
    (w, seed)
}
