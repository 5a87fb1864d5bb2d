//! Estimator of portal overload at a moment: two hidden states, inferred from the answers of all
//! accounts around it.
//!
//! An overloaded portal fails more often, shows dates less often and empties lists. Overload comes
//! in spells. Answers are summed up per minute, so that the cost of an estimate does not depend on
//! the number of accounts.

use std::collections::VecDeque;

/// Mean time between overload spells, and mean length of a spell, in minutes.
const CALM_MINUTES: f64 = 300.0;
const SPELL_MINUTES: f64 = 15.0;
/// Maximum distance in minutes at which an answer counts for another moment; answers older than
/// [`KEPT`] are dropped.
const REACH: i64 = 60;
const KEPT: i64 = 360;
/// Probability of a failure of a calm portal, and of an overloaded one.
const FAILS: (f64, f64) = (0.01, 0.3);
/// Probability of a slow answer of a calm portal, and of an overloaded one.
const SLOW: (f64, f64) = (0.02, 0.35);
/// Duration in milliseconds from which an answer is slow.
const SLOW_MS: i64 = 3_000;
/// Probability that an overloaded portal that answers returns an empty list.
pub const EMPTIES: f64 = 0.4;
/// Maximum evidence of one minute, in log-odds: simultaneous failures have one cause.
const MOST: f64 = 6.0;

/// Evidence of the answers, per minute.
#[derive(Clone, Debug, Default)]
pub struct OverloadEstimator {
    minutes: VecDeque<(i64, f64)>,
}

/// Returns the evidence of a failure, in log-odds.
#[must_use]
pub fn failed() -> f64 {
    (FAILS.1 / FAILS.0).ln()
}

/// Returns `true` if an answer that took this many milliseconds was slow.
#[must_use]
pub const fn is_slow(millis: i64) -> bool {
    millis >= SLOW_MS
}

/// Returns the evidence of an answer's duration in milliseconds.
#[must_use]
pub fn took(millis: i64) -> f64 {
    if is_slow(millis) { (SLOW.1 / SLOW.0).ln() } else { ((1.0 - SLOW.1) / (1.0 - SLOW.0)).ln() }
}

/// Returns the evidence of an answer with dates.
#[must_use]
pub fn showed() -> f64 {
    ((1.0 - FAILS.1) * (1.0 - EMPTIES) / (1.0 - FAILS.0)).ln()
}

/// Returns the evidence of an empty answer that a calm portal would have given with probability
/// `chance`.
#[must_use]
pub fn emptied(chance: f64) -> f64 {
    let overloaded = EMPTIES + (1.0 - EMPTIES) * chance;
    ((1.0 - FAILS.1) * overloaded / ((1.0 - FAILS.0) * chance)).ln()
}

impl OverloadEstimator {
    /// Adds the evidence of an answer at `at` (milliseconds since the epoch). A negative value
    /// removes earlier evidence.
    pub fn add(&mut self, at: i64, says: f64) {
        let minute = at.div_euclid(60_000);
        let place = self.minutes.partition_point(|(m, _)| *m < minute);
        match self.minutes.get_mut(place) {
            Some((m, sum)) if *m == minute => *sum += says,
            _ => self.minutes.insert(place, (minute, says)),
        }
        let horizon = self.minutes.back().map_or(0, |(m, _)| m - KEPT);
        while self.minutes.front().is_some_and(|(m, _)| *m < horizon) {
            self.minutes.pop_front();
        }
    }

    /// Returns the probability of overload at `at`, without the evidence `own` of one answer in
    /// that minute.
    #[must_use]
    pub fn overloaded(&self, at: i64, own: f64) -> f64 {
        let minute = at.div_euclid(60_000);
        let from = self.minutes.partition_point(|(m, _)| *m < minute - REACH);
        let middle = self.minutes.partition_point(|(m, _)| *m < minute);
        let here = self.minutes.get(middle).filter(|(m, _)| *m == minute).map(|(_, says)| *says);
        let to = self.minutes.partition_point(|(m, _)| *m <= minute + REACH);
        let past = towards(minute, self.minutes.range(from..middle).copied());
        let rest = middle + usize::from(here.is_some());
        let future = towards(minute, self.minutes.range(rest.min(to)..to).rev().copied());
        // Both sides include the share of overloaded time: count it once.
        let share = CALM_MINUTES / SPELL_MINUTES;
        let odds = past * future * share * (here.unwrap_or(own) - own).clamp(-MOST, MOST).exp();
        odds / (1.0 + odds)
    }
}

/// Processes the minutes towards `minute`. Returns the odds of a spell then.
fn towards(minute: i64, answers: impl Iterator<Item = (i64, f64)>) -> f64 {
    let share = SPELL_MINUTES / (CALM_MINUTES + SPELL_MINUTES);
    let rate = 1.0 / CALM_MINUTES + 1.0 / SPELL_MINUTES;
    let step = |chance: f64, gap: i64| share + (chance - share) * (-rate * gap as f64).exp();
    let (mut chance, mut then) = (share, None);
    for (at, says) in answers {
        chance = step(chance, then.map_or(0, |then: i64| (at - then).abs()));
        let odds = chance / (1.0 - chance) * says.clamp(-MOST, MOST).exp();
        (chance, then) = (odds / (1.0 + odds), Some(at));
    }
    let chance = step(chance, then.map_or(0, |then| (minute - then).abs()));
    chance / (1.0 - chance)
}
