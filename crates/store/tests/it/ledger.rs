//! Tests of money: holds, captures, releases and codes.

use domain::ledger::TransferKind;
use domain::money::Money;
use store::ledger::{self, DebitError, Disputed, Filter, HoldError, Resolution};
use store::topup_code::{self, Code, RedeemError};
use uuid::Uuid;

use crate::support::{World, later, now};

stories!(
    a_hold_is_captured_once,
    a_released_hold_can_be_made_again,
    an_insufficient_balance_changes_nothing,
    ledger_rows_cannot_be_changed_or_deleted,
    a_code_is_credited_once_among_concurrent_users,
    concurrent_holds_never_overdraw,
    concurrent_captures_and_releases_resolve_a_hold_once,
    a_failed_ledger_check_freezes_money,
    bonus_money_is_spent_first_and_never_refunded,
    a_disputed_payment_that_was_spent_becomes_debt,
    movement_counts_are_checked,
    the_ledger_check_covers_every_account,
);

fn fresh(w: &World) -> Uuid {
    Uuid::from_bytes(w.random.bytes())
}

fn task(n: u128) -> ledger::Source {
    (ledger::SOURCE_TASK, Uuid::from_u128(n))
}

async fn a_hold_is_captured_once(w: World) {
    let user = w.person(50_00).await;
    let mut tx = w.begin().await;
    let hold = ledger::hold(&mut tx, &w.random, user, Money::cad(20_00), task(1), later(1)).await.unwrap();
    let balance = ledger::balance(&mut tx, user).await.unwrap();
    assert_eq!((balance.available, balance.held), (Money::cad(30_00), Money::cad(20_00)));
    assert_eq!(ledger::open_hold(&mut tx, task(1)).await.unwrap(), Some(hold));
    assert_eq!(ledger::capture(&mut tx, &w.random, hold, later(2)).await.unwrap(), Resolution::Now);
    assert_eq!(
        ledger::capture(&mut tx, &w.random, hold, later(2)).await.unwrap(),
        Resolution::AlreadyCaptured
    );
    assert_eq!(
        ledger::release(&mut tx, &w.random, hold, later(2)).await.unwrap(),
        Resolution::AlreadyCaptured
    );
    tx.commit().await.unwrap();
    let mut tx = w.begin().await;
    let balance = ledger::balance(&mut tx, user).await.unwrap();
    assert_eq!((balance.available, balance.held), (Money::cad(30_00), Money::cad(0)));
    let rows = ledger::movements(&mut tx, user, &Filter::default(), 10).await.unwrap();
    let seen: Vec<_> = rows
        .iter()
        .map(|m| (m.kind.as_str(), m.effect.available(), m.balance_after.minor, m.held_after.minor))
        .collect();
    let expected = [("capture", 0, 30_00, 0), ("hold", -20_00, 30_00, 20_00), ("topup", 50_00, 50_00, 0)];
    assert_eq!(seen, expected);
    drop(tx);
    w.books_balance().await;
}

async fn a_released_hold_can_be_made_again(w: World) {
    let user = w.person(50_00).await;
    let mut tx = w.begin().await;
    let hold = ledger::hold(&mut tx, &w.random, user, Money::cad(20_00), task(1), now()).await.unwrap();
    let again = ledger::hold(&mut tx, &w.random, user, Money::cad(20_00), task(1), now()).await;
    assert!(matches!(again, Err(HoldError::AlreadyHeld(open)) if open == hold));
    assert_eq!(ledger::release(&mut tx, &w.random, hold, later(1)).await.unwrap(), Resolution::Now);
    assert_eq!(
        ledger::capture(&mut tx, &w.random, hold, later(1)).await.unwrap(),
        Resolution::AlreadyReleased
    );
    let second = ledger::hold(&mut tx, &w.random, user, Money::cad(45_00), task(1), later(2)).await.unwrap();
    assert_eq!(ledger::capture(&mut tx, &w.random, second, later(3)).await.unwrap(), Resolution::Now);
    tx.commit().await.unwrap();
    w.books_balance().await;
}

