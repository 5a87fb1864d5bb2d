//! Promise 1, the ledger against a model: any sequence of movements leaves the same balances and books that add up.

use std::collections::HashMap;

use domain::ids::{TransferId, UserId};
use domain::money::Money;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use store::ledger::{self, HoldError, Resolution};
use uuid::Uuid;

use crate::size::{seed, size};
use crate::support::{World, later};

const PEOPLE: usize = 3;

#[derive(Clone, Copy, Debug)]
enum Step {
    Topup {
        who: usize,
        cents: i64,
    },
    Hold {
        who: usize,
        cents: i64,
        task: u128,
    },
    Capture {
        hold: usize,
    },
    Release {
        hold: usize,
    },
    /// The transaction so far is thrown away.
    Rollback,
    Commit,
}

fn step() -> impl Strategy<Value = Step> {
    let cents = 1_i64..100_00;
    prop_oneof![
        2 => (0..PEOPLE, cents.clone()).prop_map(|(who, cents)| Step::Topup { who, cents }),
        4 => (0..PEOPLE, cents, 0..6_u128).prop_map(|(who, cents, task)| Step::Hold { who, cents, task }),
        3 => (0..40_usize).prop_map(|hold| Step::Capture { hold }),
        3 => (0..40_usize).prop_map(|hold| Step::Release { hold }),
        1 => Just(Step::Rollback),
        2 => Just(Step::Commit),
    ]
}

/// What the ledger should say.
#[derive(Clone, Default)]
struct Model {
    posted: [i64; PEOPLE],
    held: [i64; PEOPLE],
    holds: Vec<(TransferId, usize, i64, u128, Option<Resolution>)>,
    revenue: i64,
}

impl Model {
    fn open(&self, task: u128) -> Option<TransferId> {
        self.holds.iter().find(|h| h.3 == task && h.4.is_none()).map(|h| h.0)
    }

    fn resolve(&mut self, at: usize, wanted: Resolution) -> Option<(TransferId, Resolution)> {
        if self.holds.is_empty() {
            return None;
        }
        let at = at % self.holds.len();
        let (id, who, cents, _, state) = self.holds[at];
        if let Some(state) = state {
            return Some((id, state));
        }
        self.held[who] -= cents;
        if wanted == Resolution::AlreadyCaptured {
            self.posted[who] -= cents;
            self.revenue += cents;
        }
        self.holds[at].4 = Some(wanted);
        Some((id, Resolution::Now))
    }
}

async fn run(w: &World, steps: Vec<Step>) {
    let mut people = Vec::new();
    for _ in 0..PEOPLE {
        people.push(w.person(0).await);
    }
    // Each case has tasks of its own in the shared database.
    let salt = u128::from_le_bytes(w.random.bytes()) << 8;
    let (mut model, mut kept) = (Model::default(), Model::default());
    let mut tx = w.begin().await;
    for (n, step) in steps.into_iter().enumerate() {
        let now = later(i64::try_from(n).unwrap());
        match step {
            Step::Topup { who, cents } => {
                let source = ("test", Uuid::from_bytes(w.random.bytes()));
                ledger::topup(&mut tx, &w.random, people[who], Money::cad(cents), source, now).await.unwrap();
                model.posted[who] += cents;
            }
            Step::Hold { who, cents, task } => {
                let source = (ledger::SOURCE_TASK, Uuid::from_u128(salt | task));
                let got = ledger::hold(&mut tx, &w.random, people[who], Money::cad(cents), source, now).await;
                let available = model.posted[who] - model.held[who];
                match got {
                    Err(HoldError::AlreadyHeld(id)) => assert_eq!(model.open(task), Some(id)),
                    Err(HoldError::Insufficient { available: told, .. }) => {
                        assert!(model.open(task).is_none() && available < cents && told.minor == available);
                    }
                    Ok(id) => {
                        assert!(model.open(task).is_none() && available >= cents);
                        model.held[who] += cents;
                        model.holds.push((id, who, cents, task, None));
                    }
                    Err(other) => panic!("{other}"),
                }
            }
            Step::Capture { hold } => {
                if let Some((id, expected)) = model.resolve(hold, Resolution::AlreadyCaptured) {
                    assert_eq!(ledger::capture(&mut tx, &w.random, id, now).await.unwrap(), expected);
                }
            }
            Step::Release { hold } => {
                if let Some((id, expected)) = model.resolve(hold, Resolution::AlreadyReleased) {
                    assert_eq!(ledger::release(&mut tx, &w.random, id, now).await.unwrap(), expected);
                }
            }
            Step::Rollback => {
                tx.rollback().await.unwrap();
                tx = w.begin().await;
                model = kept.clone();
            }
            Step::Commit => {
                tx.commit().await.unwrap();
                tx = w.begin().await;
                kept = model.clone();
            }
        }
    }
    tx.commit().await.unwrap();
    agrees(w, &people, &model).await;
}

async fn agrees(w: &World, people: &[UserId], model: &Model) {
    let mut tx = w.db.read().await.unwrap();
    for (who, person) in people.iter().enumerate() {
        let balance = ledger::balance(&mut tx, *person).await.unwrap();
        assert_eq!(balance.held.minor, model.held[who]);
        assert_eq!(balance.available.minor, model.posted[who] - model.held[who]);
        let rows = ledger::movements(&mut tx, *person, &ledger::Filter::default(), 1000).await.unwrap();
        let effects: HashMap<_, _> = rows.iter().map(|m| (m.id, m.effect.available())).collect();
        assert_eq!(effects.values().sum::<i64>(), balance.available.minor, "movements add up to the balance");
    }
    assert_eq!(ledger::check(&mut tx).await.unwrap(), []);
}

/// Histories of thirty operations on average.
fn cases() -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|s| s.parse().ok());
    asked.unwrap_or_else(|| u32::try_from(size("SOONER_OPS", 5_000, 50_000) / 30).unwrap())
}

fn try_many(runtime: &tokio::runtime::Runtime, w: &World) {
    let rng_seed = RngSeed::Fixed(seed());
    let config = Config { cases: cases(), failure_persistence: None, rng_seed, ..Config::default() };
    let steps = prop::collection::vec(step(), 1..60);
    let tried = TestRunner::new(config).run(&steps, |steps| {
        runtime.block_on(run(w, steps));
        Ok(())
    });
    tried.unwrap();
}

#[test]
fn any_history_adds_up_on_sqlite() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let w = runtime.block_on(crate::support::sqlite());
    try_many(&runtime, &w);
}

#[test]
fn any_history_adds_up_on_postgres() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    if let Some(w) = runtime.block_on(crate::support::postgres()) {
        try_many(&runtime, &w);
    }
}
