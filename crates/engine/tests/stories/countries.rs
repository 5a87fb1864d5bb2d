//! Stories of accounts in countries other than Canada.

use chrono::{DateTime, TimeDelta, Utc};
use domain::country::CountryCode;
use domain::criteria::SearchCriteria;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use sandbox::world::NewGroup;
use sandbox::world::country::Country;

use crate::stage::{Stage, TORONTO, at, criteria, day, slot, toronto};

const DUBLIN: u16 = 13;
const BELFAST: u16 = 16;
const LONDON: u16 = 17;
const LIMA: u16 = 115;

/// Adds an account in a country with an appointment on 2027-08-17, and submits a task for cities.
async fn task_in(stage: &Stage, letters: &str, name: &str, cities: &[u16]) -> (TaskId, u64) {
    let country = Country::with_code(letters).expect("a country of the sandbox");
    let appointment = Some(at(cities[0], "2027-08-17", "08:15"));
    let group =
        stage.portal_group(name, NewGroup { country: Some(country), appointment, ..NewGroup::default() });
    let user = stage.user(name).await;
    let code: CountryCode = format!("en-{letters}").parse().expect("a country");
    let found = stage.verify_in(code, user, name, "Maple-2026").await.expect("verified");
    assert_eq!(found[0].country, code);
    let cities = cities.iter().map(|city| FacilityId::try_from(*city).expect("a known city")).collect();
    stage.submit(&found[0], SearchCriteria { cities, ..criteria() }).await;
    (found[0].id, group)
}

#[tokio::test]
async fn an_irish_appointment_is_moved_in_dublin() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "ie", "aoife", &[DUBLIN]).await;
    stage.slot(DUBLIN, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(DUBLIN, "2027-02-09", "09:15")));
    let booked = stage.read(task).await;
    assert_eq!(
        (booked.booked, booked.captured_amount),
        (Some(slot(DUBLIN, "2027-02-09", "09:15")), Some(3800))
    );
    stage.assert_tidy().await;
}

#[tokio::test]
async fn tasks_of_two_countries_run_beside_each_other() {
    let stage = Stage::new().await;
    let canadian = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.task("lin", toronto()).await;
    let (_, british) = task_in(&stage, "gb", "grace", &[LONDON, BELFAST]).await;
    stage.slot(BELFAST, "2027-02-09", "10:00");
    stage.slot(TORONTO, "2027-02-10", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(british), Some(at(BELFAST, "2027-02-09", "10:00")));
    assert_eq!(stage.portal_shows(canadian), Some(at(TORONTO, "2027-02-10", "09:15")));
    stage.assert_tidy().await;
}

/// In Canada, accounts with an appointment see no dates from 4 to 19 o'clock. Elsewhere the hours
/// of the day make no difference.
#[tokio::test]
async fn a_date_in_the_middle_of_the_day_is_found_where_no_hours_are_restricted() {
    let stage = Stage::new().await;
    stage.sandbox.with_world(|w| w.config.restricted_hours = true);
    let (_, group) = task_in(&stage, "ie", "aoife", &[DUBLIN]).await;
    let noon: DateTime<Utc> = "2026-11-25T12:00:00Z".parse().expect("an instant");
    stage.run_for(noon - stage.clock.now()).await;
    stage.slot(DUBLIN, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(20)).await;
    assert_eq!(stage.portal_shows(group), Some(at(DUBLIN, "2027-02-09", "09:15")));
}

#[tokio::test]
async fn the_second_of_two_changes_in_peru_needs_consent() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "pe", "rosa", &[LIMA]).await;
    stage.slot(LIMA, "2027-03-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(LIMA, "2027-03-09", "09:15")));
    stage.slot(LIMA, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(60)).await;
    assert_eq!(stage.portal_shows(group), Some(at(LIMA, "2027-03-09", "09:15")), "the last change is kept");
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let agreed = stage.read(task).await.criteria.expect("criteria");
    let agreed = SearchCriteria { last_attempt_until: Some(day("2027-03-09")), ..agreed };
    store::task::set_criteria(&mut tx, task, &agreed, stage.ctx.wall.now()).await.expect("criteria");
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(LIMA, "2027-02-09", "09:15")));
}
