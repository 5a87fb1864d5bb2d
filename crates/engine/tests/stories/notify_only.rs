//! Stories of notify-only tasks in the same queue as tasks that book.

use chrono::TimeDelta;
use domain::criteria::{BookingMode, SearchCriteria};
use domain::ids::TaskId;
use sandbox::world::faults::FaultKind;

use crate::stage::{Stage, TORONTO, at, toronto};

async fn watcher(stage: &Stage, name: &str) -> TaskId {
    stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task(name, SearchCriteria { mode: BookingMode::Notify, ..toronto() }).await;
    stage.clock.advance(TimeDelta::seconds(5));
    task
}

async fn booker(stage: &Stage, name: &str) -> (TaskId, u64) {
    let group = stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task(name, toronto()).await;
    stage.clock.advance(TimeDelta::seconds(5));
    (task, group)
}

async fn alerts(stage: &Stage, task: TaskId) -> usize {
    stage.journal(task).await.iter().filter(|kind| *kind == "alerted").count()
}

// spec: 10.1.13
#[tokio::test]
async fn a_notify_only_task_of_first_rank_is_alerted_at_once() {
    let stage = Stage::new().await;
    let quiet = watcher(&stage, "quiet").await;
    let (_, group) = booker(&stage, "busy").await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(10)).await;
    assert_eq!(alerts(&stage, quiet).await, 1);
    assert_eq!(stage.applied(group), 1, "a notification blocks no other task");
    assert_eq!(stage.mails("appointment_alert").await, 1);
}

// spec: 10.1.13
#[tokio::test]
async fn a_notify_only_task_is_not_alerted_of_a_slot_booked_by_another() {
    let stage = Stage::new().await;
    let (_, group) = booker(&stage, "busy").await;
    let quiet = watcher(&stage, "quiet").await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(40)).await;
    assert_eq!(stage.applied(group), 1);
    assert_eq!(alerts(&stage, quiet).await, 0, "the slot was gone when the task's turn came");
}

// spec: 10.1.13
#[tokio::test]
async fn a_task_ranked_behind_an_attempt_is_alerted_after_it_settles() {
    let stage = Stage::new().await;
    let (_, group) = booker(&stage, "busy").await;
    let quiet = watcher(&stage, "quiet").await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.fault(FaultKind::LieBooked, None);
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_until(TimeDelta::minutes(30), || stage.requests("book") > 0).await;
    let posted = stage.clock.now();
    assert_eq!(
        alerts(&stage, quiet).await,
        0,
        "no task of lower rank is notified while the day is being booked"
    );
    stage.run_for(TimeDelta::minutes(40)).await;
    assert_eq!(stage.applied(group), 0);
    let told: Vec<_> = stage.lines(quiet).await.into_iter().filter(|l| l.kind == "alerted").collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].at - posted >= TimeDelta::seconds(180), "only after the attempt settled: {told:?}");
}

// spec: 10.1.13
#[tokio::test]
async fn a_date_is_alerted_once_per_appearance() {
    let stage = Stage::new().await;
    let quiet = watcher(&stage, "quiet").await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let shown = stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(3)).await;
    assert_eq!(alerts(&stage, quiet).await, 1, "alerted once, however often the day is seen");
    stage.sandbox.with_world(|w| w.remove_slot(shown));
    stage.run_for(TimeDelta::hours(1)).await;
    stage.slot(TORONTO, "2027-02-09", "10:00");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(alerts(&stage, quiet).await, 2, "the day had vanished and is listed again");
    assert_eq!(stage.mails("appointment_alert").await, 2);
}
