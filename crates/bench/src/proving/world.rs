//! Generated world of calendars: days that appear and vanish, and accounts with the calendars that
//! they may poll.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::Serialize;

/// Patterns in which days appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trace {
    /// Independent arrivals at a constant rate.
    Poisson,
    /// Rates depend on hour and weekday. Half of the days appear at five-minute marks.
    Day,
    /// Most days appear in unannounced bursts.
    Burst,
    /// Constant rates. In the middle of the run, every calendar changes its rate and lifetime.
    Shift,
    /// Constant rates. One day in five is a phantom, which is listed without times.
    Phantom,
    /// Bursts in several cities at the same time, for all kinds of applicants.
    Release,
    /// Some days are listed for seconds, others for several days.
    Mixed,
    /// Days have several times, in some calendars more than in others. Each time can be booked
    /// once.
    Times,
    /// Users leave after a booking and others arrive later, so some calendars have no waiting user
    /// at times.
    Demand,
    /// Every second kind of applicant sees no dates during the day.
    Hours,
    /// Accounts are banned for hours at times, because their users polled manually.
    Bans,
}

impl Trace {
    /// All patterns.
    pub const ALL: [Self; 11] = [
        Self::Poisson,
        Self::Day,
        Self::Burst,
        Self::Shift,
        Self::Phantom,
        Self::Release,
        Self::Mixed,
        Self::Times,
        Self::Demand,
        Self::Hours,
        Self::Bans,
    ];

    /// Returns the name used on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Poisson => "poisson",
            Self::Day => "day",
            Self::Burst => "burst",
            Self::Shift => "shift",
            Self::Phantom => "phantom",
            Self::Release => "release",
            Self::Mixed => "mixed",
            Self::Times => "times",
            Self::Demand => "demand",
            Self::Hours => "hours",
            Self::Bans => "bans",
        }
    }
}

/// Size of a world, and its budget of polls.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Size {
    /// Polls per hour over all accounts.
    #[serde(rename = "looks_per_hour")]
    pub polls_per_hour: f64,
    /// Number of portal accounts.
    pub accounts: usize,
    /// Number of calendars: kinds of applicants times six cities.
    pub calendars: usize,
    /// Number of virtual days. The first quarter is for learning and is not counted.
    pub days: f64,
}

impl Default for Size {
    fn default() -> Self {
        Self { polls_per_hour: 180.0, accounts: 1500, calendars: 60, days: 28.0 }
    }
}

/// Number of cities for each kind of applicant.
pub(crate) const CITIES: usize = 6;
/// Share of days that are useful. Useless days appear as often, and they teach the planner the
/// lifetime of days too.
pub(crate) const USEFUL: f64 = 0.5;
/// Seconds from seeing a day to the confirmed booking, two round trips.
pub(crate) const BOOKING: f64 = 1.0;

/// True rates of one calendar.
#[derive(Clone, Copy, Debug)]
pub struct Nature {
    /// Useful days per second.
    pub arrival: f64,
    /// Rate at which a day vanishes, per second.
    pub death: f64,
}

/// Calendar of the world.
#[derive(Clone, Debug)]
pub struct Calendar {
    /// Rates before and after the change of regime.
    pub nature: [Nature; 2],
    /// Value of booking a useful day.
    pub value: f64,
    /// Mean number of times per day.
    pub times: f64,
    /// Index of the kind of applicant.
    pub pool: usize,
    /// Index of the city.
    pub city: usize,
    /// Number of users who wait for the calendar. The policy with one poller per user polls in
    /// proportion to this number.
    pub users: usize,
    /// Days that appear, ordered by time.
    pub days: Vec<Day>,
    /// Bursts as pairs of start and end.
    pub spells: Vec<(f64, f64)>,
}

/// Day that appears and vanishes.
#[derive(Clone, Copy, Debug)]
pub struct Day {
    /// Time at which the day appears, in seconds since the epoch.
    pub from: f64,
    /// Time at which the day vanishes, in seconds since the epoch.
    pub to: f64,
    /// `true` if a user wants the day.
    pub useful: bool,
    /// `true` if the day is listed without times.
    pub phantom: bool,
    /// Number of times on this day. Each time can be booked once.
    pub times: u32,
}

