//! Stories of countries whose booking form asks for a fingerprint appointment too.

use chrono::{NaiveDate, TimeDelta};
use domain::criteria::{ExcludedDates, FingerprintCriteria, SearchCriteria};
use domain::facility::FacilityId;
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use sandbox::world::NewGroup;
use sandbox::world::accounts::Appointment;
use sandbox::world::asc::AppointmentKind;
use sandbox::world::country::{Country, facility};
use sandbox::world::faults::{FaultKind, InjectedFault};

use crate::stage::{Stage, TORONTO, at, criteria, day, toronto};

const BRASILIA: u16 = 54;
const PORTO_ALEGRE: u16 = 128;
const BRASILIA_ASC: u16 = 58;
const RIO_DE_JANEIRO_ASC: u16 = 59;
const BOGOTA: u16 = 25;
const BOGOTA_ASC: u16 = 26;

/// Adds an account with an interview on 2027-08-17 and fingerprints on 2027-08-10, and submits a
/// task for these cities.
async fn task_in(stage: &Stage, country: &str, cities: &[u16], asc: u16) -> (TaskId, u64) {
    let wanted = SearchCriteria { cities: known(cities), ..criteria() };
    task_with(stage, country, at(cities[0], "2027-08-17", "08:15"), asc, wanted).await
}

async fn task_with(
    stage: &Stage,
    letters: &str,
    held: Appointment,
    asc: u16,
    wanted: SearchCriteria,
) -> (TaskId, u64) {
    task_of(stage, "ana", letters, held, asc, wanted).await
}

async fn task_of(
    stage: &Stage,
    name: &str,
    letters: &str,
    held: Appointment,
    asc: u16,
    wanted: SearchCriteria,
) -> (TaskId, u64) {
    let country = Country::with_code(letters).expect("a country of the sandbox");
    let asc = Some(at(asc, "2027-08-10", "07:30"));
    let group = NewGroup { country: Some(country), appointment: Some(held), asc, ..NewGroup::default() };
    let group = stage.portal_group(name, group);
    let user = stage.user(name).await;
    let code = format!("en-{letters}").parse().expect("a country");
    let found = stage.verify_in(code, user, name, "Maple-2026").await.expect("verified");
    stage.submit(&found[0], wanted).await;
    (found[0].id, group)
}

fn known(cities: &[u16]) -> Vec<FacilityId> {
    cities.iter().map(|city| FacilityId::try_from(*city).expect("a known city")).collect()
}

/// Returns a working day in February 2027 with or without fingerprint dates before it.
fn interview_day(stage: &Stage, asc: u16, has_fingerprints: bool) -> NaiveDate {
    let place = facility(asc.into()).expect("a place");
    let mut fitting = working_days()
        .filter(|day| stage.sandbox.with_world(|w| w.has_no_asc(place, *day)) != has_fingerprints);
    fitting.next().expect("a day")
}

/// Returns the working days from 2027-02-08 on, of half a year.
fn working_days() -> impl Iterator<Item = NaiveDate> {
    let days = day("2027-02-08").iter_days().take(180);
    days.filter(|day| !["Sat", "Sun"].contains(&&*day.format("%a").to_string()))
}

/// Adds a slot at which the portal lists fingerprint appointments. Returns its date.
fn slot_with_fingerprints(stage: &Stage, city: u16, asc: u16) -> NaiveDate {
    let date = interview_day(stage, asc, true);
    stage.slot(city, &date.to_string(), "09:15");
    date
}

fn portal_asc(stage: &Stage, group: u64) -> Option<Appointment> {
    stage.sandbox.with_world(|w| w.groups[&group].asc.clone())
}

/// Returns the reasons for which the task could not book a date.
async fn gone(stage: &Stage, task: TaskId) -> Vec<String> {
    let lines = stage.lines(task).await.into_iter().filter(|line| line.kind == "slot_gone");
    lines.map(|line| line.data["why"].as_str().expect("a reason").to_owned()).collect()
}

