//! A small operator: eleven accounts, lists that are empty for days, sessions that end, and an
//! account for each problem.
//!
//! `SOONER_WORLD_DAYS` chooses another length, and two seeds instead of one.

use chrono::TimeDelta;
use domain::criteria::SearchCriteria;
use domain::facility::FacilityId;
use sandbox::world::faults::{FaultKind, InjectedFault};
use sandbox::world::slots::NewSlot;

use crate::family::days;
use crate::stage::{OTTAWA, Stage, TORONTO, at, criteria, new_slot};

const VANCOUVER: u16 = 95;
const CITIES: [u16; 3] = [TORONTO, OTTAWA, VANCOUVER];

/// Starts eleven accounts, each with two of three cities. Returns the portal's numbers of their
/// groups.
async fn operator(seed: u64) -> (Stage, Vec<u64>) {
    let stage = Stage::seeded(engine::Config::default(), seed).await;
    stage.sandbox.with_world(|w| {
        w.config.session_minutes = (60, 240);
        w.config.journal_slots = false;
    });
    let mut groups = Vec::new();
    for n in 0..11 {
        let name = format!("p{n:02}");
        let own = CITIES[n % 3];
        groups.push(stage.portal_account(&name, Some(at(own, "2027-08-17", "08:15"))));
        let cities = [own, CITIES[(n + 1) % 3]];
        let cities = cities.map(|city| FacilityId::try_from(city).expect("a known city")).to_vec();
        stage.task(&name, SearchCriteria { cities, ..criteria() }).await;
        stage.clock.advance(TimeDelta::seconds(5));
    }
    (stage, groups)
}

/// Bans one account, changes the password of one, makes one card unreadable, and moves one
/// appointment.
fn trouble(stage: &Stage, groups: &[u64]) {
    let moved = at(TORONTO, "2027-06-14", "10:00");
    stage.sandbox.with_world(|w| {
        let now = w.now;
        let banned = w.accounts.get_mut("p01@example.com").expect("an account");
        banned.banned_until = Some(now + TimeDelta::days(2));
        let locked_out = w.accounts.get_mut("p02@example.com").expect("an account");
        locked_out.password = "Another-2026".to_owned();
        w.add_fault(InjectedFault::of(FaultKind::OddCard { group: groups[3] }));
        assert!(w.change_by_hand(groups[4], Some(moved), Some(0)));
    });
}

/// Moves the appointments of three sound accounts at the portal, to another date every day.
fn move_outside(stage: &Stage, groups: &[u64], n: i64) {
    let date = format!("2027-07-{:02}", 1 + n % 28);
    stage.sandbox.with_world(|w| {
        for (group, city) in [(groups[5], OTTAWA), (groups[7], VANCOUVER), (groups[9], TORONTO)] {
            w.groups.get_mut(&group).expect("a group").appointment = Some(at(city, &date, "10:00"));
        }
    });
}

// spec: 10.2.26
#[tokio::test]
async fn all_cities_are_polled_despite_empty_lists_and_failing_accounts() {
    let seeds: &[u64] = if std::env::var("SOONER_WORLD_DAYS").is_ok() { &[3, 8] } else { &[3] };
    for &seed in seeds {
        let (stage, groups) = operator(seed).await;
        stage.run_for(TimeDelta::hours(6)).await;
        trouble(&stage, &groups);
        for n in 0..days(2) {
            stage.run_for(TimeDelta::hours(20)).await;
            move_outside(&stage, &groups, n);
            let brief = |city: u16| NewSlot {
                lifetime_seconds: Some(5400),
                ..new_slot(city, &format!("2027-02-{:02}", 1 + n % 28), "09:15")
            };
            stage.sandbox.with_world(|w| CITIES.map(|city| w.add_slot(brief(city))));
            stage.run_for(TimeDelta::hours(4)).await;
        }
        println!("small operator, seed {seed}: {}", stage.measures(groups.len()));
        stage.assert_tidy().await;
    }
}
