//! Stories of a database that is unavailable for minutes, right after *sending* was committed. A
//! sent attempt is read back all the same.

use chrono::{DateTime, TimeDelta, Utc};
use domain::booking::AttemptState;
use domain::money::Money;
use engine::on_fail_points;
use sandbox::world::faults::FaultKind;

use crate::database::{comes_back, goes_away, name_of};
use crate::stage::{Stage, TORONTO, appointment, at, toronto};

/// Watches one user's task and another user's list, and makes the database unavailable when
/// *sending* is committed. Returns the group and the database's name.
async fn committed_and_cut_off(stage: &Stage) -> (u64, domain::ids::TaskId, String) {
    let database = name_of(&stage.ctx.db);
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", toronto()).await;
    stage.portal_account("sun", Some(at(TORONTO, "2026-12-02", "08:15")));
    stage.task("sun", toronto()).await;
    stage.run_for(TimeDelta::minutes(10)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let name = database.clone();
    on_fail_points(Some(Box::new(move |point| {
        if point == "acting.committed" {
            goes_away(&name);
        }
    })));
    stage.run_until(TimeDelta::hours(1), || stage.requests("book") == 1).await;
    on_fail_points(None);
    assert_eq!(stage.requests("book"), 1, "a committed attempt is sent");
    (group, task, database)
}

fn asked(stage: &Stage, since: DateTime<Utc>) -> Vec<(i64, String)> {
    stage.sandbox.with_world(|w| {
        let own = w.journal.after(0).iter().filter(|e| e.world_time > since && e.kind != "world");
        own.map(|e| ((e.world_time - since).num_seconds(), e.kind.clone())).collect()
    })
}

// spec: 10.2.21
#[tokio::test]
async fn a_sent_attempt_is_read_back_during_an_outage_and_stored_after_it() {
    let stage = Stage::new().await;
    // The portal shows the new appointment after 50 seconds, on all its pages.
    stage.sandbox.with_world(|w| {
        w.config.lag.probability = 1.0;
        w.config.lag.seconds = 50;
        w.config.lag.instructions = true;
    });
    let newcomer = stage.user("new").await;
    stage.portal_account("new", None);
    let (group, task, database) = committed_and_cut_off(&stage).await;
    let sent = stage.posts()[0].0;
    // This slot is still earlier, so the engine would try to book it.
    let earlier = stage.slot(TORONTO, "2026-12-15", "09:15");
    stage.run_for(TimeDelta::minutes(4)).await;
    assert!(stage.verify(newcomer, "new").await.is_err());
    let meanwhile = asked(&stage, sent);
    let read = ["instructions", "groups", "home"];
    assert!(meanwhile.iter().all(|(_, kind)| read.contains(&kind.as_str())), "{meanwhile:?}");
    assert!(
        meanwhile.iter().any(|(after, _)| *after >= 60),
        "the attempt was read until the booking showed: {meanwhile:?}"
    );
    assert!(
        meanwhile.iter().all(|(after, _)| *after <= 90),
        "the attempt was read again after that: {meanwhile:?}"
    );

    stage.sandbox.with_world(|w| w.remove_slot(earlier));
    comes_back(&database);
    let returned = stage.clock.now();
    stage.run_for(TimeDelta::minutes(1)).await;
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let attempt = store::booking_attempt::of_task(&mut tx, task).await.expect("attempts").pop().expect("one");
    drop(tx);
    assert_eq!(attempt.state, AttemptState::Confirmed);
    assert_eq!(attempt.evidence["wrote"], "All", "the result of the POST is stored as well");
    assert!(attempt.readings.last().is_some_and(|reading| reading.at < returned), "{:?}", attempt.readings);
    let booked = stage.read(task).await;
    assert_eq!(booked.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    assert_eq!(booked.captured_amount, Some(Money::cad(3800).minor));
    assert_eq!((stage.mails("booked").await, stage.applied(group)), (1, 1));
    stage.run_for(TimeDelta::hours(3)).await;
    assert!(asked(&stage, returned).iter().any(|(_, kind)| kind == "days"), "polls continue");
    stage.assert_tidy().await;
}

// spec: 10.2.21
#[tokio::test]
async fn a_refusal_found_during_an_outage_frees_the_task_after_it() {
    let stage = Stage::new().await;
    stage.fault(FaultKind::LieBooked, Some(1));
    let (group, task, database) = committed_and_cut_off(&stage).await;
    stage.run_for(TimeDelta::minutes(8)).await;
    let away = stage.requests("instructions");
    stage.sandbox.with_world(|w| w.slots.clear());
    comes_back(&database);
    stage.run_for(TimeDelta::seconds(20)).await;
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let attempt = store::booking_attempt::of_task(&mut tx, task).await.expect("attempts").pop().expect("one");
    drop(tx);
    assert_eq!(attempt.state, AttemptState::Refused);
    assert!(attempt.readings.len() >= 5, "{:?}", attempt.readings);
    assert_eq!(stage.requests("instructions"), away, "the readings during the outage decide");
    assert_eq!((stage.read(task).await.reschedules_used, stage.applied(group)), (0, 0));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(stage.applied(group), 1, "the engine tries to book again");
    stage.assert_tidy().await;
}
