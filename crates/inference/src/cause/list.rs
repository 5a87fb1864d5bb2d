//! How one list of days comes and goes: empty, a few days, many; learned from what was seen.
//!
//! A list of many days seldom vanishes at once, a single day often does: told apart, a list that flashes is not taken
//! for one that is hidden.

use serde::{Deserialize, Serialize};

/// The maximum number of days of a list that is "few".
const FEW: usize = 3;
/// Changes an hour before anything was seen, from each state to each: empty, few, many.
const PRIOR: [[f64; 3]; 3] = [[0.0, 0.2, 0.2], [0.6, 0.0, 0.3], [0.15, 0.15, 0.0]];
/// What that is worth, in hours of each state.
const WORTH: f64 = 3.0;
/// What was learned of a state is worth at most this many hours.
const MOST: f64 = 48.0;
/// The shortest step of time, and how many doublings of it are kept.
const STEP_MS: i64 = 15_000;
const DOUBLINGS: usize = 11;
const HOUR_MS: f64 = 3_600_000.0;

/// Empty, few, many.
pub type Chances = [f64; 3];
type Matrix = [Chances; 3];

/// The state of a list that showed this many days.
#[must_use]
pub const fn state(days: usize) -> usize {
    match days {
        0 => 0,
        1..=FEW => 1,
        _ => 2,
    }
}

/// What was learned of how lists come and go: hours in each state, and changes from each to each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ListChanges {
    hours: Chances,
    turns: Matrix,
}

/// Learned rates, and the chances of change over a gap.
#[derive(Clone, Debug)]
pub struct ListDynamics {
    /// Rates before anything of this list was seen.
    prior: Matrix,
    learned: ListChanges,
    /// Chances of change over one step of time, over two, four, …
    powers: Vec<Matrix>,
    /// The share of time in each state.
    share: Chances,
}

impl Default for ListDynamics {
    fn default() -> Self {
        Self::after(&ListChanges::default())
    }
}

impl ListChanges {
    /// Changes an hour between two different states, given what they were taken to be before.
    fn rate(&self, prior: &Matrix, from: usize, to: usize) -> f64 {
        (prior[from][to] * WORTH + self.turns[from][to]) / (WORTH + self.hours[from])
    }

    /// Takes in two settled answers, this many milliseconds apart; `replaced` when no day is in both lists.
    pub fn learn(&mut self, gap: f64, from: usize, to: usize, replaced: bool) {
        let hours = gap / HOUR_MS;
        if from == to && replaced {
            // The old days went before the new ones came.
            self.hours[from] += hours * 0.6;
            self.hours[0] += hours * 0.4;
            self.turns[from][0] += 1.0;
            self.turns[0][to] += 1.0;
        } else if from == to {
            self.hours[from] += hours;
        } else {
            self.hours[from] += hours / 2.0;
            self.hours[to] += hours / 2.0;
            self.turns[from][to] += 1.0;
        }
        for (state, hours) in self.hours.iter_mut().enumerate() {
            if *hours > MOST {
                self.turns[state].iter_mut().for_each(|turns| *turns *= MOST / *hours);
                *hours = MOST;
            }
        }
    }
}

impl ListDynamics {
    /// A list nothing is known of yet, by what was learned of others.
    #[must_use]
    pub fn after(others: &ListChanges) -> Self {
        let rate = |from: usize, to: usize| if from == to { 0.0 } else { others.rate(&PRIOR, from, to) };
        let prior = [0, 1, 2].map(|from| [0, 1, 2].map(|to| rate(from, to)));
        let learned = ListChanges::default();
        let mut new = Self { prior, learned, powers: Vec::new(), share: [1.0 / 3.0; 3] };
        new.reckon();
        new
    }

    /// The share of time in each state, as far as is known.
    #[must_use]
    pub const fn share(&self) -> Chances {
        self.share
    }

    /// Takes in two settled answers, as [`ListChanges::learn`].
    pub fn learn(&mut self, gap: f64, from: usize, to: usize, replaced: bool) {
        self.learned.learn(gap, from, to, replaced);
        self.reckon();
    }

    /// Chances after `gap` milliseconds.
    #[must_use]
    pub fn forward(&self, mut chances: Chances, gap: i64) -> Chances {
        for power in self.steps(gap) {
            let old = chances;
            chances = [0, 1, 2].map(|to| (0..3).map(|from| old[from] * power[from][to]).sum());
        }
        chances
    }

    /// Likelihoods of what is seen `gap` milliseconds later, by the state now.
    #[must_use]
    pub fn backward(&self, mut likely: Chances, gap: i64) -> Chances {
        for power in self.steps(gap) {
            let old = likely;
            likely = [0, 1, 2].map(|from: usize| (0..3).map(|to| power[from][to] * old[to]).sum());
        }
        likely
    }

    fn steps(&self, gap: i64) -> impl Iterator<Item = &Matrix> {
        let steps = ((gap.max(0) + STEP_MS / 2) / STEP_MS).min((1 << DOUBLINGS) - 1);
        self.powers.iter().enumerate().filter(move |(bit, _)| steps >> bit & 1 == 1).map(|(_, power)| power)
    }

    fn reckon(&mut self) {
        let mut one: Matrix = [[0.0; 3]; 3];
        for (from, row) in one.iter_mut().enumerate() {
            let mut leaves = 0.0;
            for to in (0..3).filter(|to| *to != from) {
                let rate = self.learned.rate(&self.prior, from, to);
                row[to] = rate * STEP_MS as f64 / HOUR_MS;
                leaves += row[to];
            }
            row[from] = 1.0 - leaves;
        }
        self.powers.clear();
        for _ in 0..DOUBLINGS {
            self.powers.push(one);
            one = squared(&one);
        }
        // Eight and a half hours and four times as long: settled.
        self.share = squared(&squared(&one))[0];
    }
}

fn squared(m: &Matrix) -> Matrix {
    [0, 1, 2].map(|from: usize| [0, 1, 2].map(|to: usize| (0..3).map(|by| m[from][by] * m[by][to]).sum()))
}
