//! Checks that polling does not get worse. The checks compare shares of the possible on fixed seeds
//! with floors. A floor is two points below the measured share in the small world, one to three in
//! the full one (docs/BENCHMARKS.md). The engine's own schedule runs in virtual time.
//!
//! In the full world 90 polls an hour are for 30 calendars. There the bound of every calendar
//! (promise 29) costs three points in *burst*, four in *bans* and three in *hours*.

use bench::proving::{Policy, Report, Size, Trace, measure};

/// Least figures of a trace: captured value against the possible, and against the peers' design.
struct Floor {
    captured: f64,
    against_peers: f64,
}

/// Measures eight days in a small world. With `SOONER_RATCHET=full`, which `make reliability` sets,
/// it measures ten days in a world of 750 accounts.
fn holds(trace: Trace, small: Floor, full: Floor) {
    let is_full = std::env::var("SOONER_RATCHET").is_ok_and(|size| size == "full");
    let (size, floor) = if is_full {
        (Size { polls_per_hour: 90.0, accounts: 750, calendars: 30, days: 10.0 }, full)
    } else {
        (Size { polls_per_hour: 18.0, accounts: 60, calendars: 6, days: 8.0 }, small)
    };
    let report = measure(trace, size, &[1], &[Policy::Sooner, Policy::Informed, Policy::PerUser]);
    let Report { name, bans, ratio, ratio_peer_design: peers, .. } = report;
    assert_eq!(bans, 0, "{name}: an account was polled too often");
    assert!(ratio >= floor.captured, "{name}: only {ratio:.3} of the possible was captured");
    assert!(peers >= floor.against_peers, "{name}: only {peers:.2} times the peers' design");
}

const fn floor(captured: f64, against_peers: f64) -> Floor {
    Floor { captured, against_peers }
}

#[test]
fn constant_arrivals_are_captured_near_the_optimum() {
    holds(Trace::Poisson, floor(0.646, 1.11), floor(0.912, 2.1));
}

#[test]
fn busy_hours_and_five_minute_marks_are_learned() {
    holds(Trace::Day, floor(0.624, 2.08), floor(0.849, 3.1));
}

#[test]
fn bursts_of_releases_are_detected() {
    holds(Trace::Burst, floor(0.674, 2.62), floor(0.80, 3.3));
}

#[test]
fn scheduling_recovers_from_a_change_of_release_rates() {
    holds(Trace::Shift, floor(0.829, 1.96), floor(0.773, 2.2));
}

#[test]
fn phantom_dates_cost_few_captures() {
    holds(Trace::Phantom, floor(0.994, 1.89), floor(0.936, 2.8));
}

#[test]
fn releases_across_several_cities_are_captured() {
    holds(Trace::Release, floor(0.749, 1.72), floor(0.905, 2.2));
}

#[test]
fn short_lived_and_lasting_dates_share_polls_well() {
    // Any poll sees days that are listed for days, so a better schedule gains little on others.
    holds(Trace::Mixed, floor(0.986, 0.98), floor(0.960, 1.01));
}

#[test]
fn dates_with_many_times_are_preferred_to_dates_with_few() {
    holds(Trace::Times, floor(0.968, 2.10), floor(0.787, 3.0));
}

#[test]
fn calendars_without_waiting_tasks_get_few_polls() {
    holds(Trace::Demand, floor(0.921, 1.15), floor(0.882, 1.4));
}

#[test]
fn hours_without_dates_are_not_polled() {
    holds(Trace::Hours, floor(0.746, 3.16), floor(0.87, 2.9));
}

#[test]
fn accounts_that_see_only_empty_lists_are_detected() {
    holds(Trace::Bans, floor(0.843, 2.98), floor(0.87, 2.2));
}

#[test]
fn equal_seeds_give_equal_results() {
    let size = Size { polls_per_hour: 36.0, accounts: 60, calendars: 6, days: 2.0 };
    let once = || measure(Trace::Day, size, &[7], &[Policy::Sooner, Policy::Informed]);
    let (first, second) = (once(), once());
    assert_eq!((first.ratio, first.requests_per_booking), (second.ratio, second.requests_per_booking));
}
