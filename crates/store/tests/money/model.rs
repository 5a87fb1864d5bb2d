//! Promise 1 with a model of the ledger. After any sequence of movements, ledger and model have the
//! same balances, and the ledger balances.

use std::collections::HashMap;

use domain::ids::{TransferId, UserId};
use domain::ledger::TransferKind;
use domain::money::Money;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use store::ledger::{self, DebitError, HoldError, Resolution};
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
    /// Top-up by card.
    Card {
        who: usize,
        cents: i64,
    },
    /// Bonus from the operator. It is spent first and never pays a debt.
    Bonus {
        who: usize,
        cents: i64,
    },
    /// Refund to the card.
    Refund {
        who: usize,
        cents: i64,
    },
    /// Dispute: the bank reclaims an amount. The user owes the part that the balance does not
    /// cover.
    Dispute {
        who: usize,
        cents: i64,
    },
    Capture {
        hold: usize,
    },
    Release {
        hold: usize,
    },
    /// Rolls back the transaction.
    Rollback,
    Commit,
}

fn step() -> impl Strategy<Value = Step> {
    let cents = 1_i64..100_00;
    prop_oneof![
        2 => (0..PEOPLE, cents.clone()).prop_map(|(who, cents)| Step::Topup { who, cents }),
        1 => (0..PEOPLE, cents.clone()).prop_map(|(who, cents)| Step::Card { who, cents }),
        1 => (0..PEOPLE, cents.clone()).prop_map(|(who, cents)| Step::Bonus { who, cents }),
        1 => (0..PEOPLE, cents.clone()).prop_map(|(who, cents)| Step::Refund { who, cents }),
        1 => (0..PEOPLE, cents.clone()).prop_map(|(who, cents)| Step::Dispute { who, cents }),
        4 => (0..PEOPLE, cents, 0..6_u128).prop_map(|(who, cents, task)| Step::Hold { who, cents, task }),
        3 => (0..40_usize).prop_map(|hold| Step::Capture { hold }),
        3 => (0..40_usize).prop_map(|hold| Step::Release { hold }),
        1 => Just(Step::Rollback),
        2 => Just(Step::Commit),
    ]
}

/// Expected ledger values of one user.
#[derive(Clone, Copy, Default)]
struct Purse {
    posted: i64,
    held: i64,
    /// Part of the available balance that is a bonus.
    bonus: i64,
    owed: i64,
}

impl Purse {
    fn available(&self) -> i64 {
        self.posted - self.held
    }

    fn moved(&mut self, posted: i64, held: i64) {
        self.posted += posted;
        self.held += held;
        self.bonus = self.bonus.min(self.available());
    }

    /// Pays the debt from the user's balance without the bonus.
    fn pays_debt(&mut self) {
        let paid = self.owed.min(self.available() - self.bonus);
        if paid > 0 {
            self.owed -= paid;
            self.moved(-paid, 0);
        }
    }
}

/// Hold with its amount, the bonus in it, and its outcome.
#[derive(Clone)]
struct Held {
    id: TransferId,
    who: usize,
    cents: i64,
    bonus: i64,
    task: u128,
    ended: Option<Resolution>,
}

/// Expected state of the ledger.
#[derive(Clone, Default)]
struct Model {
    purses: [Purse; PEOPLE],
    holds: Vec<Held>,
}

impl Model {
    fn open(&self, task: u128) -> Option<TransferId> {
        self.holds.iter().find(|h| h.task == task && h.ended.is_none()).map(|h| h.id)
    }

    fn hold(&mut self, id: TransferId, (who, cents, task): (usize, i64, u128)) {
        let purse = &mut self.purses[who];
        let bonus = purse.bonus.min(cents);
        purse.bonus -= bonus;
        purse.moved(0, cents);
        self.holds.push(Held { id, who, cents, bonus, task, ended: None });
    }

    fn resolve(&mut self, at: usize, wanted: Resolution) -> Option<(TransferId, Resolution)> {
        let count = self.holds.len();
        let hold = self.holds.get_mut(at.checked_rem(count)?)?;
        if let Some(ended) = hold.ended {
            return Some((hold.id, ended));
        }
        hold.ended = Some(wanted);
        let purse = &mut self.purses[hold.who];
        if wanted == Resolution::AlreadyCaptured {
            purse.moved(-hold.cents, -hold.cents);
        } else {
            purse.bonus += hold.bonus;
            purse.moved(0, -hold.cents);
            purse.pays_debt();
        }
        Some((hold.id, Resolution::Now))
    }
}

