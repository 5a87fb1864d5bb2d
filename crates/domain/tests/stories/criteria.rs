use chrono::{NaiveTime, TimeDelta};
use domain::criteria::{ExcludedDates, Rejection, SearchCriteria, Weekdays, time_preference};
use proptest::prelude::*;

use crate::{OTTAWA, TORONTO, day, slot};

pub(crate) fn criteria() -> SearchCriteria {
    SearchCriteria {
        cities: vec![TORONTO, OTTAWA],
        start_date: day("2026-12-01"),
        end_date: day("2027-03-31"),
        excluded: ExcludedDates::new(vec![(day("2026-12-24"), day("2027-01-03"))]),
        weekdays: Default::default(),
        times: Default::default(),
        minimum_days_from_current: 3,
        min_improvement_days: 7,
        max_reschedules: 2,
        last_attempt_until: None,
        fingerprints: None,
        mode: domain::criteria::BookingMode::Auto,
    }
}

// spec: 5.2.12, 10.1.01
#[test]
fn each_broken_rule_is_reported_with_its_margin() {
    let current = slot(TORONTO, "2027-06-15", "08:15");
    let today = day("2026-11-24");
    let judge = |facility, date: &str| criteria().evaluate(facility, day(date), Some(&current), today);
    assert_eq!(judge(TORONTO, "2027-02-09"), Ok(()));
    assert_eq!(judge(domain::facility::FacilityId::VANCOUVER, "2027-02-09"), Err(Rejection::CityNotWanted));
    assert_eq!(judge(TORONTO, "2027-04-02"), Err(Rejection::AfterWindow { days: 2 }));
    assert_eq!(judge(TORONTO, "2026-11-30"), Err(Rejection::BeforeWindow { days: 1 }));
    assert_eq!(judge(TORONTO, "2026-12-31"), Err(Rejection::Excluded));
    assert_eq!(judge(TORONTO, "2027-06-14"), Err(Rejection::NotEarlierEnough { gained: 1, needed: 7 }));
    let soon = criteria().evaluate(TORONTO, day("2026-12-01"), Some(&current), day("2026-11-30"));
    assert_eq!(soon, Err(Rejection::TooSoon { days: 2 }));
}

#[test]
fn dates_on_unselected_weekdays_are_rejected() {
    // 2027-02-09 is a Tuesday.
    let judge = |numbers: Vec<u8>, date: &str| {
        let weekdays = Weekdays::try_from(numbers).expect("days of the week");
        SearchCriteria { weekdays, ..criteria() }.evaluate(TORONTO, day(date), None, day("2026-11-24"))
    };
    assert_eq!(judge(vec![2], "2027-02-09"), Ok(()));
    assert_eq!(judge(vec![1, 7, 3], "2027-02-09"), Err(Rejection::Weekday));
    assert_eq!(judge(vec![1, 7, 3], "2027-02-07"), Ok(()), "a Sunday");
    assert_eq!(judge(Vec::new(), "2027-02-09"), Ok(()), "without a list all days are accepted");
    assert!(Weekdays::try_from(vec![0]).is_err() && Weekdays::try_from(vec![8]).is_err());
}

#[test]
fn criteria_of_older_versions_accept_every_weekday_and_time() {
    let mut stored = serde_json::to_value(criteria()).expect("criteria");
    for added in ["weekdays", "times"] {
        stored.as_object_mut().expect("an object").remove(added).expect("the member is stored");
    }
    assert_eq!(serde_json::from_value::<SearchCriteria>(stored).expect("criteria"), criteria());
}

// spec: 10.1.02
#[test]
fn another_time_on_the_same_date_is_no_improvement() {
    let current = slot(TORONTO, "2027-02-09", "14:00");
    let mut criteria = criteria();
    criteria.min_improvement_days = 0;
    let same = criteria.evaluate(TORONTO, day("2027-02-09"), Some(&current), day("2026-11-24"));
    assert_eq!(same, Err(Rejection::NotEarlierEnough { gained: 0, needed: 1 }));
}

// spec: 10.1.03
#[test]
fn without_an_appointment_any_acceptable_date_passes() {
    assert_eq!(criteria().evaluate(OTTAWA, day("2027-03-31"), None, day("2026-11-24")), Ok(()));
}

// spec: 10.1.04
#[test]
fn the_latest_time_before_noon_comes_first_then_the_earliest_after() {
    let mut times: Vec<NaiveTime> = ["13:00", "07:30", "15:30", "11:15", "12:00"]
        .iter()
        .map(|t| NaiveTime::parse_from_str(t, "%H:%M").expect("a time"))
        .collect();
    times.sort_by_key(|t| time_preference(*t));
    let sorted: Vec<String> = times.iter().map(|t| t.format("%H:%M").to_string()).collect();
    assert_eq!(sorted, ["11:15", "07:30", "12:00", "13:00", "15:30"]);
}

proptest! {
    // spec: 5.2.13
    #[test]
    fn excluded_ranges_are_sorted_and_cover_every_excluded_date(
        ranges in prop::collection::vec((0i64..400, 0i64..20), 0..20),
    ) {
        let base = day("2027-01-01");
        let ranges: Vec<_> = ranges
            .iter()
            .map(|(start, length)| (base + TimeDelta::days(*start), base + TimeDelta::days(start + length)))
            .collect();
        let excluded = ExcludedDates::new(ranges.clone());
        for offset in -1..430 {
            let probe = base + TimeDelta::days(offset);
            let wanted = ranges.iter().any(|(start, end)| *start <= probe && probe <= *end);
            prop_assert_eq!(excluded.contains(probe), wanted);
        }
        for pair in excluded.ranges().windows(2) {
            prop_assert!(pair[0].1 + TimeDelta::days(1) < pair[1].0, "touching ranges must be merged");
        }
    }
}
