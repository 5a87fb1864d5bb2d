//! Stories of clocks that jump a day, forwards and backwards, while the world's clock does not.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use domain::booking::AttemptState;
use domain::budget::Limits;
use domain::task::TaskStatus;
use sandbox::world::faults::{FaultKind, InjectedFault};

use crate::stage::{Stage, TORONTO, appointment, at, criteria, toronto};

const DAY: TimeDelta = TimeDelta::days(1);

/// Returns requests of each account in true time, polls separately.
fn calls(stage: &Stage, polls: bool) -> BTreeMap<String, Vec<DateTime<Utc>>> {
    let mut calls: BTreeMap<String, Vec<_>> = BTreeMap::new();
    stage.sandbox.with_world(|w| {
        for entry in w.journal.after(0) {
            let is_poll = matches!(entry.kind.as_str(), "days" | "times");
            if let (Some(account), true) = (&entry.account, is_poll || !polls) {
                calls.entry(account.clone()).or_default().push(entry.world_time);
            }
        }
    });
    calls
}

/// Checks that no account made more calls in any true span than its budget has.
fn assert_within_budgets(stage: &Stage) {
    let limits = Limits::default();
    let rules = [
        (true, TimeDelta::hours(1), limits.polls_per_hour),
        (true, TimeDelta::hours(10), limits.polls_per_ten_hours),
        (false, TimeDelta::hours(10), limits.requests_per_ten_hours),
    ];
    for (polls, span, most) in rules {
        for (account, calls) in calls(stage, polls) {
            for (n, from) in calls.iter().enumerate() {
                let within = calls[n..].iter().filter(|at| **at - *from < span).count();
                assert!(within <= most as usize, "{account}: {within} calls within {span} from {from}");
            }
        }
    }
}

/// Watches three users' tasks for eight hours, with as many polls as their budgets allow. Then sets
/// the clocks.
async fn watched_then_set(by: TimeDelta) {
    let stage = Stage::new().await;
    let mut tasks = Vec::new();
    for name in ["lin", "sun", "qian"] {
        stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
        tasks.push(stage.task(name, toronto()).await);
    }
    stage.run_for(TimeDelta::hours(8)).await;
    let before = stage.requests("days");
    assert!(before >= 60, "the accounts polled about as often as they may: {before}");

    stage.set_clocks(by);
    stage.run_for(TimeDelta::minutes(1)).await;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let other = store::lease::acquire(&mut tx, engine::LEASE, "another node", 15).await.expect("lease");
    assert_eq!(other, None, "another node took the lease of a live one");
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::hours(1)).await;
    let after = stage.requests("days") - before;
    assert!((3..=18).contains(&after), "polls continue without a storm: {after}");
    stage.run_for(TimeDelta::hours(11)).await;
    assert_within_budgets(&stage);
    for task in &tasks {
        assert_eq!(stage.read(*task).await.status, TaskStatus::Active);
    }
    stage.assert_tidy().await;
}

#[tokio::test]
async fn a_clock_jump_of_a_day_ahead_causes_no_request_burst() {
    watched_then_set(DAY).await;
}

#[tokio::test]
async fn a_clock_set_back_a_day_stops_nothing() {
    watched_then_set(-DAY).await;
}

/// Applies the POST and loses its response. The groups page lags, and the clocks are set before
/// anything was read.
async fn set_while_a_booking_is_open(by: TimeDelta) {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    stage.fault(FaultKind::CutAfterApply, Some(1));
    stage.fault(FaultKind::GroupsLag { seconds: 120 }, Some(1));
    // The preflight reads the page, later requests fail.
    let unread = InjectedFault {
        on: Some("instructions".to_owned()),
        skip: 1,
        ..InjectedFault::of(FaultKind::BadGateway)
    };
    stage.sandbox.with_world(|w| w.add_fault(unread));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.slot(TORONTO, "2027-03-09", "09:15");
    stage.run_until(TimeDelta::hours(1), || stage.applied(group) == 1).await;
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let live = store::booking_attempt::live(&mut tx).await.expect("live");
    drop(tx);
    assert!(matches!(live[0].state, AttemptState::Sending | AttemptState::Unknown), "{live:?}");

    stage.set_clocks(by);
    stage.run_for(TimeDelta::minutes(10)).await;
    let booked = stage.read(task).await;
    assert_eq!(
        booked.booked,
        Some(appointment(TORONTO, "2027-02-09", "09:15")),
        "{:?}",
        stage.journal(task).await
    );
    assert_eq!(
        (stage.requests("book"), stage.applied(group)),
        (1, 1),
        "the attempt is read back, never repeated"
    );
    assert_eq!(stage.balance(booked.user_id).await, (96_200, 0));
    stage.assert_tidy().await;
}

#[tokio::test]
async fn an_open_booking_is_read_back_on_time_after_a_clock_jump_ahead() {
    set_while_a_booking_is_open(DAY).await;
}

#[tokio::test]
async fn an_open_booking_is_read_back_on_time_after_a_clock_set_back() {
    set_while_a_booking_is_open(-DAY).await;
}