#[tokio::test]
async fn an_interview_is_booked_with_the_fingerprint_appointment_nearest_to_it() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "co", &[BOGOTA], BOGOTA_ASC).await;
    let held = stage.read(task).await.booked.expect("an appointment");
    let fingerprints = held.fingerprints.expect("a fingerprint appointment");
    assert_eq!((fingerprints.city.name(), fingerprints.date), ("Bogota", day("2027-08-10")));

    let date = slot_with_fingerprints(&stage, BOGOTA, BOGOTA_ASC);
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(BOGOTA, &date.to_string(), "09:15")));
    let asc = portal_asc(&stage, group).expect("a fingerprint appointment");
    let lead = (date - asc.date).num_days();
    assert!((1..=3).contains(&lead), "the last working day before the interview: {lead} days");
    let booked = stage.read(task).await;
    let shown = booked.booked.and_then(|booked| booked.fingerprints).expect("a fingerprint appointment");
    assert_eq!((shown.date, shown.time), (asc.date, asc.time));
    assert_eq!(booked.captured_amount, Some(3800));
    assert_eq!((stage.requests("asc_days"), stage.requests("asc_times")), (1, 1));
    assert_eq!(stage.posts().len(), 1);
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let success = store::journal::successes(&mut tx, task).await.expect("successes").remove(0);
    assert_eq!((success.old, Some(success.new)), (Some(held), booked.booked));
    drop(tx);
    stage.run_for(TimeDelta::hours(3)).await;
    assert_eq!(stage.mails("changed_outside").await, 0, "later readings agree");
    stage.assert_tidy().await;
}

#[tokio::test]
async fn a_first_interview_is_booked_with_fingerprints() {
    let stage = Stage::new().await;
    let country = Country::with_code("co");
    let group = stage.portal_group("ana", NewGroup { country, ..NewGroup::default() });
    let user = stage.user("ana").await;
    let code = "en-co".parse().expect("a country");
    let found = stage.verify_in(code, user, "ana", "Maple-2026").await.expect("verified");
    stage.submit(&found[0], SearchCriteria { cities: known(&[BOGOTA]), ..criteria() }).await;
    let date = slot_with_fingerprints(&stage, BOGOTA, BOGOTA_ASC);
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(BOGOTA, &date.to_string(), "09:15")));
    assert!(portal_asc(&stage, group).is_some());
    let booked = stage.read(found[0].id).await.booked;
    assert!(booked.is_some_and(|booked| booked.fingerprints.is_some()));
}

#[tokio::test]
async fn a_date_without_fingerprint_dates_is_left_and_the_next_is_booked() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "co", &[BOGOTA], BOGOTA_ASC).await;
    let without = interview_day(&stage, BOGOTA_ASC, false);
    stage.slot(BOGOTA, &without.to_string(), "09:15");
    stage.run_for(TimeDelta::minutes(20)).await;
    assert_eq!(stage.portal_shows(group), Some(at(BOGOTA, "2027-08-17", "08:15")));
    assert!(gone(&stage, task).await.iter().all(|why| why == "no_fingerprints"));
    assert!(!gone(&stage, task).await.is_empty() && stage.posts().is_empty());
    let date = slot_with_fingerprints(&stage, BOGOTA, BOGOTA_ASC);
    stage.run_for(TimeDelta::minutes(70)).await;
    assert_eq!(stage.portal_shows(group), Some(at(BOGOTA, &date.to_string(), "09:15")));
}

#[tokio::test]
async fn the_criteria_hold_for_the_fingerprint_date_too() {
    let stage = Stage::new().await;
    let date = interview_day(&stage, BOGOTA_ASC, true);
    let excluded = ExcludedDates::new(vec![(date - TimeDelta::days(14), date - TimeDelta::days(1))]);
    let wanted = SearchCriteria { cities: known(&[BOGOTA]), excluded, ..criteria() };
    let held = at(BOGOTA, "2027-08-17", "08:15");
    let (task, group) = task_with(&stage, "co", held.clone(), BOGOTA_ASC, wanted).await;
    stage.slot(BOGOTA, &date.to_string(), "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(held));
    assert_eq!(gone(&stage, task).await, ["fingerprints_not_wanted"]);
}

/// Returns criteria for one city with conditions for the fingerprint appointment.
fn with_conditions(city: u16, wanted: FingerprintCriteria) -> SearchCriteria {
    SearchCriteria { cities: known(&[city]), fingerprints: Some(Box::new(wanted)), ..criteria() }
}

#[tokio::test]
async fn the_conditions_choose_the_city_and_the_date_of_the_fingerprints() {
    let stage = Stage::new().await;
    let cities = ["en-br/Recife", "en-br/Rio de Janeiro", "en-br/Brasilia"];
    let wanted = FingerprintCriteria {
        cities: cities.map(|city| city.parse().expect("a city")).to_vec(),
        min_days_before: Some(5),
        max_days_before: Some(11),
    };
    let held = at(BRASILIA, "2027-08-17", "08:15");
    let (_, group) = task_with(&stage, "br", held, BRASILIA_ASC, with_conditions(BRASILIA, wanted)).await;
    let date = slot_with_fingerprints(&stage, BRASILIA, RIO_DE_JANEIRO_ASC);
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(BRASILIA, &date.to_string(), "09:15")));
    let asc = portal_asc(&stage, group).expect("a fingerprint appointment");
    assert_eq!(asc.facility, u32::from(RIO_DE_JANEIRO_ASC), "no form offers Recife");
    assert!((5..=11).contains(&(date - asc.date).num_days()), "{}", asc.date);
}

