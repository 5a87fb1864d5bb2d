//! One family: a single portal account that watches three cities for two weeks.
//!
//! `SOONER_WORLD_DAYS` chooses another length.

use chrono::TimeDelta;
use domain::criteria::SearchCriteria;
use domain::facility::FacilityId;
use sandbox::world::NewGroup;
use sandbox::world::arrivals::Source;

use crate::stage::{OTTAWA, Stage, TORONTO, at, criteria, day};

const MONTREAL: u16 = 91;

/// Returns a source of dates of one city that are seen now and then. Most are gone before they can
/// be booked.
fn lucky(facility: u16) -> Source {
    Source {
        pool: "B1/B2".to_owned(),
        facility: facility.into(),
        mean_gap_seconds: 5400.0,
        at_marks: 0.0,
        median_life_seconds: 900.0,
        life_sigma: 0.6,
        days_ahead: (30, 150),
        burst: 1,
        phantoms: 0.8,
        rivals: 0.1,
    }
}

/// Returns the number of days to run: `SOONER_WORLD_DAYS`, or `short`.
pub(crate) fn days(short: i64) -> i64 {
    std::env::var("SOONER_WORLD_DAYS").ok().and_then(|text| text.parse().ok()).unwrap_or(short)
}

/// Starts a world with a couple that has an appointment in August and wants three cities. One city
/// has many more dates than the others.
async fn family(seed: u64) -> Stage {
    let stage = Stage::seeded(engine::Config::default(), seed).await;
    let couple = NewGroup {
        applicants: vec!["ANN".to_owned(), "BEN".to_owned()],
        appointment: Some(at(TORONTO, "2027-08-17", "08:15")),
        attempts: Some(1000),
        ..NewGroup::default()
    };
    stage.portal_group("ann", couple);
    // These dates are too late to be of use, so that no list is empty.
    for city in [TORONTO, OTTAWA, MONTREAL] {
        for date in ["2027-09-13", "2027-10-12", "2027-11-09"] {
            stage.slot(city, date, "09:15");
        }
    }
    stage.sandbox.with_world(|w| {
        w.config.journal_slots = false;
        w.add_source(lucky([TORONTO, OTTAWA, MONTREAL][usize::try_from(seed % 3).expect("small")]));
    });
    let wanted = SearchCriteria {
        cities: vec![FacilityId::TORONTO, FacilityId::OTTAWA, FacilityId::MONTREAL],
        end_date: day("2027-08-01"),
        max_reschedules: 1000,
        ..criteria()
    };
    stage.task("ann", wanted).await;
    stage
}

// spec: 10.2.26
#[tokio::test]
async fn three_cities_of_a_family_are_polled_for_two_weeks() {
    for seed in [5, 7, 9] {
        let stage = family(seed).await;
        stage.run_for(TimeDelta::days(days(2))).await;
        println!("family, seed {seed}: {}", stage.measures(1));
        stage.assert_tidy().await;
    }
}