/// Account with its kind of applicant and its calendars.
#[derive(Clone, Debug)]
pub struct Account {
    /// Index of the kind of applicant.
    pub pool: usize,
    /// Indexes of the calendars that the account may poll.
    pub calendars: Vec<usize>,
    /// Bans as pairs of start and end.
    pub bans: Vec<(f64, f64)>,
}

/// Generated world.
#[derive(Clone, Debug)]
pub struct World {
    /// Pattern in which days appear.
    pub trace: Trace,
    /// Size of the world.
    pub size: Size,
    /// Calendars of the world.
    pub calendars: Vec<Calendar>,
    /// Accounts of the world.
    pub accounts: Vec<Account>,
    /// Start and end of the world, in seconds since the epoch.
    pub span: (f64, f64),
}

/// 2026-01-05 00:00 UTC, a Monday.
const START: f64 = 1_767_571_200.0;

/// Share of days that appear at five-minute marks, in patterns with marks.
const AT_MARKS: f64 = 0.5;
/// Days of the pattern `Mixed`: share of short-lived days, their mean lifetime, and the mean
/// lifetime of the others. Lifetimes are in seconds.
const FLASHES: (f64, f64, f64) = (0.7, 20.0, 2.0 * 86_400.0);
/// Share of phantoms in the pattern `Phantom`.
const PHANTOMS: f64 = 0.2;
/// Share of the cities in which a release adds days.
const REACHED: f64 = 0.6;
/// Seconds until another user replaces a user who has booked.
pub(crate) const NEWCOMER: f64 = 2.0 * 86_400.0;
/// Bursts: rate relative to the overall mean, share of the time, and mean length in seconds.
const BUSY: (f64, f64, f64) = (6.0, 0.1, 7200.0);
/// Bans, in hours: mean time between two bans of an account, minimum length, and mean additional
/// length.
const BANS: (f64, f64, f64) = (150.0, 3.0, 4.5);

impl World {
    /// Generates the world of a seed.
    #[must_use]
    pub fn new(trace: Trace, size: Size, seed: u64) -> Self {
        let mut dice = StdRng::seed_from_u64(seed ^ (trace as u64) << 56);
        let pools = size.calendars.div_ceil(CITIES);
        let span = (START, START + size.days * 86_400.0);
        let mut calendars: Vec<Calendar> =
            (0..size.calendars).map(|index| Calendar::new(index, &mut dice)).collect();
        let accounts = people(size, pools, &mut calendars, &mut dice);
        // Calendars that no account may poll have no value.
        for calendar in calendars.iter_mut().filter(|c| c.users == 0) {
            calendar.value = 0.0;
        }
        let mut world = Self { trace, size, calendars, accounts, span };
        if trace == Trace::Release {
            world.plan_releases(&mut dice);
        }
        if trace == Trace::Bans {
            world.accounts.iter_mut().for_each(|account| account.bans = bans(span.0, span.1, &mut dice));
        }
        for index in 0..world.calendars.len() {
            world.populate(index, &mut dice);
        }
        world
    }

    /// Returns the rate of useful days in a calendar at the time `at`, per second.
    #[must_use]
    pub fn intensity(&self, calendar: usize, at: f64) -> f64 {
        let calendar = &self.calendars[calendar];
        let base = calendar.nature[self.regime(at)].arrival;
        match self.trace {
            Trace::Day => base * clock(at),
            Trace::Burst | Trace::Release => {
                let busy = calendar.spells.iter().any(|(from, to)| (*from..*to).contains(&at));
                let (high, share, _) = BUSY;
                base * if busy { high } else { (1.0 - high * share) / (1.0 - share) }
            }
            _ => base,
        }
    }

    /// Returns the share of days that vanish quickly. Only these days require fast polling.
    #[must_use]
    pub fn fleeting(&self) -> f64 {
        if self.trace == Trace::Mixed { FLASHES.0 } else { 1.0 }
    }

    /// Returns `true` if days appear and vanish at constant rates and are always wanted. Only then
    /// an optimum can be computed.
    #[must_use]
    pub fn constant(&self) -> bool {
        matches!(self.trace, Trace::Poisson | Trace::Phantom | Trace::Mixed | Trace::Times)
    }