async fn run(w: &World, steps: Vec<Step>) {
    let mut people = Vec::new();
    for _ in 0..PEOPLE {
        people.push(w.person(0).await);
    }
    // Each case uses its own tasks in the shared database.
    let salt = u128::from_le_bytes(w.random.bytes()) << 8;
    let (mut model, mut kept) = (Model::default(), Model::default());
    let mut tx = w.begin().await;
    for (n, step) in steps.into_iter().enumerate() {
        let now = later(i64::try_from(n).unwrap());
        match step {
            Step::Topup { who, cents } => {
                ledger::topup(&mut tx, &w.random, people[who], Money::cad(cents), fresh(w), now)
                    .await
                    .unwrap();
                model.purses[who].moved(cents, 0);
                model.purses[who].pays_debt();
            }
            Step::Card { who, cents } => {
                let what = (TransferKind::Card, Money::cad(cents));
                ledger::credit(&mut tx, &w.random, people[who], what, fresh(w), now).await.unwrap();
                model.purses[who].moved(cents, 0);
                model.purses[who].pays_debt();
            }
            Step::Bonus { who, cents } => {
                let what = (TransferKind::Bonus, Money::cad(cents));
                ledger::credit(&mut tx, &w.random, people[who], what, fresh(w), now).await.unwrap();
                model.purses[who].bonus += cents;
                model.purses[who].moved(cents, 0);
            }
            Step::Refund { who, cents } => {
                let what = (TransferKind::Refund, Money::cad(cents));
                match ledger::debit(&mut tx, &w.random, people[who], what, fresh(w), now).await {
                    Ok(_) => {
                        assert!(model.purses[who].available() >= cents);
                        model.purses[who].moved(-cents, 0);
                    }
                    Err(DebitError::Insufficient { available, .. }) => {
                        assert!(available.minor < cents && available.minor == model.purses[who].available());
                    }
                    Err(other) => panic!("{other}"),
                }
            }
            Step::Dispute { who, cents } => {
                let amount = Money::cad(cents);
                store::referral::void_all(&mut tx, &w.random, people[who], now).await.unwrap();
                let done =
                    ledger::dispute(&mut tx, &w.random, people[who], amount, fresh(w), now).await.unwrap();
                let purse = &mut model.purses[who];
                // Remove the rest of the bonus first.
                purse.moved(-purse.bonus, 0);
                purse.bonus = 0;
                let taken = cents.min(purse.available());
                assert_eq!((done.taken.minor, done.owed.minor), (taken, cents - taken));
                purse.owed += cents - taken;
                purse.moved(-taken, 0);
            }
            Step::Hold { who, cents, task } => {
                let source = (ledger::SOURCE_TASK, Uuid::from_u128(salt | task));
                let got = ledger::hold(&mut tx, &w.random, people[who], Money::cad(cents), source, now).await;
                let purse = model.purses[who];
                match got {
                    Err(HoldError::AlreadyHeld(id)) => assert_eq!(model.open(task), Some(id)),
                    Err(HoldError::InDebt(owed)) => {
                        assert!(model.open(task).is_none() && owed.minor == purse.owed && owed.minor > 0);
                    }
                    Err(HoldError::Insufficient { available, .. }) => {
                        assert!(model.open(task).is_none() && purse.owed == 0);
                        assert!(available.minor < cents && available.minor == purse.available());
                    }
                    Ok(id) => {
                        assert!(model.open(task).is_none() && purse.owed == 0 && purse.available() >= cents);
                        model.hold(id, (who, cents, task));
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

/// Returns a source of money that was not used before.
fn fresh(w: &World) -> ledger::Source {
    ("test", Uuid::from_bytes(w.random.bytes()))
}

async fn agrees(w: &World, people: &[UserId], model: &Model) {
    let mut tx = w.db.read().await.unwrap();
    for (who, person) in people.iter().enumerate() {
        let balance = ledger::balance(&mut tx, *person).await.unwrap();
        let purse = model.purses[who];
        assert_eq!((balance.held.minor, balance.available.minor), (purse.held, purse.available()));
        assert_eq!(ledger::debt(&mut tx, *person).await.unwrap().minor, purse.owed);
        assert_eq!(ledger::bonus_left(&mut tx, *person).await.unwrap().minor, purse.bonus);
        let rows = ledger::movements(&mut tx, *person, &ledger::Filter::default(), 1000).await.unwrap();
        let effects: HashMap<_, _> = rows.iter().map(|m| (m.id, m.effect.available())).collect();
        assert_eq!(
            effects.values().sum::<i64>(),
            balance.available.minor,
            "movements do not add up to the balance"
        );
    }
    assert_eq!(ledger::check(&mut tx).await.unwrap(), []);
}

/// Returns the number of cases. A case has thirty operations on average.
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

// spec: 10.10.01
#[test]
fn any_history_of_transfers_adds_up_on_sqlite() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let w = runtime.block_on(crate::support::sqlite());
    try_many(&runtime, &w);
}

// spec: 10.10.01
#[test]
fn any_history_of_transfers_adds_up_on_postgres() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let w = runtime.block_on(crate::support::postgres());
    try_many(&runtime, &w);
}
