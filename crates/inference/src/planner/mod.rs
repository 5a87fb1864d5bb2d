//! Where the next poll is worth most, and why.
//!
//! A state machine without I/O: it is told the time, what looks showed and what accounts may still spend, and names
//! the calendar whose look is worth most per call. Per calendar it keeps the expected *stock*: useful days alive now
//! that nobody has seen, from learned rates ([`crate::rates`]). The index of a poll is `value · (V − τ·dV/dt)`, which
//! for constant rates is the `(wα/μ)[1 − (1 + μτ)e^{−μτ}]` of Olston & Pandey (2008); a poll is made once its index
//! reaches the *price* of a poll, the multiplier of the budget ([`optimum`]), corrected by how full the budgets are.

mod allowance;
mod choice;
mod index;
pub mod optimum;
mod pace;
pub mod poll_source;
mod threshold;
mod time;

use chrono_tz::Tz;
use domain::budget::Limits;

use crate::rates::{At, Belief, Estimate, ObservedPoll, Rates, Shape, Spells, kernel};
use index::Columns;

pub use allowance::Allowance;
pub use choice::{Choice, ChoiceReason};
pub use pace::Pace;

/// Looks follow a five-minute mark by so much, seconds.
pub const BEHIND_THE_MARK: f64 = kernel::EDGES[1];
/// A poll whose margin is less than this is not made, however full the bucket: one appointment in so many polls would
/// not be worth their disturbing the portal. It keeps many accounts from polling for the little that each adds, and
/// slows no calendar below what one account can afford.
const FLOOR: f64 = 0.003;
/// Share of the overall ceiling's savings below which the floor holds for every calendar.
const SPARE: f64 = 0.5;
/// A poll without an answer is given up after this long, seconds.
const UNANSWERED: f64 = 60.0;
/// The price is reckoned anew this often, seconds.
const REPRICE: f64 = 300.0;

/// A calendar as the planner keeps it.
#[derive(Clone, Debug)]
struct Plot {
    pool: usize,
    /// Captured appointments that a useful day is worth; zero when nobody waits.
    value: f64,
    rates: Rates,
    estimate: Estimate,
    last: Option<f64>,
    /// The last answer, whether or not it showed the list.
    answered: Option<f64>,
    /// How old the last answer may become, seconds.
    bound: f64,
    city: usize,
    /// Polls a second its poll sources can afford.
    most: f64,
}

/// A city: its calendars may have their busy spells together.
#[derive(Clone, Debug)]
struct City {
    zone: Tz,
    spells: Spells,
}

/// The planner's memory.
#[derive(Clone, Debug)]
pub struct Planner {
    plots: Vec<Plot>,
    cities: Vec<City>,
    /// The busy spells of all calendars together.
    everywhere: Spells,
    columns: Columns,
    shape: Shape,
    belief: Belief,
    overall: Allowance,
    pools: Vec<Allowance>,
    /// How long before its bound a calendar of each pool is compelled, seconds.
    leads: Vec<f64>,
    thresholds: Vec<f64>,
    overall_threshold: f64,
    /// The columns' time, seconds since the epoch.
    time: f64,
    priced_at: f64,
    /// Where the true rates are given (benchmarks) nothing is learned.
    given: bool,
    /// Seconds between polls that one account can afford for good.
    alone: f64,
}

impl Planner {
    /// A planner that knows no calendar; `overall` is the ceiling of polls to the host.
    #[must_use]
    pub fn new(overall: Allowance, shape: Shape, now: f64) -> Self {
        Self {
            plots: Vec::new(),
            cities: Vec::new(),
            everywhere: Spells::default(),
            columns: Columns::default(),
            shape,
            belief: Belief::default(),
            overall,
            pools: Vec::new(),
            leads: Vec::new(),
            thresholds: Vec::new(),
            overall_threshold: 0.0,
            time: now,
            priced_at: f64::MIN,
            given: false,
            alone: 1.0 / poll_source::affordable(&Limits::default()),
        }
    }