#[tokio::test]
async fn conditions_that_no_fingerprint_appointment_meets_book_nothing() {
    let days = FingerprintCriteria { min_days_before: Some(30), ..FingerprintCriteria::default() };
    let recife = "en-br/Recife".parse().expect("a city");
    let elsewhere = FingerprintCriteria { cities: vec![recife], ..FingerprintCriteria::default() };
    for (wanted, lists) in [(days, 1), (elsewhere, 0)] {
        let stage = Stage::new().await;
        let held = at(BRASILIA, "2027-08-17", "08:15");
        let wanted = with_conditions(BRASILIA, wanted);
        let (task, group) = task_with(&stage, "br", held.clone(), BRASILIA_ASC, wanted).await;
        slot_with_fingerprints(&stage, BRASILIA, BRASILIA_ASC);
        stage.run_for(TimeDelta::minutes(25)).await;
        assert_eq!(stage.portal_shows(group), Some(held));
        assert_eq!(gone(&stage, task).await, ["fingerprints_not_wanted"]);
        assert_eq!(stage.requests("asc_days"), lists);
        assert_eq!(stage.read(task).await.status, TaskStatus::Active);
    }
}

/// A refused date is left for hours, but not after an edit that accepts it.
#[tokio::test]
async fn a_refused_date_is_tried_again_after_an_edit() {
    let stage = Stage::new().await;
    let late = FingerprintCriteria { min_days_before: Some(30), ..FingerprintCriteria::default() };
    let held = at(BRASILIA, "2027-08-17", "08:15");
    let strict = with_conditions(BRASILIA, late);
    let (task, group) = task_with(&stage, "br", held.clone(), BRASILIA_ASC, strict).await;
    let date = slot_with_fingerprints(&stage, BRASILIA, BRASILIA_ASC);
    stage.run_until(TimeDelta::minutes(25), || stage.requests("asc_days") > 0).await;
    stage.run_for(TimeDelta::minutes(1)).await;
    assert_eq!((gone(&stage, task).await.len(), stage.portal_shows(group)), (1, Some(held)));
    let loose = SearchCriteria { cities: known(&[BRASILIA]), ..criteria() };
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::task::set_criteria(&mut tx, task, &loose, stage.ctx.wall.now()).await.expect("criteria");
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::minutes(40)).await;
    assert_eq!(stage.portal_shows(group), Some(at(BRASILIA, &date.to_string(), "09:15")));
    stage.assert_tidy().await;
}

/// Two tasks of one queue share the list of the consulate, but not those of the fingerprints.
#[tokio::test]
async fn two_tasks_with_other_fingerprint_cities_book_the_same_date() {
    let stage = Stage::new().await;
    let only = |city: &str| FingerprintCriteria {
        cities: vec![city.parse().expect("a city")],
        ..FingerprintCriteria::default()
    };
    let mut groups = Vec::new();
    for (name, city) in [("ana", "en-br/Rio de Janeiro"), ("lin", "en-br/Brasilia")] {
        let wanted = with_conditions(BRASILIA, only(city));
        let held = at(BRASILIA, "2027-08-17", "08:15");
        groups.push(task_of(&stage, name, "br", held, BRASILIA_ASC, wanted).await.1);
    }
    let has_both = |day: &NaiveDate| {
        let lists = [BRASILIA_ASC, RIO_DE_JANEIRO_ASC].map(|city| facility(city.into()).expect("a place"));
        lists.iter().all(|place| !stage.sandbox.with_world(|w| w.has_no_asc(place, *day)))
    };
    let date = working_days().find(has_both).expect("a day");
    stage.slot(BRASILIA, &date.to_string(), "09:15");
    stage.slot(BRASILIA, &date.to_string(), "09:45");
    stage.run_for(TimeDelta::minutes(40)).await;
    for (group, asc) in groups.into_iter().zip([RIO_DE_JANEIRO_ASC, BRASILIA_ASC]) {
        assert_eq!(stage.portal_shows(group).map(|held| held.date), Some(date));
        let booked = portal_asc(&stage, group).expect("a fingerprint appointment");
        assert_eq!(booked.facility, u32::from(asc));
    }
    stage.assert_tidy().await;
}

