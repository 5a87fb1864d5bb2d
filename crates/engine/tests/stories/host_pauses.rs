//! Stories of requests to the portal as a whole: one bad answer, a portal that fails for all, a
//! long wait, and an operator's pause.

use chrono::{DateTime, TimeDelta, Utc};
use domain::condition::TaskCondition;
use domain::ids::TaskId;
use engine::verify_login::NotVerified;
use sandbox::journal::Entry;
use sandbox::world::faults::{FaultKind, InjectedFault};
use store::outward::EVERY_HOST;

use crate::stage::{Stage, TORONTO, at, toronto};

/// Submits tasks that would move from August to any date before June, in Toronto, and waits until
/// all are watched.
async fn watched(stage: &Stage, names: &[&str]) -> Vec<(u64, TaskId)> {
    let tasks = submitted(stage, names).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    tasks
}

/// Submits the same tasks. The engine has not worked for them yet.
async fn submitted(stage: &Stage, names: &[&str]) -> Vec<(u64, TaskId)> {
    let mut tasks = Vec::new();
    for name in names {
        let group = stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
        tasks.push((group, stage.task(name, toronto()).await));
    }
    // A day that no task wants, so that lists are not empty.
    stage.slot(TORONTO, "2027-08-30", "09:15");
    tasks
}

/// Returns the requests of an account, or of all, since then.
fn asked(stage: &Stage, name: &str, since: DateTime<Utc>) -> Vec<(DateTime<Utc>, String)> {
    let account = format!("{name}@example.com");
    let of = |e: &&Entry| e.world_time > since && (name.is_empty() || e.account.as_deref() == Some(&account));
    let shown = |e: &Entry| (e.world_time, e.kind.clone());
    stage.sandbox.with_world(|w| w.journal.after(0).iter().filter(of).map(shown).collect())
}

fn fault_of(stage: &Stage, name: &str, kind: FaultKind) -> u64 {
    let account = Some(format!("{name}@example.com"));
    stage.sandbox.with_world(|w| w.add_fault(InjectedFault { account, ..InjectedFault::of(kind) }))
}

// spec: 10.15.08
#[tokio::test]
async fn failures_of_one_account_do_not_stop_the_others() {
    let stage = Stage::new().await;
    let tasks = watched(&stage, &["lin", "sun", "ada", "kim"]).await;
    let fault = fault_of(&stage, "lin", FaultKind::BadGateway);
    let begun = stage.clock.now();
    stage.run_until(TimeDelta::hours(6), || asked(&stage, "lin", begun).len() >= 3).await;
    let failed = asked(&stage, "lin", begun);
    assert!(failed.len() >= 3, "the request is repeated with growing pauses: {failed:?}");
    assert!(failed[1].0 - failed[0].0 >= TimeDelta::seconds(30), "{failed:?}");
    assert!(failed[2].0 - failed[1].0 >= TimeDelta::seconds(60), "{failed:?}");
    let last = failed[2].0;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(40)).await;
    let others = asked(&stage, "", last).iter().filter(|(_, kind)| kind == "days").count();
    assert!(others > 0, "the other accounts poll meanwhile");
    let booked: usize = tasks.iter().map(|(group, _)| stage.applied(*group)).sum();
    assert_eq!((booked, stage.applied(tasks[0].0)), (1, 0), "another account books");
    stage.sandbox.with_world(|w| w.remove_faults(Some(fault)));
    stage.run_for(TimeDelta::hours(3)).await;
    assert!(stage.read(tasks[0].1).await.status.is_running());
    stage.assert_tidy().await;
}

// spec: 10.15.08
#[tokio::test]
async fn three_accounts_failing_within_a_minute_pause_all_polls() {
    let stage = Stage::new().await;
    // All of them begin at once, so three fail within a minute.
    let tasks = submitted(&stage, &["lin", "sun", "ada", "kim", "eve"]).await;
    let fault = stage.fault(FaultKind::BadGateway, None);
    let begun = stage.clock.now();
    stage.run_for(TimeDelta::hours(4)).await;
    let failed = asked(&stage, "", begun);
    assert!(failed.len() < 40, "{} requests to a portal that fails: {failed:?}", failed.len());
    let down = stage.read(tasks[0].1).await;
    assert!(
        matches!(down.condition, TaskCondition::Overloaded | TaskCondition::PortalDown),
        "{:?}",
        down.condition
    );
    stage.sandbox.with_world(|w| w.remove_faults(Some(fault)));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(6)).await;
    assert_eq!(tasks.iter().map(|(group, _)| stage.applied(*group)).sum::<usize>(), 1);
    stage.assert_tidy().await;
}

// spec: 10.15.08
#[tokio::test]
async fn a_bad_gateway_in_the_preflight_is_retried_once_and_booked() {
    for page in ["times", "groups"] {
        let stage = Stage::new().await;
        let tasks = watched(&stage, &["lin", "sun"]).await;
        let begun = stage.clock.now();
        let fault = InjectedFault {
            on: Some(page.to_owned()),
            times: Some(1),
            ..InjectedFault::of(FaultKind::BadGateway)
        };
        stage.sandbox.with_world(|w| w.add_fault(fault));
        stage.slot(TORONTO, "2027-02-09", "09:15");
        let booked = || tasks.iter().map(|(group, _)| stage.applied(*group)).sum::<usize>();
        stage.run_until(TimeDelta::hours(1), || booked() == 1).await;
        assert_eq!(booked(), 1, "{page}: {:?}", asked(&stage, "", begun));
        assert_eq!(stage.requests("book"), 1, "the POST is sent once, whichever other request is repeated");
        stage.run_for(TimeDelta::minutes(6)).await;
        stage.assert_tidy().await;
    }
}

