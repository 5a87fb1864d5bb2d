//! Spacing of polls: settings that an operator may lower.

use chrono::TimeDelta;

/// Settings for the spacing of polls.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Minimum time between two polls of one account.
    pub account_spacing: TimeDelta,
    /// Time between exploration polls in restricted hours.
    pub restricted_spacing: TimeDelta,
    /// Minimum bound of the age of a calendar's last answered poll ([`domain::poll_bound`]).
    pub least_bound: TimeDelta,
    /// Maximum number of polls handed out at once.
    pub most: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            account_spacing: super::poll_source::ACCOUNT_SPACING,
            restricted_spacing: TimeDelta::minutes(60),
            least_bound: domain::poll_bound::LEAST_BOUND,
            most: 4,
        }
    }
}