/// Dates without fingerprint dates stay listed. The tries for them must leave the account enough
/// polls to watch its city, and the lists count as polls at the portal.
#[tokio::test]
async fn dates_without_fingerprints_do_not_use_up_the_polls() {
    for dates in [3, 10] {
        vain_dates_do_not_use_up_the_polls(dates).await;
    }
}

async fn vain_dates_do_not_use_up_the_polls(dates: usize) {
    let stage = Stage::new().await;
    let (task, _) = task_in(&stage, "co", &[BOGOTA], BOGOTA_ASC).await;
    let place = facility(BOGOTA_ASC.into()).expect("a place");
    let mut without: Vec<_> =
        working_days().filter(|day| stage.sandbox.with_world(|w| w.has_no_asc(place, *day))).collect();
    without.truncate(dates);
    assert_eq!(without.len(), dates);
    for without in without {
        stage.slot(BOGOTA, &without.to_string(), "09:15");
        stage.slot(BOGOTA, &without.to_string(), "09:45");
    }
    stage.run_for(TimeDelta::minutes(590)).await;
    let of_kind = |kinds: &[&str]| kinds.iter().map(|kind| stage.requests(kind)).sum::<usize>();
    let (watched, tried) = (of_kind(&["days"]), of_kind(&["times", "asc_days", "asc_times"]));
    assert!(stage.requests("asc_days") >= 4 && stage.posts().is_empty());
    assert!(watched + tried <= 40, "{watched} polls, {tried} for tries");
    assert!(watched >= 12, "{watched} polls, {tried} for tries");
    assert_eq!(stage.read(task).await.status, TaskStatus::Active);
    stage.assert_tidy().await;
}

/// A try costs eight requests, so lists of an unknown form must not cause one every two minutes.
#[tokio::test]
async fn lists_of_an_unknown_form_are_not_read_again_at_once() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "co", &[BOGOTA], BOGOTA_ASC).await;
    let mut foreign = InjectedFault::of(FaultKind::ForeignHtml);
    foreign.on = Some("asc_days".to_owned());
    stage.sandbox.with_world(|w| w.add_fault(foreign));
    slot_with_fingerprints(&stage, BOGOTA, BOGOTA_ASC);
    stage.run_for(TimeDelta::minutes(40)).await;
    assert_eq!(stage.portal_shows(group), Some(at(BOGOTA, "2027-08-17", "08:15")));
    let tries = stage.requests("asc_days");
    assert!((1..=4).contains(&tries), "{tries} tries in 40 minutes");
    assert!(gone(&stage, task).await.iter().all(|why| why == "fingerprints_unread"));
    assert_eq!(stage.read(task).await.status, TaskStatus::Active);
}

#[tokio::test]
async fn failures_of_the_fingerprint_lists_alone_block_nothing_else() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "co", &[BOGOTA], BOGOTA_ASC).await;
    let canadian = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.task("lin", toronto()).await;
    let burst = stage.fault(FaultKind::AscBadGateway, None);
    let date = slot_with_fingerprints(&stage, BOGOTA, BOGOTA_ASC);
    stage.slot(TORONTO, "2027-02-10", "09:15");
    stage.run_for(TimeDelta::minutes(20)).await;
    assert_eq!(stage.portal_shows(canadian), Some(at(TORONTO, "2027-02-10", "09:15")));
    assert_eq!(stage.portal_shows(group), Some(at(BOGOTA, "2027-08-17", "08:15")));
    assert!(gone(&stage, task).await.contains(&"fingerprints_unread".to_owned()));
    stage.sandbox.with_world(|w| w.remove_faults(Some(burst)));
    stage.fault(FaultKind::AscBadGateway, Some(1));
    stage.run_for(TimeDelta::minutes(70)).await;
    assert_eq!(
        stage.portal_shows(group),
        Some(at(BOGOTA, &date.to_string(), "09:15")),
        "one 502 is repeated"
    );
}

