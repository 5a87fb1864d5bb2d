//! Shape shared by all calendars: times of new dates in the five-minute cycle, the day and the
//! week, and their clumping.

use serde::{Deserialize, Serialize};

use super::kernel::{CYCLE, EDGES, PARTS};

/// Observed and expected arrivals by class. Their ratio, shrunk towards a mean, is the factor of a
/// class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tally {
    got: Vec<f32>,
    expected: Vec<f32>,
}

impl Tally {
    pub(super) fn new(classes: usize) -> Self {
        Self { got: vec![0.0; classes], expected: vec![0.0; classes] }
    }

    pub(super) fn add(&mut self, class: usize, got: f64, expected: f64) {
        self.got[class] += got as f32;
        self.expected[class] += expected as f32;
    }

    pub(super) fn fade(&mut self, by: f64) {
        for value in self.got.iter_mut().chain(&mut self.expected) {
            *value *= by as f32;
        }
    }

    /// Returns the factor of one class: observed to expected arrivals, relative to all classes
    /// together.
    ///
    /// The factor is shrunk towards `mean` with the weight of `prior` expected arrivals. The level
    /// is part of the rate; only the pattern is stored here.
    pub(super) fn factor(&self, class: usize, mean: f64, prior: f64) -> f64 {
        let sum = |values: &[f32]| f64::from(values.iter().sum::<f32>());
        let level = (sum(&self.got) + prior) / (sum(&self.expected) + prior);
        let (got, expected) = (f64::from(self.got[class]), level * f64::from(self.expected[class]));
        ((got + prior * mean) / (expected + prior)).clamp(0.02, 20.0)
    }
}

/// Clumping of arrivals: a calm and a busy state between which a calendar alternates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clump {
    /// Intensity in the busy state relative to the mean.
    pub busy: f64,
    /// Share of time in the busy state.
    pub share: f64,
    /// Mean length of the busy state, in seconds.
    pub length: f64,
}

impl Clump {
    pub(super) fn calm(self) -> f64 {
        (1.0 - self.share * self.busy) / (1.0 - self.share)
    }
}

/// Distinguished ways of clumping: none, mild, long, strong, and rare releases.
pub(super) const CLUMPS: [Clump; 5] = [
    Clump { busy: 1.0, share: 0.5, length: 3600.0 },
    Clump { busy: 4.0, share: 0.15, length: 2400.0 },
    Clump { busy: 5.0, share: 0.12, length: 7200.0 },
    Clump { busy: 10.0, share: 0.06, length: 1200.0 },
    Clump { busy: 30.0, share: 0.02, length: 900.0 },
];

/// Scopes of busy spells: a single calendar, a city, all calendars.
pub(super) const SCOPES: usize = 1 + TOGETHER;
const TOGETHER: usize = 2;
/// Prior log-odds against each way of common spells. Unknown rates look like spells of all
/// calendars.
const APART: f64 = -8.0;

/// Factors common to all calendars.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    pub(super) five: Tally,
    pub(super) hours: Tally,
    pub(super) weekdays: Tally,
    /// Log-likelihood of each way of clumping if every calendar has its own spells.
    pub(super) clumps: [f64; CLUMPS.len()],
    /// The same if the calendars of a city, or all calendars, have common spells. The first way,
    /// without spells, is not used.
    #[serde(default)]
    pub(super) together: [[f64; CLUMPS.len()]; TOGETHER],
    /// Log-likelihood of each share of arrivals that come exactly at the mark.
    pub(super) marks: [f64; MARKS],
    /// Current factors, renewed regularly.
    #[serde(skip, default = "flat")]
    pub(super) profile: [f64; PARTS],
    /// Share of arrivals at the mark from which the current profile was computed.
    #[serde(skip)]
    pub(super) share: f64,
    pub(super) faded_at: f64,
}

fn flat() -> [f64; PARTS] {
    [1.0; PARTS]
}

/// Number of distinguished shares of arrivals at the mark: 0, 0.1, … 0.9.
pub(super) const MARKS: usize = 10;

/// Weight, in arrivals, of the prior assumption that an hour or weekday has no effect (factor 1).
const PRIOR: f64 = 12.0;
/// The same weight between the marks, where little was reported and polls choose their own times.
const FIVE_PRIOR: f64 = 500.0;

