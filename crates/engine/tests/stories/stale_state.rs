//! Stories of readings that are too old, or that another node has overtaken.

use chrono::TimeDelta;
use domain::health::CredentialHealth;
use domain::ids::TaskId;
use sandbox::world::faults::{FaultKind, InjectedFault};
use tokio::task::JoinSet;

use crate::stage::{Stage, TORONTO, appointment, at, toronto};

// spec: 10.15.03
#[tokio::test]
async fn a_replaced_node_stores_nothing_it_read() {
    let stage = Stage::new().await;
    stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", toronto()).await;
    stage.latency(100, 100);
    let driver = stage.driver();
    let (mut jobs, end) = (JoinSet::new(), stage.clock.now() + TimeDelta::minutes(10));
    // The warm-up has requested the groups page, and waits.
    let verified = stage.requests("groups");
    while stage.requests("groups") == verified {
        let due = stage.engine.begin_due(&mut jobs).await;
        if !driver.let_go(&stage.engine, &mut jobs).await && stage.requests("groups") == verified {
            driver.step(due, end);
        }
    }
    // Meanwhile another node takes over, books and confirms.
    let ours = appointment(TORONTO, "2027-02-09", "09:15");
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::exec!(&mut tx, "UPDATE lease SET holder = 'other', epoch = epoch + 1").expect("lease");
    store::task::set_booked(&mut tx, task, Some(ours), stage.ctx.wall.now()).await.expect("booked");
    tx.commit().await.expect("commit");
    while !jobs.is_empty() {
        if !driver.let_go(&stage.engine, &mut jobs).await {
            driver.step(None, end);
        }
    }
    assert_eq!(stage.read(task).await.booked, Some(ours), "the other node's row is unchanged");
    assert!(!stage.journal(task).await.contains(&"changed_outside".to_owned()));
}

/// Starts a booking whose pages are requested, and changes the database before they arrive.
async fn changed_before_the_post(change: impl AsyncFnOnce(&Stage, TaskId)) {
    let stage = Stage::new().await;
    stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.latency(100, 100);
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let driver = stage.driver();
    let (mut jobs, end) = (JoinSet::new(), stage.clock.now() + TimeDelta::hours(2));
    while stage.requests("times") == 0 {
        let due = stage.engine.begin_due(&mut jobs).await;
        if !driver.let_go(&stage.engine, &mut jobs).await && stage.requests("times") == 0 {
            assert!(stage.clock.now() < end, "the engine did not try to book");
            driver.step(due, end);
        }
    }
    change(&stage, task).await;
    // No round begins in which the engine would read the change.
    while !jobs.is_empty() {
        if !driver.let_go(&stage.engine, &mut jobs).await {
            driver.step(None, end);
        }
    }
    assert_eq!(stage.requests("book"), 0);
    let mut tx = stage.ctx.db.read().await.expect("tx");
    assert!(
        store::booking_attempt::live(&mut tx)
            .await
            .expect("live")
            .iter()
            .all(|attempt| attempt.sending_at.is_none())
    );
}

#[tokio::test]
async fn a_node_replaced_during_the_preflight_sends_nothing() {
    changed_before_the_post(async |stage, _| {
        let mut tx = stage.ctx.db.begin().await.expect("tx");
        store::exec!(&mut tx, "UPDATE lease SET holder = 'other', epoch = epoch + 1").expect("lease");
        tx.commit().await.expect("commit");
    })
    .await;
}

#[tokio::test]
async fn a_password_rejected_during_the_preflight_prevents_sending() {
    changed_before_the_post(async |stage, task| {
        let own = stage.read(task).await.credential_id.expect("a password");
        let mut tx = stage.ctx.db.begin().await.expect("tx");
        store::credential::set_health(&mut tx, own, CredentialHealth::Rejected, stage.ctx.wall.now())
            .await
            .expect("health");
        tx.commit().await.expect("commit");
    })
    .await;
}

// spec: 10.2.23, 10.15.01
#[tokio::test]
async fn nothing_is_sent_from_pages_older_than_ten_seconds() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.latency(100, 100);
    let slow = InjectedFault {
        on: Some("groups".to_owned()),
        ..InjectedFault::of(FaultKind::Slow { millis: 11_000 })
    };
    let slow = stage.sandbox.with_world(|w| w.add_fault(slow));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.requests("book"), 0);
    let why = stage.lines(task).await;
    assert!(why.iter().any(|l| l.data["stop"]["why"] == "too_old"), "{why:?}");
    stage.sandbox.with_world(|w| w.remove_faults(Some(slow)));
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.applied(group), 1);
    stage.assert_tidy().await;
}

// spec: 10.2.23
#[tokio::test]
async fn expired_forms_are_not_sent_to_a_slow_portal() {
    for (millis, booked) in [(1_000, true), (4_000, true), (9_800, true), (15_000, false)] {
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
        stage.task("lin", toronto()).await;
        stage.run_for(TimeDelta::minutes(5)).await;
        // This is much stricter than what is known of the portal.
        stage.sandbox.with_world(|w| w.config.form_lives_seconds = 30);
        stage.latency(millis, millis);
        stage.slot(TORONTO, "2027-02-09", "09:15");
        stage.run_for(TimeDelta::minutes(30)).await;
        assert_eq!(stage.applied(group), usize::from(booked), "{millis} ms an answer");
        assert_eq!(stage.requests("book"), usize::from(booked), "{:?}", stage.posts());
    }
}
