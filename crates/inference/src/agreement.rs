//! Agreement between the accounts of one calendar: how often a date in one account's list had times
//! for another account.
//!
//! Applicants of one class and party size see one list through one account. Through other accounts
//! they usually do, but not always, as users report. If they do not, the calendar splits: each
//! account's list then applies to that account only, until sharing is tried again.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use domain::clock::Instant;

/// Prior (agreed, differed): accounts usually agree.
const PRIOR: (f64, f64) = (3.0, 1.0);
/// Share of agreement below which a calendar splits.
const SPLITS: f64 = 0.5;
/// Share of agreement from which a split calendar joins again. The gap to [`SPLITS`] prevents
/// oscillation.
const JOINS: f64 = 0.65;
/// Minimum number of comparisons before a decision.
const ENOUGH: f64 = 6.0;
/// Maximum weight of the stored comparisons. Older ones fade.
const MOST: f64 = 40.0;
/// Time after a split at which the calendar shares again, as a trial.
const TRIED_AGAIN: TimeDelta = TimeDelta::hours(24);
/// Weight of the comparisons kept from before the split when sharing is tried again.
const REMEMBERED: f64 = 3.0;

/// Result of a booking account's times request for a date of another account's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The date had times or was in the account's own list.
    Agreed,
    /// The date had no times, while the account that saw it still saw it.
    Differed,
    /// The date had no times, and no account sees it any more or it was too old. This proves
    /// nothing.
    Gone,
}

impl Comparison {
    /// Returns the value used in metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::Differed => "differed",
            Self::Gone => "gone",
        }
    }
}

/// Counts of agreement on the shared lists of one calendar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    agreed: f64,
    differed: f64,
    /// Time since which each account's list applies to that account only.
    #[serde(default)]
    split_since: Option<Instant>,
}

impl Default for Agreement {
    fn default() -> Self {
        Self { agreed: 0.0, differed: 0.0, split_since: None }
    }
}

impl Agreement {
    /// Records one comparison. Returns `true` if the calendar has just split or joined again.
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

    /// Returns the posterior mean of the share of dates that agree (Beta-distributed), 0 to 1.
    #[must_use]
    pub fn mean(&self) -> f64 {
        (PRIOR.0 + self.agreed) / (PRIOR.0 + PRIOR.1 + self.tries())
    }

    /// Returns the weight of the stored comparisons.
    #[must_use]
    pub fn tries(&self) -> f64 {
        self.agreed + self.differed
    }

    /// Returns `true` if each account's list applies to that account only at `now`.
    ///
    /// A day after a split the calendar is tried again. Most comparisons are discarded then, and
    /// sharing continues until the lists differ as much as before.
    pub fn is_split(&mut self, now: Instant) -> bool {
        let Some(since) = self.split_since else { return false };
        if now - since < TRIED_AGAIN {
            return true;
        }
        let part = REMEMBERED / self.tries().max(REMEMBERED);
        (self.agreed, self.differed, self.split_since) = (self.agreed * part, self.differed * part, None);
        false
    }

    /// Returns the time of the split, if the calendar is split.
    #[must_use]
    pub const fn split_since(&self) -> Option<Instant> {
        self.split_since
    }
}
