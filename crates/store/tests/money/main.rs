//! The promises of the books (RELIABILITY 1, 2, 4, 5, 6, 8) against the store, on SQLite and on
//! PostgreSQL (`SOONER_TEST_POSTGRES`).
//!
//! `SOONER_MONEY=full` asks for the full figures; `SOONER_OPS`, `SOONER_HOLDS`, `SOONER_CODES`, `SOONER_CUTS`,
//! `SOONER_WINDOWS` and `SOONER_CANCELS` choose other sizes. The seed is printed; `SOONER_SEED` replays it.
//! What is believed is never the ledger's own word: it is what the clients were told, and sums made here.

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

mod codes;
mod crowd;
mod cuts;
mod full;
mod holds;
mod model;
mod pool;
mod size;
#[path = "../it/support.rs"]
mod support;
mod tally;

/// The world, with everything random about it from the run's seed.
fn seeded(mut w: support::World) -> (support::World, u64) {
    let seed = size::seed();
    w.random = store::Random::seeded(seed);
    (w, seed)
}
