//! Polling may get better, not worse: shares of the possible in a small world on fixed seeds, about two points below the measured
//! ones. The engine's own schedule runs in virtual time. The worlds of docs/BENCHMARKS.md are larger: `make bench ARGS=plan`.

use bench::proving::{Policy, Report, Size, Trace, measure};

/// Ten days of 150 accounts on two seeds against what is needed for the ratios.
fn ten_days(trace: Trace) -> Report {
    let size = Size { polls_per_hour: 36.0, accounts: 150, calendars: 12, days: 10.0 };
    measure(trace, size, &[1, 2], &[Policy::Sooner, Policy::Informed, Policy::PerUser])
}

fn holds(trace: Trace, least: f64, least_against_peers: f64) {
    let report = ten_days(trace);
    assert_eq!(report.bans, 0, "{}: no account is looked through too often", report.name);
    assert!(report.ratio >= least, "{}: captured {:.3} of the possible", report.name, report.ratio);
    let peers = report.ratio_peer_design;
    assert!(peers >= least_against_peers, "{}: {peers:.2} times the peers' design", report.name);
}

#[test]
fn constant_arrivals_are_captured_nearly_as_well_as_can_be() {
    holds(Trace::Poisson, 0.905, 2.1);
}

#[test]
fn hours_and_five_minute_marks_are_learned() {
    holds(Trace::Day, 0.79, 2.4);
}

#[test]
fn busy_spells_are_noticed() {
    holds(Trace::Burst, 0.785, 3.8);
}

#[test]
fn a_change_of_regime_is_survived() {
    holds(Trace::Shift, 0.825, 2.1);
}

#[test]
fn phantoms_cost_little() {
    holds(Trace::Phantom, 0.875, 2.9);
}

#[test]
fn releases_that_come_to_several_cities_are_followed() {
    holds(Trace::Release, 0.81, 2.1);
}

#[test]
fn flashes_and_days_that_stand_are_weighed_against_each_other() {
    // Any poll sees what stands for days: there is little to gain on others.
    holds(Trace::Mixed, 0.965, 1.01);
}

#[test]
fn days_with_many_times_are_not_missed_for_those_with_few() {
    holds(Trace::Times, 0.855, 3.8);
}

#[test]
fn calendars_nobody_waits_for_at_times_are_left_alone() {
    holds(Trace::Demand, 0.95, 1.3);
}

#[test]
fn hours_without_days_are_left_out() {
    holds(Trace::Hours, 0.86, 2.5);
}

#[test]
fn accounts_that_are_shown_nothing_are_noticed() {
    holds(Trace::Bans, 0.86, 2.2);
}

/// What [`against_a_circle`] has to be: measured on ten seeds, the mean is 1.20 in both worlds, the least 1.00 (docs/BENCHMARKS.md). Of
/// three seeds the figures move by more.
const MEAN: f64 = 1.08;
const LEAST: f64 = 0.7;

/// Captured value against a circle at all the polls an hour, over all traces, three seeds each: the mean, and the least.
fn against_a_circle(size: Size) -> (f64, f64) {
    let policies = [Policy::Sooner, Policy::Informed, Policy::RoundRobin];
    let ratio = |trace: &Trace| measure(*trace, size, &[9001, 9002, 9003], &policies).ratio_round_robin;
    let ratios: Vec<f64> = Trace::ALL.iter().map(ratio).collect();
    (ratios.iter().sum::<f64>() / ratios.len() as f64, ratios.into_iter().fold(f64::MAX, f64::min))
}

#[test]
fn a_family_is_served_better_than_by_a_circle() {
    let (mean, least) = against_a_circle(Size { polls_per_hour: 4.0, accounts: 1, calendars: 3, days: 28.0 });
    assert!(mean >= MEAN && least >= LEAST, "{mean:.3}, at least {least:.3} times a circle");
}

#[test]
fn a_small_operator_is_served_better_than_by_a_circle() {
    let (mean, least) =
        against_a_circle(Size { polls_per_hour: 12.0, accounts: 3, calendars: 6, days: 28.0 });
    assert!(mean >= MEAN && least >= LEAST, "{mean:.3}, at least {least:.3} times a circle");
}

#[test]
fn a_lone_account_leaves_no_city_out_for_longer_than_its_bound() {
    let size = Size { polls_per_hour: 4.0, accounts: 1, calendars: 3, days: 28.0 };
    let report = measure(Trace::Poisson, size, &[9001, 9002, 9003], &[Policy::Sooner]);
    assert!(report.oldest_hours <= 3.0, "a city was not polled for {:.1} hours", report.oldest_hours);
    assert!(report.spent >= 0.95, "{:.2} of the affordable polls were made", report.spent);
}

#[test]
fn a_seed_decides_everything() {
    let size = Size { polls_per_hour: 36.0, accounts: 150, calendars: 12, days: 3.0 };
    let once = || measure(Trace::Day, size, &[7], &[Policy::Sooner, Policy::Informed]);
    let (first, second) = (once(), once());
    assert_eq!((first.ratio, first.requests_per_booking), (second.ratio, second.requests_per_booking));
}
