//! Polling policies: the engine's, the planner with full knowledge, and simpler ones for
//! comparison.

use inference::planner::optimum::{Demand, solve};
use inference::planner::poll_source::affordable;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::Serialize;

use crate::proving::informed::{Bounds, Informed};
use crate::proving::ours::Ours;
use crate::proving::poller::{Poll, PollDifference, Poller};
use crate::proving::world::{World, exponential};

/// A polling policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The engine's own schedule, which learns during the run.
    Sooner,
    /// The same planner, which knows the true rates and the banned accounts at every moment.
    Informed,
    /// The same as `Informed`, but it polls every calendar within its bound, as the engine must.
    Bounded,
    /// The static optimum: the best constant interval for each calendar, computed from the true
    /// rates.
    Static,
    /// The same rates as `Static`, at random times (Poisson process).
    Memoryless,
    /// Every calendar in turn.
    RoundRobin,
    /// Every user polls alone at regular intervals, as other products do.
    PerUser,
}

impl Policy {
    /// All policies.
    pub const ALL: [Self; 7] = [
        Self::Sooner,
        Self::Informed,
        Self::Bounded,
        Self::Static,
        Self::Memoryless,
        Self::RoundRobin,
        Self::PerUser,
    ];

    /// Returns the name used on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sooner => "sooner",
            Self::Informed => "informed",
            Self::Bounded => "bounded",
            Self::Static => "static",
            Self::Memoryless => "memoryless",
            Self::RoundRobin => "round_robin",
            Self::PerUser => "per_user",
        }
    }
}

pub(crate) fn poller(world: &World, policy: Policy, seed: u64) -> Box<dyn Poller + '_> {
    let mut dice = StdRng::seed_from_u64(seed ^ 0x51ab);
    match policy {
        Policy::Sooner => Box::new(Ours::new(world)),
        Policy::Informed => Box::new(Informed::new(world, Bounds::Ignored)),
        Policy::Bounded => Box::new(Informed::new(world, Bounds::Kept)),
        Policy::Static => Box::new(Timed::constant(world, &mut dice)),
        Policy::Memoryless => Box::new(Timed { memoryless: true, ..Timed::constant(world, &mut dice) }),
        Policy::RoundRobin => Box::new(Timed::even(world, |_| 1.0, &mut dice)),
        Policy::PerUser => Box::new(Timed::per_user(world, &mut dice)),
    }
}

/// Returns the demand of each calendar for the solver, with the rates of one regime.
pub(crate) fn demands(world: &World, regime: usize) -> Vec<Demand> {
    let demand = |c: &crate::proving::world::Calendar| Demand {
        value_rate: c.value
            * c.nature[regime].arrival
            * (-c.nature[regime].death * crate::proving::world::BOOKING).exp(),
        death: c.nature[regime].death,
        pool: c.pool,
        most: c.users as f64 * affordable(&domain::budget::Limits::default()),
    };
    world.calendars.iter().map(demand).collect()
}

/// Returns the polls per second that the accounts of each kind of applicant can afford.
pub(crate) fn pool_budgets(world: &World) -> Vec<f64> {
    let pools = world.calendars.iter().map(|c| c.pool + 1).max().unwrap_or(0);
    let each = affordable(&domain::budget::Limits::default());
    (0..pools).map(|pool| each * world.accounts.iter().filter(|a| a.pool == pool).count() as f64).collect()
}

/// Policy with a fixed timetable. It has several pollers, each with its own interval.
struct Timed {
    /// Pollers: calendars in turn, interval, next time, and the current turn.
    pollers: Vec<(Vec<usize>, f64, f64, usize)>,
    /// Pollers ordered by their next time.
    queue: std::collections::BinaryHeap<std::cmp::Reverse<(u64, usize)>>,
    memoryless: bool,
    /// Time at which the regime changes, and the rates from then on.
    change: Option<(f64, Vec<f64>)>,
    dice: StdRng,
}

