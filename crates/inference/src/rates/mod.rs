//! Learned rates: how often useful days show in a calendar, and how long they live.
//!
//! Looks see only what is alive at that moment, so arrival rate and life are learned together: for each of a row of
//! lives the likelihood of what was seen is kept (Poisson counts of new days, interval-censored deaths of known
//! ones), with the arrival rate that fits it best. Hour, weekday, minute of five and clumping are factors on top,
//! shrunk to what all calendars share. Old evidence fades; a regime that changed is noticed and forgotten faster.

pub mod kernel;
mod shape;
mod spells;

use serde::{Deserialize, Serialize};

use kernel::{alive, alive_by_part};
use shape::Tally;

pub use shape::Shape;
pub use spells::{Around, Spells};

/// An instant as the rates need it: seconds since the epoch, local hour (0–23) and weekday (0 = Monday).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    /// Seconds since the epoch.
    pub seconds: f64,
    /// Hour at the facility.
    pub hour: usize,
    /// Day of the week at the facility.
    pub weekday: usize,
}

impl At {
    /// An instant in a facility's zone.
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

/// What a poll showed, against the poll before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObservedPoll {
    /// The poll before, seconds since the epoch.
    pub since: f64,
    /// This poll.
    pub at: At,
    /// Useful days that were not there before.
    pub appeared: u32,
    /// Useful days of the list before that nobody of ours took.
    pub at_risk: u32,
    /// Those of them that are gone.
    pub vanished: u32,
}

/// Lives that are told apart, seconds: from ten seconds to two hours and a half.
const LIVES: usize = 16;
const SHORTEST: f64 = 10.0;
const STEP: f64 = 1.575;
/// Where most lives are believed to be before anything was seen (people report a median of two minutes).
const BELIEVED_LIFE: f64 = 150.0;
const BELIEVED_SPREAD: f64 = 1.1;
/// Arrivals of belief in the mean rate of all calendars.
const RATE_PRIOR: f64 = 1.0;
/// Evidence halves in this long.
const HALF_LIFE: f64 = 14.0 * 86_400.0;
/// The short memory by which a change of regime is noticed.
const SHORT_HALF_LIFE: f64 = 0.5 * 86_400.0;
/// Expected arrivals of belief in the shared factor of an hour or weekday.
const FACTOR_PRIOR: f64 = 15.0;

fn life(index: usize) -> f64 {
    SHORTEST * STEP.powi(i32::try_from(index).unwrap_or(0))
}

/// What is known of one calendar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Faded count of new days.
    arrivals: f64,
    /// Per life: expected new days at one arrival a second.
    exposure: [f64; LIVES],
    /// The same, as if arrivals did not clump.
    plain: [f64; LIVES],
    /// Per life: log-likelihood of the polls, without the arrival rate.
    score: [f64; LIVES],
    hours: Tally,
    weekdays: Tally,
    #[serde(flatten)]
    spells: Spells,
    faded_at: f64,
    /// Got and expected in the short memory.
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

/// The rates in force, per second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Useful days that show, in the mean.
    pub arrival: f64,
    /// The death rate of a day; its inverse is the mean life.
    pub death: f64,
}

/// What is believed of a calendar nobody has looked at: the mean of the others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// Arrivals a second.
    pub arrival: f64,
    /// Mean life, seconds.
    pub life: f64,
}

impl Default for Belief {
    /// One useful day in an hour (BENCHMARKS has no figure; exploration corrects it), living two and a half minutes.
    fn default() -> Self {
        Self { arrival: 1.0 / 3600.0, life: BELIEVED_LIFE }
    }
}

impl Rates {
    /// The arrival rate and the death rate that fit what was seen, shrunk to the mean of all.
    #[must_use]
    pub fn estimate(&self, shape: &Shape, belief: &Belief) -> Estimate {
        let clumped = shape.clumped();
        self.fit(belief, |index| self.exposure[index] * clumped + self.plain[index] * (1.0 - clumped))
    }

    fn fit(&self, belief: &Belief, exposure: impl Fn(usize) -> f64) -> Estimate {
        let prior = RATE_PRIOR / belief.arrival;
        let log_posterior: [f64; LIVES] = std::array::from_fn(|index| {
            let off = (life(index) / belief.life).ln() / BELIEVED_SPREAD;
            // As long as nothing came, nothing is learned of lives: rare days and short ones look the same.
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

    /// How much evidence there is, in arrivals seen (faded).
    #[must_use]
    pub const fn evidence(&self) -> f64 {
        self.arrivals
    }

    /// Intensity at an instant against the mean, minute of five left out: hour, weekday, clumping. What a poll would
    /// tell of a busy spell is worth something too: where it is in doubt whether one is on, the intensity is held to be
    /// higher than it is in the mean.
    #[must_use]
    pub fn factor(&self, shape: &Shape, around: Around<'_>, at: &At) -> f64 {
        let sure = 2.0 * shape.clumped() - 1.0;
        let curiosity = CURIOSITY * sure.max(0.0).powi(2);
        let clumped = spells::factor(&self.spells, around, &shape.beliefs(), at.seconds, curiosity);
        self.clock_factor(shape, at) * clumped
    }

    fn clock_factor(&self, shape: &Shape, at: &At) -> f64 {
        let hour = self.hours.factor(at.hour, shape.hour(at.hour), FACTOR_PRIOR);
        let weekday = self.weekdays.factor(at.weekday, shape.weekday(at.weekday), FACTOR_PRIOR);
        hour * weekday
    }

    /// Learns from a poll; what is common goes into the shared shape, and what it tells of spells into its city's and
    /// everybody's.
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
        let around = Around { city, everywhere };
        let clump = spells::factor(&self.spells, around, &shape.beliefs(), seen.at.seconds, 0.0);
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

    /// Hour, weekday and minute of five: what came against what had been expected without that very factor.
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
            self.keep(by);
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

    fn keep(&mut self, share: f64) {
        self.arrivals *= share;
        self.exposure
            .iter_mut()
            .chain(&mut self.plain)
            .chain(&mut self.score)
            .for_each(|value| *value *= share);
        self.hours.fade(share);
        self.weekdays.fade(share);
    }

    /// A rate that no longer fits what lately came gives way to the recent one.
    fn notice_change(&mut self, got: f64, expected: f64, clumped: f64) {
        self.recent.0 += got;
        self.recent.1 += expected;
        let (got, expected) = self.recent;
        if expected + got < 3.0 {
            return;
        }
        let surprise = got * (got.max(0.5) / expected.max(0.5)).ln() - (got - expected);
        // Where arrivals clump, streaks prove less.
        if surprise > CHANGE * (1.0 + CLUMPED * clumped) && self.arrivals > 2.0 * got {
            let value = (expected / self.arrivals).min(0.5);
            self.keep(value);
            self.arrivals = got;
            self.recent = (0.0, 0.0);
        }
    }
}

/// How well each share of arrivals at the mark foresaw a poll; `parts` are what is expected alive by part of the five
/// minutes under the present profile, at one arrival a second.
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

/// How much the doubt whether a busy spell is on adds to a poll's worth, where spells are sure to happen: found by trying
/// 0.5 to 8 on the bursts of the proving ground, flat around its best.
const CURIOSITY: f64 = 2.0;
/// Log-likelihood ratio from which a change of regime is believed.
const CHANGE: f64 = 10.0;
/// How many times more it takes where arrivals clump.
const CLUMPED: f64 = 4.0;
