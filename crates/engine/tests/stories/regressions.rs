//! Stories of mistakes that a critical review of the engine once found.

use chrono::TimeDelta;
use domain::booking::AttemptState;
use domain::criteria::SearchCriteria;
use domain::task::{Reason, TaskStatus};
use engine::Engine;
use sandbox::world::NewGroup;
use sandbox::world::faults::{FaultKind, InjectedFault};
use sandbox::world::slots::NewSlot;

use crate::stage::{OTTAWA, Stage, TORONTO, appointment, at, criteria, day, toronto};

// spec: 10.2.12
#[tokio::test]
async fn a_booking_of_a_deleted_task_is_read_back_after_a_restart() {
    let mut stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.fault(FaultKind::CutAfterApply, Some(1));
    let task = stage.task("lin", criteria()).await;
    // From the POST on, no page can be read for a while.
    let blind = [("groups", 2), ("instructions", 2)].map(|(page, skip)| {
        let blind =
            InjectedFault { on: Some(page.to_owned()), skip, ..InjectedFault::of(FaultKind::BadGateway) };
        stage.sandbox.with_world(|w| w.add_fault(blind))
    });
    stage.run_for(TimeDelta::minutes(6)).await;
    assert_eq!(stage.applied(group), 1);
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let attempts = store::booking_attempt::of_task(&mut tx, task).await.expect("intents");
    assert!(
        matches!(attempts[0].state, AttemptState::Sending | AttemptState::Unknown),
        "{:?}",
        attempts[0].state
    );
    store::task::delete(&mut tx, task, stage.ctx.wall.now()).await.expect("delete");
    tx.commit().await.expect("commit");
    stage.engine = Engine::new(stage.ctx.clone());
    for blind in blind {
        stage.sandbox.with_world(|w| w.remove_faults(Some(blind)));
    }
    stage.run_for(TimeDelta::hours(2)).await;
    let settled = stage.read(task).await;
    assert!(settled.captured_at.is_some(), "the user has the slot, and it is paid");
    assert_eq!(stage.requests("book"), 1);
    stage.assert_tidy().await;
}

// spec: 10.3.08
#[tokio::test]
async fn a_phantom_date_does_not_hide_a_real_later_date() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.sandbox.with_world(|w| {
        w.add_slot(NewSlot {
            pool: "B1/B2".to_owned(),
            facility: TORONTO.into(),
            date: day("2027-01-05"),
            time: chrono::NaiveTime::from_hms_opt(9, 0, 0).expect("a time"),
            lifetime_seconds: None,
            delay_seconds: None,
            max_party: 9,
            phantom: true,
        })
    });
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let mut toronto = criteria();
    toronto.cities.truncate(1);
    let task = stage.task("lin", toronto).await;
    stage.run_for(TimeDelta::minutes(15)).await;
    assert_eq!(stage.read(task).await.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    assert_eq!(stage.applied(group), 1);
    stage.assert_tidy().await;
}

// spec: 10.1.08
#[tokio::test]
async fn a_manual_reschedule_is_adopted_with_its_remaining_attempts() {
    let stage = Stage::new().await;
    let booked = NewGroup {
        appointment: Some(at(TORONTO, "2027-08-17", "08:15")),
        attempts: Some(2),
        ..NewGroup::default()
    };
    let group = stage.portal_group("lin", booked);
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    assert_eq!(stage.read(task).await.attempts_left, Some(2));
    stage.sandbox.with_world(|w| {
        let group = w.groups.get_mut(&group).expect("the group");
        group.appointment = Some(at(OTTAWA, "2027-07-06", "10:00"));
        group.attempts_left = 1;
    });
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    let adopted = stage.read(task).await;
    assert_eq!(adopted.booked, Some(appointment(OTTAWA, "2027-07-06", "10:00")));
    assert_eq!(adopted.attempts_left, Some(1));
    assert_eq!(stage.requests("book"), 0, "the last attempt belongs to the user");
    stage.assert_tidy().await;
}

// spec: 10.2.13
#[tokio::test]
async fn a_group_that_grew_is_not_booked_at_the_old_price() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    stage.sandbox.with_world(|w| {
        let group = w.groups.get_mut(&group).expect("the group");
        let mut newcomer = group.applicants[0].clone();
        newcomer.id += 900_000;
        newcomer.name = "NEW BORN".to_owned();
        group.applicants.push(newcomer);
    });
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(1)).await;
    let stopped = stage.read(task).await;
    assert_eq!(stage.requests("book"), 0);
    assert_eq!((stopped.status, stopped.reason), (TaskStatus::Error, Some(Reason::GroupChanged)));
    stage.assert_tidy().await;
}

// spec: 10.5.12
#[tokio::test]
async fn a_booking_during_a_money_freeze_is_reported_now_and_charged_later() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let task = stage.task("lin", criteria()).await;
    stage.freeze().await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let told = stage.read(task).await;
    assert_eq!((told.booked, told.captured_at), (Some(appointment(TORONTO, "2027-02-09", "09:15")), None));
    assert_eq!(stage.requests("book"), 1);
    stage.thaw().await;
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(stage.read(task).await.captured_amount, Some(3800));
    assert_eq!(stage.applied(group), 1);
    stage.assert_tidy().await;
}

// spec: 10.15.02
#[tokio::test]
async fn a_page_that_lags_behind_our_booking_causes_no_second_post() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lag", Some(at(TORONTO, "2027-08-17", "08:15")));
    // Other accounts see the same list. A better day becomes known although the account itself is
    // backing off for ten minutes.
    let eager = || SearchCriteria { min_improvement_days: 1, ..toronto() };
    for n in 0..12 {
        stage.portal_account(&format!("p{n}"), Some(at(TORONTO, "2027-01-12", "08:15")));
        stage.task(&format!("p{n}"), eager()).await;
    }
    stage.run_for(TimeDelta::minutes(10)).await;
    stage.fault(FaultKind::GroupsLag { seconds: 120 }, None);
    let task = stage.task("lag", eager()).await;
    stage.slot(TORONTO, "2027-03-09", "09:15");
    stage.run_until(TimeDelta::minutes(30), || stage.applied(group) == 1).await;
    let first = stage.clock.now();
    assert_eq!(stage.applied(group), 1);
    stage.run_for(TimeDelta::seconds(5)).await;
    stage.slot(TORONTO, "2027-02-02", "09:15");
    stage.run_for(TimeDelta::seconds(110)).await;
    assert!(stage.clock.now() - first < TimeDelta::seconds(120), "the page still lags");
    let seen = stage.sandbox.with_world(|w| {
        let shown = |e: &&sandbox::journal::Entry| e.kind == "days" && e.world_time > first;
        w.journal.after(0).iter().filter(shown).count()
    });
    assert!(seen > 0, "the better day was seen");
    assert_eq!(stage.requests("book"), 1, "no second POST while the page lags");
    let booked = stage.read(task).await.booked;
    assert_eq!(booked.map(|held| held.consular.date), Some(day("2027-03-09")), "the booked date stays known");
    let outside = stage.lines(task).await.into_iter().filter(|l| l.kind == "changed_outside").count();
    assert_eq!(outside, 0, "our own booking is no change from outside");
}
