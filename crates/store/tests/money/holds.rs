//! Promise 2: a hold is resolved once, even if many transactions capture and release it at the same
//! time.

use std::sync::Arc;

use domain::money::Money;
use store::ledger::{self, Resolution};
use tokio::sync::{Barrier, Semaphore};
use uuid::Uuid;

use crate::seeded;
use crate::size::size;
use crate::support::{World, later, now};
use crate::tally::{self, Told};

stories!(each_hold_resolves_once_with_four_concurrent_callers);

/// Number of holds resolved at the same time, by four transactions each. The pool has sixteen
/// connections.
const AT_ONCE: usize = 8;

// spec: 10.10.02
async fn each_hold_resolves_once_with_four_concurrent_callers(w: World) {
    let (w, _) = seeded(w);
    let count = size("SOONER_HOLDS", 250, 2_000);
    let cents = 7_00;
    let user = w.person(0).await;
    let mut tx = w.begin().await;
    let all = cents * i64::try_from(count).unwrap();
    let source = ("test", Uuid::from(user));
    ledger::topup(&mut tx, &w.random, user, Money::cad(all), source, now()).await.unwrap();
    let mut told = vec![Told::In { who: user, cents: all }];
    let mut holds = Vec::new();
    for n in 0..count {
        let source = (ledger::SOURCE_TASK, Uuid::from_u128(n as u128 + 1));
        let hold = ledger::hold(&mut tx, &w.random, user, Money::cad(cents), source, now()).await.unwrap();
        told.push(Told::Held { hold, who: user, cents });
        holds.push(hold);
    }
    tx.commit().await.unwrap();
    let (w, room) = (Arc::new(w), Arc::new(Semaphore::new(AT_ONCE)));
    let mut fights = tokio::task::JoinSet::new();
    for hold in holds {
        let (w, room) = (w.clone(), room.clone());
        fights.spawn(async move {
            let _room = room.acquire_owned().await.unwrap();
            let start = Arc::new(Barrier::new(4));
            let mut four = tokio::task::JoinSet::new();
            for n in 0..4 {
                let (w, start) = (w.clone(), start.clone());
                four.spawn(async move {
                    start.wait().await;
                    resolve(&w, hold, n % 2 == 0).await
                });
            }
            four.join_all().await
        });
    }
    told.extend(fights.join_all().await.concat());
    let now = told.iter().filter(|t| matches!(t, Told::Resolved { .. })).count();
    println!("{count} holds, each captured twice and released twice at once: {now} resolutions");
    assert_eq!(now, count, "promise 2: {now} resolutions of {count} holds");
    assert_eq!(tally::contradictions(&w.db, &told).await, Vec::<String>::new());
    w.books_balance().await;
}

async fn resolve(w: &World, hold: domain::ids::TransferId, captured: bool) -> Told {
    loop {
        let mut tx = w.begin().await;
        let done = if captured {
            ledger::capture(&mut tx, &w.random, hold, later(1)).await
        } else {
            ledger::release(&mut tx, &w.random, hold, later(1)).await
        };
        let done = match done {
            Ok(done) => done,
            Err(error) if error.is_retry() => continue,
            Err(error) => panic!("promise 2: only the database's constraint stopped it: {error}"),
        };
        tx.commit().await.unwrap();
        return match done {
            Resolution::Now => Told::Resolved { hold, captured },
            before => tally::was(hold, before).unwrap(),
        };
    }
}