impl Timed {
    fn new(pollers: Vec<(Vec<usize>, f64)>, start: f64, dice: &mut StdRng) -> Self {
        let pollers: Vec<_> = pollers
            .into_iter()
            .filter(|(calendars, spacing)| !calendars.is_empty() && spacing.is_finite())
            .map(|(calendars, spacing)| (calendars, spacing, start + spacing * dice.random::<f64>(), 0))
            .collect();
        let queue =
            pollers.iter().enumerate().map(|(i, l)| std::cmp::Reverse(((l.2 * 1e3) as u64, i))).collect();
        let dice = StdRng::seed_from_u64(dice.random());
        Self { pollers, queue, memoryless: false, change: None, dice }
    }

    /// Creates regular polls at the rates of the static optimum for the first regime.
    fn constant(world: &World, dice: &mut StdRng) -> Self {
        let rates = |regime| {
            solve(&demands(world, regime), world.size.polls_per_hour / 3600.0, &pool_budgets(world)).rates
        };
        let first =
            rates(0).into_iter().enumerate().map(|(i, rate)| (vec![i], 1.0 / rate.max(1e-9))).collect();
        let mut timed = Self::new(first, world.span.0, dice);
        if world.trace == crate::proving::Trace::Shift {
            timed.change = Some((0.5 * (world.span.0 + world.span.1), rates(1)));
        }
        timed
    }

    /// Creates regular polls whose rates are proportional to the weight of each calendar.
    fn even(world: &World, weight: impl Fn(usize) -> f64, dice: &mut StdRng) -> Self {
        let seen: Vec<usize> = (0..world.calendars.len()).filter(|c| world.calendars[*c].users > 0).collect();
        let sum: f64 = seen.iter().map(|c| weight(*c)).sum();
        let spacing = |c: usize| 3600.0 * sum / (weight(c) * world.size.polls_per_hour);
        Self::new(seen.iter().map(|c| (vec![*c], spacing(*c))).collect(), world.span.0, dice)
    }

    /// Creates one poller per user, which polls the user's cities in turn. All pollers have the
    /// same interval, so that each user gets an equal part of the budget.
    fn per_user(world: &World, dice: &mut StdRng) -> Self {
        let spacing = 3600.0 * world.accounts.len() as f64 / world.size.polls_per_hour;
        let pollers = world.accounts.iter().map(|a| (a.calendars.clone(), spacing)).collect();
        Self::new(pollers, world.span.0, dice)
    }
}

impl Poller for Timed {
    fn next(&mut self, now: f64) -> Option<Poll> {
        if self.change.as_ref().is_some_and(|(at, _)| now >= *at) {
            let (_, rates) = self.change.take()?;
            self.pollers.iter_mut().for_each(|l| l.1 = 1.0 / rates[l.0[0]].max(1e-9));
            // If the new interval is shorter than the old one, apply it at once.
            let again = self.pollers.iter_mut().enumerate().map(|(i, l)| {
                l.2 = l.2.min(now + l.1);
                std::cmp::Reverse(((l.2 * 1e3) as u64, i))
            });
            self.queue = again.collect();
        }
        let std::cmp::Reverse((at, index)) = *self.queue.peek()?;
        if at as f64 / 1e3 > now {
            return None;
        }
        self.queue.pop();
        let (calendars, spacing, next, turn) = &mut self.pollers[index];
        let calendar = calendars[*turn % calendars.len()];
        *turn += 1;
        *next += if self.memoryless { exponential(*spacing, &mut self.dice) } else { *spacing };
        self.queue.push(std::cmp::Reverse(((*next * 1e3) as u64, index)));
        Some(Poll { calendar, account: None })
    }

    fn saw(&mut self, _: Poll, _: f64, _: PollDifference, _: &[usize]) -> u64 {
        1
    }

    fn seconds_to_poll(&mut self, now: f64) -> f64 {
        let next = self.queue.peek().map_or(now + 60.0, |r| r.0.0 as f64 / 1e3);
        (next - now).clamp(0.001, 3600.0)
    }
}
