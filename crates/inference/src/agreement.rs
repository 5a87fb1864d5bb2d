//! Whether the accounts of one calendar see one list: how often a day that one saw had times for another.
//!
//! Applicants of one class and party size see one list through one account; through other accounts usually, not always,
//! as people report. Where it is not so, a calendar splits: each account answers for itself alone, until tried again.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use domain::clock::Instant;

/// What is believed before anything was tried: usually they agree.
const PRIOR: (f64, f64) = (3.0, 1.0);
/// A calendar splits below this share of agreement.
const SPLITS: f64 = 0.5;
/// It joins again above this one, so that it does not go to and fro.
const JOINS: f64 = 0.65;
/// Tries before anything is decided.
const ENOUGH: f64 = 6.0;
/// Tries remembered: older ones fade.
const MOST: f64 = 40.0;
/// A split calendar shares again after this, as a trial.
const TRIED_AGAIN: TimeDelta = TimeDelta::hours(24);
/// What is remembered of the time before the split when it is tried again.
const REMEMBERED: f64 = 3.0;

/// What became of a day of another account's list, when the booking account asked for its times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It had times, or the day stood in the account's own list.
    Agreed,
    /// It had none, while the account that saw it was still shown it.
    Differed,
    /// It had none, and nobody is shown it any more, or it was too old: that tells nothing.
    Gone,
}

impl Comparison {
    /// The word in figures.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::Differed => "differed",
            Self::Gone => "gone",
        }
    }
}

/// How often shared lists of one calendar agreed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    agreed: f64,
    differed: f64,
    /// Since when each account answers for itself alone.
    #[serde(default)]
    split_since: Option<Instant>,
}

impl Default for Agreement {
    fn default() -> Self {
        Self { agreed: 0.0, differed: 0.0, split_since: None }
    }
}

impl Agreement {
    /// Takes in one try; whether the calendar has just split or joined again.
    pub fn observe(&mut self, outcome: Comparison, now: Instant) -> bool {
        match outcome {
            Comparison::Agreed => self.agreed += 1.0,
            Comparison::Differed => self.differed += 1.0,
            Comparison::Gone => return false,
        }
        let tries = self.tries();
        if tries > MOST {
            self.agreed *= MOST / tries;
            self.differed *= MOST / tries;
        }
        let before = self.split_since.is_some();
        if self.tries() >= ENOUGH && self.mean() < SPLITS {
            self.split_since.get_or_insert(now);
        } else if self.mean() >= JOINS {
            self.split_since = None;
        }
        before != self.split_since.is_some()
    }

    /// The mean of what is believed of the share of days that agree (Beta-distributed), 0 to 1.
    #[must_use]
    pub fn mean(&self) -> f64 {
        (PRIOR.0 + self.agreed) / (PRIOR.0 + PRIOR.1 + self.tries())
    }

    /// Tries remembered.
    #[must_use]
    pub fn tries(&self) -> f64 {
        self.agreed + self.differed
    }

    /// Whether each account answers for itself alone at `now`. A day after a split the calendar is tried again: most of
    /// what was seen is forgotten then, and sharing goes on until it proves as wrong as before.
    pub fn is_split(&mut self, now: Instant) -> bool {
        let Some(since) = self.split_since else { return false };
        if now - since < TRIED_AGAIN {
            return true;
        }
        let part = REMEMBERED / self.tries().max(REMEMBERED);
        (self.agreed, self.differed, self.split_since) = (self.agreed * part, self.differed * part, None);
        false
    }

    /// Since when it is split, if it is.
    #[must_use]
    pub const fn split_since(&self) -> Option<Instant> {
        self.split_since
    }
}