    /// Adds a pool of accounts that look at the same calendars; returns its handle.
    pub fn add_pool(&mut self, allowance: Allowance) -> usize {
        self.pools.push(allowance);
        self.leads.push(f64::INFINITY);
        self.thresholds.push(0.0);
        self.pools.len() - 1
    }

    /// Adds a city; returns its handle.
    pub fn add_city(&mut self, zone: Tz) -> usize {
        self.cities.push(City { zone, spells: Spells::default() });
        self.cities.len() - 1
    }

    /// Adds a calendar; returns its handle. `last` is its last poll, seconds since the epoch.
    pub fn add_calendar(&mut self, pool: usize, city: usize, rates: Rates, last: Option<f64>) -> usize {
        let estimate = rates.estimate(&self.shape, &self.belief);
        let (answered, bound, most) = (last, f64::INFINITY, f64::INFINITY);
        self.plots.push(Plot { pool, value: 0.0, rates, estimate, last, answered, bound, city, most });
        self.columns.push(pool);
        let handle = self.plots.len() - 1;
        self.refresh(handle);
        handle
    }

    /// What a useful day of a calendar is worth now; zero takes it out of the plan.
    pub fn set_value(&mut self, calendar: usize, value: f64) {
        self.plots[calendar].value = value;
        self.columns.value[calendar] = value as f32;
        self.columns.compelled_in[calendar] = self.compelled_in(calendar) as f32;
    }

    /// Sets how old the last answer of a calendar may become, seconds.
    pub fn set_bound(&mut self, calendar: usize, seconds: f64) {
        self.plots[calendar].bound = seconds;
        self.columns.compelled_in[calendar] = self.compelled_in(calendar) as f32;
    }

    /// The number of seconds between polls that one account can afford for good.
    pub const fn set_alone(&mut self, seconds: f64) {
        self.alone = seconds;
    }

    /// Returns how old the last answer of a calendar may become, seconds.
    #[must_use]
    pub fn bound(&self, calendar: usize) -> f64 {
        self.plots[calendar].bound
    }

    /// What a useful day of a calendar is held to be worth.
    #[must_use]
    pub fn value(&self, calendar: usize) -> f64 {
        self.plots[calendar].value
    }

    /// Seconds until a poll at a calendar is likely to be worth its call, as things stand; at most `most`.
    #[must_use]
    pub fn due_in(&self, calendar: usize, now: f64, most: f64) -> f64 {
        let plot = &self.plots[calendar];
        let Some(last) = plot.last else { return 0.0 };
        let threshold = 1.0 / f64::from(self.inverse_thresholds()[plot.pool]).max(1e-9);
        let longest = (f64::from(self.columns.compelled_in[calendar]) - (now - self.time)).clamp(0.0, most);
        let mu = plot.estimate.death;
        let arrival = f64::from(self.columns.arrival[calendar])
            / self.shape.profile()[kernel::part(self.time)].max(1e-6);
        let mut ahead = 0.0;
        while ahead < longest {
            let since = now + ahead - last;
            if plot.value * arrival / mu * optimum::marginal(mu * since.max(0.0)) >= threshold {
                return ahead;
            }
            ahead = ahead * 1.2 + 5.0;
        }
        longest
    }

    /// Polls a second that the accounts which may look at a calendar can afford.
    pub fn set_most(&mut self, calendar: usize, most: f64) {
        self.plots[calendar].most = most;
    }

    /// What a pool's accounts may look, as their number changes.
    pub fn set_pool(&mut self, pool: usize, rate: f64, burst: f64) {
        let allowance = &mut self.pools[pool];
        let grown = (burst - allowance.burst).max(0.0);
        *allowance = Allowance { rate, burst, tokens: (allowance.tokens + grown).min(burst) };
    }

    /// The true rates of a calendar with their factor: nothing is learned any more (benchmarks).
    pub fn give(&mut self, calendar: usize, estimate: Estimate) {
        self.given = true;
        self.plots[calendar].estimate = estimate;
        self.refresh(calendar);
    }

