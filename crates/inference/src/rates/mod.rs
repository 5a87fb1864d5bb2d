//! Learned rates: how often useful dates appear in a calendar, and how long they live.
//!
//! A poll shows only the dates that exist at that moment, so arrival rate and life are learned
//! together. For each of several lives, the likelihood of the observations is kept with the arrival
//! rate that fits best. The observations are Poisson counts of new dates and interval-censored
//! deaths of known ones.
//!
//! Hour, weekday, position in the five-minute cycle and clumping are additional factors, shrunk to
//! what all calendars share. Old evidence fades; a change of regime is detected and the older
//! evidence is discarded faster.

pub mod kernel;
mod shape;
mod spells;

use serde::{Deserialize, Serialize};

use kernel::{alive, alive_by_part};
use shape::Tally;

pub use shape::Shape;
pub use spells::{SharedSpells, Spells};

/// A time as the rates need it: seconds since the epoch, local hour (0–23) and weekday (0 =
/// Monday).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalTime {
    /// Seconds since the epoch.
    pub seconds: f64,
    /// Hour at the facility.
    pub hour: usize,
    /// Day of the week at the facility.
    pub weekday: usize,
}

impl LocalTime {
    /// Converts a time to a facility's time zone.
    #[must_use]
    pub fn in_zone(seconds: f64, zone: chrono_tz::Tz) -> Self {
        use chrono::{DateTime, Datelike, Timelike};
        let local =
            DateTime::from_timestamp(seconds as i64, 0).unwrap_or(DateTime::UNIX_EPOCH).with_timezone(&zone);
        Self {
            seconds,
            hour: local.hour() as usize,
            weekday: local.weekday().num_days_from_monday() as usize,
        }
    }
}

/// Observation of a poll, compared with the previous poll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObservedPoll {
    /// Time of the previous poll, in seconds since the epoch.
    pub since: f64,
    /// Time of this poll.
    pub at: LocalTime,
    /// Number of useful dates that the previous list did not contain.
    pub appeared: u32,
    /// Number of useful dates of the previous list, without those that tasks booked.
    pub at_risk: u32,
    /// Number of those dates that vanished.
    pub vanished: u32,
}

/// Number of distinguished lives, in seconds from ten seconds to two and a half hours.
const LIVES: usize = 16;
const SHORTEST: f64 = 10.0;
const STEP: f64 = 1.575;
/// Prior for the life in seconds before any observation. Users report a median of two minutes.
const BELIEVED_LIFE: f64 = 150.0;
const BELIEVED_SPREAD: f64 = 1.1;
/// Weight of the mean rate of all calendars, in arrivals.
const RATE_PRIOR: f64 = 1.0;
/// Half-life of evidence in seconds.
const HALF_LIFE: f64 = 14.0 * 86_400.0;
/// Half-life in seconds of the short memory that detects a change of regime.
const SHORT_HALF_LIFE: f64 = 0.5 * 86_400.0;
/// Weight of the shared factor of an hour or weekday, in expected arrivals.
const FACTOR_PRIOR: f64 = 15.0;

fn life(index: usize) -> f64 {
    SHORTEST * STEP.powi(i32::try_from(index).unwrap_or(0))
}

/// Learned state of one calendar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Faded count of new dates.
    arrivals: f64,
    /// Expected new dates at one arrival per second, by life.
    exposure: [f64; LIVES],
    /// The same, without clumping of arrivals.
    plain: [f64; LIVES],
    /// Log-likelihood of the polls without the arrival rate, by life.
    score: [f64; LIVES],
    hours: Tally,
    weekdays: Tally,
    #[serde(flatten)]
    spells: Spells,
    faded_at: f64,
    /// Observed and expected arrivals in the short memory.
    recent: (f64, f64),
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            arrivals: 0.0,
            exposure: [0.0; LIVES],
            plain: [0.0; LIVES],
            score: [0.0; LIVES],
            hours: Tally::new(24),
            weekdays: Tally::new(7),
            spells: Spells::default(),
            faded_at: 0.0,
            recent: (0.0, 0.0),
        }
    }
}

/// Current rates, per second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Mean number of useful dates that appear.
    pub arrival: f64,
    /// Death rate of a date; its inverse is the mean life.
    pub death: f64,
}

/// Prior for a calendar that was never polled: the mean of the others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// Arrivals per second.
    pub arrival: f64,
    /// Mean life in seconds.
    pub life: f64,
}

impl Default for Belief {
    /// Returns the assumption before any observation: one useful date per hour, with a life of
    /// `BELIEVED_LIFE`. The rate was never measured; exploration corrects it.
    fn default() -> Self {
        Self { arrival: 1.0 / 3600.0, life: BELIEVED_LIFE }
    }
}

