//! Results of the benchmark `plan`: captured share of the possible value, and the number of
//! requests that it cost.

use inference::planner::poll_source::affordable;
use serde::Serialize;

use crate::proving::policy::{Policy, pool_budgets};
use crate::proving::run::{RunResult, run};
use crate::proving::world::{BOOKING, Calendar, Nature, Size, Trace, World};

/// Results for one pattern of arrivals, over all seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Name of the pattern.
    pub name: &'static str,
    /// Polls per hour over all accounts.
    #[serde(rename = "looks_per_hour")]
    pub polls_per_hour: f64,
    /// Reference value by which captured values are divided: `optimum`, an expectation that a
    /// policy can exceed by chance, or `informed`, the value of the planner with full knowledge.
    pub limit: &'static str,
    /// Value captured by the engine, divided by the reference value.
    pub ratio: f64,
    /// Number of polls in the counted part, over all seeds.
    pub polls: u64,
    /// Number of polls that the reference used.
    pub limit_polls: f64,
    /// Value captured by the engine, divided by the value of one poller per user with the same
    /// number of polls.
    pub ratio_peer_design: f64,
    /// Requests per confirmed booking.
    pub requests_per_booking: f64,
    /// Requests per booking, divided by those of the reference.
    pub requests_ratio: f64,
    /// Number of banned accounts.
    pub bans: u64,
    /// Captured value of every policy, divided by the reference value.
    pub policies: Vec<(&'static str, f64)>,
    /// Lowest and highest `ratio` of a single seed.
    pub spread: (f64, f64),
    /// Value captured by the engine, divided by the value of the round-robin policy.
    pub ratio_round_robin: f64,
    /// Longest time in hours between two polls of a calendar, over all seeds.
    pub oldest_hours: f64,
    /// Number of polls, divided by the number that the rate and the accounts' budgets permit.
    pub spent: f64,
}

/// Runs every policy in the worlds of all seeds and returns the results.
#[must_use]
pub fn measure(trace: Trace, size: Size, seeds: &[u64], policies: &[Policy]) -> Report {
    let mut sums = vec![RunResult::default(); policies.len()];
    let mut limit = Limit::default();
    let mut spread = (f64::MAX, f64::MIN);
    for seed in seeds {
        let world = World::new(trace, size, *seed);
        let outcomes: Vec<RunResult> = policies.iter().map(|policy| run(&world, *policy, *seed)).collect();
        let bound = bound(&world, policies, &outcomes);
        limit.value += bound.value;
        limit.polls += bound.polls;
        limit.requests += bound.requests;
        limit.bookings += bound.bookings;
        limit.name = bound.name;
        if let Some(at) = policies.iter().position(|p| *p == Policy::Sooner) {
            let ratio = outcomes[at].value / bound.value;
            spread = (spread.0.min(ratio), spread.1.max(ratio));
        }
        for (sum, outcome) in sums.iter_mut().zip(outcomes) {
            sum.value += outcome.value;
            sum.bookings += outcome.bookings;
            sum.polls += outcome.polls;
            sum.requests += outcome.requests;
            sum.bans += outcome.bans;
            sum.oldest = sum.oldest.max(outcome.oldest);
        }
    }
    let of = |policy| policies.iter().position(|p| *p == policy).map(|at| sums[at]).unwrap_or_default();
    let (ours, peer) = (of(Policy::Sooner), of(Policy::PerUser));
    // Compare values per poll, because the policy with one poller per user may make slightly more
    // or fewer polls.
    let per_poll = |o: RunResult| o.value / (o.polls.max(1) as f64);
    let requests_per_booking = ours.requests as f64 / ours.bookings.max(1) as f64;
    Report {
        name: trace.name(),
        polls_per_hour: size.polls_per_hour,
        limit: limit.name,
        ratio: ours.value / limit.value,
        polls: ours.polls,
        limit_polls: limit.polls,
        ratio_peer_design: per_poll(ours) / per_poll(peer),
        requests_per_booking,
        requests_ratio: requests_per_booking / (limit.requests / limit.bookings),
        bans: ours.bans,
        policies: policies.iter().zip(&sums).map(|(p, s)| (p.name(), s.value / limit.value)).collect(),
        spread,
        ratio_round_robin: ours.value / of(Policy::RoundRobin).value.max(1e-9),
        oldest_hours: ours.oldest / 3600.0,
        spent: ours.polls as f64 / affordable_polls(size, seeds.len()),
    }
}

