//! Stories of accounts in countries other than Canada.

use chrono::{DateTime, TimeDelta, Utc};
use domain::country::CountryCode;
use domain::criteria::SearchCriteria;
use domain::facility::FacilityId;
use domain::ids::{PortalScheduleId, TaskId};
use domain::task::TaskStatus;
use engine::verify_login::{LeftOut, NotVerified};
use sandbox::world::NewGroup;
use sandbox::world::country::Country;
use sandbox::world::faults::{FaultKind, InjectedFault};

use crate::stage::{Stage, TORONTO, appointment, at, criteria, day, toronto};

const DUBLIN: u16 = 13;
const BELFAST: u16 = 16;
const LONDON: u16 = 17;
const ALMATY: u16 = 135;
const ASTANA: u16 = 134;
const LIMA: u16 = 115;
const MILAN: u16 = 3102;
const ROME: u16 = 3104;
const PALERMO: u16 = 3105;

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
        (Some(appointment(DUBLIN, "2027-02-09", "09:15")), Some(3800))
    );
    stage.assert_tidy().await;
}

#[tokio::test]
async fn a_limit_page_with_a_russian_text_is_read_in_kazakhstan() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "kz", "aliya", &[ALMATY, ASTANA]).await;
    stage.slot(ASTANA, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(ASTANA, "2027-02-09", "09:15")));
    assert_eq!(stage.read(task).await.attempts_left, Some(2), "one of three is used");
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
async fn each_of_the_two_changes_for_life_in_peru_needs_consent_for_its_date() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "pe", "rosa", &[LIMA]).await;
    stage.slot(LIMA, "2027-03-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(LIMA, "2027-08-17", "08:15")), "no change without consent");
    consent(&stage, task, "2027-03-08").await;
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(LIMA, "2027-08-17", "08:15")), "the consent ends before");
    consent(&stage, task, "2027-03-09").await;
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(LIMA, "2027-03-09", "09:15")));
    stage.slot(LIMA, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(LIMA, "2027-02-09", "09:15")));
    let task = stage.read(task).await;
    assert_eq!((task.status, task.attempts_left), (TaskStatus::Stopped, Some(0)));
}

/// Allows reschedules that need consent, for dates up to `until`.
async fn consent(stage: &Stage, task: TaskId, until: &str) {
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let criteria = stage.read(task).await.criteria.expect("criteria");
    let agreed = SearchCriteria { last_attempt_until: Some(day(until)), ..criteria };
    store::task::set_criteria(&mut tx, task, &agreed, stage.ctx.wall.now()).await.expect("criteria");
    tx.commit().await.expect("commit");
}

/// The numbers of Italy's cities are in no table. The form of the first account shows them, and the
/// appointment that it holds is in one of the cities.
#[tokio::test]
async fn an_appointment_is_moved_in_a_country_whose_numbers_its_first_form_showed() {
    let stage = Stage::new().await;
    let italy: CountryCode = "en-it".parse().expect("a country");
    assert!(italy.country().facilities().next().is_none() && FacilityId::try_from(ROME).is_err());
    let (task, group) = task_in(&stage, "it", "giulia", &[ROME, MILAN]).await;
    let names: Vec<_> = italy.country().facilities().map(|city| city.name_en).collect();
    assert_eq!(names, ["Florence", "Milan", "Naples", "Rome"], "Palermo is in no table");
    let stored = store::facility::list(&mut stage.ctx.db.read().await.expect("tx")).await.expect("numbers");
    let stored: Vec<_> = stored.into_iter().map(|row| (row.number, row.city)).collect();
    assert_eq!(stored.len(), 4);
    assert!(stored.contains(&(3104, "Rome".to_owned())));

    stage.slot(MILAN, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(MILAN, "2027-02-09", "09:15")));
    assert_eq!(stage.read(task).await.interview().map(|held| held.facility.name()), Some("Milan"));
    stage.assert_tidy().await;
}

#[tokio::test]
async fn groups_that_cannot_be_held_are_named_with_the_reason() {
    let stage = Stage::new().await;
    let italy = Country::with_code("it").expect("a country of the sandbox");
    let booked = |city| NewGroup {
        country: Some(italy),
        applicants: vec!["GIULIA".to_owned()],
        appointment: Some(at(city, "2027-08-17", "08:15")),
        ..NewGroup::default()
    };
    let groups = stage.portal_groups("giulia", vec![booked(ROME), booked(PALERMO)]);
    let user = stage.user("giulia").await;
    let verified = stage.verification("en-it", user, "giulia").await.expect("verified");
    let held: Vec<_> = verified.tasks.iter().map(|task| task.portal_schedule_id.0.clone()).collect();
    assert_eq!(held, [groups[0].to_string()]);
    let unknown = LeftOut::UnknownCity("Palermo".to_owned());
    assert_eq!(verified.left_out, [(PortalScheduleId(groups[1].to_string()), unknown)]);
}

#[tokio::test]
async fn a_form_that_asks_for_fingerprints_is_found_before_a_task_is_submitted() {
    let stage = Stage::new().await;
    let italy = Country::with_code("it").expect("a country of the sandbox");
    stage.portal_group("giulia", NewGroup { country: Some(italy), ..NewGroup::default() });
    stage.fault(FaultKind::FormAsksAsc, None);
    let user = stage.user("giulia").await;
    let verified = stage.verification("en-it", user, "giulia").await.expect("verified");
    let group = &verified.tasks[0].group;
    assert_eq!(
        (group.asks_fingerprints, group.unfit(day("2026-11-25"))),
        (Some(true), Some("asks_fingerprints"))
    );
}

#[tokio::test]
async fn the_form_of_the_next_group_is_read_if_the_first_has_no_change_left() {
    let stage = Stage::new().await;
    let italy = Country::with_code("it").expect("a country of the sandbox");
    let booked = || NewGroup {
        country: Some(italy),
        applicants: vec!["GIULIA".to_owned()],
        appointment: Some(at(ROME, "2027-08-17", "08:15")),
        ..NewGroup::default()
    };
    let groups = stage.portal_groups("giulia", vec![booked(), booked()]);
    let used_up =
        InjectedFault { portal_schedule_id: Some(groups[0]), ..InjectedFault::of(FaultKind::AttemptsUsedUp) };
    stage.sandbox.with_world(|w| w.add_fault(used_up));
    let user = stage.user("giulia").await;
    let verified = stage.verification("en-it", user, "giulia").await.expect("verified");
    assert_eq!((verified.tasks.len(), verified.left_out.len()), (2, 0));
    assert!(FacilityId::try_from(ROME).is_ok());
}

#[tokio::test]
async fn a_verification_ends_at_a_form_that_the_portal_refuses() {
    let stage = Stage::new().await;
    let italy = Country::with_code("it").expect("a country of the sandbox");
    stage.portal_group("giulia", NewGroup { country: Some(italy), ..NewGroup::default() });
    let kind = FaultKind::TooManyRequests { retry_after: None };
    let refused = InjectedFault { on: Some("appointment".to_owned()), ..InjectedFault::of(kind) };
    stage.sandbox.with_world(|w| w.add_fault(refused));
    let user = stage.user("giulia").await;
    let verified = stage.verification("en-it", user, "giulia").await;
    assert!(matches!(&verified, Err(NotVerified::Portal(error)) if error.is_host_failure()), "{verified:?}");
    let asked = stage
        .sandbox
        .with_world(|w| w.journal.after(0).iter().filter(|entry| entry.path.contains("payment")).count());
    assert_eq!(asked, 0, "no page follows");
}
