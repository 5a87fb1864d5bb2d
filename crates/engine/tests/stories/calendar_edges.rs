//! Books on dates and times at the edge of the calendar: clock changes, a leap day, the first and
//! last minutes of a day, the ends of the window, and minimum days around midnight.

use chrono::{DateTime, TimeDelta, Utc};
use domain::criteria::SearchCriteria;
use domain::facility::FacilityId;

use crate::stage::{Stage, appointment, at, criteria, day};

const HALIFAX: u16 = 90;
const VANCOUVER: u16 = 95;

/// Dates on which the clocks change in both cities, and a leap day.
const DATES: [&str; 3] = ["2027-03-14", "2027-11-07", "2028-02-29"];

/// A world whose clock stands at `now`.
async fn at_time(now: &str) -> Stage {
    let stage = Stage::new().await;
    let now: DateTime<Utc> = now.parse().expect("an instant");
    stage.clock.advance(now - stage.clock.now());
    stage
}

/// Criteria for one city whose window is one range of dates.
fn window(city: u16, start: &str, end: &str) -> SearchCriteria {
    let cities = vec![FacilityId::try_from(city).expect("a known city")];
    SearchCriteria {
        cities,
        start_date: day(start),
        end_date: day(end),
        min_improvement_days: 1,
        ..criteria()
    }
}

// spec: 10.1.09
#[tokio::test]
async fn slots_near_midnight_of_edge_dates_are_booked_as_listed() {
    for (city, date, time) in [
        (HALIFAX, DATES[0], "00:30"),
        (HALIFAX, DATES[1], "01:30"),
        (HALIFAX, DATES[2], "23:45"),
        (VANCOUVER, DATES[0], "23:45"),
        (VANCOUVER, DATES[1], "00:30"),
        (VANCOUVER, DATES[2], "00:30"),
    ] {
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", Some(at(city, "2028-03-01", "08:15")));
        stage.slot(city, date, time);
        let task = stage.task("lin", window(city, "2026-12-01", "2028-02-29")).await;
        stage.run_for(TimeDelta::minutes(30)).await;
        assert_eq!(stage.portal_shows(group), Some(at(city, date, time)), "{city}");
        let booked = stage.read(task).await;
        assert_eq!(booked.booked, Some(appointment(city, date, time)));
        let gained = (day("2028-03-01") - day(date)).num_days();
        let mut tx = stage.ctx.db.read().await.expect("tx");
        let successes = store::journal::successes(&mut tx, task).await.expect("successes");
        drop(tx);
        assert_eq!(successes.iter().map(|s| s.days_advanced).collect::<Vec<_>>(), [Some(gained)]);
        stage.assert_tidy().await;
    }
}

// spec: 10.1.09
#[tokio::test]
async fn only_dates_within_the_window_are_booked() {
    for (city, date, before, after) in
        [(HALIFAX, DATES[0], "2027-03-13", "2027-03-15"), (VANCOUVER, DATES[2], "2028-02-28", "2028-03-01")]
    {
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", Some(at(city, "2028-04-04", "08:15")));
        stage.slot(city, before, "23:45");
        stage.slot(city, after, "00:30");
        stage.task("lin", window(city, date, date)).await;
        stage.run_for(TimeDelta::hours(2)).await;
        assert_eq!(stage.requests("book"), 0, "{before} and {after} are outside the window");
        stage.slot(city, date, "23:45");
        stage.run_for(TimeDelta::hours(2)).await;
        assert_eq!(stage.portal_shows(group), Some(at(city, date, "23:45")));
        stage.assert_tidy().await;
    }
}

// spec: 10.1.09
#[tokio::test]
async fn minimum_days_change_at_local_midnight_around_a_clock_change() {
    // Ten to midnight on the day before, where the city is; the clocks change two hours later.
    for (city, now) in [(HALIFAX, "2027-03-14T03:50:00Z"), (VANCOUVER, "2027-03-14T07:50:00Z")] {
        let stage = at_time(now).await;
        let group = stage.portal_account("lin", Some(at(city, "2027-08-17", "08:15")));
        stage.slot(city, "2027-03-14", "14:15");
        let two_days =
            SearchCriteria { minimum_days_from_current: 2, ..window(city, "2027-03-14", "2027-03-20") };
        stage.task("lin", two_days).await;
        stage.run_for(TimeDelta::minutes(40)).await;
        assert_eq!(stage.requests("book"), 0, "{city}: the 14th is one day away, then today");
        stage.slot(city, "2027-03-15", "09:15");
        stage.run_for(TimeDelta::hours(2)).await;
        assert_eq!(stage.requests("book"), 0, "{city}: the 15th is two days away no longer");
        stage.slot(city, "2027-03-16", "09:15");
        stage.run_for(TimeDelta::hours(2)).await;
        assert_eq!(stage.portal_shows(group), Some(at(city, "2027-03-16", "09:15")));
    }
}

// spec: 10.1.09
#[tokio::test]
async fn one_minimum_day_excludes_today_and_includes_tomorrow() {
    // Ten past midnight, where the city is.
    for (city, now) in [(HALIFAX, "2028-02-28T04:10:00Z"), (VANCOUVER, "2028-02-28T08:10:00Z")] {
        let stage = at_time(now).await;
        let group = stage.portal_account("lin", Some(at(city, "2028-08-17", "08:15")));
        stage.slot(city, "2028-02-28", "23:45");
        let one_day =
            SearchCriteria { minimum_days_from_current: 1, ..window(city, "2028-02-28", "2028-03-10") };
        stage.task("lin", one_day).await;
        stage.run_for(TimeDelta::hours(1)).await;
        assert_eq!(stage.requests("book"), 0, "{city}: today is too soon");
        stage.slot(city, "2028-02-29", "00:30");
        stage.run_for(TimeDelta::hours(2)).await;
        assert_eq!(stage.portal_shows(group), Some(at(city, "2028-02-29", "00:30")));
    }
}
