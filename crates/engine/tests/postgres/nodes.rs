//! Stories of two nodes over one database: one works, the other waits for its lease to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chrono::TimeDelta;
use domain::booking::AttemptState;
use domain::country::{CountryCode, VisaType};
use domain::criteria::SearchCriteria;
use engine::outward::Outward;
use engine::verify_login::Login;
use engine::{Config, Context, Engine};
use portal::Purpose;
use sandbox::world::faults::{FaultKind, InjectedFault};
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use crate::stage::{OTTAWA, Stage, TORONTO, appointment, at, criteria, toronto};

fn node(name: &str) -> Config {
    Config { node: name.to_owned(), lease_seconds: 60, ..Config::default() }
}

/// Runs all nodes and the world from event to event.
async fn run_all(stage: &Stage, nodes: &[&Arc<Engine>], span: TimeDelta) {
    let end = stage.clock.now() + span;
    while stage.clock.now() < end {
        let mut next = end;
        for node in nodes {
            next = node.run_due().await.unwrap_or(end).min(next);
        }
        let now = stage.clock.now();
        stage.clock.set(next.clamp(now + TimeDelta::milliseconds(1), end));
    }
}

/// Lets the node's last renewal nearly expire: the database ends the lease a second from now.
async fn nearly_over(stage: &Stage, holder: &str) {
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let held = store::lease::acquire(&mut tx, engine::LEASE, holder, 1).await.expect("lease");
    assert!(held.is_some(), "{holder} has the lease");
    tx.commit().await.expect("commit");
}

