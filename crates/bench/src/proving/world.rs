//! A world of calendars: when useful days show, how long they live, who may look where.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::Serialize;

/// The ways days arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trace {
    /// Independent arrivals at a constant rate.
    Poisson,
    /// By hour of day and weekday, half of them at five-minute marks.
    Day,
    /// Most of them in busy spells that come unannounced.
    Burst,
    /// Constant, until halfway through every calendar changes its rate and life.
    Shift,
    /// Constant, one day in five a phantom: listed, but without times.
    Phantom,
    /// Busy spells that come to several cities at once, and there to every kind of applicant.
    Release,
    /// Flashes of a few seconds among days that stand for days.
    Mixed,
    /// A day has several times, in some calendars more than in others; each is somebody's appointment.
    Times,
    /// Who has booked leaves, and others come later: at times nobody waits for a calendar.
    Demand,
    /// Every other kind of applicant is shown nothing by day.
    Hours,
    /// Accounts are shown nothing for hours at times, because their people looked by hand.
    Bans,
}

impl Trace {
    /// Every trace.
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

    /// Its name on the command line.
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

/// How big a world is and how much may be looked at in it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Size {
    /// Polls an hour over all accounts.
    #[serde(rename = "looks_per_hour")]
    pub polls_per_hour: f64,
    /// Portal accounts.
    pub accounts: usize,
    /// Calendars; kinds of applicants times six cities.
    pub calendars: usize,
    /// Virtual days; the first quarter is for learning and not counted.
    pub days: f64,
}

impl Default for Size {
    fn default() -> Self {
        Self { polls_per_hour: 180.0, accounts: 1500, calendars: 60, days: 28.0 }
    }
}

/// Cities per kind of applicant.
pub(crate) const CITIES: usize = 6;
/// Days of no use to anybody show as often as useful ones; their comings and goings teach lives.
pub(crate) const USEFUL: f64 = 0.5;
/// From seeing a day to the confirmed booking: two round trips, seconds.
pub(crate) const BOOKING: f64 = 1.0;

/// The truth of one calendar.
#[derive(Clone, Copy, Debug)]
pub struct Nature {
    /// Useful days a second.
    pub arrival: f64,
    /// Deaths a second.
    pub death: f64,
}

/// A calendar of the world.
#[derive(Clone, Debug)]
pub struct Calendar {
    /// Before and after a change of regime.
    pub nature: [Nature; 2],
    /// Value of a useful day.
    pub value: f64,
    /// Times a day has, in the mean.
    pub times: f64,
    /// The kind of applicant.
    pub pool: usize,
    /// The city.
    pub city: usize,
    /// People who want it; the per-user pollers look in proportion.
    pub users: usize,
    /// Its arrivals, by time.
    pub days: Vec<Day>,
    /// Busy spells: (from, to).
    pub spells: Vec<(f64, f64)>,
}

/// A day that shows and goes.
#[derive(Clone, Copy, Debug)]
pub struct Day {
    /// Seconds since the epoch.
    pub from: f64,
    /// First second at which it is gone.
    pub to: f64,
    /// Whether anybody wants it.
    pub useful: bool,
    /// Listed, but without times.
    pub phantom: bool,
    /// Its times: as many can book it.
    pub times: u32,
}

/// An account: its kind, and the calendars its own criteria names.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its kind.
    pub pool: usize,
    /// The calendars it may look at.
    pub calendars: Vec<usize>,
    /// When it is shown nothing: (from, to).
    pub bans: Vec<(f64, f64)>,
}

/// The whole of it.
#[derive(Clone, Debug)]
pub struct World {
    /// How days arrive.
    pub trace: Trace,
    /// How big it is.
    pub size: Size,
    /// Its calendars.
    pub calendars: Vec<Calendar>,
    /// Its accounts.
    pub accounts: Vec<Account>,
    /// First and last instant, seconds since the epoch.
    pub span: (f64, f64),
}

/// 2026-01-05 00:00 UTC, a Monday.
const START: f64 = 1_767_571_200.0;

