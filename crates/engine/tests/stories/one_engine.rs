//! One engine after another: what one that died costs, a clock that ran past its lease, a database server that continues
//! another history.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use domain::budget::Budget;
use engine::{Config, Engine};
use sandbox::world::faults::{FaultKind, InjectedFault};
use store::{all, exec, scalar};
use uuid::Uuid;

use crate::stage::{OTTAWA, Stage, TORONTO, at, criteria, slot, toronto};

const NAMES: [&str; 3] = ["lin", "sun", "qian"];

async fn watched(stage: &Stage) {
    for name in NAMES {
        stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
        stage.task(name, toronto()).await;
    }
}

/// Requests for lists that each account really made.
fn made(stage: &Stage) -> BTreeMap<String, u32> {
    let mut made = BTreeMap::new();
    stage.sandbox.with_world(|w| {
        for entry in w.journal.after(0).iter().filter(|e| e.kind == "days") {
            *made.entry(entry.account.clone().unwrap_or_default()).or_default() += 1;
        }
    });
    made
}

/// Those the stored budgets count, and whether the account is lent.
async fn counted(stage: &Stage) -> BTreeMap<String, (u32, bool)> {
    let now = stage.ctx.portal_time.now();
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let lent = store::account_lease::leased(&mut tx).await.expect("lent");
    let sql = "SELECT username, portal_account_id FROM credential";
    let accounts = all!(&mut tx, (String, Uuid), sql).expect("sql");
    let mut counted = BTreeMap::new();
    for (name, id) in accounts {
        let id = domain::ids::PortalAccountId(id);
        let row = store::portal_account::get(&mut tx, id).await.expect("read").expect("an account");
        counted.insert(name, (Budget::polls(&row.budget, now).1, lent.contains(&id)));
    }
    counted
}

// spec: 10.15.11
#[tokio::test]
async fn an_engine_that_dies_costs_no_account_that_was_not_polling() {
    let mut stage = Stage::new().await;
    watched(&stage).await;
    for minutes in [31, 7, 3, 8, 11] {
        // To the second at which something may just have been asked.
        let before = stage.requests("days");
        stage.run_for(TimeDelta::minutes(minutes)).await;
        let requests =
            || stage.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind == "days").count());
        stage.run_until(TimeDelta::hours(1), || requests() > before + 1).await;
        let dying = counted(&stage).await;
        // Nobody stands down: the process is gone.
        stage.engine = Engine::new(stage.ctx.clone());
        stage.engine.run_due().await;
        let (true_count, after) = (made(&stage), counted(&stage).await);
        for (name, (count, _)) in &after {
            let made = true_count[name];
            let lent = dying[name].1;
            let most = made + u32::from(lent) * 2;
            assert!(*count >= made, "{name}: {count} of {made} are counted");
            assert!(*count <= most, "{name}: {count} for {made}, lent: {lent}");
        }
        let lent = dying.values().filter(|(_, lent)| *lent).count();
        assert!(lent < NAMES.len(), "not everybody pays: {dying:?}");
    }
    stage.assert_tidy().await;
}

// spec: 10.15.11
#[tokio::test]
async fn a_clock_that_ran_past_the_lease_frees_nothing_that_was_used() {
    let stage = Stage::new().await;
    if stage.ctx.db.is_postgres() {
        // There the database's clock judges the lease.
        return;
    }
    watched(&stage).await;
    stage.run_for(TimeDelta::hours(3)).await;
    let epoch = async |stage: &Stage| {
        let mut tx = stage.ctx.db.read().await.expect("tx");
        scalar!(&mut tx, i64, "SELECT epoch FROM lease").expect("sql")
    };
    let before = epoch(&stage).await;
    // The clock of this machine jumps, and with it the one the lease was written by.
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    exec!(&mut tx, "UPDATE lease SET expires_us = 1").expect("sql");
    tx.commit().await.expect("commit");
    stage.set_clocks(TimeDelta::hours(12));
    stage.run_for(TimeDelta::minutes(2)).await;
    assert_eq!(epoch(&stage).await, before, "nobody else can have it");
    let made = made(&stage);
    for (name, (count, lent)) in counted(&stage).await {
        assert!(count + u32::from(lent) >= made[&name] && count > 10, "{name}: {count} of {}", made[&name]);
    }
}

/// The POST is applied, and the server that is promoted never heard that it was sent.
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

// spec: 10.3.16, 10.15.12
#[tokio::test]
async fn after_a_failover_a_forgotten_booking_is_found_and_charged_and_nothing_is_sent_for_three_minutes() {
    let mut stage = Stage::with(Config { lease_seconds: 600, ..Config::default() }).await;
    if !stage.ctx.db.is_postgres() {
        // A file has no other history.
        return;
    }
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", criteria()).await;
    let other = stage.portal_account("sun", Some(at(TORONTO, "2027-08-18", "08:15")));
    stage.task("sun", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    forgotten(&stage, group).await;
    let promoted = stage.clock.now();
    stage.engine = Engine::new(stage.ctx.clone());
    stage.engine.run_due().await;
    stage.slot(OTTAWA, "2027-01-12", "10:00");
    stage.run_for(TimeDelta::minutes(12)).await;
    let booked = stage.read(task).await;
    assert_eq!(stage.applied(group), 1, "{:?}", stage.posts());
    assert_eq!(booked.booked, Some(slot(TORONTO, "2027-02-09", "09:15")), "{:?}", stage.journal(task).await);
    assert_eq!(stage.balance(booked.user_id).await, (96_200, 0), "charged, as it was booked");
    assert!(stage.journal(task).await.contains(&"booked".to_owned()));
    stage.run_for(TimeDelta::hours(8)).await;
    let later: Vec<_> = stage.posts().into_iter().filter(|(at, ..)| *at > promoted).collect();
    assert!(!later.is_empty(), "bookings go on");
    for (at, ..) in &later {
        assert!(*at - promoted >= TimeDelta::seconds(180), "{} s after", (*at - promoted).num_seconds());
    }
    assert_eq!(stage.applied(group) + stage.applied(other), 2, "{:?}", stage.posts());
    stage.assert_tidy().await;
}
