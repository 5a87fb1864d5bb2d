//! Promise 1 under concurrency: thirty-two workers make changes for a few users, and the ledger
//! balances.

use std::sync::{Arc, Mutex};

use domain::ids::{TransferId, UserId};
use domain::money::Money;
use store::ledger::{self, HoldError, Resolution};
use store::{Error, Random, Tx};
use uuid::Uuid;

use crate::seeded;
use crate::size::{pick, size};
use crate::support::{World, later, now};
use crate::tally::{self, Told};

stories!(the_ledger_balances_after_32_concurrent_workers);

const WORKERS: usize = 32;
const PEOPLE: usize = 8;
/// Number of tasks of each user. It is small, so that workers often use the same task.
const TASKS: u32 = 6;

struct Crowd {
    w: World,
    people: Vec<UserId>,
    /// All holds made so far. Any worker may resolve any of them.
    holds: Mutex<Vec<TransferId>>,
}

// spec: 10.10.01
async fn the_ledger_balances_after_32_concurrent_workers(w: World) {
    let (w, seed) = seeded(w);
    let ops = size("SOONER_OPS", 5_000, 50_000);
    let mut people = Vec::new();
    for _ in 0..PEOPLE {
        people.push(w.person(0).await);
    }
    let crowd = Arc::new(Crowd { w, people, holds: Mutex::default() });
    let mut workers = tokio::task::JoinSet::new();
    for n in 0..WORKERS {
        let crowd = crowd.clone();
        let random = Random::seeded(seed.wrapping_mul(1_000).wrapping_add(n as u64));
        workers.spawn(async move { work(&crowd, &random, ops.div_ceil(WORKERS)).await });
    }
    let told = workers.join_all().await.concat();
    let made = told.iter().filter(|t| matches!(t, Told::Resolved { .. })).count();
    println!("{ops} operations by {WORKERS} workers: {} told, {made} holds resolved", told.len());
    assert_eq!(tally::contradictions(&crowd.w.db, &told).await, Vec::<String>::new());
    crowd.w.books_balance().await;
    assert!(made > 0, "promise 1: nothing was resolved, so nothing was tried");
}

async fn work(crowd: &Crowd, random: &Random, ops: usize) -> Vec<Told> {
    let mut told = Vec::new();
    for n in 0..ops {
        // The database may refuse because of a concurrent transaction. Repeat the operation, as the
        // product does.
        for attempt in 0.. {
            match step(crowd, random, i64::try_from(n).unwrap()).await {
                Ok(said) => {
                    told.extend(said);
                    break;
                }
                Err(error) if error.is_retry() && attempt < 50 => {}
                Err(error) => panic!("promise 1: only the database's constraint stopped it: {error}"),
            }
        }
    }
    told
}

/// Runs one operation in a transaction. After the commit, returns the result that the caller sees.
async fn step(crowd: &Crowd, random: &Random, n: i64) -> Result<Option<Told>, Error> {
    let mut tx = crowd.w.db.begin().await?;
    let said = match random.below(10) {
        0 | 1 => Some(top_up(crowd, &mut tx, random, n).await?),
        2..=5 => hold(crowd, &mut tx, random, n).await?,
        _ => resolve(crowd, &mut tx, random, n).await?,
    };
    // Roll back some transactions. None of their changes may remain.
    if random.below(20) == 0 {
        tx.rollback().await?;
        return Ok(None);
    }
    tx.commit().await?;
    if let Some(Told::Held { hold, .. }) = said {
        crowd.holds.lock().unwrap().push(hold);
    }
    Ok(said)
}

fn anybody(crowd: &Crowd, random: &Random) -> UserId {
    *pick(random, &crowd.people).unwrap()
}

async fn top_up(crowd: &Crowd, tx: &mut Tx, random: &Random, n: i64) -> Result<Told, Error> {
    let (who, cents) = (anybody(crowd, random), i64::from(random.below(3_000)) + 1);
    let source = ("test", Uuid::from_bytes(random.bytes()));
    ledger::topup(tx, random, who, Money::cad(cents), source, later(n)).await?;
    Ok(Told::In { who, cents })
}

async fn hold(crowd: &Crowd, tx: &mut Tx, random: &Random, n: i64) -> Result<Option<Told>, Error> {
    let (who, cents) = (anybody(crowd, random), i64::from(random.below(4_000)) + 1);
    let task = Uuid::from_u128(who.0.as_u128() ^ u128::from(random.below(TASKS) + 1));
    let source = (ledger::SOURCE_TASK, task);
    match ledger::hold(tx, random, who, Money::cad(cents), source, later(n)).await {
        Ok(hold) => Ok(Some(Told::Held { hold, who, cents })),
        Err(HoldError::Insufficient { required, available }) => {
            assert!(
                (0..required.minor).contains(&available.minor),
                "promise 1: {required} refused with {available} available"
            );
            Ok(None)
        }
        Err(HoldError::AlreadyHeld(_)) => Ok(None),
        Err(HoldError::Store(error)) => Err(error),
        #[allow(unreachable_patterns, reason = "whatever else may come to refuse a hold")]
        Err(other) => panic!("promise 1: {other}"),
    }
}

async fn resolve(crowd: &Crowd, tx: &mut Tx, random: &Random, n: i64) -> Result<Option<Told>, Error> {
    let hold = {
        let holds = crowd.holds.lock().unwrap();
        // Mostly choose one of the newest holds, so that several workers try to resolve the same
        // hold.
        let from = if random.below(4) == 0 { 0 } else { holds.len().saturating_sub(12) };
        pick(random, &holds[from..]).copied()
    };
    let Some(hold) = hold else { return Ok(None) };
    let captured = random.below(2) == 0;
    let done = if captured {
        ledger::capture(tx, random, hold, later(n)).await?
    } else {
        ledger::release(tx, random, hold, now()).await?
    };
    Ok(match done {
        Resolution::Now => Some(Told::Resolved { hold, captured }),
        before => tally::was(hold, before),
    })
}
