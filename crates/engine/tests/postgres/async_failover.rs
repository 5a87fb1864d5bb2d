//! Stories of a database server that continues another history: committed rows are lost.

use chrono::TimeDelta;
use engine::{Config, Engine};
use sandbox::world::faults::{FaultKind, InjectedFault};
use store::exec;

use crate::stage::{OTTAWA, Stage, TORONTO, appointment, at, criteria};

/// Applies the POST, and promotes a server that has no record of it.
async fn forgotten(stage: &Stage, group: u64) {
    stage.fault(FaultKind::CutAfterApply, Some(1));
    let unread = [("groups", 1), ("instructions", 1)].map(|(page, skip)| {
        let unread =
            InjectedFault { on: Some(page.to_owned()), skip, ..InjectedFault::of(FaultKind::BadGateway) };
        stage.sandbox.with_world(|w| w.add_fault(unread))
    });
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_until(TimeDelta::hours(1), || stage.applied(group) == 1).await;
    for unread in unread {
        stage.sandbox.with_world(|w| w.remove_faults(Some(unread)));
    }
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let lost = "UPDATE intent SET state = 'armed', acting_at = NULL, target_time = NULL, t0 = NULL, next_read_at = NULL,
                  evidence = $1, readings = $2 WHERE state IN ('acting', 'unknown')";
    let readings = serde_json::json!({ "readings": [] });
    assert_eq!(exec!(&mut tx, lost, serde_json::json!({}), readings).expect("sql"), 1);
    exec!(&mut tx, "UPDATE task SET reschedules_used = 0").expect("sql");
    exec!(&mut tx, "UPDATE lease SET timeline = '1234567890/00000001'").expect("sql");
    tx.commit().await.expect("commit");
}

// spec: 10.3.16, 10.15.12, 10.15.24
#[tokio::test]
async fn a_booking_lost_in_a_failover_is_charged_and_sending_pauses() {
    let mut stage = Stage::with(Config { lease_seconds: 600, ..Config::default() }).await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", criteria()).await;
    let other = stage.portal_account("sun", Some(at(TORONTO, "2027-08-18", "08:15")));
    stage.task("sun", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    forgotten(&stage, group).await;
    let promoted = stage.clock.now();
    stage.engine = Engine::new(stage.ctx.clone());
    stage.engine.run_due().await;
    // The server reads card payments again; the engine alone has none.
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let unread = store::restore::unfinished(&mut tx).await.expect("unread");
    assert_eq!(unread.map(|unread| unread.restored_at), Some(promoted));
    store::restore::cards_were_read(&mut tx, promoted, promoted).await.expect("read");
    tx.commit().await.expect("commit");
    stage.slot(OTTAWA, "2027-01-12", "10:00");
    stage.run_for(TimeDelta::minutes(12)).await;
    let booked = stage.read(task).await;
    assert_eq!(stage.applied(group), 1, "{:?}", stage.posts());
    assert_eq!(
        booked.booked,
        Some(appointment(TORONTO, "2027-02-09", "09:15")),
        "{:?}",
        stage.journal(task).await
    );
    assert_eq!(stage.balance(booked.user_id).await, (96_200, 0), "charged as booked");
    assert!(stage.journal(task).await.contains(&"booked".to_owned()));
    stage.run_for(TimeDelta::hours(8)).await;
    let later: Vec<_> = stage.posts().into_iter().filter(|(at, ..)| *at > promoted).collect();
    assert!(!later.is_empty(), "bookings continue");
    for (at, ..) in &later {
        assert!(*at - promoted >= TimeDelta::seconds(180), "only {} s after", (*at - promoted).num_seconds());
    }
    assert_eq!(stage.applied(group) + stage.applied(other), 2, "{:?}", stage.posts());
    stage.assert_tidy().await;
}

// spec: 10.15.12
#[tokio::test]
async fn an_engine_running_through_a_failover_finds_the_lost_booking() {
    // The lease is not due to be renewed for a while, so only the engine's own transactions can
    // notice it.
    let stage = Stage::with(Config { lease_seconds: 6_000, ..Config::default() }).await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    forgotten(&stage, group).await;
    // The user stops, edits or deletes the task meanwhile, which requests it again.
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let stopped = store::booking_attempt::release_prepared(&mut tx, task, stage.clock.now()).await;
    assert!(matches!(stopped, Err(store::Error::Unavailable(_))), "{stopped:?}");
    drop(tx);
    stage.run_for(TimeDelta::minutes(12)).await;
    let booked = stage.read(task).await;
    assert_eq!(
        booked.booked,
        Some(appointment(TORONTO, "2027-02-09", "09:15")),
        "{:?}",
        stage.journal(task).await
    );
    assert_eq!(stage.balance(booked.user_id).await, (96_200, 0), "charged as booked");
    assert_eq!(stage.requests("book"), 1);
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let attempts = store::booking_attempt::of_task(&mut tx, task).await.expect("attempts");
    assert_eq!(attempts[0].target, booked.booked, "the time of the attempt is known again");
    drop(tx);
    stage.assert_tidy().await;
}
