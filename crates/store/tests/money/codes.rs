//! Promise 8: each code is credited once, even if sixty-four users enter it at the same time.

use std::sync::Arc;

use domain::ids::{TopupCodeId, UserId};
use domain::money::Money;
use store::topup_code::{self, Code, RedeemError};
use tokio::sync::Barrier;

use crate::seeded;
use crate::size::size;
use crate::support::{World, later, now};
use crate::tally::{self, Told};

stories!(a_code_is_credited_once_among_64_concurrent_users);

const PEOPLE: usize = 64;

// spec: 10.10.09
async fn a_code_is_credited_once_among_64_concurrent_users(w: World) {
    let (w, _) = seeded(w);
    let count = size("SOONER_CODES", 20, 1_000);
    let mut people = Vec::new();
    for _ in 0..PEOPLE {
        people.push(w.person(0).await);
    }
    let w = Arc::new(w);
    let mut told = Vec::new();
    for _ in 0..count {
        let cents = i64::from(w.random.below(9_000)) + 1_00;
        let code = mint(&w, cents).await;
        let start = Arc::new(Barrier::new(PEOPLE));
        let mut tries = tokio::task::JoinSet::new();
        for user in &people {
            let (w, code, start, user) = (w.clone(), code.clone(), start.clone(), *user);
            tries.spawn(async move {
                start.wait().await;
                redeem(&w, user, &code, cents).await
            });
        }
        let credited: Vec<Told> = tries.join_all().await.into_iter().flatten().collect();
        assert_eq!(credited.len(), 1, "promise 8: one code gave {} credits", credited.len());
        told.extend(credited);
    }
    println!("{count} codes, {PEOPLE} people at once for each: {} credits", told.len());
    assert_eq!(told.len(), count, "promise 8");
    assert_eq!(tally::contradictions(&w.db, &told).await, Vec::<String>::new());
    w.books_balance().await;
}

async fn mint(w: &World, cents: i64) -> Code {
    let code = Code::generate(&w.random);
    let id = TopupCodeId::new(now(), w.random.bytes());
    let mut tx = w.begin().await;
    let span = (now(), later(60));
    topup_code::mint(&mut tx, &w.ring, (id, &code), Money::cad(cents), None, span).await.unwrap();
    tx.commit().await.unwrap();
    code
}

async fn redeem(w: &World, user: UserId, code: &Code, cents: i64) -> Option<Told> {
    loop {
        let mut tx = w.begin().await;
        match topup_code::redeem(&mut tx, &w.ring, &w.random, (user, code), later(1)).await {
            Ok(credited) => {
                let (before, after) = (credited.before.minor, credited.after.minor);
                assert_eq!(after - before, cents, "promise 8: balances {before} and {after}");
                tx.commit().await.unwrap();
                return Some(Told::In { who: user, cents });
            }
            Err(RedeemError::Used) => return None,
            Err(RedeemError::Store(error)) if error.is_retry() => {}
            Err(other) => panic!("promise 8: only the database's constraint stopped it: {other:?}"),
        }
    }
}
