//! Changes of one list between empty, a few dates and many, learned from answers.
//!
//! A list of many dates seldom becomes empty at once; a list of one date often does. The
//! distinction prevents a short-lived list from being taken for a hidden one.

use serde::{Deserialize, Serialize};

/// Maximum number of dates of a list that counts as "few".
const FEW: usize = 3;
/// Prior changes per hour between the states empty, few, many, from each to each.
const PRIOR: [[f64; 3]; 3] = [[0.0, 0.2, 0.2], [0.6, 0.0, 0.3], [0.15, 0.15, 0.0]];
/// Weight of the prior, in hours of each state.
const WORTH: f64 = 3.0;
/// Maximum weight of what was learned of a state, in hours.
const MOST: f64 = 48.0;
/// Shortest time step in milliseconds; [`DOUBLINGS`] is the number of its stored doublings.
const STEP_MS: i64 = 15_000;
const DOUBLINGS: usize = 11;
const HOUR_MS: f64 = 3_600_000.0;

/// Probabilities of the states empty, few, many.
pub type Chances = [f64; 3];
type Matrix = [Chances; 3];

/// Returns the state of a list that showed this many dates.
#[must_use]
pub const fn state(days: usize) -> usize {
    match days {
        0 => 0,
        1..=FEW => 1,
        _ => 2,
    }
}

/// Learned changes of lists: hours in each state, and changes from each state to each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ListChanges {
    hours: Chances,
    turns: Matrix,
}

/// Learned rates, and the probabilities of change over a gap.
#[derive(Clone, Debug)]
pub struct ListDynamics {
    /// Rates before any answer of this list.
    prior: Matrix,
    learned: ListChanges,
    /// Probabilities of change over one time step, two, four, …
    powers: Vec<Matrix>,
    /// Share of time in each state.
    share: Chances,
}

impl Default for ListDynamics {
    fn default() -> Self {
        Self::after(&ListChanges::default())
    }
}

impl ListChanges {
    /// Returns the changes per hour between two different states, given the prior.
    fn rate(&self, prior: &Matrix, from: usize, to: usize) -> f64 {
        (prior[from][to] * WORTH + self.turns[from][to]) / (WORTH + self.hours[from])
    }

    /// Learns from two settled answers, `gap` milliseconds apart. `replaced` is `true` if no date
    /// is in both lists.
    pub fn learn(&mut self, gap: f64, from: usize, to: usize, replaced: bool) {
        let hours = gap / HOUR_MS;
        if from == to && replaced {
            // The old dates vanished before the new ones appeared.
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
    /// Creates an unobserved list with the rates learned from others as prior.
    #[must_use]
    pub fn after(others: &ListChanges) -> Self {
        let rate = |from: usize, to: usize| if from == to { 0.0 } else { others.rate(&PRIOR, from, to) };
        let prior = [0, 1, 2].map(|from| [0, 1, 2].map(|to| rate(from, to)));
        let learned = ListChanges::default();
        let mut new = Self { prior, learned, powers: Vec::new(), share: [1.0 / 3.0; 3] };
        new.reckon();
        new
    }

    /// Returns the share of time in each state.
    #[must_use]
    pub const fn share(&self) -> Chances {
        self.share
    }

    /// Learns from two settled answers, as [`ListChanges::learn`].
    pub fn learn(&mut self, gap: f64, from: usize, to: usize, replaced: bool) {
        self.learned.learn(gap, from, to, replaced);
        self.reckon();
    }

    /// Returns the probabilities after `gap` milliseconds.
    #[must_use]
    pub fn forward(&self, mut chances: Chances, gap: i64) -> Chances {
        for power in self.steps(gap) {
            let old = chances;
            chances = [0, 1, 2].map(|to| (0..3).map(|from| old[from] * power[from][to]).sum());
        }
        chances
    }

    /// Returns the likelihoods of an observation `gap` milliseconds later, by the state now.
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
        // Four times eight and a half hours: the chain has converged.
        self.share = squared(&squared(&one))[0];
    }
}

fn squared(m: &Matrix) -> Matrix {
    [0, 1, 2].map(|from: usize| [0, 1, 2].map(|to: usize| (0..3).map(|by| m[from][by] * m[by][to]).sum()))
}
