//! Stories of groups with several applicants, and of several groups in one portal account.

use chrono::TimeDelta;
use sandbox::world::NewGroup;
use sandbox::world::slots::NewSlot;

use crate::stage::{OTTAWA, Stage, TORONTO, appointment, at, criteria, new_slot, toronto};

fn people(names: &[&str]) -> NewGroup {
    NewGroup {
        applicants: names.iter().map(|n| (*n).to_owned()).collect(),
        appointment: Some(at(TORONTO, "2027-08-17", "08:15")),
        ..NewGroup::default()
    }
}

// spec: 10.1.12
#[tokio::test]
async fn a_family_is_booked_together_and_charged_per_applicant() {
    let stage = Stage::new().await;
    let group = stage.portal_group("family", people(&["LIN ANNA", "LIN BO", "LIN CAI"]));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let task = stage.task("family", criteria()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let booked = stage.read(task).await;
    assert_eq!(booked.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    assert_eq!(booked.captured_amount, Some(3 * 3800));
    assert_eq!((stage.applied(group), stage.requests("book")), (1, 1));
    stage.assert_tidy().await;
}

// spec: 10.1.12
#[tokio::test]
async fn a_slot_for_one_goes_to_a_single_applicant() {
    let stage = Stage::new().await;
    let family = stage.portal_group("family", people(&["LIN ANNA", "LIN BO"]));
    stage.task("family", toronto()).await;
    stage.clock.advance(TimeDelta::seconds(5));
    let single = stage.portal_group("single", people(&["SUN"]));
    stage.task("single", toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let for_one = NewSlot { max_party: 1, ..new_slot(TORONTO, "2027-02-09", "09:15") };
    stage.sandbox.with_world(|w| w.add_slot(for_one));
    stage.run_for(TimeDelta::minutes(40)).await;
    assert_eq!((stage.applied(family), stage.applied(single)), (0, 1));
    assert_eq!(stage.requests("book"), 1, "the family never tried");
    stage.assert_tidy().await;
}

// spec: 10.1.12
#[tokio::test]
async fn groups_of_one_account_are_booked_one_after_the_other() {
    let stage = Stage::new().await;
    let groups = stage.portal_groups("lin", vec![people(&["LIN ANNA"]), people(&["LIN BO"])]);
    let user = stage.user("lin").await;
    let found = stage.verify(user, "lin").await.expect("verified");
    assert_eq!(found.len(), 2);
    for task in &found {
        stage.submit(task, toronto()).await;
    }
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.latency(300, 300);
    for time in ["09:15", "10:00"] {
        stage.slot(TORONTO, "2027-02-09", time);
    }
    stage.run_for(TimeDelta::hours(1)).await;
    let mut spans = Vec::new();
    for task in &found {
        let mut tx = stage.ctx.db.read().await.expect("tx");
        let attempts = store::booking_attempt::of_task(&mut tx, task.id).await.expect("intents");
        drop(tx);
        spans.extend(attempts.iter().map(|i| (i.prepared_at, i.settled_at.expect("settled"))));
    }
    spans.sort();
    assert!(spans.windows(2).all(|two| two[0].1 <= two[1].0), "one account acts serially: {spans:?}");
    assert_eq!(groups.iter().map(|g| stage.applied(*g)).collect::<Vec<_>>(), [1, 1]);
    stage.assert_tidy().await;
}

// spec: 10.1.12
#[tokio::test]
async fn two_groups_of_one_account_may_request_different_cities() {
    let stage = Stage::new().await;
    let groups = stage.portal_groups("lin", vec![people(&["LIN ANNA"]), people(&["LIN BO"])]);
    let user = stage.user("lin").await;
    let found = stage.verify(user, "lin").await.expect("verified");
    let by_group = |group: u64| {
        found.iter().find(|t| t.portal_schedule_id.0 == group.to_string()).expect("each group has a task")
    };
    stage.submit(by_group(groups[0]), toronto()).await;
    let mut ottawa = toronto();
    ottawa.cities = vec![domain::facility::FacilityId::OTTAWA];
    stage.submit(by_group(groups[1]), ottawa).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.slot(OTTAWA, "2027-01-12", "10:00");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(stage.portal_shows(groups[0]), Some(at(TORONTO, "2027-02-09", "09:15")));
    assert_eq!(stage.portal_shows(groups[1]), Some(at(OTTAWA, "2027-01-12", "10:00")));
    stage.assert_tidy().await;
}
