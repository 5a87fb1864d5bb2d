//! Planner: selects the most valuable next poll and gives the reason.
//!
//! The planner is a state machine without I/O. Its inputs are the time, the results of polls and
//! the accounts' budgets. It returns the calendar whose poll is worth most per request.
//!
//! Per calendar it keeps the expected *stock*: useful dates that exist now and have not been seen,
//! from learned rates ([`crate::rates`]). The index of a poll is `value · (V − τ·dV/dt)`. For
//! constant rates that is the `(wα/μ)[1 − (1 + μτ)e^{−μτ}]` of Olston & Pandey (2008). A poll is
//! made once its index reaches the *price* of a poll. The price is the multiplier of the budget
//! ([`optimum`]), adjusted by how full the budgets are.

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

use crate::rates::{Belief, Estimate, LocalTime, ObservedPoll, Rates, Shape, Spells, kernel};
use index::Columns;

pub use allowance::Allowance;
pub use choice::{Choice, ChoiceReason};
pub use pace::Pace;

/// Delay of polls after a five-minute mark, in seconds.
pub const BEHIND_THE_MARK: f64 = kernel::EDGES[1];
/// Minimum marginal value of a poll, even if the token bucket is full. A poll of less value does
/// not justify the load on the portal.
///
/// The floor prevents many accounts from polling for the little that each adds. It does not slow a
/// calendar below the rate that one account can afford.
const FLOOR: f64 = 0.003;
/// Fill level of the overall token bucket below which the floor applies to every calendar.
const SPARE: f64 = 0.5;
/// Time in seconds after which a poll without an answer is abandoned.
const UNANSWERED: f64 = 60.0;
/// Interval in seconds at which the price is recomputed.
const REPRICE: f64 = 300.0;

/// State of a calendar in the planner.
#[derive(Clone, Debug)]
struct Plot {
    pool: usize,
    /// Value of a useful date in captured appointments; zero if no task waits.
    value: f64,
    rates: Rates,
    estimate: Estimate,
    last: Option<f64>,
    /// Time of the last answer, with or without a conclusive list.
    answered: Option<f64>,
    /// Maximum age of the last answer, in seconds.
    bound: f64,
    city: usize,
    /// Polls per second that its poll sources can afford.
    most: f64,
}

/// A city, whose calendars may have their busy spells together.
#[derive(Clone, Debug)]
struct City {
    zone: Tz,
    spells: Spells,
}

/// State of the planner.
#[derive(Clone, Debug)]
pub struct Planner {
    plots: Vec<Plot>,
    cities: Vec<City>,
    /// Busy spells of all calendars together.
    everywhere: Spells,
    columns: Columns,
    shape: Shape,
    belief: Belief,
    overall: Allowance,
    pools: Vec<Allowance>,
    /// Lead before its bound at which a calendar of each pool is compelled, in seconds.
    leads: Vec<f64>,
    thresholds: Vec<f64>,
    overall_threshold: f64,
    /// Time of the columns, in seconds since the epoch.
    time: f64,
    priced_at: f64,
    /// `true` if the true rates are given (benchmarks); then nothing is learned.
    given: bool,
    /// Seconds between polls that one account can sustain.
    alone: f64,
}

impl Planner {
    /// Creates a planner without calendars. `overall` limits the polls of the host.
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

    /// Adds a pool of accounts that poll the same calendars. Returns its handle.
    pub fn add_pool(&mut self, allowance: Allowance) -> usize {
        self.pools.push(allowance);
        self.leads.push(f64::INFINITY);
        self.thresholds.push(0.0);
        self.pools.len() - 1
    }

    /// Adds a city. Returns its handle.
    pub fn add_city(&mut self, zone: Tz) -> usize {
        self.cities.push(City { zone, spells: Spells::default() });
        self.cities.len() - 1
    }

    /// Adds a calendar. Returns its handle. `last` is the time of its last poll, in seconds since
    /// the epoch.
    pub fn add_calendar(&mut self, pool: usize, city: usize, rates: Rates, last: Option<f64>) -> usize {
        let estimate = rates.estimate(&self.shape, &self.belief);
        let (answered, bound, most) = (last, f64::INFINITY, f64::INFINITY);
        self.plots.push(Plot { pool, value: 0.0, rates, estimate, last, answered, bound, city, most });
        self.columns.push(pool);
        let handle = self.plots.len() - 1;
        self.refresh(handle);
        handle
    }

    /// Sets the current value of a useful date of a calendar. Zero removes the calendar from the
    /// plan.
    pub fn set_value(&mut self, calendar: usize, value: f64) {
        self.plots[calendar].value = value;
        self.columns.value[calendar] = value as f32;
        self.columns.compelled_in[calendar] = self.compelled_in(calendar) as f32;
    }

    /// Sets the maximum age of the last answer of a calendar, in seconds.
    pub fn set_bound(&mut self, calendar: usize, seconds: f64) {
        self.plots[calendar].bound = seconds;
        self.columns.compelled_in[calendar] = self.compelled_in(calendar) as f32;
    }

    /// Sets the seconds between polls that one account can sustain.
    pub const fn set_alone(&mut self, seconds: f64) {
        self.alone = seconds;
    }

    /// Returns the maximum age of the last answer of a calendar, in seconds.
    #[must_use]
    pub fn bound(&self, calendar: usize) -> f64 {
        self.plots[calendar].bound
    }

