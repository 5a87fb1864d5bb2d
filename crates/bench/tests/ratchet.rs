//! The planner may get better, not worse: shares of the possible on fixed seeds, far enough below the measured
//! ones that no rounding reaches them. Everything runs in virtual time.

use bench::proving::{Policy, Report, Size, Trace, measure};

/// A fortnight of two seeds against what is needed for the ratios.
fn fortnight(trace: Trace) -> Report {
    let size = Size { days: 14.0, ..Size::default() };
    measure(trace, size, &[1, 2], &[Policy::Sooner, Policy::Informed, Policy::PerUser])
}

fn holds(trace: Trace, least: f64, least_against_peers: f64) {
    let report = fortnight(trace);
    assert_eq!(report.bans, 0, "{}: no account is looked through too often", report.name);
    assert!(report.ratio >= least, "{}: captured {:.3} of the possible", report.name, report.ratio);
    let peers = report.ratio_peer_design;
    assert!(peers >= least_against_peers, "{}: {peers:.2} times the peers' design", report.name);
}

#[test]
fn constant_arrivals_are_captured_nearly_as_well_as_can_be() {
    holds(Trace::Poisson, 0.85, 2.4);
}

#[test]
fn hours_and_five_minute_marks_are_learned() {
    holds(Trace::Day, 0.85, 2.5);
}

#[test]
fn busy_spells_are_noticed() {
    holds(Trace::Burst, 0.68, 2.4);
}

#[test]
fn a_change_of_regime_is_survived() {
    holds(Trace::Shift, 0.75, 2.2);
}

#[test]
fn phantoms_cost_little() {
    holds(Trace::Phantom, 0.80, 2.4);
}

#[test]
fn a_seed_decides_everything() {
    let size = Size { days: 3.0, ..Size::default() };
    let once = || measure(Trace::Day, size, &[7], &[Policy::Sooner, Policy::Informed]);
    let (first, second) = (once(), once());
    assert_eq!((first.ratio, first.requests_per_booking), (second.ratio, second.requests_per_booking));
}