/// Returns the number of polls that the budgets permit in the counted part of all worlds.
fn affordable_polls(size: Size, seeds: usize) -> f64 {
    let accounts = size.accounts as f64 * affordable(&domain::budget::Limits::default()) * 3600.0;
    let hours = size.days * 24.0 * (1.0 - World::LEARNING);
    size.polls_per_hour.min(accounts) * hours * seeds as f64
}

/// Reference value by which captured values are divided.
#[derive(Clone, Copy, Debug, Default)]
struct Limit {
    name: &'static str,
    value: f64,
    polls: f64,
    requests: f64,
    bookings: f64,
}

/// Returns the reference value for the counted part of a world.
fn bound(world: &World, policies: &[Policy], outcomes: &[RunResult]) -> Limit {
    let informed = policies.iter().position(|p| *p == Policy::Informed).map(|at| outcomes[at]);
    if let (false, Some(informed)) = (world.constant(), informed) {
        return Limit {
            name: "informed",
            value: informed.value,
            polls: informed.polls as f64,
            requests: informed.requests as f64,
            bookings: informed.bookings as f64,
        };
    }
    let seconds = world.span.1 - world.counted_from();
    let rates = best_rates(world);
    let kinds = |calendar: &Calendar| world.kinds_of_days(calendar);
    let each = world.calendars.iter().zip(&rates).filter(|(calendar, _)| calendar.value > 0.0);
    let bookings: f64 = each.clone().map(|(calendar, rate)| captured(&kinds(calendar), *rate)).sum();
    let value: f64 = each.map(|(calendar, rate)| calendar.value * captured(&kinds(calendar), *rate)).sum();
    let polls: f64 = rates.iter().sum();
    Limit {
        name: "optimum",
        value: value * seconds,
        polls: polls * seconds,
        requests: (polls + 4.0 * bookings) * seconds,
        bookings: bookings * seconds,
    }
}

/// Returns the bookings per second with `rate` regular polls per second, if days appear and vanish
/// at constant rates.
fn captured(kinds: &[Nature], rate: f64) -> f64 {
    if rate <= 0.0 {
        return 0.0;
    }
    let of = |kind: &Nature| {
        kind.arrival / kind.death * rate * -(-kind.death / rate).exp_m1() * (-kind.death * BOOKING).exp()
    };
    kinds.iter().map(of).sum()
}

/// Number of steps in which the budget is distributed.
const STEPS: usize = 20_000;

/// Returns the best polls per second for each calendar of a world with constant rates. Distributes
/// the budget in small steps, each to the calendar that gains most. The result is optimal, because
/// gains only decrease and the limits of accounts are nested. The function shares no code with the
/// planner's solver.
fn best_rates(world: &World) -> Vec<f64> {
    let step = world.size.polls_per_hour / 3600.0 / STEPS as f64;
    let each = affordable(&domain::budget::Limits::default());
    let kinds: Vec<Vec<Nature>> = world.calendars.iter().map(|c| world.kinds_of_days(c)).collect();
    let mut rates = vec![0.0; world.calendars.len()];
    let mut pools = pool_budgets(world);
    let gain = |index: usize, rate: f64| {
        world.calendars[index].value * (captured(&kinds[index], rate + step) - captured(&kinds[index], rate))
    };
    let mut gains: Vec<f64> = (0..rates.len()).map(|index| gain(index, 0.0)).collect();
    for _ in 0..STEPS {
        let open = (0..rates.len()).filter(|i| {
            let calendar = &world.calendars[*i];
            rates[*i] + step <= calendar.users as f64 * each && pools[calendar.pool] >= step
        });
        let Some(best) = open.max_by(|a, b| gains[*a].total_cmp(&gains[*b])) else { break };
        rates[best] += step;
        pools[world.calendars[best].pool] -= step;
        gains[best] = gain(best, rates[best]);
    }
    rates
}