    /// Returns the rates of useful days in a calendar with constant rates. Each time of a day
    /// counts as a separate day.
    #[must_use]
    pub fn kinds_of_days(&self, calendar: &Calendar) -> Vec<Nature> {
        let nature = calendar.nature[0];
        let (share, short, long) = FLASHES;
        match self.trace {
            Trace::Mixed => vec![
                Nature { arrival: nature.arrival * share, death: 1.0 / short },
                Nature { arrival: nature.arrival * (1.0 - share), death: 1.0 / long },
            ],
            Trace::Phantom => vec![Nature { arrival: nature.arrival * (1.0 - PHANTOMS), ..nature }],
            _ => vec![Nature { arrival: nature.arrival * calendar.times, ..nature }],
        }
    }

    /// Returns the index of the regime that is in force at the time `at`.
    #[must_use]
    pub fn regime(&self, at: f64) -> usize {
        usize::from(self.trace == Trace::Shift && at > 0.5 * (self.span.0 + self.span.1))
    }

    /// Share of the run, at its beginning, in which results are not counted.
    pub const LEARNING: f64 = 0.25;

    /// Returns the time from which results are counted.
    #[must_use]
    pub fn counted_from(&self) -> f64 {
        self.span.0 + Self::LEARNING * (self.span.1 - self.span.0)
    }

    /// Returns the rate in each part of a five-minute interval, relative to the mean.
    #[must_use]
    pub fn profile(&self) -> [f64; inference::rates::kernel::PARTS] {
        use inference::rates::kernel::{CYCLE, EDGES, PARTS};
        let marks = if self.trace == Trace::Day { AT_MARKS } else { 0.0 };
        let mut profile = [1.0 - marks; PARTS];
        profile[0] += marks * CYCLE / (EDGES[1] - EDGES[0]);
        profile
    }

    /// Plans releases: bursts that several cities share, for all kinds of applicants.
    fn plan_releases(&mut self, dice: &mut StdRng) {
        let releases = spells(self.span.0, self.span.1, BUSY.1 / REACHED, dice);
        let mut city = || releases.iter().copied().filter(|_| dice.random_bool(REACHED)).collect();
        let cities: Vec<Vec<(f64, f64)>> = (0..CITIES).map(|_| city()).collect();
        for calendar in &mut self.calendars {
            calendar.spells.clone_from(&cities[calendar.city]);
        }
    }

    /// Returns the lifetime in seconds of a day that appears at `at`.
    fn life(&self, index: usize, at: f64, dice: &mut StdRng) -> f64 {
        let (share, short, long) = FLASHES;
        match self.trace {
            Trace::Mixed if dice.random_bool(share) => exponential(short, dice),
            Trace::Mixed => exponential(long, dice),
            _ => exponential(1.0 / self.calendars[index].nature[self.regime(at)].death, dice),
        }
    }

    fn populate(&mut self, index: usize, dice: &mut StdRng) {
        let (from, to) = self.span;
        if self.trace == Trace::Mixed {
            // Only the short-lived days require fast polling, so use their rate.
            self.calendars[index].nature.iter_mut().for_each(|nature| nature.death = 1.0 / FLASHES.1);
        }
        if self.trace == Trace::Burst {
            self.calendars[index].spells = spells(from, to, BUSY.1, dice);
        }
        if self.trace == Trace::Times {
            self.calendars[index].times = log_normal(2.0, 0.6, dice).clamp(1.0, 8.0);
        }
        let peak = match self.trace {
            Trace::Day => 3.0,
            Trace::Burst | Trace::Release => BUSY.0,
            _ => 1.0,
        };
        let highest = self.calendars[index].nature.iter().map(|n| n.arrival).fold(0.0, f64::max);
        let mut days = Vec::new();
        let mut at = from;
        loop {
            at += exponential(USEFUL / (highest * peak), dice);
            if at >= to {
                break;
            }
            if dice.random::<f64>() * highest * peak > self.intensity(index, at) {
                continue;
            }
            let shows = if self.trace == Trace::Day && dice.random_bool(AT_MARKS) {
                (at / 300.0).floor() * 300.0 + 2.0 * dice.random::<f64>()
            } else {
                at
            };
            let life = self.life(index, at, dice);
            let more = match self.calendars[index].times {
                // Geometric distribution: each further time is as likely as the one before.
                mean if mean > 1.0 => exponential(-1.0 / (1.0 - 1.0 / mean).ln(), dice) as u32,
                _ => 0,
            };
            let phantom = self.trace == Trace::Phantom && dice.random_bool(PHANTOMS);
            days.push(Day {
                from: shows,
                to: shows + life,
                useful: dice.random_bool(USEFUL),
                phantom,
                times: 1 + more,
            });
        }
        days.sort_by(|a, b| a.from.total_cmp(&b.from));
        self.calendars[index].days = days;
    }
}

