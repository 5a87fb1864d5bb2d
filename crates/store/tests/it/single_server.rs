//! Tests that only one engine works on a database: the lock of an SQLite file, account leases, and
//! a server whose stored history differs.

use domain::country::{CountryCode, VisaType};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::TimeDelta;
use domain::booking::{AttemptState, ObservedState};
use domain::budget::Budget;
use domain::ids::{AttemptId, PortalAccountId};
use domain::journal::{PostEvent, Wrote};
use serde_json::json;
use store::account_lease::{self, Use};
use store::file_lock::{FileLock, network_file_system};
use store::timeline::History;
use store::{booking_attempt as attempt, exec, lease, portal_account, scalar, timeline};
use uuid::Uuid;

use crate::support::{World, later, now, postgres};
use crate::tasks_and_accounts::appointment;

stories!(only_leased_accounts_are_charged_after_a_crash, prepared_attempts_of_a_lost_server_are_assumed_sent);

#[tokio::test]
async fn a_database_file_has_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sooner.db");
    let url = format!("sqlite:{}", file.display());
    let held = FileLock::acquire(&url, now()).unwrap();
    let db = store::Db::open(&url).await.unwrap();
    let roundabout = format!("sqlite://{}/./sooner.db", folder.path().display());
    for name in [&url, &roundabout] {
        let refused = FileLock::acquire(name, later(5)).unwrap_err().to_string();
        let process = format!("process {}, started 2026-11-18", std::process::id());
        assert!(refused.contains(&process) && refused.contains("stop it first"), "{refused}");
    }
    // Reads and short transactions of an operator need no lock.
    let tx = db.begin().await.unwrap();
    tx.commit().await.unwrap();
    drop(held);
    FileLock::acquire(&roundabout, later(9)).unwrap();
    let other = FileLock::acquire("postgres://nobody@127.0.0.1:1/none", now());
    assert!(other.is_ok(), "PostgreSQL has no file");
}

#[test]
fn a_network_file_system_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().canonicalize().unwrap();
    let url = format!("sqlite:{}", at.join("sooner.db").display());
    let local = "/dev/sda1 / ext4 rw 0 0\n";
    assert_eq!(network_file_system(&url, local), None);
    let mounts = format!("{local}nas:/data {} nfs4 rw 0 0\n", at.display());
    assert_eq!(network_file_system(&url, &mounts).as_deref(), Some("nfs4"));
}

async fn accounts(w: &World, count: u8) -> Vec<PortalAccountId> {
    let mut tx = w.begin().await;
    let mut ids = Vec::new();
    for n in 1..=count {
        let id = PortalAccountId(Uuid::from_u128(u128::from(n)));
        ids.push(
            portal_account::ensure(&mut tx, id, &[n; 32], CountryCode::CANADA, VisaType::Niv, now())
                .await
                .unwrap(),
        );
    }
    tx.commit().await.unwrap();
    ids
}

async fn budget(w: &World, id: PortalAccountId) -> Budget {
    let mut tx = w.db.read().await.unwrap();
    portal_account::get(&mut tx, id).await.unwrap().unwrap().budget
}

async fn only_leased_accounts_are_charged_after_a_crash(w: World) {
    let ids = accounts(&w, 4).await;
    let mut tx = w.begin().await;
    account_lease::record(
        &mut tx,
        &[(ids[0], 1, Use::Poll), (ids[1], 2, Use::WarmUp), (ids[2], 3, Use::Poll)],
        now(),
    )
    .await
    .unwrap();
    // The third account's first lease ended, and the account was leased again before that end was
    // stored.
    account_lease::record(&mut tx, &[(ids[2], 4, Use::Poll)], now()).await.unwrap();
    account_lease::give_back(&mut tx, &[(ids[2], 3)]).await.unwrap();
    assert_eq!(account_lease::leased(&mut tx).await.unwrap(), ids[..3]);
    account_lease::give_back(&mut tx, &[(ids[2], 4)]).await.unwrap();
    assert_eq!(account_lease::leased(&mut tx).await.unwrap(), ids[..2]);
    tx.commit().await.unwrap();
    for _ in 0..2 {
        let mut tx = w.begin().await;
        account_lease::settle_left_over(&mut tx, later(9)).await.unwrap();
        tx.commit().await.unwrap();
    }
    assert_eq!(
        budget(&w, ids[0]).await.polls(later(10)),
        (1, 1),
        "it is counted once, however often a server starts"
    );
    assert_eq!(budget(&w, ids[1]).await.polls(later(10)), (2, 2));
    for id in &ids[2..] {
        assert_eq!(budget(&w, *id).await.requests(later(10)), 0);
    }
}