#[tokio::test]
async fn a_fingerprint_time_that_is_taken_before_the_request_books_nothing() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "co", &[BOGOTA], BOGOTA_ASC).await;
    stage.fault(FaultKind::StealAscSlot, None);
    slot_with_fingerprints(&stage, BOGOTA, BOGOTA_ASC);
    stage.run_for(TimeDelta::minutes(15)).await;
    let still = stage.read(task).await;
    assert_eq!(stage.portal_shows(group), Some(at(BOGOTA, "2027-08-17", "08:15")));
    assert_eq!(portal_asc(&stage, group), Some(at(BOGOTA_ASC, "2027-08-10", "07:30")));
    assert_eq!((still.status, still.captured_amount), (TaskStatus::Active, None));
    assert_eq!(still.reschedules_used, 0);
    assert!(!stage.posts().is_empty());
}

/// The groups page shows the new interview with the old fingerprint appointment. The user has to
/// look, and nothing is charged. When the page shows both new appointments, the booking counts.
#[tokio::test]
async fn a_half_booked_pair_waits_for_the_user_until_the_portal_shows_both() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "co", &[BOGOTA], BOGOTA_ASC).await;
    let half = FaultKind::HalfGroupsLag { of: AppointmentKind::Asc, seconds: 1800 };
    stage.fault(half, Some(1));
    let date = slot_with_fingerprints(&stage, BOGOTA, BOGOTA_ASC);
    stage.run_until(TimeDelta::minutes(30), || !stage.posts().is_empty()).await;
    stage.run_for(TimeDelta::minutes(10)).await;
    assert_eq!(stage.portal_shows(group), Some(at(BOGOTA, &date.to_string(), "09:15")));
    let stopped = stage.read(task).await;
    assert_eq!((stopped.status, stopped.reason), (TaskStatus::Error, Some(Reason::FingerprintsDiffer)));
    assert_eq!((stopped.captured_amount, stopped.hold_id.is_some()), (None, true), "the hold remains");
    let shown = stopped.booked.expect("the appointment that the portal shows");
    assert_eq!(
        (shown.consular.date, shown.fingerprints.map(|slot| slot.date)),
        (date, Some(day("2027-08-10")))
    );
    assert_eq!(stage.mails("needs_you").await, 1);
    let differ = stage.lines(task).await.into_iter().find(|line| line.kind == "fingerprints_differ");
    let differ = differ.expect("an entry with both appointments").data;
    assert_eq!(differ["shown"]["fingerprints"]["date"], "2027-08-10");
    assert_eq!(differ["wanted"]["date"], differ["shown"]["date"]);
    stage.run_for(TimeDelta::hours(8)).await;
    let settled = stage.read(task).await;
    assert_eq!((settled.captured_amount, settled.reason), (Some(3800), None));
    let asc = portal_asc(&stage, group).expect("a fingerprint appointment");
    assert_eq!(settled.booked.and_then(|held| held.fingerprints).map(|slot| slot.date), Some(asc.date));
}

#[tokio::test]
async fn a_user_who_paused_meanwhile_is_notified_of_half_a_pair_too() {
    let stage = Stage::new().await;
    let (task, _) = task_in(&stage, "co", &[BOGOTA], BOGOTA_ASC).await;
    let half = FaultKind::HalfGroupsLag { of: AppointmentKind::Asc, seconds: 1800 };
    stage.fault(half, Some(1));
    slot_with_fingerprints(&stage, BOGOTA, BOGOTA_ASC);
    stage.run_until(TimeDelta::minutes(30), || !stage.posts().is_empty()).await;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let (step, now) = ((TaskStatus::Active, TaskStatus::Stopped), stage.ctx.wall.now());
    let reason = Some(Reason::ByUser);
    assert!(store::task::set_status(&mut tx, task, step, reason, now).await.expect("a status"));
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::minutes(10)).await;
    let stopped = stage.read(task).await;
    assert_eq!((stopped.reason, stopped.captured_amount), (reason, None));
    assert_eq!(stage.mails("needs_you").await, 1);
    assert!(stage.journal(task).await.contains(&"fingerprints_differ".to_owned()));
}

