//! Stories of a table that refuses writes, whatever the cause. The engine neither spins nor sends a
//! stream of requests to the portal. It stores its readings as soon as it can.

use std::time::Duration;

use chrono::TimeDelta;
use sandbox::world::faults::{FaultKind, InjectedFault};
use store::exec;

use crate::stage::{Stage, TORONTO, at, toronto};

/// Tables that polls and bookings write.
const TABLES: [&str; 9] = [
    "account_lease",
    "intent",
    "journal",
    "ledger_transfer",
    "observation",
    "outbox",
    "portal_account",
    "sighting",
    "task",
];

/// Tables that a read-back writes.
const READ_BACK: [&str; 5] = ["account_lease", "intent", "journal", "ledger_transfer", "portal_account"];

/// Most rounds and requests in half an hour of one task: a round a second, which sends nothing to
/// the portal.
const MOST: (u64, usize) = (2_400, 60);

async fn run(stage: &Stage, statements: &[String]) {
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    for sql in statements {
        exec!(&mut tx, sql.clone().leak()).expect("sql");
    }
    tx.commit().await.expect("commit");
}

/// Makes every insert and update of the table fail from now on.
async fn refuse(stage: &Stage, table: &str) {
    let statements = if stage.ctx.db.is_postgres() {
        vec![
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''refused''; END'"
                .to_owned(),
            format!(
                "CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()"
            ),
        ]
    } else {
        let of = |name: &str, what: &str| {
            format!(
                "CREATE TRIGGER {name} BEFORE {what} ON {table} BEGIN SELECT RAISE(ABORT, 'refused'); END"
            )
        };
        vec![of("refuse", "INSERT"), of("refuse_update", "UPDATE")]
    };
    run(stage, &statements).await;
}

async fn refuse_no_more(stage: &Stage, table: &str) {
    let statements = if stage.ctx.db.is_postgres() {
        vec![format!("DROP TRIGGER refuse ON {table}")]
    } else {
        vec!["DROP TRIGGER refuse".to_owned(), "DROP TRIGGER refuse_update".to_owned()]
    };
    run(stage, &statements).await;
}

/// Runs half an hour of virtual time. Fails if it does not end.
async fn half_an_hour(stage: &Stage, table: &str) {
    let asked = |stage: &Stage| stage.sandbox.with_world(|w| w.journal.after(0).len());
    let before = (stage.engine.work().rounds, asked(stage));
    let ended = tokio::time::timeout(Duration::from_secs(30), stage.run_for(TimeDelta::minutes(30))).await;
    let done = (stage.engine.work().rounds - before.0, asked(stage) - before.1);
    assert!(ended.is_ok(), "{table}: time does not advance: {done:?} rounds and requests");
    println!("{table}: {done:?}");
    assert!(done.0 <= MOST.0 && done.1 <= MOST.1, "{table}: {done:?} rounds and requests");
}

// spec: 10.15.30
#[tokio::test]
async fn a_table_that_refuses_writes_causes_no_busy_loop() {
    for table in TABLES {
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
        let task = stage.task("lin", toronto()).await;
        stage.run_for(TimeDelta::minutes(5)).await;
        stage.slot(TORONTO, "2027-02-09", "09:15");
        refuse(&stage, table).await;
        half_an_hour(&stage, table).await;
        assert!(stage.requests("book") <= 1, "{table}");
        refuse_no_more(&stage, table).await;
        stage.run_for(TimeDelta::hours(3)).await;
        assert_eq!((stage.requests("book"), stage.applied(group)), (1, 1), "{table}: booked once");
        assert_eq!(stage.balance(stage.read(task).await.user_id).await, (96_200, 0), "{table}: charged");
        stage.assert_tidy().await;
    }
}

// spec: 10.15.30
#[tokio::test]
async fn writes_refused_after_a_booking_was_sent_are_stored_later() {
    for table in READ_BACK {
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
        let task = stage.task("lin", toronto()).await;
        stage.run_for(TimeDelta::minutes(5)).await;
        stage.slot(TORONTO, "2027-02-09", "09:15");
        // From the POST on the portal shows nothing for a while, so that the booking still has to
        // be read back.
        let blind = [("groups", 1), ("instructions", 1)].map(|(page, skip)| {
            let on = Some(page.to_owned());
            let fault = InjectedFault { on, skip, ..InjectedFault::of(FaultKind::BadGateway) };
            stage.sandbox.with_world(|w| w.add_fault(fault))
        });
        stage.run_until(TimeDelta::hours(1), || stage.applied(group) == 1).await;
        assert_ne!(stage.balance(stage.read(task).await.user_id).await, (96_200, 0), "not read back yet");
        for fault in blind {
            stage.sandbox.with_world(|w| w.remove_faults(Some(fault)));
        }
        refuse(&stage, table).await;
        half_an_hour(&stage, table).await;
        refuse_no_more(&stage, table).await;
        stage.run_for(TimeDelta::hours(3)).await;
        assert_eq!((stage.requests("book"), stage.applied(group)), (1, 1), "{table}: booked once");
        assert_eq!(stage.balance(stage.read(task).await.user_id).await, (96_200, 0), "{table}: charged");
        stage.assert_tidy().await;
    }
}
