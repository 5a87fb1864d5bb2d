//! Stories of successive engines: the cost of one that died, and a clock that ran past its lease.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use domain::budget::Budget;
use engine::Engine;
use store::{all, exec, scalar};
use uuid::Uuid;

use crate::stage::{Stage, TORONTO, at, toronto};

const NAMES: [&str; 3] = ["lin", "sun", "qian"];

async fn watched(stage: &Stage) {
    for name in NAMES {
        stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
        stage.task(name, toronto()).await;
    }
}

/// Returns the number of lists that each account really requested.
fn made(stage: &Stage) -> BTreeMap<String, u32> {
    let mut made = BTreeMap::new();
    stage.sandbox.with_world(|w| {
        for entry in w.journal.after(0).iter().filter(|e| e.kind == "days") {
            *made.entry(entry.account.clone().unwrap_or_default()).or_default() += 1;
        }
    });
    made
}

/// Returns the number that the stored budgets count, and if the account is leased.
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
async fn an_engine_crash_charges_no_budget_of_idle_accounts() {
    let mut stage = Stage::new().await;
    watched(&stage).await;
    for minutes in [31, 7, 3, 8, 11] {
        // Stops at the second at which a request may just have been made.
        let before = stage.requests("days");
        stage.run_for(TimeDelta::minutes(minutes)).await;
        let requests =
            || stage.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind == "days").count());
        stage.run_until(TimeDelta::hours(1), || requests() > before + 1).await;
        let dying = counted(&stage).await;
        // No engine releases the lease: the process is gone.
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
        assert!(lent < NAMES.len(), "all accounts are charged: {dying:?}");
    }
    stage.assert_tidy().await;
}

// spec: 10.15.11
#[tokio::test]
async fn a_clock_jump_past_the_lease_frees_no_used_budget() {
    let stage = Stage::new().await;
    if stage.ctx.db.is_postgres() {
        // On PostgreSQL the database's clock decides about the lease.
        return;
    }
    watched(&stage).await;
    stage.run_for(TimeDelta::hours(3)).await;
    let epoch = async |stage: &Stage| {
        let mut tx = stage.ctx.db.read().await.expect("tx");
        scalar!(&mut tx, i64, "SELECT epoch FROM lease").expect("sql")
    };
    let before = epoch(&stage).await;
    // The clock of this machine jumps, and the clock that the lease was written by with it.
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    exec!(&mut tx, "UPDATE lease SET expires_us = 1").expect("sql");
    tx.commit().await.expect("commit");
    stage.set_clocks(TimeDelta::hours(12));
    stage.run_for(TimeDelta::minutes(2)).await;
    assert_eq!(epoch(&stage).await, before, "another engine got the lease");
    let made = made(&stage);
    for (name, (count, lent)) in counted(&stage).await {
        assert!(count + u32::from(lent) >= made[&name] && count > 10, "{name}: {count} of {}", made[&name]);
    }
}