async fn prepared(w: &World, account: PortalAccountId) -> AttemptId {
    let user = w.person(0).await;
    let id = AttemptId(Uuid::from_u128(77));
    let mut tx = w.begin().await;
    exec!(
        &mut tx,
        "INSERT INTO task (id, user_id, portal_account_id, country, visa_type, portal_schedule_id, status, status_since,
           applicant_group, group_read_at, verdict, verdict_since, verdict_evidence, created_at, updated_at)
         VALUES ($1, $2, $3, 'en-ca', 'niv', '7', 'draft', $4, $5, $4, 'booking', $4, $5, $4, $4)",
        Uuid::from_u128(7),
        user.0,
        account.0,
        now(),
        json!({})
    )
    .unwrap();
    exec!(
        &mut tx,
        "INSERT INTO intent (id, task_id, user_id, portal_account_id, country, portal_schedule_id, state, epoch,
           expected_facility, expected_date, expected_time, target_facility, target_date, armed_at, readings, evidence)
         VALUES ($1, $2, $3, $4, 'en-ca', '7', 'armed', 1, 94, '2027-08-17', '08:15', 92, '2027-02-09', $5, $6, $7)",
        id.0,
        Uuid::from_u128(7),
        user.0,
        account.0,
        now(),
        json!({ "readings": [] }),
        json!({})
    )
    .unwrap();
    tx.commit().await.unwrap();
    id
}

async fn prepared_attempts_of_a_lost_server_are_assumed_sent(w: World) {
    let account = accounts(&w, 1).await[0];
    let id = prepared(&w, account).await;
    let mut tx = w.begin().await;
    let yes =
        "INSERT INTO question (id, task_id, facility, day, wish_version, token_hash, seen_at, answered_at)
         VALUES ($1, $2, 92, '2027-02-09', 1, $3, $4, $4)";
    exec!(&mut tx, yes, Uuid::from_u128(8), Uuid::from_u128(7), vec![1_u8; 32], now()).unwrap();
    let ended = PostEvent { wrote: Wrote::All, status: Some(302), location: None, flash: None, error: None };
    let written = attempt::set_evidence(&mut tx, id, &ended, later(50), later(50)).await.unwrap();
    assert!(!written, "the row does not record that it was sent");
    attempt::assume_all_sent(&mut tx, later(60), later(60)).await.unwrap();
    let carried = scalar!(&mut tx, Uuid, "SELECT intent_id FROM question WHERE sent_at IS NOT NULL").unwrap();
    assert_eq!(carried, id.0, "the approval that the attempt used is consumed");
    let doubted = attempt::get(&mut tx, id).await.unwrap().unwrap();
    assert_eq!((doubted.state, doubted.next_read_at), (AttemptState::Sending, Some(later(60))));
    let used = scalar!(&mut tx, i32, "SELECT reschedules_used FROM task").unwrap();
    assert_eq!(used, 1, "it counts as used until the portal shows otherwise");
    let target = doubted.target.unwrap();
    let booked = appointment(92, "2027-02-09", "10:45");
    assert_eq!(
        doubted.expected_target(target, &ObservedState::of(Some(booked))),
        booked,
        "any time is accepted"
    );
    let other = ObservedState::of(Some(appointment(92, "2027-02-10", "10:45")));
    assert_eq!(doubted.expected_target(target, &other), target);
    // The late record of the outcome does not contain the time.
    assert!(attempt::set_evidence(&mut tx, id, &ended, later(61), later(61)).await.unwrap());
    let ended = attempt::get(&mut tx, id).await.unwrap().unwrap();
    assert!(ended.is_time_unknown() && ended.was_sent() && ended.evidence["status"] == 302, "{ended:?}");
    let step = (AttemptState::Sending, AttemptState::Refused);
    assert!(attempt::settle(&mut tx, id, step, &[], later(62)).await.unwrap());
    let late = attempt::late(&mut tx, ended.task_id, booked, now()).await.unwrap();
    assert!(late.is_none(), "a booking that shows up later may be the user's own");
    attempt::learn_time(&mut tx, &ended, booked).await.unwrap();
    let late = attempt::late(&mut tx, ended.task_id, booked, now()).await.unwrap();
    assert_eq!(late.map(|attempt| attempt.id), Some(id), "a booking of a known time is ours");
    let learned = attempt::get(&mut tx, id).await.unwrap().unwrap();
    assert_eq!((learned.is_time_unknown(), learned.target), (false, Some(booked)));
    tx.commit().await.unwrap();
}

/// Simulates a failover: the database contains the history of another server.
async fn promoted(w: &World) {
    let mut tx = w.begin().await;
    exec!(&mut tx, "UPDATE lease SET timeline = '1234567890/00000001'").unwrap();
    tx.commit().await.unwrap();
}

