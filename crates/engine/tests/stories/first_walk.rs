//! Stories of the first complete walk. If no request has read a portal's booking form yet,
//! bookings need the user's approval.

use chrono::TimeDelta;
use domain::question::YesOutcome;
use engine::{Config, Engine};
use sandbox::world::deviations::Deviation;
use sandbox::world::faults::FaultKind;

use crate::ask_first::{DAY, count, link, outcome, person, tap};
use crate::stage::{Stage, TORONTO, at, toronto};

/// Starts a stage whose engine treats the portal as real, not as a sandbox.
async fn new_portal() -> Stage {
    Stage::with(Config { walks_first: true, ..Config::default() }).await
}

fn unreadable_form() -> FaultKind {
    FaultKind::Deviation { of: Deviation::named("form_renamed").expect("a deviation") }
}

// spec: 10.3.06
#[tokio::test]
async fn a_completed_first_walk_allows_booking_without_a_question() {
    let mut stage = new_portal().await;
    let (task, group) = person(&stage, "lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(20)).await;
    // The completed walk survives a restart.
    stage.engine = Engine::new(stage.ctx.clone());
    let read = stage.requests("appointment");
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(stage.requests("appointment"), read, "the form was walked again");
    stage.slot(TORONTO, DAY, "09:15");
    stage.run_until(TimeDelta::hours(1), || stage.applied(group) == 1).await;
    assert_eq!((stage.applied(group), count(&stage, task, "asked").await), (1, 0));
    stage.assert_tidy().await;
}

// spec: 10.3.06
#[tokio::test]
async fn the_first_walk_also_reads_the_form_of_a_first_booking() {
    let stage = new_portal().await;
    let group = stage.portal_account("lin", None);
    stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(20)).await;
    assert!(stage.requests("appointment") > 0, "no day was free, and the form was read");
    stage.slot(TORONTO, DAY, "09:15");
    stage.run_until(TimeDelta::hours(1), || stage.applied(group) == 1).await;
    assert_eq!(stage.applied(group), 1);
    stage.assert_tidy().await;
}

// spec: 10.3.06
#[tokio::test]
async fn before_the_first_walk_tasks_ask_first_and_approval_reads_the_form() {
    let stage = new_portal().await;
    let fault = stage.fault(unreadable_form(), None);
    let (task, group) = person(&stage, "lin", toronto()).await;
    stage.slot(TORONTO, DAY, "09:15");
    stage.run_for(TimeDelta::minutes(2)).await;
    assert_eq!((count(&stage, task, "asked").await, stage.mails("question").await), (1, 1));
    assert_eq!(stage.posts(), [], "no approval was given");
    stage.sandbox.with_world(|world| world.remove_faults(Some(fault)));
    let raw = link(&stage, task).await;
    assert_eq!(tap(&stage, &raw).await, Ok(()));
    stage.run_for(TimeDelta::minutes(2)).await;
    assert_eq!(outcome(&stage, &raw).await, Some(YesOutcome::Booked));
    assert_eq!(stage.portal_shows(group), Some(at(TORONTO, DAY, "09:15")));
    // The form was understood and a list was answered, so no more questions are sent.
    stage.slot(TORONTO, "2027-01-12", "10:00");
    stage.run_until(TimeDelta::hours(3), || stage.applied(group) == 2).await;
    assert_eq!((stage.applied(group), count(&stage, task, "asked").await), (2, 1));
    stage.assert_tidy().await;
}

// spec: 10.3.06
#[tokio::test]
async fn a_visit_repeats_a_failed_first_walk() {
    let stage = new_portal().await;
    let fault = stage.fault(unreadable_form(), None);
    let (task, group) = person(&stage, "lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    stage.sandbox.with_world(|world| world.remove_faults(Some(fault)));
    stage.run_for(TimeDelta::hours(7)).await;
    stage.slot(TORONTO, DAY, "09:15");
    stage.run_until(TimeDelta::hours(3), || stage.applied(group) == 1).await;
    assert_eq!((stage.applied(group), count(&stage, task, "asked").await), (1, 0));
    stage.assert_tidy().await;
}
