//! A yes whose day cannot be had at once: it waits, and goes in line again, but is sent once at most.

use chrono::TimeDelta;
use domain::health::AccountHealth;
use domain::question::YesOutcome;
use engine::Engine;
use sandbox::journal::Entry;
use sandbox::world::faults::FaultKind;

use tokio::task::JoinSet;

use crate::asking::{count, just_asked, outcome, tap};
use crate::stage::{Stage, TORONTO, at, toronto};

/// What was asked of the portal so far, sign-ins and all.
fn asked_of_portal(stage: &Stage) -> usize {
    stage.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e: &&Entry| e.kind != "days").count())
}

// spec: 10.1.17
#[tokio::test]
async fn a_yes_never_breaks_a_rest_and_waits_for_its_end_within_its_life() {
    for (health, rest, booked) in
        [(AccountHealth::Valid, 60, 1), (AccountHealth::Valid, 600, 0), (AccountHealth::Cooling, 600, 0)]
    {
        let mut stage = Stage::new().await;
        let (task, group, raw) = just_asked(&stage).await;
        let (account, now) = (stage.read(task).await.portal_account_id, stage.ctx.wall.now());
        let until = now + TimeDelta::seconds(rest);
        let mut tx = stage.ctx.db.begin().await.expect("tx");
        store::portal_account::set_health(&mut tx, account, health, Some(until), now).await.expect("rest");
        tx.commit().await.expect("commit");
        stage.engine = Engine::new(stage.ctx.clone());
        let before = asked_of_portal(&stage);
        assert_eq!(tap(&stage, &raw).await, Ok(()));
        stage.run_until(TimeDelta::seconds(rest.min(130)), || asked_of_portal(&stage) > before).await;
        assert!(stage.clock.now() >= until.min(now + TimeDelta::seconds(130)), "the rest was broken");
        stage.run_for(TimeDelta::seconds(30)).await;
        assert_eq!((stage.applied(group), stage.requests("book")), (booked, booked), "{health:?} {rest}");
        let came = if booked == 1 { YesOutcome::Booked } else { YesOutcome::NotBooked };
        assert_eq!(outcome(&stage, &raw).await, Some(came));
        stage.assert_tidy().await;
    }
}

// spec: 10.1.17
#[tokio::test]
async fn a_yes_that_lost_its_place_goes_in_line_again_and_finds_what_is_left() {
    let stage = Stage::new().await;
    let (_, asker, raw) = just_asked(&stage).await;
    // Who books by themselves came meanwhile, and is trying for the day when the asked says yes.
    let booker = stage.portal_account("sun", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.task("sun", toronto()).await;
    stage.latency(500, 500);
    let driver = stage.driver();
    let (mut jobs, end) = (JoinSet::new(), stage.clock.now() + TimeDelta::seconds(100));
    let mut tapped = None;
    while stage.clock.now() < end {
        let due = stage.engine.begin_due(&mut jobs).await;
        if tapped.is_none() && stage.requests("times") == 1 {
            tapped = Some(tap(&stage, &raw).await);
        } else if !driver.let_go(&mut jobs).await {
            driver.step(due, end);
        }
    }
    assert_eq!((tapped, jobs.len()), (Some(Ok(())), 0));
    assert_eq!((stage.applied(asker), stage.applied(booker)), (0, 1));
    assert_eq!(outcome(&stage, &raw).await, Some(YesOutcome::Gone));
    stage.assert_tidy().await;
}

// spec: 10.1.16
#[tokio::test]
async fn a_yes_carries_one_request_whoever_takes_over_and_whatever_came_of_it() {
    let mut stage = Stage::new().await;
    let (task, group, raw) = just_asked(&stage).await;
    stage.fault(FaultKind::RefuseBooking, Some(1));
    assert_eq!(tap(&stage, &raw).await, Ok(()));
    stage.run_until(TimeDelta::seconds(60), || stage.requests("book") == 1).await;
    stage.run_for(TimeDelta::seconds(30)).await;
    assert_eq!((stage.requests("book"), stage.applied(group)), (1, 0), "sent, and refused");
    // As if the engine that sent it had died before it wrote down what came of it.
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::exec!(&mut tx, "UPDATE question SET outcome = NULL").expect("forgotten");
    store::exec!(
        &mut tx,
        "UPDATE intent SET state = 'refused', settled_at = acting_at WHERE state IN ('acting', 'unknown')"
    )
    .expect("settled");
    tx.commit().await.expect("commit");
    stage.engine = Engine::new(stage.ctx.clone());
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(
        (stage.requests("book"), count(&stage, task, "said_yes").await),
        (1, 1),
        "one yes, one request"
    );
    assert_eq!(outcome(&stage, &raw).await, Some(YesOutcome::Unknown), "nobody says that nothing was sent");
}
