//! Stories of users who change their appointment in a browser while it is watched, on pages that
//! lag.

use std::cell::Cell;

use chrono::TimeDelta;
use domain::condition::TaskCondition;
use domain::task::TaskStatus;
use sandbox::world::faults::FaultKind;

use crate::stage::{Stage, TORONTO, appointment, at, toronto};

/// Starts a stage whose groups page lags half an hour behind every change.
async fn lagging_stage() -> Stage {
    let stage = Stage::new().await;
    stage.sandbox.with_world(|w| {
        w.config.lag.probability = 1.0;
        w.config.lag.seconds = 1800;
        w.config.lag.second_post_reverts = 0.0;
    });
    stage
}

/// The user books an earlier date in a browser. Right after that a date appears which is better
/// only than the old one.
async fn changes_by_hand_then_a_worse_day_appears(stage: &Stage, group: u64) {
    stage.run_for(TimeDelta::minutes(2)).await;
    let better = Some(at(TORONTO, "2026-12-22", "08:00"));
    assert!(stage.sandbox.with_world(|w| w.change_by_hand(group, better, None)));
    stage.slot(TORONTO, "2027-01-21", "09:15");
    stage.run_for(TimeDelta::minutes(25)).await;
    assert!(stage.requests("times") > 0, "the engine tried the date while the page lagged");
}

// spec: 10.15.01
#[tokio::test]
async fn a_manual_booking_is_not_undone_while_the_groups_page_lags() {
    let stage = lagging_stage().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-09-18", "08:15")));
    let task = stage.task("lin", toronto()).await;
    changes_by_hand_then_a_worse_day_appears(&stage, group).await;
    assert_eq!(stage.requests("book"), 0, "{:?}", stage.posts());
    let why = stage.lines(task).await;
    assert!(why.iter().any(|l| l.data["stop"]["why"] == "pages_differ"), "{why:?}");
    stage.run_for(TimeDelta::hours(2)).await;
    let adopted = stage.read(task).await;
    assert_eq!(
        adopted.booked,
        Some(appointment(TORONTO, "2026-12-22", "08:00")),
        "adopted once all pages show it"
    );
    assert_eq!((adopted.attempts_left, adopted.captured_at), (Some(2), None));
    assert_eq!(adopted.status, TaskStatus::Active);
    // The search continues from there.
    stage.slot(TORONTO, "2026-12-08", "10:00");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.portal_shows(group), Some(at(TORONTO, "2026-12-08", "10:00")));
    let days: Vec<_> = successes(&stage, task).await;
    assert_eq!(
        days,
        [Some(14)],
        "the improvement is counted from the appointment that the portal really showed"
    );
    stage.assert_tidy().await;
}

async fn successes(stage: &Stage, task: domain::ids::TaskId) -> Vec<Option<i64>> {
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let found = store::journal::successes(&mut tx, task).await.expect("successes");
    found.into_iter().map(|s| s.days_advanced).collect()
}

// spec: 10.15.01
#[tokio::test]
async fn when_both_pages_lag_the_attempt_count_reveals_the_change() {
    let stage = lagging_stage().await;
    stage.sandbox.with_world(|w| {
        w.config.lag.instructions = true;
        w.config.lag.seconds = 150;
    });
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-09-18", "08:15")));
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    let polls = stage.requests("days");
    stage.slot(TORONTO, "2027-01-21", "09:15");
    stage.latency(100, 100);
    // The user changes it while the list that shows the day is on its way.
    let changed = Cell::new(false);
    let change = || {
        if !changed.get() && stage.requests("days") > polls {
            let better = Some(at(TORONTO, "2026-12-22", "08:00"));
            changed.set(stage.sandbox.with_world(|w| w.change_by_hand(group, better, None)));
        }
        false
    };
    stage.run_until(TimeDelta::hours(1), change).await;
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(stage.requests("book"), 0, "{:?}", stage.posts());
    let why = stage.lines(task).await;
    assert!(why.iter().any(|l| l.data["stop"]["why"] == "attempts_differ"), "{why:?}");
    assert_eq!(stage.read(task).await.booked, Some(appointment(TORONTO, "2026-12-22", "08:00")));
    stage.assert_tidy().await;
}