    /// The rates of a calendar, to be kept.
    #[must_use]
    pub fn rates(&self, calendar: usize) -> (&Rates, Estimate) {
        (&self.plots[calendar].rates, self.plots[calendar].estimate)
    }

    /// What all calendars share, to be kept.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The calendar whose look is worth its call now, if any. `able` says whether an account can look there;
    /// where none can, it answers the seconds until one may.
    pub fn choose(&mut self, now: f64, able: &mut dyn FnMut(usize) -> Result<(), f64>) -> Option<Choice> {
        self.bring_to(now);
        if self.overall.tokens < 1.0 {
            return None;
        }
        let inverse = self.inverse_thresholds();
        self.columns.retry_compelled();
        self.columns.reckon(0.0);
        loop {
            let calendar = self.best(&inverse, 0.0)?;
            let index = f64::from(self.columns.index[calendar]);
            let compelled = index >= f64::from(index::COMPELLED);
            let pool = self.plots[calendar].pool;
            let threshold = if compelled { self.thresholds[pool] } else { 1.0 / f64::from(inverse[pool]) };
            let wait = match self.better_at_mark(calendar, threshold) {
                Some(wait) if !compelled => Err(wait),
                _ => able(calendar),
            };
            if let Err(rest) = wait {
                self.columns.hold_for_account(calendar, rest.max(0.2));
                self.columns.index[calendar] = -1.0;
                continue;
            }
            return Some(self.reason(calendar, index, threshold, compelled));
        }
    }

    fn reason(&self, calendar: usize, index: f64, threshold: f64, compelled: bool) -> Choice {
        let plot = &self.plots[calendar];
        let kind = match plot.last {
            None => ChoiceReason::First,
            Some(_) if compelled => ChoiceReason::Exploration,
            Some(_) => ChoiceReason::Value,
        };
        Choice {
            calendar,
            kind,
            expected: f64::from(self.columns.expected_unseen[calendar]),
            index,
            threshold,
            since: plot.last.map_or(0.0, |last| self.time - last),
        }
    }

    /// A poll left for a calendar: its call is spent, and no other leaves before this one is answered.
    pub fn spend(&mut self, calendar: usize) {
        self.overall.tokens -= 1.0;
        self.pools[self.plots[calendar].pool].draw();
        self.columns.hold(calendar, UNANSWERED);
    }

    /// A poll was answered; `seen` is what it showed against the poll before, where there was one: useful days that
    /// appeared, that were there before and ours to lose, and how many of those are gone.
    pub fn answered(&mut self, calendar: usize, now: f64, seen: Option<(u32, u32, u32)>) {
        self.bring_to(now);
        let mut news = false;
        let plot = &mut self.plots[calendar];
        if let (Some(since), Some((appeared, at_risk, vanished)), false) = (plot.last, seen, self.given) {
            let city = &mut self.cities[plot.city];
            let at = At::in_zone(now, city.zone);
            let seen = ObservedPoll { since, at, appeared, at_risk, vanished };
            plot.rates.learn(&seen, &mut self.shape, &self.belief, &mut city.spells, &mut self.everywhere);
            plot.estimate = plot.rates.estimate(&self.shape, &self.belief);
            news = appeared > 0;
        }
        plot.last = Some(now);
        plot.answered = Some(now);
        self.columns.since[calendar] = 0.0;
        self.columns.expected_unseen[calendar] = 0.0;
        self.columns.hold(calendar, 0.0);
        self.columns.compelled_in[calendar] = self.compelled_in(calendar) as f32;
        if news && self.shape.clumped() > 0.5 {
            // A spell that is on here may be on elsewhere, and may have begun before.
            for other in (0..self.plots.len()).filter(|other| *other != calendar) {
                self.refresh(other);
                self.refill_unseen(other);
            }
        }
        self.refresh(calendar);
    }