// spec: 4.2.17
async fn an_insufficient_balance_changes_nothing(w: World) {
    let user = w.person(10_00).await;
    let mut tx = w.begin().await;
    match ledger::hold(&mut tx, &w.random, user, Money::cad(10_01), task(1), now()).await {
        Err(HoldError::Insufficient { required, available }) => {
            assert_eq!((required, available), (Money::cad(10_01), Money::cad(10_00)));
        }
        other => panic!("{other:?}"),
    }
    tx.commit().await.unwrap();
    w.books_balance().await;
}

// spec: 10.5.03
async fn ledger_rows_cannot_be_changed_or_deleted(w: World) {
    let user = w.person(10_00).await;
    for sql in [
        "UPDATE ledger_transfer SET amount = 1",
        "DELETE FROM ledger_transfer",
        "DELETE FROM ledger_account",
        "UPDATE ledger_account SET owner = id",
        "UPDATE ledger_account SET held = posted + 1 WHERE kind = 'user'",
        "UPDATE ledger_account SET held = -1 WHERE kind = 'user'",
    ] {
        let mut tx = w.begin().await;
        let refused = store::exec!(&mut tx, sql);
        assert!(matches!(refused, Err(store::Error::Refused(_))), "{sql}: {refused:?}");
    }
    let mut tx = w.begin().await;
    assert_eq!(ledger::balance(&mut tx, user).await.unwrap().available, Money::cad(10_00));
}

// spec: 7.2.08
async fn a_code_is_credited_once_among_concurrent_users(w: World) {
    let mut people = Vec::new();
    for _ in 0..8 {
        people.push(w.person(0).await);
    }
    let w = std::sync::Arc::new(w);
    let code = Code::generate(&w.random);
    let id = domain::ids::TopupCodeId::new(now(), w.random.bytes());
    let mut tx = w.begin().await;
    let span = (now(), later(60));
    topup_code::mint(&mut tx, &w.ring, (id, &code), Money::cad(50_00), None, span).await.unwrap();
    assert!(topup_code::is_valid(&mut tx, &w.ring, &code, now()).await.unwrap());
    assert!(!topup_code::is_valid(&mut tx, &w.ring, &code, later(61)).await.unwrap());
    tx.commit().await.unwrap();
    let mut tries = tokio::task::JoinSet::new();
    for n in 0..64 {
        let (w, code, user) = (w.clone(), code.clone(), people[n % people.len()]);
        tries.spawn(async move {
            let mut tx = w.begin().await;
            let got = topup_code::redeem(&mut tx, &w.ring, &w.random, (user, &code), later(1)).await;
            match got {
                Ok(credited) => {
                    assert_eq!((credited.before.minor, credited.after.minor), (0, 50_00));
                    tx.commit().await.unwrap();
                    1
                }
                Err(RedeemError::Used) => 0,
                Err(other) => panic!("{other:?}"),
            }
        });
    }
    assert_eq!(tries.join_all().await.into_iter().sum::<i32>(), 1);
    w.books_balance().await;
}

// spec: 10.5.02
async fn concurrent_holds_never_overdraw(w: World) {
    let user = w.person(100_00).await;
    let w = std::sync::Arc::new(w);
    let mut tries = tokio::task::JoinSet::new();
    for n in 0..32_u128 {
        let w = w.clone();
        tries.spawn(async move {
            let mut tx = w.begin().await;
            match ledger::hold(&mut tx, &w.random, user, Money::cad(10_00), task(n), now()).await {
                Ok(_) => {
                    tx.commit().await.unwrap();
                    1
                }
                Err(HoldError::Insufficient { .. }) => 0,
                Err(other) => panic!("{other:?}"),
            }
        });
    }
    assert_eq!(tries.join_all().await.into_iter().sum::<i32>(), 10);
    w.books_balance().await;
}

