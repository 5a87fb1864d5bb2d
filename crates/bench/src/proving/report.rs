//! Measures 1 and 2: what share of the possible was captured, against whom, at what price in requests.

use inference::planner::optimum::{captured, solve};
use serde::Serialize;

use crate::proving::policy::{Policy, demands, pool_budgets};
use crate::proving::run::{RunResult, run};
use crate::proving::world::{Size, Trace, World};

/// One trace, over all its seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The trace.
    pub name: &'static str,
    /// Polls an hour over all accounts.
    #[serde(rename = "looks_per_hour")]
    pub polls_per_hour: f64,
    /// Captured value against the limit: the static optimum where rates are constant, else the informed index.
    pub ratio: f64,
    /// Captured value against the peers' design, same polls.
    pub ratio_peer_design: f64,
    /// Requests per confirmed booking.
    pub requests_per_booking: f64,
    /// The same against the limit's.
    pub requests_ratio: f64,
    /// Accounts banned.
    pub bans: u64,
    /// Captured value of every policy against the limit.
    pub policies: Vec<(&'static str, f64)>,
    /// Lowest and highest ratio of a seed.
    pub spread: (f64, f64),
}

/// Runs every policy over a trace for each seed.
#[must_use]
pub fn measure(trace: Trace, size: Size, seeds: &[u64], policies: &[Policy]) -> Report {
    let mut sums = vec![RunResult::default(); policies.len()];
    let (mut limit, mut limit_requests, mut limit_bookings) = (0.0, 0.0, 0.0);
    let mut spread = (f64::MAX, f64::MIN);
    for seed in seeds {
        let world = World::new(trace, size, *seed);
        let outcomes: Vec<RunResult> = policies.iter().map(|policy| run(&world, *policy, *seed)).collect();
        let bound = bound(&world, policies, &outcomes);
        limit += bound.0;
        limit_requests += bound.1;
        limit_bookings += bound.2;
        if let Some(at) = policies.iter().position(|p| *p == Policy::Sooner) {
            let ratio = outcomes[at].value / bound.0;
            spread = (spread.0.min(ratio), spread.1.max(ratio));
        }
        for (sum, outcome) in sums.iter_mut().zip(outcomes) {
            sum.value += outcome.value;
            sum.bookings += outcome.bookings;
            sum.polls += outcome.polls;
            sum.requests += outcome.requests;
            sum.bans += outcome.bans;
        }
    }
    let of = |policy| policies.iter().position(|p| *p == policy).map(|at| sums[at]).unwrap_or_default();
    let (ours, peer) = (of(Policy::Sooner), of(Policy::PerUser));
    // Per poll: peers may have made a few more or less than their share.
    let per_poll = |o: RunResult| o.value / (o.polls.max(1) as f64);
    let requests_per_booking = ours.requests as f64 / ours.bookings.max(1) as f64;
    Report {
        name: trace.name(),
        polls_per_hour: size.polls_per_hour,
        ratio: ours.value / limit,
        ratio_peer_design: per_poll(ours) / per_poll(peer),
        requests_per_booking,
        requests_ratio: requests_per_booking / (limit_requests / limit_bookings),
        bans: ours.bans,
        policies: policies.iter().zip(&sums).map(|(p, s)| (p.name(), s.value / limit)).collect(),
        spread,
    }
}

/// Value, requests and bookings of the limit over the counted part of a world.
fn bound(world: &World, policies: &[Policy], outcomes: &[RunResult]) -> (f64, f64, f64) {
    let informed = policies.iter().position(|p| *p == Policy::Informed).map(|at| outcomes[at]);
    if let (false, Some(informed)) = (world.trace == Trace::Poisson, informed) {
        return (informed.value, informed.requests as f64, informed.bookings as f64);
    }
    let seconds = world.span.1 - world.counted_from();
    let demands = demands(world, 0);
    let optimum = solve(&demands, world.size.polls_per_hour / 3600.0, &pool_budgets(world));
    let bookings: f64 = demands
        .iter()
        .zip(&optimum.rates)
        .zip(&world.calendars)
        .filter(|(_, c)| c.value > 0.0)
        .map(|((d, rate), c)| captured(d, *rate) / c.value)
        .sum();
    let polls: f64 = optimum.rates.iter().sum();
    (optimum.captured * seconds, (polls + 4.0 * bookings) * seconds, bookings * seconds)
}