impl Rates {
    /// Returns the arrival rate and the death rate that fit the observations, shrunk to the mean of
    /// all calendars, `belief`.
    #[must_use]
    pub fn estimate(&self, shape: &Shape, belief: &Belief) -> Estimate {
        let clumped = shape.clumped();
        self.fit(belief, |index| self.exposure[index] * clumped + self.plain[index] * (1.0 - clumped))
    }

    fn fit(&self, belief: &Belief, exposure: impl Fn(usize) -> f64) -> Estimate {
        let prior = RATE_PRIOR / belief.arrival;
        let log_posterior: [f64; LIVES] = std::array::from_fn(|index| {
            let off = (life(index) / belief.life).ln() / BELIEVED_SPREAD;
            // Before the first arrival nothing is learned of lives: rare dates and short-lived ones
            // look the same.
            let rate = self.arrivals * (exposure(index) + prior).ln();
            self.score[index] - 0.5 * off * off - rate
        });
        let best = log_posterior.iter().copied().fold(f64::MIN, f64::max);
        let (mut weight, mut ln_life, mut arrival) = (0.0, 0.0, 0.0);
        for (index, log) in log_posterior.iter().enumerate() {
            let share = (log - best).exp();
            weight += share;
            ln_life += share * life(index).ln();
            arrival += share * ((self.arrivals + RATE_PRIOR) / (exposure(index) + prior)).ln();
        }
        Estimate { arrival: (arrival / weight).exp(), death: (-ln_life / weight).exp() }
    }

    /// Returns the amount of evidence, in observed arrivals (faded).
    #[must_use]
    pub const fn evidence(&self) -> f64 {
        self.arrivals
    }

    /// Returns the intensity at a time relative to the mean, by hour, weekday and clumping. The
    /// position in the five-minute cycle is not included.
    ///
    /// Information about a busy spell also has value. If it is uncertain whether a spell is active,
    /// the intensity is therefore set above its mean.
    #[must_use]
    pub fn factor(&self, shape: &Shape, shared: SharedSpells<'_>, at: &LocalTime) -> f64 {
        let sure = 2.0 * shape.clumped() - 1.0;
        let curiosity = CURIOSITY * sure.max(0.0).powi(2);
        let clumped = spells::factor(&self.spells, shared, &shape.beliefs(), at.seconds, curiosity);
        self.clock_factor(shape, at) * clumped
    }

    fn clock_factor(&self, shape: &Shape, at: &LocalTime) -> f64 {
        let hour = self.hours.factor(at.hour, shape.hour(at.hour), FACTOR_PRIOR);
        let weekday = self.weekdays.factor(at.weekday, shape.weekday(at.weekday), FACTOR_PRIOR);
        hour * weekday
    }

    /// Learns from a poll. Updates the shared shape with what is common, and the spells of the city
    /// and of all calendars.
    pub fn learn(
        &mut self,
        seen: &ObservedPoll,
        shape: &mut Shape,
        belief: &Belief,
        city: &mut Spells,
        everywhere: &mut Spells,
    ) {
        self.fade(seen.at.seconds, shape);
        let Estimate { arrival, death } = self.estimate(shape, belief);
        let plain = self.fit(belief, |index| self.plain[index]);
        let clumped = self.fit(belief, |index| self.exposure[index]);
        let clock = self.clock_factor(shape, &seen.at);
        let shared = SharedSpells { city, everywhere };
        let clump = spells::factor(&self.spells, shared, &shape.beliefs(), seen.at.seconds, 0.0);
        let (from, to) = (seen.since, seen.at.seconds);
        let got = f64::from(seen.appeared);

        let parts = alive_by_part(&shape.profile, death, from, to);
        let unscaled: f64 = parts.iter().sum();
        let expected = arrival * unscaled;
        self.learn_factors(seen, shape, &parts, expected * clump);
        let alone = |e: Estimate| e.arrival * alive(&shape.profile, e.death, from, to) * clock;
        let (plain, clumped) = (alone(plain), alone(clumped));
        let mean = |way: usize| if way == 0 { plain } else { clumped };
        let foresaw = |spells: &mut Spells| spells.learn(got, mean, seen.at.seconds);
        let own = foresaw(&mut self.spells);
        shape.learn_clumps(own, [foresaw(city), foresaw(everywhere)]);
        learn_marks(shape, got, &parts, arrival * clock * clump);

        for index in 0..LIVES {
            let mu = 1.0 / life(index);
            let once = clock * alive(&shape.profile, mu, from, to);
            let exposed = clump * once;
            self.exposure[index] += exposed;
            self.plain[index] += once;
            if got > 0.0 {
                self.score[index] += got * exposed.max(1e-12).ln();
            }
            if seen.at_risk > 0 {
                let gap = mu * (to - from);
                let died = f64::from(seen.vanished);
                let stayed = f64::from(seen.at_risk - seen.vanished.min(seen.at_risk));
                self.score[index] += died * (-(-gap).exp_m1()).max(1e-12).ln() - stayed * gap;
            }
        }
        self.arrivals += got;
        self.notice_change(got, expected * clock * clump, shape.clumped());
    }

