//! The product's planner with knowledge of the true rates. The result is the best that the planner
//! could achieve.

use domain::budget::{Budget, Calls, Limits};
use domain::poll_bound::{AccountShare, LEAST_BOUND, poll_bound};
use inference::planner::poll_source::{
    ACCOUNT_SPACING, AccountDoubt, PollSource, affordable, instant, pick, turn_order,
};
use inference::planner::{Allowance, Planner};
use inference::rates::{Estimate, Rates, Shape};

use crate::proving::poller::{Poll, PollDifference, Poller};
use crate::proving::world::{BOOKING, CITIES, USEFUL, World};

pub(crate) struct Informed<'a> {
    world: &'a World,
    planner: Planner,
    limits: Limits,
    budgets: Vec<Budget>,
    /// For each calendar, the accounts that may poll it.
    poll_sources: Vec<Vec<usize>>,
    /// For each calendar, the value of a date while a user waits for one.
    value: Vec<f64>,
}

/// Use of the longest wait of each calendar (promise 29).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bounds {
    /// Calendars may wait for any time.
    Ignored,
    /// Every calendar is polled within its bound.
    Kept,
}

/// Returns the bound of a calendar in seconds.
fn bound(world: &World, calendar: usize, limits: &Limits) -> f64 {
    let accounts = world.accounts.iter().filter(|account| account.calendars.contains(&calendar));
    let shares = accounts.map(|account| AccountShare {
        polls_per_hour: limits.lasting_polls_per_hour(),
        calendars: account.calendars.len(),
    });
    poll_bound(shares, LEAST_BOUND).map_or(f64::INFINITY, |bound| bound.as_seconds_f64())
}

/// Seconds of polling that the overall allowance can accumulate.
const SAVED_UP: f64 = 900.0;

impl<'a> Informed<'a> {
    /// Creates the planner, with the product's bound of every calendar if `bounds` is
    /// [`Bounds::Kept`].
    pub fn new(world: &'a World, bounds: Bounds) -> Self {
        let rate = world.size.polls_per_hour / 3600.0;
        let overall = Allowance::full(rate, (rate * SAVED_UP).max(2.0));
        let mut planner = Planner::new(overall, Shape::given(world.profile()), world.span.0);
        let limits = Limits::default();
        let pools = world.calendars.iter().map(|c| c.pool + 1).max().unwrap_or(0);
        for pool in 0..pools {
            let accounts = world.accounts.iter().filter(|a| a.pool == pool).count() as f64;
            planner.add_pool(Allowance::full(accounts * affordable(&limits), (accounts * 3.0).max(1.0)));
        }
        let cities: Vec<usize> = (0..CITIES).map(|_| planner.add_city(chrono_tz::UTC)).collect();
        for calendar in &world.calendars {
            let handle = planner.add_calendar(calendar.pool, cities[calendar.city], Rates::default(), None);
            let survives = (-calendar.nature[0].death * BOOKING).exp();
            planner.set_most(handle, calendar.users as f64 * affordable(&limits));
            planner.set_value(handle, calendar.value * USEFUL * survives * calendar.times);
            if bounds == Bounds::Kept {
                planner.set_bound(handle, bound(world, handle, &limits));
            }
        }
        let poll_sources = (0..world.calendars.len())
            .map(|c| {
                (0..world.accounts.len()).filter(|a| world.accounts[*a].calendars.contains(&c)).collect()
            })
            .collect();
        let budgets = vec![Budget::default(); world.accounts.len()];
        let value = (0..world.calendars.len()).map(|handle| planner.value(handle)).collect();
        Self { world, planner, limits, budgets, poll_sources, value }
    }

    fn inform(&mut self, now: f64) {
        for index in 0..self.world.calendars.len() {
            let nature = self.world.calendars[index].nature[self.world.regime(now)];
            let arrival = self.world.intensity(index, now) * self.world.fleeting() / USEFUL;
            self.planner.set_estimate(index, Estimate { arrival, death: nature.death });
        }
    }
}

impl Poller for Informed<'_> {
    fn next(&mut self, now: f64) -> Option<Poll> {
        self.inform(now);
        let at = instant(now);
        let day = (now / 86_400.0) as i64;
        let Self { world, planner, limits, budgets, poll_sources, .. } = self;
        let mut account = None;
        let choice = planner.choose(now, &mut |calendar| {
            if world.restricted(calendar, now) {
                return Err(60.0);
            }
            let open = poll_sources[calendar].iter().filter(|index| !world.accounts[**index].banned(now));
            let candidates = open.map(|index| {
                let poll_source = PollSource {
                    budget: &budgets[*index],
                    turn: turn_order(*index as u128, day),
                    free: true,
                    signed_in: true,
                    standing: AccountDoubt::Sound,
                    not_before: None,
                };
                (*index, poll_source)
            });
            match pick(candidates, limits, ACCOUNT_SPACING, at) {
                Ok(index) => {
                    account = Some(index);
                    Ok(())
                }
                Err(later) => Err(later.map_or(60.0, |later| (later - at).num_milliseconds() as f64 / 1e3)),
            }
        })?;
        let account = account?;
        budgets[account].spend(Calls { requests: 1, polls: 1, sign_ins: 0 }, at);
        planner.spend(choice.calendar);
        Some(Poll { calendar: choice.calendar, account: Some(account) })
    }

    fn saw(&mut self, poll: Poll, now: f64, seen: PollDifference, _: &[usize]) -> u64 {
        let PollDifference { appeared, at_risk, vanished } = seen;
        self.planner.answered(poll.calendar, now, Some((appeared, at_risk, vanished)));
        1
    }

    fn wanted(&mut self, calendar: usize) {
        self.planner.set_value(calendar, self.value[calendar]);
    }

    fn unwanted(&mut self, calendar: usize) {
        self.planner.set_value(calendar, 0.0);
    }

    fn seconds_to_poll(&mut self, now: f64) -> f64 {
        self.planner.seconds_to_poll(now)
    }
}
