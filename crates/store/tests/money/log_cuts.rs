//! Promise 4 with power loss. The test cuts SQLite's log at any position, and damages or zeroes the
//! end. Commits acknowledged before the log had that length are complete, and no other commit is
//! present.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use domain::ids::UserId;
use domain::money::Money;
use store::{Db, Random, ledger, one, scalar};
use uuid::Uuid;

use crate::seeded;
use crate::size::{pick, size};
use crate::support::{self, World, later};
use crate::tally::{self, Purse};

/// Number of cuts for each run.
const CUTS_EACH: usize = 25;
/// Number of commits in one run, small enough that no checkpoint happens.
const COMMITS: usize = 16;

type Purses = HashMap<UserId, Purse>;

/// State of the disk at the time when a commit was acknowledged.
struct Ack {
    log_bytes: usize,
    purses: Purses,
}

// spec: 10.10.04
#[tokio::test]
async fn acknowledged_writes_survive_a_log_cut_at_any_point() {
    let (w, seed) = seeded(support::sqlite().await);
    let cuts = size("SOONER_CUTS", 250, 2_000);
    let mut people = Vec::new();
    for cents in [0, 50_00, 200_00] {
        people.push(w.person(cents).await);
    }
    let folder = tempfile::tempdir().unwrap();
    let before = folder.path().join("before.db");
    synchronous(&w).await;
    w.db.close().await;
    std::fs::copy(w.url.strip_prefix("sqlite:").unwrap(), &before).unwrap();
    let random = Random::seeded(seed);
    let (mut tried, mut lost) = (0, Vec::new());
    while tried < cuts {
        let run = Run::new(&before, folder.path(), &people, &random).await;
        for _ in 0..CUTS_EACH.min(cuts - tried) {
            lost.extend(run.cut(&random).await);
            tried += 1;
        }
    }
    println!("{tried} cuts of the log: {} promises broken", lost.len());
    assert_eq!(lost, Vec::<String>::new(), "promise 4");
}

/// Checks that a commit is acknowledged only after the log is on the disk. SQLite must use
/// `synchronous = FULL`.
async fn synchronous(w: &World) {
    let mut tx = w.begin().await;
    let level = scalar!(&mut tx, i64, "PRAGMA synchronous").unwrap();
    assert!(level >= 2, "promise 4: the writer runs with synchronous={level}");
}

/// Commits on a copy of the database, with their acknowledgements.
struct Run {
    folder: PathBuf,
    main: Vec<u8>,
    log: Vec<u8>,
    /// Main file after a checkpoint. At a power loss any part of it may have been written.
    folded: Vec<u8>,
    acks: Vec<Ack>,
}

impl Run {
    async fn new(before: &Path, folder: &Path, people: &[UserId], random: &Random) -> Self {
        let path = folder.join("run.db");
        clean(&path);
        std::fs::copy(before, &path).unwrap();
        let log_path = beside(&path, "-wal");
        let db = open(&path).await;
        let (purses, _) = tally::stored(&db).await;
        let mut acks = vec![Ack { log_bytes: 0, purses }];
        let mut holds = Vec::new();
        for n in 0..COMMITS {
            let purses = commit(&db, (people, &mut holds), random, &acks[n].purses, n).await;
            let log_bytes = std::fs::metadata(&log_path).unwrap().len() as usize;
            assert!(log_bytes > acks[n].log_bytes, "a checkpoint ran in between");
            acks.push(Ack { log_bytes, purses });
        }
        let (main, log) = (std::fs::read(&path).unwrap(), std::fs::read(&log_path).unwrap());
        db.close().await;
        let folded = std::fs::read(&path).unwrap();
        Self { folder: folder.to_owned(), main, log, folded, acks }
    }

