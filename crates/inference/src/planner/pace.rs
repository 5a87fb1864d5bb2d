//! How the planner paces: data an operator may lower.

use chrono::TimeDelta;

/// How looks are spaced.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The least time between two polls of one account.
    pub account_spacing: TimeDelta,
    /// The spacing of exploration in restricted hours.
    pub restricted_spacing: TimeDelta,
    /// No calendar somebody waits for goes unlooked longer than this, where accounts can afford it.
    pub longest_blind: TimeDelta,
    /// The most looks to hand out at once.
    pub most: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            account_spacing: super::poll_source::ACCOUNT_SPACING,
            restricted_spacing: TimeDelta::minutes(60),
            longest_blind: TimeDelta::hours(6),
            most: 4,
        }
    }
}
