//! Promise 4 with a full disk: acknowledged commits stay, others leave no trace, and writes succeed
//! after space was freed.
//!
//! `SOONER_SMALL_DISK` may name a folder on a small file system, which the test then fills (ENOSPC
//! from the kernel). Otherwise the test limits the size of SQLite's file, which causes SQLITE_FULL
//! at the same places. Tests of a whole server with write errors are in crates/server/tests/money.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use domain::ids::UserId;
use domain::money::Money;
use sqlx::AssertSqlSafe;
use store::{Db, Error, Random, ledger, scalar};
use uuid::Uuid;

use crate::seeded;
use crate::size::{pick, size};
use crate::support::{self, World, later};
use crate::tally::{self, Told};

/// Minimum number of commits attempted while the disk is full, and maximum until one is refused.
/// The first commits may fit into existing pages.
const TRIES: usize = 30;
const MAX_WAIT: usize = 5_000;

// spec: 10.10.05
#[tokio::test]
async fn acknowledged_writes_survive_a_full_disk() {
    let small = std::env::var_os("SOONER_SMALL_DISK").map(PathBuf::from);
    let (w, _) = seeded(match &small {
        Some(folder) => support::sqlite_in(folder).await,
        None => support::sqlite().await,
    });
    let windows = size("SOONER_WINDOWS", 25, 200);
    let people = [w.person(0).await, w.person(0).await];
    let (mut told, mut refused) = (Vec::new(), 0);
    for n in 0..windows {
        let full = Full::begin(&w, small.as_deref()).await;
        let before = refused;
        for tried in 0..MAX_WAIT {
            if tried >= TRIES && refused > before {
                break;
            }
            full.stay(&w).await;
            match pay_in(&w.db, &w.random, &people, n).await {
                Ok(one) => told.push(one),
                Err(Error::Unavailable(_)) => refused += 1,
                Err(other) => panic!("promise 4: a full disk is not reported as one: {other:?}"),
            }
        }
        assert!(refused > before, "window {n}: the disk was never full");
        full.end(&w).await;
        told.push(pay_in(&w.db, &w.random, &people, n).await.expect("promise 4: writes succeed afterwards"));
        assert_eq!(tally::contradictions(&w.db, &told).await, Vec::<String>::new(), "promise 4, window {n}");
    }
    w.db.close().await;
    let db = Db::open(&w.url).await.unwrap();
    assert_eq!(tally::contradictions(&db, &told).await, Vec::<String>::new(), "promise 4, opened again");
    println!("{windows} windows of a full disk: {} commits acknowledged, {refused} refused", told.len());
}

async fn pay_in(db: &Db, random: &Random, people: &[UserId], n: usize) -> Result<Told, Error> {
    let (who, cents) = (*pick(random, people).unwrap(), i64::from(random.below(900)) + 1);
    let mut tx = db.begin().await?;
    for _ in 0..4 {
        let source = ("test", Uuid::from_bytes(random.bytes()));
        ledger::topup(&mut tx, random, who, Money::cad(cents), source, later(n as i64)).await?;
    }
    tx.commit().await?;
    Ok(Told::In { who, cents: cents * 4 })
}

/// Disk without free space.
enum Full {
    /// The file that fills the disk.
    Filled(PathBuf),
    /// SQLite's limit on the file size.
    Told,
}

impl Full {
    async fn begin(w: &World, small: Option<&Path>) -> Self {
        let Some(folder) = small else {
            limit(w, page_count(w).await).await;
            return Self::Told;
        };
        let path = folder.join("filler");
        let mut filler = File::create(&path).unwrap();
        for block in [1 << 16, 1 << 12, 512, 1] {
            while filler.write_all(&vec![7; block]).and_then(|()| filler.flush()).is_ok() {}
        }
        Self::Filled(path)
    }

    /// Sets the limit again, because a refused connection is replaced by a new connection without a
    /// limit.
    async fn stay(&self, w: &World) {
        if matches!(self, Self::Told) {
            limit(w, page_count(w).await).await;
        }
    }

    async fn end(self, w: &World) {
        match self {
            Self::Filled(path) => std::fs::remove_file(path).unwrap(),
            Self::Told => limit(w, 1_000_000_000).await,
        }
    }
}

async fn page_count(w: &World) -> i64 {
    let mut tx = w.begin().await;
    scalar!(&mut tx, i64, "PRAGMA page_count").unwrap()
}

async fn limit(w: &World, pages: i64) {
    let Db::Sqlite { writer, .. } = &w.db else { panic!("SQLite alone") };
    let writer = writer.pool();
    let sql = format!("PRAGMA max_page_count = {pages}");
    sqlx::query(AssertSqlSafe(sql)).execute(writer).await.unwrap();
}
