//! Stories of hours in which the portal fails in one way, with ten accounts and lists that are not
//! empty. No account is banned, no limit is exceeded, and nothing wrong is booked. Afterwards every
//! city is polled and a wanted date is booked.

use chrono::TimeDelta;
use domain::condition::TaskCondition;
use domain::criteria::SearchCriteria;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use domain::task::TaskStatus;
use sandbox::world::faults::FaultKind;

use crate::stage::{OTTAWA, Stage, TORONTO, at, criteria};

const VANCOUVER: u16 = 95;
const CITIES: [u16; 3] = [TORONTO, OTTAWA, VANCOUVER];
const ACCOUNTS: usize = 10;

/// Starts ten accounts, each with two of three cities, whose lists contain dates that no task
/// wants.
async fn ten_accounts(seed: u64) -> (Stage, Vec<u64>, Vec<TaskId>) {
    let stage = Stage::seeded(engine::Config::default(), seed).await;
    stage.sandbox.with_world(|w| w.config.session_minutes = (60, 240));
    let (mut groups, mut tasks) = (Vec::new(), Vec::new());
    for n in 0..ACCOUNTS {
        let (name, own) = (format!("p{n:02}"), CITIES[n % 3]);
        groups.push(stage.portal_account(&name, Some(at(own, "2027-08-17", "08:15"))));
        let cities = [own, CITIES[(n + 1) % 3]].map(|city| FacilityId::try_from(city).expect("a city"));
        tasks.push(stage.task(&name, SearchCriteria { cities: cities.to_vec(), ..criteria() }).await);
        stage.clock.advance(TimeDelta::seconds(5));
    }
    for city in CITIES {
        for date in ["2027-09-20", "2027-09-21", "2027-10-04"] {
            stage.slot(city, date, "09:15");
        }
    }
    (stage, groups, tasks)
}

/// Lets the portal fail with `fault` for a time. It may get at most `most` requests from all ten
/// accounts.
async fn hard_hours(seed: u64, fault: FaultKind, span: TimeDelta, most: usize) {
    let (stage, groups, tasks) = ten_accounts(seed).await;
    stage.run_for(TimeDelta::hours(2)).await;
    if matches!(fault, FaultKind::Slow { .. }) {
        // Answers take virtual time; without any latency the sandbox would wait in real time.
        stage.latency(80, 250);
    }
    let id = stage.fault(fault.clone(), None);
    let before = stage.sandbox.with_world(|w| w.journal.after(0).len());
    stage.run_for(span).await;
    let asked = stage.sandbox.with_world(|w| w.journal.after(0).len()) - before;
    assert!(asked <= most, "{fault:?}: {asked} requests in {span}");
    assert!(groups.iter().all(|group| stage.applied(*group) == 0), "{fault:?}: an unwanted date was booked");
    stage.sandbox.with_world(|w| w.remove_faults(Some(id)));
    stage.run_for(TimeDelta::hours(3)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let booked = || groups.iter().any(|group| stage.applied(*group) == 1);
    stage.run_until(TimeDelta::hours(3), booked).await;
    assert!(booked(), "{fault:?}: a date that was free for three hours is not booked");
    stage.run_for(TimeDelta::minutes(10)).await;
    let banned = stage.sandbox.with_world(|w| w.accounts.values().any(|a| a.banned_until.is_some()));
    assert!(!banned, "{fault:?}");
    let mut running = 0;
    for task in tasks {
        let task = stage.read(task).await;
        assert_ne!(task.status, TaskStatus::Error, "{fault:?}: {:?}", task.reason);
        running += usize::from(task.status == TaskStatus::Active);
    }
    assert!(running >= ACCOUNTS - 1, "{fault:?}: only {running} tasks still run");
    stage.assert_tidy().await;
}

// spec: 10.2.28
#[tokio::test]
async fn three_hours_of_502_block_no_account_and_hide_no_date() {
    hard_hours(21, FaultKind::BadGateway, TimeDelta::hours(3), 80).await;
}

// spec: 10.2.28
#[tokio::test]
async fn three_hours_of_maintenance_block_no_account_and_hide_no_date() {
    hard_hours(22, FaultKind::Maintenance { retry_after: Some(3 * 3600) }, TimeDelta::hours(3), 20).await;
}

// spec: 10.2.28
#[tokio::test]
async fn half_an_hour_of_slow_answers_blocks_no_account_and_hides_no_date() {
    hard_hours(23, FaultKind::Slow { millis: 20_000 }, TimeDelta::minutes(30), 100).await;
}

// spec: 10.2.28
#[tokio::test]
async fn three_hours_of_cut_lists_block_no_account_and_hide_no_date() {
    hard_hours(24, FaultKind::EmptyList { cut: true }, TimeDelta::hours(3), 400).await;
}

// spec: 10.2.28
#[tokio::test]
async fn a_429_of_two_hours_blocks_no_account_and_hides_no_date() {
    hard_hours(25, FaultKind::TooManyRequests { retry_after: Some(2 * 3600) }, TimeDelta::hours(3), 20).await;
}

// spec: 10.2.28
#[tokio::test]
async fn three_hours_of_changed_pages_block_no_account_and_hide_no_date() {
    hard_hours(26, FaultKind::ChangedLayout, TimeDelta::hours(3), 120).await;
}

// spec: 10.2.28
#[tokio::test]
async fn a_host_pause_during_unreadable_lists_ends_by_itself() {
    let stage = Stage::seeded(engine::Config::default(), 27).await;
    stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(30)).await;
    stage.fault(FaultKind::EmptyList { cut: false }, None);
    stage.run_for(TimeDelta::minutes(50)).await;
    assert_eq!(stage.read(task).await.condition, TaskCondition::LayoutChanged);
    stage.sandbox.with_world(|w| w.remove_faults(None));
    stage.fault(FaultKind::BadGateway, None);
    stage.run_for(TimeDelta::hours(1)).await;
    stage.sandbox.with_world(|w| w.remove_faults(None));
    let before = stage.requests("days");
    stage.run_for(TimeDelta::hours(2)).await;
    assert!(stage.requests("days") > before + 2, "polls continue");
    assert_ne!(stage.read(task).await.condition, TaskCondition::LayoutChanged);
}