    /// For those the next poll is for, the calendar was last seen at `last`: where a poll answers only some.
    pub fn last_seen(&mut self, calendar: usize, last: f64) {
        let last = last.min(self.time);
        let plot = &mut self.plots[calendar];
        (plot.last, plot.answered) = (Some(last), Some(last));
        self.columns.since[calendar] = (self.time - last) as f32;
        self.columns.compelled_in[calendar] = self.compelled_in(calendar) as f32;
        self.refill_unseen(calendar);
    }

    /// A poll was answered with a list that proves nothing: nothing is learned, the calendar may be polled again after
    /// `rest` seconds, and its bound begins anew.
    pub fn unproven(&mut self, calendar: usize, now: f64, rest: f64) {
        self.failed(calendar, now, rest);
        self.plots[calendar].answered = Some(now);
        self.columns.compelled_in[calendar] = self.compelled_in(calendar) as f32;
    }

    /// A poll failed: the calendar may be polled again after this many seconds.
    pub fn failed(&mut self, calendar: usize, now: f64, rest: f64) {
        self.bring_to(now);
        self.columns.hold(calendar, rest);
    }

    /// Seconds until a poll may be worth its call; errs towards "soon", and never sleeps over a five-minute mark.
    pub fn rest(&mut self, now: f64) -> f64 {
        self.bring_to(now);
        let empty = ((1.0 - self.overall.tokens) / self.overall.rate.max(1e-9)).max(0.0);
        // Beyond the mark the intensity is another; between the marks it hardly changes.
        let mark = next_mark(now) - BEHIND_THE_MARK;
        let most = if mark > now + 1e-3 { mark - now } else { next_mark(now) - now };
        let inverse = self.inverse_thresholds();
        if empty >= most {
            return empty;
        }
        let (mut early, mut late) = (empty.max(0.05), empty.max(0.05));
        while !self.value_at(late, &inverse) {
            (early, late) = (late, late * 1.6);
            if late >= most {
                late = most;
                break;
            }
        }
        while late - early > (0.02 * late).max(0.25) {
            let middle = 0.5 * (early + late);
            if self.value_at(middle, &inverse) {
                late = middle;
            } else {
                early = middle;
            }
        }
        late
    }

    fn value_at(&mut self, ahead: f64, inverse: &[f32]) -> bool {
        self.columns.reckon(ahead as f32);
        self.best(inverse, ahead as f32).is_some()
    }

    /// The calendar to poll, by the indices of the last pass.
    fn best(&self, inverse: &[f32], ahead: f32) -> Option<usize> {
        let spare = self.overall.tokens >= SPARE * self.overall.burst;
        let free_after = if spare { self.alone as f32 } else { f32::INFINITY };
        self.columns.best(inverse, FLOOR as f32, free_after, ahead)
    }

    /// Whether the same poll is worth more per second just behind the coming mark; returns the seconds until then.
    fn better_at_mark(&self, calendar: usize, threshold: f64) -> Option<f64> {
        let profile = self.shape.profile();
        if profile[0] < 1.5 {
            return None;
        }
        let plot = &self.plots[calendar];
        let wait = next_mark(self.time) - self.time;
        let since = plot.last.map(|last| self.time - last)?;
        let value = f64::from(self.columns.value[calendar]);
        let expected_unseen = f64::from(self.columns.expected_unseen[calendar]);
        let mu = plot.estimate.death;
        let base = f64::from(self.columns.arrival[calendar]) / profile[kernel::part(self.time)].max(1e-6);
        let then = expected_unseen * (-mu * wait).exp()
            + base * kernel::alive(profile, mu, self.time, self.time + wait);
        let gain = |expected_unseen: f64, since: f64| (value * expected_unseen - threshold) / since.max(1.0);
        (gain(then, since + wait) > gain(expected_unseen, since)).then_some(wait)
    }
}

/// The instant just behind the next five-minute mark.
fn next_mark(now: f64) -> f64 {
    // A millisecond of slack: the instant itself counts as passed, however it was summed up.
    ((now + 1e-3 - BEHIND_THE_MARK) / kernel::CYCLE).floor() * kernel::CYCLE + kernel::CYCLE + BEHIND_THE_MARK
}