// spec: 10.15.08
#[tokio::test]
async fn a_retry_after_of_seven_days_is_probed_after_an_hour() {
    let stage = Stage::new().await;
    watched(&stage, &["lin", "sun", "ada", "kim"]).await;
    let week = FaultKind::Maintenance { retry_after: Some(7 * 86_400) };
    let fault = stage.fault(week, None);
    let begun = stage.clock.now();
    stage.run_until(TimeDelta::hours(6), || !asked(&stage, "", begun).is_empty()).await;
    stage.run_for(TimeDelta::seconds(1)).await;
    let told = stage.clock.now();
    stage.run_for(TimeDelta::minutes(59)).await;
    assert_eq!(asked(&stage, "", told), [], "a requested wait of an hour is honoured in full");
    stage.run_for(TimeDelta::minutes(110)).await;
    let probes = asked(&stage, "", told);
    assert_eq!(probes.len(), 1, "one poll: {probes:?}");
    // It was a mistake: the next probe shows it, and all accounts continue.
    stage.sandbox.with_world(|w| w.remove_faults(Some(fault)));
    stage.run_for(TimeDelta::hours(4)).await;
    assert!(asked(&stage, "", told).len() > 5, "{:?}", asked(&stage, "", told));
}

async fn pause(stage: &Stage, why: &str) {
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    assert!(store::outward::pause(&mut tx, EVERY_HOST, stage.ctx.wall.now(), why).await.expect("pause"));
    tx.commit().await.expect("commit");
}

// spec: 10.3.15, 10.15.06
#[tokio::test]
async fn an_operator_pause_stops_everything_except_read_backs() {
    let stage = Stage::new().await;
    let tasks = watched(&stage, &["lin", "sun"]).await;
    // The POST is applied and its response is lost. The pages that would show the result fail after
    // the preflight has read them.
    stage.fault(FaultKind::CutAfterApply, Some(1));
    let unread = [("groups", 1), ("instructions", 1)].map(|(page, skip)| {
        let unread = InjectedFault {
            on: Some(page.to_owned()),
            skip,
            ..InjectedFault::of(FaultKind::Slow { millis: 60_000 })
        };
        stage.sandbox.with_world(|w| w.add_fault(InjectedFault { kind: FaultKind::BadGateway, ..unread }))
    });
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.slot(TORONTO, "2027-03-09", "09:15");
    let applied = || tasks.iter().map(|(group, _)| stage.applied(*group)).sum::<usize>();
    stage.run_until(TimeDelta::hours(1), || applied() == 1).await;
    assert_eq!(applied(), 1);
    pause(&stage, "a story").await;
    for unread in unread {
        stage.sandbox.with_world(|w| w.remove_faults(Some(unread)));
    }
    stage.run_for(TimeDelta::seconds(2)).await;
    let paused = stage.clock.now();
    let user = stage.user("new").await;
    stage.portal_account("new", None);
    assert!(matches!(stage.verify(user, "new").await, Err(NotVerified::Paused)));
    stage.run_for(TimeDelta::hours(5)).await;
    let after = asked(&stage, "", paused);
    let read = ["groups", "instructions", "home", "appointment", "limit", "sign_in"];
    assert!(!after.is_empty() && after.iter().all(|(_, kind)| read.contains(&kind.as_str())), "{after:?}");
    assert_eq!((stage.requests("book"), applied()), (1, 1));
    let mut captured = 0;
    for (_, task) in &tasks {
        captured += usize::from(stage.read(*task).await.captured_at.is_some());
    }
    assert_eq!(captured, 1, "the booking is found and charged");
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    assert_eq!(store::outward::resume(&mut tx, EVERY_HOST).await.expect("resume"), 1);
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::hours(5)).await;
    assert_eq!(applied(), 2, "the other task continues");
    stage.assert_tidy().await;
}

// spec: 10.3.15
#[tokio::test]
async fn an_operator_pause_is_checked_before_a_prepared_attempt_is_sent() {
    let stage = Stage::new().await;
    let tasks = watched(&stage, &["lin"]).await;
    stage.latency(200, 200);
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let operator = async {
        // The attempt has begun, and its last pages are on their way.
        while stage.requests("times") == 0 {
            tokio::task::yield_now().await;
        }
        pause(&stage, "a story").await;
    };
    tokio::join!(stage.run_for(TimeDelta::hours(1)), operator);
    assert_eq!(stage.requests("book"), 0, "{:?}", stage.posts());
    assert_eq!(stage.read(tasks[0].1).await.reschedules_used, 0);
    stage.assert_tidy().await;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    assert_eq!(store::outward::resume(&mut tx, EVERY_HOST).await.expect("resume"), 1);
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.applied(tasks[0].0), 1, "the booking is tried again afterwards");
    stage.assert_tidy().await;
}