/// Waits for the database's clock, which alone ends a lease.
async fn lease_ended(stage: &Stage) {
    for _ in 0..200 {
        let mut tx = stage.ctx.db.read().await.expect("tx");
        if !store::lease::is_held(&mut tx, engine::LEASE).await.expect("lease") {
            return;
        }
        drop(tx);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the lease of a dead node never ended");
}

// spec: 10.2.10
#[tokio::test]
async fn a_dead_node_is_replaced_and_its_bookings_are_read_back() {
    let stage = Stage::with(node("one")).await;
    let two = Engine::new(Context { config: node("two"), ..stage.ctx.clone() });
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    let asked = polled(&stage).len();
    assert!(two.run_due().await.is_none() && polled(&stage).len() == asked, "the other node only waits");

    // The POST is applied, its response is lost, the pages that would show the result fail, and
    // then the node dies.
    stage.fault(FaultKind::CutAfterApply, Some(1));
    let unread = [("groups", 1), ("instructions", 1)].map(|(page, skip)| {
        let unread =
            InjectedFault { on: Some(page.to_owned()), skip, ..InjectedFault::of(FaultKind::BadGateway) };
        stage.sandbox.with_world(|w| w.add_fault(unread))
    });
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_until(TimeDelta::hours(1), || stage.applied(group) == 1).await;
    let live = live(&stage).await;
    assert_eq!(live.len(), 1, "{:?}", polled(&stage));
    assert!(matches!(live[0].state, AttemptState::Sending | AttemptState::Unknown));
    assert!(two.run_due().await.is_none(), "the lease has not ended yet");
    nearly_over(&stage, "one").await;
    lease_ended(&stage).await;
    for unread in unread {
        stage.sandbox.with_world(|w| w.remove_faults(Some(unread)));
    }

    run_all(&stage, &[&two], TimeDelta::minutes(10)).await;
    let booked = stage.read(task).await;
    assert_eq!(booked.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")), "{:?}", polled(&stage));
    assert_eq!(stage.portal_shows(group), Some(at(TORONTO, "2027-02-09", "09:15")));
    assert_eq!(
        (stage.requests("book"), stage.applied(group)),
        (1, 1),
        "the attempt is read back, never repeated"
    );
    assert_eq!(stage.balance(booked.user_id).await, (96_200, 0));

    // The first node only slept: it wakes beside the second, and the next slot is booked once.
    stage.slot(OTTAWA, "2027-01-12", "10:00");
    run_all(&stage, &[&stage.engine, &two], TimeDelta::hours(12)).await;
    assert_eq!(stage.read(task).await.booked, Some(appointment(OTTAWA, "2027-01-12", "10:00")));
    assert_eq!((stage.requests("book"), stage.applied(group)), (2, 2), "{:?}", polled(&stage));
    let journal = stage.journal(task).await;
    assert_eq!(journal.iter().filter(|k| *k == "booked").count(), 2, "{journal:?}");
    stage.assert_tidy().await;
}

/// Returns every request in the portal's journal.
fn polled(stage: &Stage) -> Vec<String> {
    let line = |e: &sandbox::journal::Entry| {
        format!("{} {} {} {:?}", e.world_time.format("%d %H:%M:%S"), e.kind, e.status, e.effect)
    };
    stage.sandbox.with_world(|w| w.journal.after(0).iter().map(line).collect())
}

async fn live(stage: &Stage) -> Vec<store::booking_attempt::BookingAttempt> {
    let mut tx = stage.ctx.db.read().await.expect("tx");
    store::booking_attempt::live(&mut tx).await.expect("live")
}

// spec: 10.2.11
/// Checks that a node that slept through the end of its lease books nothing. It still considers
/// itself the leader, so the database is queried before any byte is sent.
#[tokio::test]
async fn a_node_unaware_of_its_lost_lease_books_nothing() {
    let stage = Stage::with(Config { lease_seconds: 1_000_000, ..node("one") }).await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    nearly_over(&stage, "one").await;
    lease_ended(&stage).await;
    let two = Engine::new(Context { config: node("two"), ..stage.ctx.clone() });
    assert!(two.run_due().await.is_some(), "the other node took over");
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let polls = stage.requests("days");
    stage.run_for(TimeDelta::hours(1)).await;
    assert!(stage.requests("days") > polls && stage.requests("times") > 0, "the old node was about to book");
    assert_eq!((stage.requests("book"), stage.applied(group)), (0, 0), "{:?}", polled(&stage));
    run_all(&stage, &[&two], TimeDelta::hours(12)).await;
    assert_eq!((stage.requests("book"), stage.applied(group)), (1, 1), "{:?}", polled(&stage));
    assert_eq!(stage.read(task).await.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    stage.assert_tidy().await;
}

/// Records a migration of a newer build.
async fn migrated(stage: &Stage, name: &str, older_may_run: bool) {
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let sql = "INSERT INTO migration (name, checksum, older_may_run) VALUES ($1, $2, $3)";
    store::exec!(&mut tx, sql, name.to_owned(), vec![0_u8; 32], older_may_run).expect("a migration");
    tx.commit().await.expect("commit");
}

// spec: 10.15.17
/// A newer node migrates while an older node leads and another older one is on standby.
#[tokio::test]
async fn an_older_node_never_acquires_the_lease_of_a_newer_schema() {
    let stage = Stage::with(node("one")).await;
    let two = Engine::new(Context { config: node("two"), ..stage.ctx.clone() });
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;

    migrated(&stage, "9001_adds_a_table", true).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    assert!(stage.engine.is_active(), "older builds may run beside it, so the leader continues");
    nearly_over(&stage, "one").await;
    lease_ended(&stage).await;
    assert!(two.run_due().await.is_none() && !two.is_active(), "a waiting older node became the leader");

    migrated(&stage, "9002_drops_a_column", false).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    assert!(!stage.engine.is_active(), "it released the lease");
    let mut tx = stage.ctx.db.read().await.expect("tx");
    assert!(
        !store::lease::is_held(&mut tx, engine::LEASE).await.expect("lease"),
        "the lease ends at once, not when it expires"
    );
    drop(tx);
    let polls = stage.requests("days");
    stage.slot(TORONTO, "2027-02-09", "09:15");
    run_all(&stage, &[&stage.engine, &two], TimeDelta::hours(1)).await;
    assert_eq!((stage.requests("days"), stage.applied(group)), (polls, 0), "an old node polled or booked");
}

/// Checks a node whose clock is behind by more than commits may be late. Its timestamps are older
/// than the rows that were already read. M12.
// spec: 10.2.10
#[tokio::test]
async fn a_task_stopped_by_a_node_with_a_slow_clock_is_not_polled() {
    let stage = Stage::with(node("one")).await;
    stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(40)).await;
    assert!(!polled(&stage).is_empty());
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let behind = stage.clock.now() - TimeDelta::minutes(10);
    let sql = "UPDATE task SET status = 'stopped', updated_at = $2 WHERE id = $1";
    store::exec!(&mut tx, sql, task.0, behind).expect("stopped");
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::minutes(2)).await;
    let asked = polled(&stage).len();
    stage.run_for(TimeDelta::hours(3)).await;
    assert_eq!(polled(&stage).len(), asked, "the user stopped everything");
}

/// Checks an upgrade: two nodes end in order and return, one after the other, three times. Each
/// time a day becomes free that one user waits for.
// spec: 10.2.10
#[tokio::test]
async fn rolling_restarts_of_two_nodes_lose_and_repeat_nothing() {
    const DAYS: [&str; 6] =
        ["2027-05-11", "2027-04-13", "2027-03-09", "2027-02-09", "2027-01-12", "2026-12-15"];
    let stage = Stage::with(node("neither")).await;
    let begin =
        |name| Engine::new(Context { config: node(name), outward: Arc::default(), ..stage.ctx.clone() });
    let (names, mut nodes) = (["one", "two"], [begin("one"), begin("two")]);
    let mut people = Vec::new();
    for (n, day) in DAYS.into_iter().enumerate() {
        let name = format!("person{n}");
        let group = stage.portal_account(&name, Some(at(TORONTO, "2027-08-17", "08:15")));
        let day = day.parse().expect("a day");
        let only = SearchCriteria { start_date: day, end_date: day, ..criteria() };
        people.push((group, stage.task(&name, only).await));
    }
    run_all(&stage, &[&nodes[0], &nodes[1]], TimeDelta::minutes(5)).await;
    for (n, day) in DAYS.into_iter().enumerate() {
        let (leaves, stays) = (n % 2, 1 - n % 2);
        stage.slot(TORONTO, day, "09:15");
        let ended = CancellationToken::new();
        ended.cancel();
        nodes[leaves].clone().run(ended).await;
        assert!(!nodes[leaves].is_active(), "it released the lease");
        let looks = stage.requests("days");
        run_all(&stage, &[&nodes[stays]], TimeDelta::minutes(2)).await;
        assert!(nodes[stays].is_active() && stage.requests("days") > looks, "the other node polls at once");
        nodes[leaves] = begin(names[leaves]);
        run_all(&stage, &[&nodes[0], &nodes[1]], TimeDelta::minutes(3)).await;
    }
    run_all(&stage, &[&nodes[0], &nodes[1]], TimeDelta::hours(1)).await;
    for ((group, task), day) in people.into_iter().zip(DAYS) {
        let task = stage.read(task).await;
        assert_eq!(task.booked, Some(appointment(TORONTO, day, "09:15")), "{:?}", polled(&stage));
        assert_eq!(stage.portal_shows(group), Some(at(TORONTO, day, "09:15")));
        assert_eq!(stage.applied(group), 1);
        assert_eq!(stage.balance(task.user_id).await, (96_200, 0), "charged once");
    }
    assert_eq!(stage.requests("book"), DAYS.len(), "there are as many POSTs as bookings");
    stage.assert_tidy().await;
}

// spec: 10.15.06
#[tokio::test]
async fn a_standby_node_verifies_with_tokens_of_the_leader() {
    let stage = Stage::with(Config { node: "one".to_owned(), lease_seconds: 600, ..Config::default() }).await;
    stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.task("lin", toronto()).await;
    // A day that no task wants, so that lists are not empty.
    stage.slot(TORONTO, "2027-08-30", "09:15");
    stage.run_for(TimeDelta::minutes(5)).await;
    let host = portal::PortalHost::new(stage.sandbox.portal_url().parse().expect("a url"));
    let time = stage.ctx.wall.clone();
    let settings = portal::Settings::new(host, Arc::new(move || time.now()));
    let two = Context {
        client: Arc::new(portal::Client::new(settings).expect("a client")),
        outward: Arc::new(Outward::default()),
        config: Config { node: "two".to_owned(), ..Config::default() },
        ..stage.ctx.clone()
    };
    let second = Engine::new(two.clone());
    assert!(second.run_due().await.is_none(), "it does not have the lease");
    let user = stage.user("sun").await;
    stage.portal_account("sun", None);
    let login = Login {
        user,
        username: "sun@example.com".to_owned(),
        password: SecretString::from("Maple-2026"),
        country: CountryCode::CANADA,
        visa_type: VisaType::Niv,
    };
    let pacer = stage.ctx.client.pacer();
    let (before, done) = (two.client.pacer().balance(), AtomicBool::new(false));
    let verified = async {
        let verified = second.verify(&two, &login).await;
        done.store(true, Ordering::SeqCst);
        verified
    };
    let leader = async {
        let mut lowest = f64::MAX;
        while !done.load(Ordering::SeqCst) {
            stage.clock.advance(TimeDelta::seconds(1));
            stage.engine.run_due().await;
            lowest = lowest.min(pacer.balance());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        lowest
    };
    let (verified, lowest) = tokio::join!(verified, leader);
    assert_eq!(verified.expect("verified").len(), 1);
    assert!(lowest < 2.0, "the leader's bucket paid");
    assert!(two.client.pacer().balance() >= before, "the other node's bucket did not pay");
    assert!(two.client.pacer().sent(Purpose::Verification) >= 3);
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let row = store::outward::host(&mut tx, &stage.ctx.client.host()).await.expect("row");
    assert!((5..12).contains(&row.spare), "the unspent rest is stored for the next leader: {row:?}");
}