impl Calendar {
    fn new(index: usize, dice: &mut StdRng) -> Self {
        // The median is one useful day per hour, and rates vary over two orders of magnitude. Users
        // report lifetimes of about two minutes.
        let nature = |dice: &mut StdRng| Nature {
            arrival: log_normal(1.0 / 3600.0, 1.0, dice),
            death: 1.0 / log_normal(120.0, 0.6, dice).clamp(15.0, 3600.0),
        };
        let nature = [nature(dice), nature(dice)];
        // Every appointment has the same value, as in the engine's plan. Keep the random draw, so
        // that the worlds of existing seeds do not change.
        let (_, value) = (log_normal(1.0, 0.5, dice), 1.0);
        let (pool, city) = (index / CITIES, index % CITIES);
        Self { nature, value, times: 1.0, pool, city, users: 0, days: vec![], spells: vec![] }
    }
}

/// Generates the accounts. Each account has a random kind of applicant and one to four cities. Some
/// kinds are more common than others.
fn people(size: Size, pools: usize, calendars: &mut [Calendar], dice: &mut StdRng) -> Vec<Account> {
    let weights: Vec<f64> = (0..pools).map(|pool| 1.0 / (pool as f64 + 2.0)).collect();
    let sum: f64 = weights.iter().sum();
    (0..size.accounts)
        .map(|_| {
            let mut left = dice.random::<f64>() * sum;
            let pool = weights.iter().position(|w| {
                left -= w;
                left <= 0.0
            });
            let pool = pool.unwrap_or(pools - 1);
            let cities: Vec<usize> = (0..calendars.len()).filter(|c| calendars[*c].pool == pool).collect();
            let wanted = 1 + dice.random_range(0..4).min(cities.len() - 1);
            let first = dice.random_range(0..cities.len());
            let chosen: Vec<usize> = (0..wanted).map(|i| cities[(first + i) % cities.len()]).collect();
            for city in &chosen {
                calendars[*city].users += 1;
            }
            Account { pool, calendars: chosen, bans: vec![] }
        })
        .collect()
}

/// Returns the rate by hour and weekday, with a mean of about one and a maximum at 15:00 UTC on
/// weekdays.
fn clock(at: f64) -> f64 {
    let hour = (at / 3600.0).rem_euclid(24.0);
    let weekday = (((at - START) / 86_400.0).floor() as i64).rem_euclid(7);
    let daily = 1.0 + 0.9 * ((hour - 15.0) / 24.0 * std::f64::consts::TAU).cos();
    daily * if weekday < 5 { 1.2 } else { 0.5 }
}

fn spells(from: f64, to: f64, share: f64, dice: &mut StdRng) -> Vec<(f64, f64)> {
    let (_, _, length) = BUSY;
    let mut spells = Vec::new();
    let mut at = from;
    loop {
        at += exponential(length * (1.0 - share) / share, dice);
        let end = at + exponential(length, dice);
        if at >= to {
            return spells;
        }
        spells.push((at, end));
        at = end;
    }
}

fn bans(from: f64, to: f64, dice: &mut StdRng) -> Vec<(f64, f64)> {
    let (between, shortest, more) = BANS;
    let mut bans = Vec::new();
    let mut at = from;
    loop {
        at += exponential(between * 3600.0, dice);
        if at >= to {
            return bans;
        }
        let end = at + shortest * 3600.0 + exponential(more * 3600.0, dice);
        bans.push((at, end));
        at = end;
    }
}

pub(crate) fn exponential(mean: f64, dice: &mut StdRng) -> f64 {
    -mean * (1.0 - dice.random::<f64>()).ln()
}

fn log_normal(median: f64, spread: f64, dice: &mut StdRng) -> f64 {
    let (a, b) = (1.0 - dice.random::<f64>(), dice.random::<f64>());
    let normal = (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos();
    median * (spread * normal).exp()
}