#[tokio::test]
async fn a_fingerprint_appointment_that_the_user_moves_is_adopted() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "co", &[BOGOTA], BOGOTA_ASC).await;
    stage.run_for(TimeDelta::minutes(10)).await;
    let before = stage.read(task).await;
    let held = stage.portal_shows(group);
    let moved = at(BOGOTA_ASC, "2027-08-12", "10:00");
    assert!(stage.sandbox.with_world(|w| w.change_pair_by_hand(group, held, Some(moved), Some(0))));
    stage.run_for(TimeDelta::hours(8)).await;
    let after = stage.read(task).await;
    let fingerprints = after.booked.and_then(|held| held.fingerprints).expect("a fingerprint appointment");
    assert_eq!((fingerprints.date, after.interview()), (day("2027-08-12"), before.interview()));
    assert_eq!((after.status, after.criteria), (before.status, before.criteria));
    assert_eq!(stage.mails("changed_outside").await, 1);
}

#[tokio::test]
async fn a_consulate_that_takes_the_fingerprints_itself_is_refused_in_words() {
    for (cities, is_stopped) in [(vec![PORTO_ALEGRE], true), (vec![PORTO_ALEGRE, BRASILIA], false)] {
        let stage = Stage::new().await;
        let wanted = SearchCriteria { cities: known(&cities), ..criteria() };
        let held = at(BRASILIA, "2027-08-17", "08:15");
        let (task, group) = task_with(&stage, "br", held.clone(), BRASILIA_ASC, wanted).await;
        stage.slot(PORTO_ALEGRE, "2027-02-09", "09:15");
        stage.run_for(TimeDelta::minutes(30)).await;
        assert_eq!(stage.portal_shows(group), Some(held));
        let refused = stage.read(task).await;
        if is_stopped {
            let stop = (TaskStatus::Error, Some(Reason::FormAsksFingerprints));
            assert_eq!((refused.status, refused.reason), stop);
            continue;
        }
        assert_eq!(refused.status, TaskStatus::Active);
        assert!(gone(&stage, task).await.contains(&"fingerprints_at_consulate".to_owned()));
        let date = slot_with_fingerprints(&stage, BRASILIA, BRASILIA_ASC);
        stage.run_for(TimeDelta::minutes(70)).await;
        assert_eq!(stage.portal_shows(group), Some(at(BRASILIA, &date.to_string(), "09:15")));
        assert!(stage.requests("asc_days") > 0);
    }
}

/// A server of an older build could take half a pair for a booking after a failover.
#[tokio::test]
async fn no_pair_is_booked_beside_a_server_of_an_older_build() {
    let stage = Stage::new().await;
    let (_, group) = task_in(&stage, "co", &[BOGOTA], BOGOTA_ASC).await;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let sql = "INSERT INTO node (name, roles, version, host, seen_at) VALUES ('old', 'engine', '0', 'h', $1)";
    store::exec!(&mut tx, sql, stage.ctx.wall.now() + TimeDelta::minutes(25)).expect("sql");
    tx.commit().await.expect("commit");
    let date = slot_with_fingerprints(&stage, BOGOTA, BOGOTA_ASC);
    stage.run_for(TimeDelta::minutes(20)).await;
    assert!(stage.posts().is_empty(), "nothing is sent while the old server runs");
    assert_eq!(stage.requests("asc_days"), 0, "nor is a list read in vain");
    stage.run_for(TimeDelta::minutes(70)).await;
    assert_eq!(stage.portal_shows(group), Some(at(BOGOTA, &date.to_string(), "09:15")));
}

#[tokio::test]
async fn a_card_with_fingerprints_alone_changes_nothing() {
    let stage = Stage::new().await;
    let (task, group) = task_in(&stage, "co", &[BOGOTA], BOGOTA_ASC).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let held = stage.read(task).await.booked;
    let only = InjectedFault::of(FaultKind::FingerprintsOnly { group });
    stage.sandbox.with_world(|w| w.add_fault(only));
    slot_with_fingerprints(&stage, BOGOTA, BOGOTA_ASC);
    stage.run_for(TimeDelta::minutes(20)).await;
    assert!(stage.posts().is_empty());
    assert_eq!(stage.read(task).await.booked, held, "an unreadable card changes nothing");
}
