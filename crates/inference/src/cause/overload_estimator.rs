//! Whether the portal is overloaded at a moment: two hidden states, told from everybody's answers around it.
//!
//! An overloaded portal fails more often, shows days less often and empties lists; spells come and go. Answers are
//! kept summed up per minute, so that an estimate costs the same whatever the number of accounts.

use std::collections::VecDeque;

/// A spell begins about every so often, and lasts about so long, in minutes.
const CALM_MINUTES: f64 = 300.0;
const SPELL_MINUTES: f64 = 15.0;
/// How far an answer speaks for another moment, in minutes; older answers are dropped.
const REACH: i64 = 60;
const KEPT: i64 = 360;
/// How often a calm portal fails, and an overloaded one.
const FAILS: (f64, f64) = (0.01, 0.3);
/// How often a calm portal's answer is slow, and an overloaded one's.
const SLOW: (f64, f64) = (0.02, 0.35);
/// An answer is slow from this many milliseconds on.
const SLOW_MS: i64 = 3_000;
/// How often an overloaded portal that answers does so with an empty list.
pub const EMPTIES: f64 = 0.4;
/// One minute says no more than this, in logarithms of odds: what fails together fails for one reason.
const MOST: f64 = 6.0;

/// What answers said, minute by minute.
#[derive(Clone, Debug, Default)]
pub struct OverloadEstimator {
    minutes: VecDeque<(i64, f64)>,
}

/// What a failure says, in logarithms of odds.
#[must_use]
pub fn failed() -> f64 {
    (FAILS.1 / FAILS.0).ln()
}

/// Whether an answer that took this many milliseconds was slow.
#[must_use]
pub const fn is_slow(millis: i64) -> bool {
    millis >= SLOW_MS
}

/// What the time of an answer says, in milliseconds.
#[must_use]
pub fn took(millis: i64) -> f64 {
    if is_slow(millis) { (SLOW.1 / SLOW.0).ln() } else { ((1.0 - SLOW.1) / (1.0 - SLOW.0)).ln() }
}

/// What an answer with days says.
#[must_use]
pub fn showed() -> f64 {
    ((1.0 - FAILS.1) * (1.0 - EMPTIES) / (1.0 - FAILS.0)).ln()
}

/// What an empty answer says that a calm portal would have given with this chance.
#[must_use]
pub fn emptied(chance: f64) -> f64 {
    let overloaded = EMPTIES + (1.0 - EMPTIES) * chance;
    ((1.0 - FAILS.1) * overloaded / ((1.0 - FAILS.0) * chance)).ln()
}

impl OverloadEstimator {
    /// Adds what an answer at `at` (milliseconds since the epoch) says; less than nothing takes it back.
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

    /// How likely the portal was overloaded at `at`, but for an answer then that said `own`.
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
        // Both sides carry the share of overloaded time: counted once.
        let share = CALM_MINUTES / SPELL_MINUTES;
        let odds = past * future * share * (here.unwrap_or(own) - own).clamp(-MOST, MOST).exp();
        odds / (1.0 + odds)
    }
}

/// Walks over the minutes to `minute`; returns the odds of a spell then.
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
