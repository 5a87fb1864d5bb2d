use chrono::{NaiveDate, TimeDelta};
use domain::appointment::{Appointment, FingerprintSlot, Slot};
use domain::booking::evidence::Doubt;
use domain::booking::{ExpectedOutcome, Observation, ObservedState, ReadBackOutcome, ReadBackPolicy};
use domain::booking::{next_reading, read_back_outcome};
use domain::country::city::CityId;
use domain::criteria::{ExcludedDates, FingerprintCriteria, SearchCriteria, Weekdays};
use domain::facility::FacilityId;
use domain::fingerprints::fingerprint_days;
use proptest::prelude::*;
use serde_json::json;

use crate::criteria::criteria;
use crate::{at, day, slot};

fn bogota() -> CityId {
    "en-co/Bogota".parse().expect("a city")
}

fn interview(date: &str) -> Slot {
    slot(FacilityId::by_name("Bogota").expect("a city"), date, "09:15")
}

fn pair(date: &str, fingerprints: &str) -> Appointment {
    let time = chrono::NaiveTime::from_hms_opt(7, 30, 0).expect("a time");
    let fingerprints = FingerprintSlot { city: bogota(), date: day(fingerprints), time };
    Appointment { consular: interview(date), fingerprints: Some(fingerprints) }
}

#[test]
fn a_city_is_written_with_its_country() {
    assert_eq!(serde_json::to_value(bogota()).expect("json"), json!("en-co/Bogota"));
    assert_eq!("en-co/波哥大".parse::<CityId>(), Ok(bogota()));
    for unknown in ["en-co/Lima", "en-xx/Bogota", "Bogota", "en-cn/Beijing", ""] {
        assert!(unknown.parse::<CityId>().is_err(), "{unknown}");
    }
}

/// Rows of builds that knew no fingerprint appointments stay readable, and so do new rows there.
#[test]
fn an_appointment_without_fingerprints_is_stored_as_a_slot_was() {
    let alone = Appointment::from(interview("2027-02-09"));
    let stored = serde_json::to_value(alone).expect("json");
    assert_eq!(stored, serde_json::to_value(alone.consular).expect("json"));
    let shown = json!({ "shown": "appointment", "slot": stored });
    assert_eq!(serde_json::to_value(ObservedState::of(Some(alone))).expect("json"), shown);
    assert_eq!(
        serde_json::from_value::<ObservedState>(shown).expect("a state"),
        ObservedState::of(Some(alone))
    );
    let doubt = json!({ "shown": stored, "since": "2026-11-24T12:00:00Z" });
    assert_eq!(serde_json::from_value::<Doubt>(doubt).expect("a doubt").shown, Some(alone));
    let both = serde_json::to_value(pair("2027-02-09", "2027-02-05")).expect("json");
    assert_eq!(both["fingerprints"]["city"], "en-co/Bogota");
    assert_eq!(serde_json::from_value::<Slot>(both.clone()).expect("a slot"), alone.consular);
    assert_eq!(serde_json::from_value::<Appointment>(both).expect("both"), pair("2027-02-09", "2027-02-05"));
}