// spec: 10.15.01
#[tokio::test]
async fn a_manual_first_booking_hidden_by_page_lag_is_not_moved() {
    let stage = lagging_stage().await;
    let group = stage.portal_account("sun", None);
    let task = stage.task("sun", toronto()).await;
    changes_by_hand_then_a_worse_day_appears(&stage, group).await;
    assert_eq!(stage.requests("book"), 0, "{:?}", stage.posts());
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.read(task).await.booked, Some(appointment(TORONTO, "2026-12-22", "08:00")));
    stage.assert_tidy().await;
}

// spec: 10.15.01
#[tokio::test]
async fn an_unreadable_instructions_page_prevents_booking() {
    for (appointment, fault) in
        [(Some(at(TORONTO, "2027-08-17", "08:15")), FaultKind::ForeignHtml), (None, FaultKind::ForeignHtml)]
    {
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", appointment);
        stage.slot(TORONTO, "2027-02-09", "09:15");
        let unreadable = sandbox::world::faults::InjectedFault {
            on: Some("instructions".to_owned()),
            ..sandbox::world::faults::InjectedFault::of(fault.clone())
        };
        let unreadable = stage.sandbox.with_world(|w| w.add_fault(unreadable));
        let task = stage.task("lin", toronto()).await;
        stage.run_for(TimeDelta::hours(1)).await;
        assert_eq!(stage.requests("book"), 0, "{fault:?}");
        let why = stage.lines(task).await;
        assert!(why.iter().any(|l| l.data["stop"]["why"] == "unreadable"), "{why:?}");
        stage.sandbox.with_world(|w| w.remove_faults(Some(unreadable)));
        stage.run_for(TimeDelta::hours(1)).await;
        assert_eq!(stage.applied(group), 1, "{fault:?}");
        stage.assert_tidy().await;
    }
}

/// Makes a booking of the engine, with a groups page that shows the appointment before it for two
/// hours.
async fn booked_behind_a_page_that_lags_for_hours() -> (Stage, u64, domain::ids::TaskId) {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-09-18", "08:15")));
    let lag = stage.fault(FaultKind::GroupsLag { seconds: 7200 }, None);
    stage.slot(TORONTO, "2027-01-21", "09:15");
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(8)).await;
    assert_eq!(stage.applied(group), 1);
    stage.sandbox.with_world(|w| w.remove_faults(Some(lag)));
    (stage, group, task)
}

// spec: 10.15.02
#[tokio::test]
async fn a_groups_page_hours_behind_our_booking_is_not_trusted() {
    let (stage, group, task) = booked_behind_a_page_that_lags_for_hours().await;
    // One date is better than the page shows and worse than the real appointment. The other is
    // really better.
    stage.slot(TORONTO, "2027-03-22", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    stage.slot(TORONTO, "2026-12-15", "10:00");
    stage.run_for(TimeDelta::minutes(60)).await;
    assert_eq!(stage.requests("book"), 1, "nothing is booked while the page lags: {:?}", stage.posts());
    let waiting = stage.read(task).await;
    assert_eq!(waiting.booked, Some(appointment(TORONTO, "2027-01-21", "09:15")));
    assert_eq!(waiting.condition, TaskCondition::BookingUnconfirmed, "the task shows why");
    let outside = stage.journal(task).await.into_iter().filter(|kind| kind == "changed_outside").count();
    assert_eq!(outside, 0, "our own booking is no change from outside");
    stage.run_for(TimeDelta::hours(3)).await;
    assert_eq!(
        stage.portal_shows(group),
        Some(at(TORONTO, "2026-12-15", "10:00")),
        "the search continues after that"
    );
    stage.assert_tidy().await;
}

// spec: 10.15.02
#[tokio::test]
async fn a_manual_change_back_is_adopted_after_two_instruction_readings() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-09-18", "08:15")));
    stage.slot(TORONTO, "2027-01-21", "09:15");
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(8)).await;
    assert_eq!(stage.applied(group), 1);
    let back = Some(at(TORONTO, "2027-09-18", "08:15"));
    assert!(stage.sandbox.with_world(|w| w.change_by_hand(group, back, Some(0))));
    // The next attempt finds it; a minute later it is read a second time.
    stage.slot(TORONTO, "2026-12-15", "10:00");
    stage.run_for(TimeDelta::hours(2)).await;
    let adopted = stage.read(task).await;
    assert_eq!(adopted.booked, Some(appointment(TORONTO, "2027-09-18", "08:15")));
    assert_eq!(
        (adopted.attempts_left, stage.requests("book")),
        (Some(1), 1),
        "the last attempt belongs to the user"
    );
    stage.assert_tidy().await;
}
