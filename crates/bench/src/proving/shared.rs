//! The product's planner at work in a world: its own budgets, its own accounts, its own learning.

use domain::budget::{Budget, Calls, Limits};
use inference::planner::poll_source::{
    ACCOUNT_SPACING, AccountDoubt, PollSource, affordable, instant, pick, turn_order,
};
use inference::planner::{Allowance, Planner};
use inference::rates::{Estimate, Rates, Shape};

use crate::proving::poller::{PollDifference, Poller};
use crate::proving::world::{USEFUL, World};

pub(crate) struct Shared<'a> {
    world: &'a World,
    planner: Planner,
    informed: bool,
    limits: Limits,
    /// Per calendar: the accounts whose own criteria names it.
    poll_sources: Vec<Vec<usize>>,
    /// Accounts that made more calls than the most cautious reported threshold.
    banned: Vec<bool>,
    /// Per calendar: days that appeared, and those of use.
    useful: Vec<(f64, f64)>,
}

/// The ceiling saves up this many seconds of polls.
const SAVED_UP: f64 = 900.0;
/// The most cautious reported threshold: calls in ten hours.
const BAN_FROM: usize = 50;

impl<'a> Shared<'a> {
    pub fn new(world: &'a World, informed: bool) -> Self {
        let rate = world.size.polls_per_hour / 3600.0;
        let overall = Allowance::full(rate, (rate * SAVED_UP).max(2.0));
        let shape = if informed { Shape::given(world.profile()) } else { Shape::default() };
        let mut planner = Planner::new(overall, shape, world.span.0);
        let limits = Limits::default();
        let pools = world.calendars.iter().map(|c| c.pool + 1).max().unwrap_or(0);
        for pool in 0..pools {
            let accounts = world.accounts.iter().filter(|a| a.pool == pool).count() as f64;
            planner.add_pool(Allowance::full(accounts * affordable(&limits), (accounts * 3.0).max(1.0)));
        }
        for calendar in &world.calendars {
            let handle = planner.add_calendar(calendar.pool, chrono_tz::UTC, Rates::default(), None);
            let survives = (-calendar.nature[0].death * crate::proving::world::BOOKING).exp();
            planner.set_most(handle, calendar.users as f64 * affordable(&limits));
            planner.set_value(handle, calendar.value * USEFUL * if informed { survives } else { 1.0 });
        }
        let poll_sources = (0..world.calendars.len())
            .map(|c| {
                (0..world.accounts.len()).filter(|a| world.accounts[*a].calendars.contains(&c)).collect()
            })
            .collect();
        let banned = vec![false; world.accounts.len()];
        let useful = vec![(0.0, 0.0); world.calendars.len()];
        let mut shared = Self { world, planner, informed, limits, poll_sources, banned, useful };
        shared.inform(world.span.0);
        shared
    }

    fn inform(&mut self, now: f64) {
        if !self.informed {
            return;
        }
        for index in 0..self.world.calendars.len() {
            let nature = self.world.calendars[index].nature[self.world.regime(now)];
            let arrival = self.world.intensity(index, now) / USEFUL;
            self.planner.give(index, Estimate { arrival, death: nature.death });
        }
    }
}

impl Poller for Shared<'_> {
    fn next(&mut self, now: f64, budgets: &mut [Budget]) -> Option<usize> {
        self.inform(now);
        let at = instant(now);
        let day = (now / 86_400.0) as i64;
        let (poll_sources, limits) = (&self.poll_sources, &self.limits);
        let mut account = None;
        let choice = self.planner.choose(now, &mut |calendar| {
            let candidates = poll_sources[calendar].iter().map(|index| {
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
        self.banned[account] |= budgets[account].requests(at) as usize > BAN_FROM;
        self.planner.spend(choice.calendar);
        Some(choice.calendar)
    }

    fn saw(&mut self, calendar: usize, now: f64, seen: PollDifference) {
        let (days, useful) = &mut self.useful[calendar];
        *days += f64::from(seen.appeared);
        *useful += f64::from(seen.useful);
        if !self.informed && seen.appeared > 0 {
            let share = (*useful + 1.0) / (*days + 2.0);
            self.planner.set_value(calendar, self.world.calendars[calendar].value * share);
        }
        self.planner.answered(calendar, now, Some((seen.appeared, seen.at_risk, seen.vanished)));
    }

    fn rest(&mut self, now: f64) -> f64 {
        self.planner.rest(now)
    }

    fn bans(&self) -> u64 {
        self.banned.iter().filter(|banned| **banned).count() as u64
    }
}