// spec: 10.5.01
async fn concurrent_captures_and_releases_resolve_a_hold_once(w: World) {
    let user = w.person(200_00).await;
    let w = std::sync::Arc::new(w);
    let mut holds = Vec::new();
    for n in 0..20_u128 {
        let mut tx = w.begin().await;
        holds.push(ledger::hold(&mut tx, &w.random, user, Money::cad(10_00), task(n), now()).await.unwrap());
        tx.commit().await.unwrap();
    }
    let mut tries = tokio::task::JoinSet::new();
    for hold in holds {
        for n in 0..4 {
            let w = w.clone();
            tries.spawn(async move {
                let mut tx = w.begin().await;
                let done = if n % 2 == 0 {
                    ledger::capture(&mut tx, &w.random, hold, later(1)).await.unwrap()
                } else {
                    ledger::release(&mut tx, &w.random, hold, later(1)).await.unwrap()
                };
                tx.commit().await.unwrap();
                usize::from(done == Resolution::Now)
            });
        }
    }
    assert_eq!(tries.join_all().await.into_iter().sum::<usize>(), 20);
    w.books_balance().await;
}

// spec: 10.5.04, 10.11.15
async fn a_failed_ledger_check_freezes_money(w: World) {
    let user = w.person(10_00).await;
    let mut tx = w.begin().await;
    store::exec!(&mut tx, "UPDATE ledger_account SET posted = posted + 1 WHERE kind = 'user'").unwrap();
    let found: Vec<_> = ledger::check(&mut tx).await.unwrap().into_iter().map(|d| d.promise).collect();
    assert_eq!(found, ["M1", "M4"]);
    ledger::freeze(&mut tx, now(), "M1").await.unwrap();
    let refused = ledger::hold(&mut tx, &w.random, user, Money::cad(1), task(1), now()).await;
    assert!(matches!(refused, Err(HoldError::Store(store::Error::Frozen(_)))));
    ledger::thaw(&mut tx).await.unwrap();
    assert!(ledger::hold(&mut tx, &w.random, user, Money::cad(1), task(1), now()).await.is_ok());
}

// spec: 10.11.11
async fn bonus_money_is_spent_first_and_never_refunded(w: World) {
    let user = w.person(50_00).await;
    let mut tx = w.begin().await;
    let bonus = (TransferKind::Bonus, Money::cad(10_00));
    ledger::credit(&mut tx, &w.random, user, bonus, ("referral", fresh(&w)), later(1)).await.unwrap();
    let hold = ledger::hold(&mut tx, &w.random, user, Money::cad(4_00), task(1), later(2)).await.unwrap();
    assert_eq!(ledger::bonus_left(&mut tx, user).await.unwrap(), Money::cad(6_00));
    assert_eq!(ledger::refundable(&mut tx, user).await.unwrap(), Money::cad(0), "the money came by code");
    ledger::release(&mut tx, &w.random, hold, later(3)).await.unwrap();
    assert_eq!(ledger::bonus_left(&mut tx, user).await.unwrap(), Money::cad(10_00));
    let void = (TransferKind::Void, Money::cad(10_00));
    ledger::debit(&mut tx, &w.random, user, void, ("referral_void", fresh(&w)), later(4)).await.unwrap();
    assert_eq!(ledger::bonus_left(&mut tx, user).await.unwrap(), Money::cad(0));
    let refund = (TransferKind::Refund, Money::cad(50_01));
    let source = ("card_refund", fresh(&w));
    let refused = ledger::debit(&mut tx, &w.random, user, refund, source, later(5)).await;
    assert!(matches!(refused, Err(DebitError::Insufficient { .. })), "{refused:?}");
    let refund = (TransferKind::Refund, Money::cad(50_00));
    ledger::debit(&mut tx, &w.random, user, refund, source, later(5)).await.unwrap();
    let again = ledger::debit(&mut tx, &w.random, user, refund, source, later(5)).await;
    assert!(matches!(again, Err(DebitError::Store(store::Error::Conflict(_)))), "{again:?}");
    tx.commit().await.unwrap();
    w.books_balance().await;
}