impl Default for Shape {
    fn default() -> Self {
        Self {
            five: Tally::new(PARTS),
            hours: Tally::new(24),
            weekdays: Tally::new(7),
            clumps: [1.0, 0.0, 0.0, 0.0, 0.0],
            together: Default::default(),
            // Prior against arrivals at the mark, so that polls at all phases come first. Polls
            // only at marks cannot show what arrives between them.
            marks: std::array::from_fn(|index| -4.0 * index as f64),
            profile: flat(),
            share: 0.0,
            faded_at: 0.0,
        }
    }
}

impl Shape {
    /// Creates a shape with a known profile (benchmarks).
    #[must_use]
    pub fn given(profile: [f64; PARTS]) -> Self {
        Self { profile, ..Self::default() }
    }

    /// Returns the intensity in each part of the five-minute cycle relative to the mean.
    #[must_use]
    pub const fn profile(&self) -> &[f64; PARTS] {
        &self.profile
    }

    /// Recomputes the factors of the five-minute cycle. Their mean over the cycle is one.
    pub fn renew(&mut self) {
        let share = self.mark_share();
        let mut profile: [f64; PARTS] = std::array::from_fn(|part| self.five.factor(part, 1.0, FIVE_PRIOR));
        profile[0] = 0.0;
        let width = |part: usize| EDGES[part + 1] - EDGES[part];
        let mean: f64 = (1..PARTS).map(|part| profile[part] * width(part)).sum::<f64>() / (CYCLE - width(0));
        profile.iter_mut().for_each(|factor| *factor *= (1.0 - share) / mean);
        profile[0] = (1.0 - share) + share * CYCLE / width(0);
        self.profile = profile;
        self.share = share;
    }

    /// Returns the estimated share of arrivals that come at the mark.
    #[must_use]
    pub fn mark_share(&self) -> f64 {
        let weights = normalised(&self.marks);
        weights.iter().enumerate().map(|(index, weight)| weight * mark(index)).sum()
    }

    /// Returns the weight of each way of clumping by scope; all weights sum to one. The first way,
    /// without clumping, is counted once, in the scope of single calendars.
    #[must_use]
    pub fn beliefs(&self) -> [[f64; CLUMPS.len()]; SCOPES] {
        let mut scores = [[f64::NEG_INFINITY; CLUMPS.len()]; SCOPES];
        scores[0] = self.clumps;
        for (to, from) in scores[1..].iter_mut().zip(&self.together) {
            to.iter_mut().zip(from).skip(1).for_each(|(to, score)| *to = score + APART);
        }
        let best = scores.iter().flatten().copied().fold(f64::MIN, f64::max);
        let raw = scores.map(|scope| scope.map(|score| (score - best).exp()));
        let sum: f64 = raw.iter().flatten().sum();
        raw.map(|scope| scope.map(|weight| weight / sum))
    }

    /// Returns the probability that arrivals clump.
    #[must_use]
    pub fn clumped(&self) -> f64 {
        1.0 - self.beliefs()[0][0]
    }

    /// Adds the log-likelihoods with which each way of clumping predicted a poll, for own and for
    /// common spells.
    pub(super) fn learn_clumps(
        &mut self,
        own: [f64; CLUMPS.len()],
        together: [[f64; CLUMPS.len()]; TOGETHER],
    ) {
        let scores = self.clumps.iter_mut().chain(self.together.iter_mut().flatten());
        scores
            .zip(own.iter().chain(together.iter().flatten()))
            .for_each(|(score, foresaw)| *score += foresaw);
    }

    /// Reduces the weight of old evidence.
    pub(super) fn fade_beliefs(&mut self, by: f64) {
        let scores = self.clumps.iter_mut().chain(self.together.iter_mut().flatten());
        scores.chain(&mut self.marks).for_each(|score| *score *= by);
    }

    pub(super) fn hour(&self, hour: usize) -> f64 {
        self.hours.factor(hour, 1.0, PRIOR)
    }

    pub(super) fn weekday(&self, weekday: usize) -> f64 {
        self.weekdays.factor(weekday, 1.0, PRIOR)
    }
}

/// Returns the share of arrivals at the mark that an entry stands for.
pub(super) fn mark(index: usize) -> f64 {
    index as f64 / MARKS as f64
}

/// Converts log-likelihoods to weights that sum to one.
fn normalised<const N: usize>(scores: &[f64; N]) -> [f64; N] {
    let best = scores.iter().copied().fold(f64::MIN, f64::max);
    let raw = scores.map(|score| (score - best).exp());
    let sum: f64 = raw.iter().sum();
    raw.map(|value| value / sum)
}