    /// Updates the factors of hour, weekday and position in the five-minute cycle: observed
    /// arrivals against those expected without the factor itself.
    fn learn_factors(&mut self, seen: &ObservedPoll, shape: &mut Shape, parts: &[f64], expected: f64) {
        let got = f64::from(seen.appeared);
        let at = &seen.at;
        let (hour, weekday) = (
            self.hours.factor(at.hour, shape.hour(at.hour), FACTOR_PRIOR),
            self.weekdays.factor(at.weekday, shape.weekday(at.weekday), FACTOR_PRIOR),
        );
        self.hours.add(at.hour, got, expected * weekday);
        self.weekdays.add(at.weekday, got, expected * hour);
        shape.hours.add(at.hour, got, expected * weekday);
        shape.weekdays.add(at.weekday, got, expected * hour);
        let sum: f64 = parts.iter().sum();
        for (part, mass) in parts.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
            let share = mass / sum;
            let unweighted = expected * hour * weekday * share / shape.profile[part];
            shape.five.add(part, got * share, unweighted);
        }
    }

    fn fade(&mut self, now: f64, shape: &mut Shape) {
        if self.faded_at > 0.0 {
            let passed = (now - self.faded_at).max(0.0);
            let by = (-passed / HALF_LIFE).exp2();
            self.scale(by);
            let short = (-passed / SHORT_HALF_LIFE).exp2();
            self.recent = (self.recent.0 * short, self.recent.1 * short);
        }
        self.faded_at = now;
        if now - shape.faded_at > 3600.0 {
            let by = (-(now - shape.faded_at) / HALF_LIFE).exp2();
            if shape.faded_at > 0.0 {
                shape.hours.fade(by);
                shape.weekdays.fade(by);
                shape.five.fade(by);
                shape.fade_beliefs(by);
            }
            shape.faded_at = now;
            shape.renew();
        }
    }

    fn scale(&mut self, share: f64) {
        self.arrivals *= share;
        self.exposure
            .iter_mut()
            .chain(&mut self.plain)
            .chain(&mut self.score)
            .for_each(|value| *value *= share);
        self.hours.fade(share);
        self.weekdays.fade(share);
    }

    /// Replaces a rate that no longer fits recent observations by the recent one.
    fn notice_change(&mut self, got: f64, expected: f64, clumped: f64) {
        self.recent.0 += got;
        self.recent.1 += expected;
        let (got, expected) = self.recent;
        if expected + got < 3.0 {
            return;
        }
        let surprise = got * (got.max(0.5) / expected.max(0.5)).ln() - (got - expected);
        // With clumping, a streak is weaker evidence.
        if surprise > CHANGE * (1.0 + CLUMPED * clumped) && self.arrivals > 2.0 * got {
            let value = (expected / self.arrivals).min(0.5);
            self.scale(value);
            self.arrivals = got;
            self.recent = (0.0, 0.0);
        }
    }
}

/// Updates the log-likelihood of each share of arrivals at the mark. `parts` are the expected
/// existing dates by part of the five-minute cycle under the current profile, at one arrival per
/// second.
fn learn_marks(shape: &mut Shape, got: f64, parts: &[f64; kernel::PARTS], rate: f64) {
    let now = shape.share;
    let spike = kernel::CYCLE / kernel::EDGES[1];
    let even = 1.0 - now;
    let mark_mass = parts[0] / (even + now * spike);
    let rest: f64 = parts[1..].iter().sum::<f64>() / even;
    for (index, score) in shape.marks.iter_mut().enumerate() {
        let share = shape::mark(index);
        let expected = rate * (mark_mass * ((1.0 - share) + share * spike) + rest * (1.0 - share));
        *score += got * expected.max(1e-12).ln() - expected;
    }
}

/// Weight of the uncertainty about a busy spell in a poll's value, if spells certainly occur.
/// Values from 0.5 to 8 were tried on the bursts of the proving ground; the optimum is flat.
const CURIOSITY: f64 = 2.0;
/// Log-likelihood ratio from which a change of regime is assumed.
const CHANGE: f64 = 10.0;
/// Additional factor on [`CHANGE`] with clumping.
const CLUMPED: f64 = 4.0;
