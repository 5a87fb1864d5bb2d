//! Promise 6 at its cause: if a future is dropped while it begins a transaction, the writes of
//! another task must not be lost.

use std::future::Future as _;
use std::task::Poll;

use store::{Db, Options, exec, scalar};

use crate::support::{self, World};

/// Returns the number of futures to drop.
fn rounds() -> u32 {
    u32::try_from(crate::size::size("SOONER_CANCELS", 1_000, 10_000)).unwrap()
}

/// Writes while futures that begin a transaction are dropped at random moments. Returns the number
/// of acknowledged writes that were lost.
async fn lost_writes(w: &World, rounds: u32) -> i64 {
    let mut acknowledged = 0;
    for n in 0..rounds {
        // Drop the future after a few polls. After one poll, BEGIN was sent and its response has
        // not arrived.
        let mut begin = Box::pin(w.db.begin());
        for _ in 0..=w.random.below(8) {
            if std::future::poll_fn(|context| Poll::Ready(begin.as_mut().poll(context).is_ready())).await {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(begin);
        let written = async {
            let name = format!("row {n}");
            match &w.db {
                // Write outside of a transaction, as a careless caller might. A connection left in
                // a transaction would lose this write.
                Db::Postgres { pool, .. } => {
                    let sql = format!(
                        "INSERT INTO throttle (subject, failures, last_at, not_before)
                         VALUES ('{name}', 1, '{0}', '{0}')",
                        support::now()
                    );
                    sqlx::raw_sql(sqlx::AssertSqlSafe(sql))
                        .execute(pool)
                        .await
                        .map_err(store::Error::from)?;
                }
                Db::Sqlite { .. } => {
                    let mut tx = w.db.begin().await?;
                    exec!(
                        &mut tx,
                        "INSERT INTO throttle (subject, failures, last_at, not_before) VALUES ($1, 1, $2, $2)",
                        name,
                        support::now()
                    )?;
                    tx.commit().await?;
                }
            }
            Ok::<_, store::Error>(())
        };
        if written.await.is_ok() {
            acknowledged += 1;
        }
    }
    w.db.close().await;
    let db = Db::open(&w.url).await.unwrap();
    let mut tx = db.read().await.unwrap();
    acknowledged - scalar!(&mut tx, i64, "SELECT COUNT(*) FROM throttle").unwrap()
}

// spec: 10.10.07
#[tokio::test]
async fn no_write_is_lost_on_sqlite() {
    assert_eq!(lost_writes(&support::sqlite().await, rounds() / 4).await, 0);
}

// spec: 10.10.07
#[tokio::test]
async fn no_write_is_lost_on_postgres() {
    let options = Options { connections: 2, ..Options::default() };
    let w = support::postgres_with(&options).await;
    assert_eq!(lost_writes(&w, rounds()).await, 0);
}

// spec: 10.10.06
/// Checks that the test detects the bug: without the rollback hook, writes are lost.
#[tokio::test]
async fn without_the_rollback_hook_writes_are_lost() {
    let options = Options { connections: 2, rollback_on_release: false, ..Options::default() };
    let w = support::postgres_with(&options).await;
    assert!(lost_writes(&w, rounds()).await > 0, "the hook seems to be no longer needed");
}
