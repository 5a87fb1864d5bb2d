//! Stories that need virtual time: races decided by latency, and weeks in seconds.

use chrono::{DateTime, TimeDelta, Utc};
use domain::criteria::SearchCriteria;
use domain::facility::FacilityId;
use sandbox::world::arrivals::Source;
use sandbox::world::faults::{FaultKind, InjectedFault};
use sandbox::world::slots::NewSlot;

use crate::stage::{OTTAWA, Stage, TORONTO, at, criteria, new_slot, toronto};

/// Races a rival that books a slot six seconds from now. Every answer of the portal takes `latency`
/// milliseconds.
async fn booked_before_the_rival(latency: u64) -> bool {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.task("lin", toronto()).await;
    let brief = NewSlot { lifetime_seconds: Some(6), ..new_slot(TORONTO, "2027-02-09", "09:15") };
    stage.sandbox.with_world(|w| w.add_slot(brief));
    stage.latency(latency, latency);
    stage.run_for(TimeDelta::minutes(20)).await;
    stage.assert_tidy().await;
    stage.applied(group) == 1
}

// spec: 10.2.19
#[tokio::test]
async fn a_short_lived_slot_goes_to_the_faster_client() {
    assert!(booked_before_the_rival(100).await);
    assert!(!booked_before_the_rival(2000).await, "the rival was first");
}

// spec: 10.2.19
#[tokio::test]
async fn of_two_accounts_the_one_with_faster_answers_books_first() {
    for (slow, quick) in [("lin", "sun"), ("sun", "lin")] {
        let stage = Stage::new().await;
        for (name, city) in [("lin", TORONTO), ("sun", OTTAWA)] {
            stage.portal_account(name, Some(at(city, "2027-08-17", "08:15")));
            stage.slot(city, "2027-02-09", "09:15");
            stage
                .task(
                    name,
                    SearchCriteria {
                        cities: vec![FacilityId::try_from(city).expect("a known city")],
                        ..criteria()
                    },
                )
                .await;
        }
        stage.latency(100, 100);
        let account = Some(format!("{slow}@example.com"));
        let slower = InjectedFault { account, ..InjectedFault::of(FaultKind::Slow { millis: 3000 }) };
        stage.sandbox.with_world(|w| w.add_fault(slower));
        stage.run_for(TimeDelta::minutes(5)).await;
        let order: Vec<String> =
            stage.sandbox.with_world(|w| w.applied.iter().map(|a| a.account.clone()).collect());
        assert_eq!(order, [format!("{quick}@example.com"), format!("{slow}@example.com")]);
        stage.assert_tidy().await;
    }
}

// spec: 10.2.19
#[tokio::test]
async fn thirty_accounts_are_watched_for_a_week_without_a_ban() {
    let stage = Stage::new().await;
    let cities = [TORONTO, OTTAWA, 91];
    for n in 0..30 {
        let name = format!("p{n}");
        stage.portal_account(&name, Some(at(cities[n % 3], "2027-08-17", "08:15")));
        stage
            .task(
                &name,
                SearchCriteria {
                    cities: vec![FacilityId::try_from(cities[n % 3]).expect("a known city")],
                    ..criteria()
                },
            )
            .await;
    }
    stage.sandbox.with_world(|w| {
        w.config.ban.enabled = true;
        w.config.ban.after_calls = 54;
        w.config.ban.window_minutes = 570;
        w.config.restricted_hours = true;
        w.config.journal_slots = false;
        for city in cities {
            w.add_source(arrivals(city.into()));
        }
    });
    stage.run_for(TimeDelta::days(7)).await;
    let (banned, booked) = stage.sandbox.with_world(|w| {
        let banned = w.accounts.values().filter(|a| a.banned_until.is_some()).count();
        (banned, w.applied.len())
    });
    assert_eq!(banned, 0);
    assert!(booked >= 20, "only {booked} bookings in a week");
    assert!(most_polls_in_ten_hours(&stage) <= 40);
    stage.assert_tidy().await;
}

/// Returns a source with a slot every quarter of an hour, mostly at five-minute marks, for about
/// four minutes.
fn arrivals(facility: u32) -> Source {
    Source {
        pool: "B1/B2".to_owned(),
        facility,
        mean_gap_seconds: 900.0,
        at_marks: 0.7,
        median_life_seconds: 240.0,
        life_sigma: 1.0,
        days_ahead: (14, 180),
        burst: 2,
        phantoms: 0.1,
        rivals: 0.1,
    }
}

/// Returns the most days and times requests of one account within any ten hours.
fn most_polls_in_ten_hours(stage: &Stage) -> usize {
    let polls: Vec<(String, DateTime<Utc>)> = stage.sandbox.with_world(|w| {
        let polls = w.journal.after(0).iter().filter(|e| e.kind == "days" || e.kind == "times");
        polls.map(|e| (e.account.clone().unwrap_or_default(), e.world_time)).collect()
    });
    let within = |(who, at): &(String, DateTime<Utc>)| {
        let later = polls.iter().filter(|(other, t)| other == who && *t >= *at);
        later.filter(|(_, t)| *t - *at < TimeDelta::hours(10)).count()
    };
    polls.iter().map(within).max().unwrap_or(0)
}