// spec: 10.11.12
async fn a_disputed_payment_that_was_spent_becomes_debt(w: World) {
    let user = w.person(0).await;
    let mut tx = w.begin().await;
    let paid = (TransferKind::Card, Money::cad(50_00));
    ledger::credit(&mut tx, &w.random, user, paid, ("card_payment", fresh(&w)), now()).await.unwrap();
    let hold = ledger::hold(&mut tx, &w.random, user, Money::cad(30_00), task(1), later(1)).await.unwrap();
    let source = ("card_dispute", fresh(&w));
    let took = ledger::dispute(&mut tx, &w.random, user, Money::cad(50_00), source, later(2)).await.unwrap();
    assert_eq!(took, Disputed { taken: Money::cad(20_00), owed: Money::cad(30_00) });
    let again = ledger::dispute(&mut tx, &w.random, user, Money::cad(50_00), source, later(2)).await;
    assert!(matches!(again, Err(store::Error::Conflict(_))));
    let refused = ledger::hold(&mut tx, &w.random, user, Money::cad(1), task(2), later(3)).await;
    assert!(matches!(refused, Err(HoldError::InDebt(owed)) if owed == Money::cad(30_00)), "{refused:?}");
    // Money released from a hold pays the debt, and so does the next top-up.
    ledger::release(&mut tx, &w.random, hold, later(4)).await.unwrap();
    assert_eq!(ledger::debt(&mut tx, user).await.unwrap(), Money::cad(0));
    assert_eq!(ledger::balance(&mut tx, user).await.unwrap().available, Money::cad(0));
    let source = ("card_dispute", fresh(&w));
    ledger::dispute(&mut tx, &w.random, user, Money::cad(5_00), source, later(5)).await.unwrap();
    ledger::topup(&mut tx, &w.random, user, Money::cad(20_00), ("test", fresh(&w)), later(6)).await.unwrap();
    assert_eq!(ledger::balance(&mut tx, user).await.unwrap().available, Money::cad(15_00));
    ledger::reinstate(&mut tx, &w.random, user, Money::cad(5_00), ("card_won", fresh(&w)), later(7))
        .await
        .unwrap();
    assert_eq!(ledger::balance(&mut tx, user).await.unwrap().available, Money::cad(20_00));
    tx.commit().await.unwrap();
    w.books_balance().await;
}

// spec: 10.11.15
async fn movement_counts_are_checked(w: World) {
    let user = w.person(10_00).await;
    let mut tx = w.begin().await;
    ledger::hold(&mut tx, &w.random, user, Money::cad(4_00), task(1), later(1)).await.unwrap();
    store::exec!(&mut tx, "UPDATE ledger_account SET moves = 7 WHERE kind = 'user'").unwrap();
    let found: Vec<_> =
        ledger::check(&mut tx).await.unwrap().into_iter().map(|d| (d.promise, d.found)).collect();
    assert_eq!(found, [("M5", 7)]);
}

// spec: 10.11.15
async fn the_ledger_check_covers_every_account(w: World) {
    let mut tx = w.begin().await;
    for _ in 0..1_100 {
        store::exec!(
            &mut tx,
            "INSERT INTO ledger_account (id, kind, owner, currency, posted, held, moves) VALUES ($1, 'user', $2, 'CAD', 7, 0, 1)",
            fresh(&w),
            fresh(&w)
        )
        .unwrap();
    }
    let found: Vec<_> = ledger::check(&mut tx).await.unwrap().into_iter().map(|d| d.promise).collect();
    for (promise, times) in [("M1", 1), ("M4", 1_100), ("M5", 1_100)] {
        assert_eq!(found.iter().filter(|other| **other == promise).count(), times, "{promise}");
    }
}