/// Share of arrivals that come at five-minute marks where a trace has marks.
const AT_MARKS: f64 = 0.5;
/// Share of days that are gone in seconds where a trace has such, and how long they and the others live, seconds.
const FLASHES: (f64, f64, f64) = (0.7, 20.0, 2.0 * 86_400.0);
/// Share of days that are phantoms where a trace has such.
const PHANTOMS: f64 = 0.2;
/// How many of the cities a release comes to.
const REACHED: f64 = 0.6;
/// Where who has booked leaves: seconds until somebody else wants the same.
pub(crate) const NEWCOMER: f64 = 2.0 * 86_400.0;
/// The busy state of bursty calendars: intensity against the calm one's mean, share of time, mean length in seconds.
const BUSY: (f64, f64, f64) = (6.0, 0.1, 7200.0);
/// Bans where a trace has such: hours between two of an account in the mean, the shortest, and the mean of what comes on top.
const BANS: (f64, f64, f64) = (150.0, 3.0, 4.5);

impl World {
    /// The world of a seed.
    #[must_use]
    pub fn new(trace: Trace, size: Size, seed: u64) -> Self {
        let mut dice = StdRng::seed_from_u64(seed ^ (trace as u64) << 56);
        let pools = size.calendars.div_ceil(CITIES);
        let span = (START, START + size.days * 86_400.0);
        let mut calendars: Vec<Calendar> =
            (0..size.calendars).map(|index| Calendar::new(index, &mut dice)).collect();
        let accounts = people(size, pools, &mut calendars, &mut dice);
        // A calendar nobody may look at is no part of the world.
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

    /// Intensity of useful days in a calendar at an instant, per second.
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

    /// Share of days that are worth haste: the others are there at whichever poll.
    #[must_use]
    pub fn fleeting(&self) -> f64 {
        if self.trace == Trace::Mixed { FLASHES.0 } else { 1.0 }
    }

    /// Whether days arrive and die at constant rates and somebody always wants them: then there is an optimum.
    #[must_use]
    pub fn constant(&self) -> bool {
        matches!(self.trace, Trace::Poisson | Trace::Phantom | Trace::Mixed | Trace::Times)
    }

    /// The kinds of days of use that show in a calendar of a constant world, each time of a day for itself.
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

    /// Which of a calendar's two natures is in force.
    #[must_use]
    pub fn regime(&self, at: f64) -> usize {
        usize::from(self.trace == Trace::Shift && at > 0.5 * (self.span.0 + self.span.1))
    }

    /// Share of the world in which nothing is counted.
    pub const LEARNING: f64 = 0.25;

    /// When counting begins.
    #[must_use]
    pub fn counted_from(&self) -> f64 {
        self.span.0 + Self::LEARNING * (self.span.1 - self.span.0)
    }

    /// Intensity in each part of the five minutes against the mean.
    #[must_use]
    pub fn profile(&self) -> [f64; inference::rates::kernel::PARTS] {
        use inference::rates::kernel::{CYCLE, EDGES, PARTS};
        let marks = if self.trace == Trace::Day { AT_MARKS } else { 0.0 };
        let mut profile = [1.0 - marks; PARTS];
        profile[0] += marks * CYCLE / (EDGES[1] - EDGES[0]);
        profile
    }

    /// Releases: busy spells that some cities have together, there every kind of applicant.
    fn plan_releases(&mut self, dice: &mut StdRng) {
        let releases = spells(self.span.0, self.span.1, BUSY.1 / REACHED, dice);
        let mut city = || releases.iter().copied().filter(|_| dice.random_bool(REACHED)).collect();
        let cities: Vec<Vec<(f64, f64)>> = (0..CITIES).map(|_| city()).collect();
        for calendar in &mut self.calendars {
            calendar.spells.clone_from(&cities[calendar.city]);
        }
    }

    /// How long a day lives that shows at `at`, seconds.
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
            // Haste is for the flashes.
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
                // Geometric: each further time is as likely as the one before.
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
        // A useful day an hour in the median, spread over two orders of magnitude; lives of two minutes, as people report.
        let nature = |dice: &mut StdRng| Nature {
            arrival: log_normal(1.0 / 3600.0, 1.0, dice),
            death: 1.0 / log_normal(120.0, 0.6, dice).clamp(15.0, 3600.0),
        };
        let nature = [nature(dice), nature(dice)];
        // One appointment is worth as much as another, as in the engine's plan; the draw keeps the worlds of seeds as they were.
        let (_, value) = (log_normal(1.0, 0.5, dice), 1.0);
        let (pool, city) = (index / CITIES, index % CITIES);
        Self { nature, value, times: 1.0, pool, city, users: 0, days: vec![], spells: vec![] }
    }
}

/// Accounts choose a kind (some are common, some rare) and one to four of its cities.
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

/// Intensity by hour and weekday, mean about one: mornings and early evenings of weekdays.
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