    /// Returns the value of a useful date of a calendar.
    #[must_use]
    pub fn value(&self, calendar: usize) -> f64 {
        self.plots[calendar].value
    }

    /// Returns the seconds until a poll of a calendar is likely worth its request, at most `most`.
    /// Assumes that the state does not change.
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

    /// Sets the polls per second that the accounts of a calendar can afford.
    pub fn set_most(&mut self, calendar: usize, most: f64) {
        self.plots[calendar].most = most;
    }

    /// Sets the rate and burst of a pool when the number of its accounts changes.
    pub fn set_pool(&mut self, pool: usize, rate: f64, burst: f64) {
        let allowance = &mut self.pools[pool];
        let grown = (burst - allowance.burst).max(0.0);
        *allowance = Allowance { rate, burst, tokens: (allowance.tokens + grown).min(burst) };
    }

    /// Sets the true rates of a calendar with their factor, and stops learning (benchmarks).
    pub fn set_estimate(&mut self, calendar: usize, estimate: Estimate) {
        self.given = true;
        self.plots[calendar].estimate = estimate;
        self.refresh(calendar);
    }

    /// Returns the rates of a calendar, to be stored.
    #[must_use]
    pub fn rates(&self, calendar: usize) -> (&Rates, Estimate) {
        (&self.plots[calendar].rates, self.plots[calendar].estimate)
    }

    /// Returns the shape shared by all calendars, to be stored.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Selects the calendar whose poll is worth its request now, if any.
    ///
    /// `able` checks if an account can poll a calendar. If none can, it returns the seconds until
    /// one may.
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

    /// Records that a poll of a calendar was sent. Spends its request and holds the calendar until
    /// the answer.
    pub fn spend(&mut self, calendar: usize) {
        self.overall.tokens -= 1.0;
        self.pools[self.plots[calendar].pool].draw();
        self.columns.hold(calendar, UNANSWERED);
    }

    /// Records an answered poll. `seen` compares it with the previous poll, if there was one:
    /// useful dates that appeared, earlier dates at risk, and how many of those vanished. Dates
    /// that a task booked are not at risk.
    pub fn answered(&mut self, calendar: usize, now: f64, seen: Option<(u32, u32, u32)>) {
        self.bring_to(now);
        let mut news = false;
        let plot = &mut self.plots[calendar];
        if let (Some(since), Some((appeared, at_risk, vanished)), false) = (plot.last, seen, self.given) {
            let city = &mut self.cities[plot.city];
            let at = LocalTime::in_zone(now, city.zone);
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
            // A spell in this calendar may also be active in other calendars, and may have begun
            // earlier.
            for other in (0..self.plots.len()).filter(|other| *other != calendar) {
                self.refresh(other);
                self.refill_unseen(other);
            }
        }
        self.refresh(calendar);
    }

    /// Sets the last poll to `last`, for the tasks that the next poll is for. Needed if a poll
    /// answers only some of them.
    pub fn last_seen(&mut self, calendar: usize, last: f64) {
        let last = last.min(self.time);
        let plot = &mut self.plots[calendar];
        (plot.last, plot.answered) = (Some(last), Some(last));
        self.columns.since[calendar] = (self.time - last) as f32;
        self.columns.compelled_in[calendar] = self.compelled_in(calendar) as f32;
        self.refill_unseen(calendar);
    }

    /// Records a poll answered with an inconclusive list. Nothing is learned, the calendar may be
    /// polled again after `rest` seconds, and its bound begins again.
    pub fn unproven(&mut self, calendar: usize, now: f64, rest: f64) {
        self.failed(calendar, now, rest);
        self.plots[calendar].answered = Some(now);
        self.columns.compelled_in[calendar] = self.compelled_in(calendar) as f32;
    }

    /// Records a failed poll. The calendar may be polled again after `rest` seconds.
    pub fn failed(&mut self, calendar: usize, now: f64, rest: f64) {
        self.bring_to(now);
        self.columns.hold(calendar, rest);
    }

    /// Returns the seconds until a poll may be worth its request. The estimate is early rather than
    /// late and never passes a five-minute mark.
    pub fn seconds_to_poll(&mut self, now: f64) -> f64 {
        self.bring_to(now);
        let empty = ((1.0 - self.overall.tokens) / self.overall.rate.max(1e-9)).max(0.0);
        // The intensity changes at the mark; between the marks it hardly changes.
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

    /// Returns the calendar to poll by the indices of the last pass.
    fn best(&self, inverse: &[f32], ahead: f32) -> Option<usize> {
        let spare = self.overall.tokens >= SPARE * self.overall.burst;
        let free_after = if spare { self.alone as f32 } else { f32::INFINITY };
        self.columns.best(inverse, FLOOR as f32, free_after, ahead)
    }

    /// Returns the seconds until just after the next mark if the same poll is worth more per second
    /// there.
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

/// Returns the time just after the next five-minute mark.
fn next_mark(now: f64) -> f64 {
    // With a millisecond of slack: a time at the mark counts as passed despite rounding.
    ((now + 1e-3 - BEHIND_THE_MARK) / kernel::CYCLE).floor() * kernel::CYCLE + kernel::CYCLE + BEHIND_THE_MARK
}