#[test]
fn the_last_acceptable_date_before_the_interview_comes_first() {
    let now = at("2027-01-28T12:00:00Z");
    let listed: Vec<NaiveDate> =
        ["2027-02-01", "2027-02-04", "2027-02-05", "2027-02-08", "2027-02-09", "2027-02-10"].map(day).into();
    let days = |criteria: &SearchCriteria| {
        let days = fingerprint_days(&listed, &interview("2027-02-09"), bogota(), criteria, now);
        days.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let plain = SearchCriteria { minimum_days_from_current: 0, ..criteria() };
    assert_eq!(days(&plain), ["2027-02-08", "2027-02-05", "2027-02-04", "2027-02-01"]);
    let soon = SearchCriteria { minimum_days_from_current: 8, ..plain.clone() };
    assert_eq!(days(&soon), ["2027-02-08", "2027-02-05"], "the minimum holds for the first trip");
    let excluded = ExcludedDates::new(vec![(day("2027-02-08"), day("2027-02-08"))]);
    assert_eq!(days(&SearchCriteria { excluded, ..plain.clone() })[0], "2027-02-05");
    let fridays = Weekdays::try_from(vec![5]).expect("weekdays");
    assert_eq!(days(&SearchCriteria { weekdays: fridays, ..plain.clone() }), ["2027-02-05"]);
    let before = |min_days_before, max_days_before| {
        let wanted = FingerprintCriteria { cities: Vec::new(), min_days_before, max_days_before };
        days(&SearchCriteria { fingerprints: Some(Box::new(wanted)), ..plain.clone() })
    };
    assert_eq!(before(Some(4), Some(5)), ["2027-02-05", "2027-02-04"]);
    assert_eq!(before(Some(9), None), Vec::<String>::new());
    assert_eq!(before(None, Some(1)), ["2027-02-08"]);
}

/// It is still Thursday in Tijuana and already Friday in Mexico City.
#[test]
fn the_minimum_notice_counts_from_today_in_the_city_of_the_fingerprints() {
    let now = at("2027-01-29T07:00:00Z");
    let tijuana = FacilityId::by_name("Tijuana").expect("a city");
    let interview = slot(tijuana, "2027-02-01", "09:15");
    let listed = ["2027-01-29", "2027-01-30"].map(day);
    let criteria = SearchCriteria { minimum_days_from_current: 1, ..criteria() };
    let first_in = |city: &str| {
        let city = format!("en-mx/{city}").parse().expect("a city");
        let days = fingerprint_days(&listed, &interview, city, &criteria, now);
        days.last().map(ToString::to_string)
    };
    assert_eq!(first_in("Tijuana").as_deref(), Some("2027-01-29"));
    assert_eq!(first_in("Mexico City").as_deref(), Some("2027-01-30"));
}

/// Criteria of builds that knew no such conditions stay readable, and so do new ones there.
#[test]
fn criteria_without_fingerprint_conditions_are_stored_as_before() {
    let plain = serde_json::to_value(criteria()).expect("json");
    assert!(plain.get("fingerprints").is_none());
    let wanted =
        FingerprintCriteria { cities: vec![bogota()], min_days_before: None, max_days_before: Some(3) };
    let narrow = SearchCriteria { fingerprints: Some(Box::new(wanted)), ..criteria() };
    let stored = serde_json::to_value(&narrow).expect("json");
    assert_eq!(stored["fingerprints"]["cities"], json!(["en-co/Bogota"]));
    assert_eq!(serde_json::from_value::<SearchCriteria>(stored).expect("criteria"), narrow);
}

proptest! {
    #[test]
    fn a_fingerprint_date_is_always_listed_before_the_interview_and_not_too_soon(
        offsets in prop::collection::vec(-5_i64..40, 0..20),
        lead in 0_i64..30,
        minimum in 0_u16..20,
    ) {
        let now = at("2027-01-28T12:00:00Z");
        let today = day("2027-01-28");
        let listed: Vec<NaiveDate> = offsets.iter().map(|days| today + TimeDelta::days(*days)).collect();
        let interview = Slot { date: today + TimeDelta::days(lead), ..interview("2027-02-09") };
        let criteria = SearchCriteria { minimum_days_from_current: minimum, ..criteria() };
        let days = fingerprint_days(&listed, &interview, bogota(), &criteria, now);
        prop_assert!(days.is_sorted_by(|a, b| a > b));
        for day in days {
            prop_assert!(listed.contains(&day) && day < interview.date);
            prop_assert!(day >= today + TimeDelta::days(minimum.into()));
        }
    }

    /// Whatever the pages show, and when: only the whole pair confirms a booking of a pair.
    #[test]
    fn half_a_pair_is_never_a_booking(shown in prop::collection::vec(0_u8..5, 1..10)) {
        let outcome = expected();
        let states = [
            ObservedState::of(outcome.expected),
            ObservedState::of(Some(pair("2027-02-09", "2027-08-01"))),
            ObservedState::of(Some(interview("2027-02-09").into())),
            ObservedState::of(Some(pair("2027-08-17", "2027-02-05"))),
            ObservedState::Unreadable,
        ];
        let mut readings: Vec<Observation> = Vec::new();
        for which in shown {
            let now = readings.last().map_or(outcome.t0, |last| last.at);
            let at = next_reading(outcome.t0, &readings, now);
            let attempts_left = Some(2);
            readings.push(Observation { at, shown: states[usize::from(which)], attempts_left });
            let last = readings.last().expect("a reading");
            let found = read_back_outcome(&outcome, &readings, ReadBackPolicy::default(), at);
            prop_assert_ne!(found, ReadBackOutcome::Confirmed);
            let is_half = matches!(last.shown, ObservedState::Appointment { appointment }
                if appointment.differs_in_fingerprints(&outcome.target));
            prop_assert!(!is_half || found != ReadBackOutcome::NotBooked, "the interview is booked");
        }
    }
}

fn expected() -> ExpectedOutcome {
    ExpectedOutcome {
        expected: Some(pair("2027-08-17", "2027-08-10")),
        target: pair("2027-02-09", "2027-02-05"),
        t0: at("2026-11-24T12:00:00Z"),
        attempts_before: Some(3),
    }
}

/// After a lost commit, the time of the target and its fingerprint appointment are not known.
#[test]
fn an_interview_on_the_day_of_a_lost_target_is_never_a_change_by_hand() {
    let lost = Appointment { fingerprints: None, ..pair("2027-02-09", "2027-02-05") };
    let midnight = chrono::NaiveTime::MIN;
    let target = Appointment { consular: Slot { time: midnight, ..lost.consular }, ..lost };
    let outcome = ExpectedOutcome { target, ..expected() };
    for shown in [lost, pair("2027-02-09", "2027-02-05"), pair("2027-02-09", "2027-08-10")] {
        let reading = |seconds| Observation {
            at: outcome.t0 + TimeDelta::seconds(seconds),
            shown: ObservedState::of(Some(shown)),
            attempts_left: Some(2),
        };
        let readings = [reading(180), reading(240)];
        let found = read_back_outcome(&outcome, &readings, ReadBackPolicy::default(), readings[1].at);
        assert!(matches!(found, ReadBackOutcome::ReadAgain { .. }), "{shown:?}: {found:?}");
    }
}

#[test]
fn a_half_booked_pair_waits_for_the_user_after_two_late_readings() {
    let outcome = expected();
    let half = pair("2027-02-09", "2027-08-10");
    let reading = |seconds, shown: Appointment| Observation {
        at: outcome.t0 + TimeDelta::seconds(seconds),
        shown: ObservedState::of(Some(shown)),
        attempts_left: Some(2),
    };
    let judge = |readings: &[Observation]| {
        let now = readings.last().expect("a reading").at;
        read_back_outcome(&outcome, readings, ReadBackPolicy::default(), now)
    };
    let early = [reading(0, half), reading(60, half), reading(180, half)];
    assert!(matches!(judge(&early), ReadBackOutcome::ReadAgain { .. }), "the page may lag");
    let late = [reading(180, half), reading(240, half)];
    assert_eq!(judge(&late), ReadBackOutcome::FingerprintsDiffer { shown: half });
    let whole = [reading(180, half), reading(240, outcome.target)];
    assert_eq!(judge(&whole), ReadBackOutcome::Confirmed);
    let other = pair("2027-02-09", "2027-02-04");
    let moving = [reading(180, half), reading(240, other)];
    assert!(matches!(judge(&moving), ReadBackOutcome::ReadAgain { .. }), "one reading of each");
}