    /// Simulates a power loss at one moment. Returns descriptions of wrong values: lost ones, and
    /// ones that were never written.
    async fn cut(&self, random: &Random) -> Vec<String> {
        let at = random.below(u32::try_from(self.log.len() + 1).unwrap()) as usize;
        let path = self.folder.join("cut.db");
        clean(&path);
        let (mut log, mut main, mut how) = (self.log[..at].to_vec(), self.main.clone(), "cut");
        let mut kept = at;
        match random.below(4) {
            // The last sectors contain other bytes.
            0 => {
                how = "torn";
                let mut garbage = vec![0; random.below(6_000) as usize + 1];
                random.fill(&mut garbage);
                log.extend(garbage);
            }
            // The file has its new length, but its last bytes were not written.
            1 => {
                how = "zeroed";
                log.resize(self.log.len(), 0);
            }
            // The power fails during a checkpoint: the log is complete, and half of the main file
            // is new.
            2 => {
                how = "folded halfway";
                log.clone_from(&self.log);
                kept = self.log.len();
                main.resize(main.len().max(self.folded.len()), 0);
                for (n, page) in self.folded.chunks(4096).enumerate() {
                    if random.below(2) == 0 {
                        main[n * 4096..n * 4096 + page.len()].copy_from_slice(page);
                    }
                }
            }
            _ => {}
        }
        std::fs::write(&path, main).unwrap();
        std::fs::write(beside(&path, "-wal"), log).unwrap();
        let expected = self.acks.iter().rposition(|ack| ack.log_bytes <= kept).unwrap();
        let broken = after(&path, &self.acks[expected].purses, random).await;
        broken.into_iter().map(|said| format!("{how} at {at} of {}: {said}", self.log.len())).collect()
    }
}

/// Opens a database after a power loss and returns descriptions of all errors.
async fn after(path: &Path, expected: &Purses, random: &Random) -> Vec<String> {
    let db = open(path).await;
    let (mut found, mut broken) = tally::stored(&db).await;
    // Ignore users without money, because they may have an account or none.
    found.retain(|_, purse| *purse != Purse::default());
    let expected: Purses =
        expected.iter().map(|(who, purse)| (*who, *purse)).filter(|(_, p)| *p != Purse::default()).collect();
    if found != expected {
        broken.push(format!("acknowledged {expected:?}, found {found:?}"));
    }
    let mut tx = db.begin().await.unwrap();
    let health = one!(&mut tx, (String,), "PRAGMA integrity_check").unwrap();
    if health.as_ref().is_none_or(|(word,)| word != "ok") {
        broken.push(format!("the file is damaged: {health:?}"));
    }
    // Check that the database accepts further commits.
    let who = *expected.keys().next().unwrap();
    let source = ("test", Uuid::from_bytes(random.bytes()));
    if let Err(error) = ledger::topup(&mut tx, random, who, Money::cad(1), source, later(99)).await {
        broken.push(format!("nothing can be written: {error}"));
    }
    if let Err(error) = tx.commit().await {
        broken.push(format!("nothing can be committed: {error}"));
    }
    db.close().await;
    broken
}

/// Commits one to three movements of money. Returns the resulting balances of all users.
async fn commit(
    db: &Db,
    (people, holds): (&[UserId], &mut Vec<(domain::ids::TransferId, UserId, i64)>),
    random: &Random,
    purses: &Purses,
    n: usize,
) -> Purses {
    let mut purses = purses.clone();
    let mut tx = db.begin().await.unwrap();
    for _ in 0..=random.below(3) {
        let (who, cents) = (*pick(random, people).unwrap(), i64::from(random.below(900)) + 1);
        let purse = purses.entry(who).or_default();
        let (now, source) = (later(i64::try_from(n).unwrap()), Uuid::from_bytes(random.bytes()));
        let open = (!holds.is_empty() && random.below(3) == 0).then(|| holds.swap_remove(0));
        if let Some((hold, who, cents)) = open {
            ledger::capture(&mut tx, random, hold, now).await.unwrap();
            let purse = purses.entry(who).or_default();
            *purse = Purse { posted: purse.posted - cents, held: purse.held - cents };
        } else if purse.posted - purse.held >= cents && random.below(2) == 0 {
            let source = (ledger::SOURCE_TASK, source);
            let hold = ledger::hold(&mut tx, random, who, Money::cad(cents), source, now).await.unwrap();
            purse.held += cents;
            holds.push((hold, who, cents));
        } else {
            ledger::topup(&mut tx, random, who, Money::cad(cents), ("test", source), now).await.unwrap();
            purse.posted += cents;
        }
    }
    tx.commit().await.unwrap();
    purses
}

async fn open(path: &Path) -> Db {
    Db::open(&format!("sqlite:{}", path.display())).await.unwrap()
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn clean(path: &Path) {
    for path in [path.to_owned(), beside(path, "-wal"), beside(path, "-shm")] {
        let _ = std::fs::remove_file(path);
    }
}
