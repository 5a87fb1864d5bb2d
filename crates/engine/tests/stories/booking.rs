use chrono::TimeDelta;
use domain::condition::TaskCondition;
use domain::task::{Reason, TaskStatus};
use sandbox::world::NewGroup;

use crate::stage::{OTTAWA, Stage, TORONTO, appointment, at, criteria};

// spec: 1.04, 1.05, 1.18
#[tokio::test]
async fn a_submitted_task_books_and_is_charged_at_its_first_poll() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.slot(TORONTO, "2027-03-09", "07:30");
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::seconds(30)).await;

    let booked = stage.read(task).await;
    assert_eq!(booked.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    assert_eq!(stage.portal_shows(group), Some(at(TORONTO, "2027-02-09", "09:15")));
    assert_eq!(stage.applied(group), 1);
    assert_eq!((booked.status, booked.condition), (TaskStatus::Active, TaskCondition::Booked));
    assert_eq!(booked.captured_amount, Some(3800));
    assert_eq!(stage.balance(booked.user_id).await, (96_200, 0));
    assert_eq!(booked.attempts_left, Some(2));
    assert!(booked.change_deadline.is_some(), "the instructions page names the deadline");
    let journal = stage.journal(task).await;
    assert_eq!(journal.iter().filter(|k| *k == "booked").count(), 1, "{journal:?}");
    stage.assert_tidy().await;
}

// spec: 1.17, 1.21
#[tokio::test]
async fn after_a_booking_further_earlier_bookings_are_free() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.slot(TORONTO, "2027-03-09", "09:15");
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    assert_eq!(stage.applied(group), 1);
    stage.slot(OTTAWA, "2027-01-12", "10:00");
    stage.run_for(TimeDelta::minutes(60)).await;
    let booked = stage.read(task).await;
    assert_eq!(booked.booked, Some(appointment(OTTAWA, "2027-01-12", "10:00")));
    assert_eq!(stage.balance(booked.user_id).await, (96_200, 0), "charged once");
    let why = (booked.status, booked.reason);
    assert_eq!(why, (TaskStatus::Stopped, Some(Reason::ReschedulesUsed)), "both reschedules are used");
    stage.assert_tidy().await;
}

// spec: 10.1.03
#[tokio::test]
async fn a_group_without_an_appointment_gets_a_first_booking() {
    let stage = Stage::new().await;
    let group = stage.portal_group("sun", NewGroup::default());
    stage.slot(OTTAWA, "2027-02-09", "13:00");
    stage.slot(OTTAWA, "2027-02-09", "11:30");
    let task = stage.task("sun", criteria()).await;
    stage.run_for(TimeDelta::minutes(1)).await;
    let booked = stage.read(task).await;
    assert_eq!(
        booked.booked,
        Some(appointment(OTTAWA, "2027-02-09", "11:30")),
        "the latest time before noon"
    );
    assert_eq!(stage.applied(group), 1);
    assert!(booked.captured_at.is_some());
    stage.assert_tidy().await;
}

// spec: 1.22
#[tokio::test]
async fn auto_stop_stops_the_task_after_a_booking_with_a_reason() {
    let stage = Stage::new().await;
    stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let task = stage.task("lin", criteria()).await;
    let user = stage.read(task).await.user_id;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::user::set_auto_stop(&mut tx, user, true, stage.ctx.wall.now()).await.expect("set");
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::minutes(1)).await;
    let stopped = stage.read(task).await;
    assert_eq!((stopped.status, stopped.reason), (TaskStatus::Stopped, Some(Reason::AutoStop)));
    stage.assert_tidy().await;
}

// spec: 10.1.05
#[tokio::test]
async fn notify_only_tasks_never_book_and_alert_once() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let mut quiet = criteria();
    quiet.mode = domain::criteria::BookingMode::Notify;
    let task = stage.task("lin", quiet).await;
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!((stage.applied(group), stage.requests("book")), (0, 0));
    let journal = stage.journal(task).await;
    assert_eq!(journal.iter().filter(|k| *k == "alerted").count(), 1, "{journal:?}");
    assert_eq!(stage.read(task).await.captured_at, None);
}

// spec: 10.1.06
#[tokio::test]
async fn the_last_portal_attempt_is_not_used_without_consent() {
    let stage = Stage::new().await;
    let last = NewGroup {
        appointment: Some(at(TORONTO, "2027-08-17", "08:15")),
        attempts: Some(1),
        ..NewGroup::default()
    };
    let group = stage.portal_group("lin", last);
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.requests("book"), 0, "broken promises: the last attempt belongs to the user");
    assert_eq!(stage.read(task).await.attempts_left, Some(1));
    assert!(stage.journal(task).await.iter().any(|k| k == "alerted"), "the user is notified instead");
    assert_eq!(stage.applied(group), 0);
}