async fn renewed(w: &World, highest: i64) -> History {
    let mut tx = w.begin().await;
    lease::acquire(&mut tx, "engine", "a", 60).await.unwrap().unwrap();
    let changed = timeline::check(&mut tx, "engine", highest, (now(), later(1_000))).await.unwrap();
    tx.commit().await.unwrap();
    changed
}

// spec: 10.3.16
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_another_timeline_is_detected() {
    let w = postgres().await;
    assert_eq!(renewed(&w, 0).await, History::Same, "the first server is remembered");
    assert_eq!(renewed(&w, 0).await, History::Same);
    let mut tx = w.begin().await;
    assert!(lease::holds(&mut tx, "engine", "a", 1).await.unwrap());
    assert_eq!(timeline::guard(&mut tx, "engine").await.unwrap(), timeline::Guard::default());
    drop(tx);

    let user = w.person(10_00).await;
    promoted(&w).await;
    let mut tx = w.begin().await;
    assert!(
        !lease::holds(&mut tx, "engine", "a", 1).await.unwrap(),
        "an attempt was sent before the failover was noticed"
    );
    let source = ("task", Uuid::from_u128(7));
    let hold =
        store::ledger::hold(&mut tx, &w.random, user, domain::money::Money::cad(1), source, now()).await;
    let waits = matches!(hold, Err(store::ledger::HoldError::Store(store::Error::Unavailable(_))));
    assert!(waits, "a prepared attempt was given up: {hold:?}");
    drop(tx);
    let ahead = 1 << 20;
    let changed = History::Changed(40 + ahead);
    assert_eq!(renewed(&w, 40).await, changed, "the epoch exceeds every epoch of this process");
    assert_eq!(renewed(&w, 40).await, History::Same, "the failover was reported twice");
    let mut tx = w.begin().await;
    assert!(lease::holds(&mut tx, "engine", "a", 40 + ahead).await.unwrap());
    let guard = timeline::guard(&mut tx, "engine").await.unwrap();
    assert_eq!(guard.quiet_until, Some(later(1_000) + TimeDelta::seconds(180)));
    assert_eq!(guard.guarded_at, Some(now()));
    let portal = later(1_000);
    for (read_at, portal, allowed) in [
        (now(), portal + TimeDelta::hours(1), false),
        (later(1), portal + TimeDelta::seconds(179), false),
        (later(1), portal + TimeDelta::seconds(180), true),
    ] {
        let found = timeline::allows(&mut tx, "engine", (read_at, portal)).await.unwrap();
        assert_eq!(found, allowed, "pages read at {read_at}, now {portal}");
    }
    drop(tx);

    let mut tx = w.begin().await;
    assert_eq!(timeline::is_known(&mut tx).await.unwrap(), Some(true));
    let silent =
        "CREATE OR REPLACE FUNCTION server_timeline() RETURNS TEXT LANGUAGE sql AS 'SELECT NULL::TEXT'";
    exec!(&mut tx, silent).unwrap();
    tx.commit().await.unwrap();
    assert_eq!(renewed(&w, 40).await, History::Unknown, "the missing guard is reported");
    let mut tx = w.begin().await;
    assert_eq!(timeline::is_known(&mut tx).await.unwrap(), Some(false));
}

/// Counts PostgreSQL's warnings to this client.
struct Warnings(Arc<AtomicUsize>);

impl tracing::Subscriber for Warnings {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target() == "sqlx::postgres::notice"
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, _: &tracing::Event<'_>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

/// Checks that returning a connection to the pool causes no warning. Runs on one thread, so that
/// the listener also receives events of the pool's own tasks.
#[tokio::test]
async fn a_connection_returned_to_the_pool_causes_no_warning() {
    let w = postgres().await;
    let warnings = Arc::new(AtomicUsize::new(0));
    let _listening = tracing::subscriber::set_default(Warnings(warnings.clone()));
    for n in 0..20 {
        let mut tx = w.begin().await;
        scalar!(&mut tx, i64, "SELECT COUNT(*) FROM users").unwrap();
        match n % 3 {
            0 => tx.commit().await.unwrap(),
            1 => drop(tx),
            _ => {
                exec!(&mut tx, "SELECT 1 / 0").unwrap_err();
                drop(tx);
            }
        }
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    assert_eq!(warnings.load(Ordering::Relaxed), 0);
    // Provoke a warning to prove that the listener works.
    let mut tx = w.begin().await;
    exec!(&mut tx, "BEGIN").unwrap();
    drop(tx);
    assert!(warnings.load(Ordering::Relaxed) > 0);
}
