//! How the planner paces: data an operator may lower.

use chrono::TimeDelta;

/// How looks are spaced.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The least time between two polls of one account.
    pub account_spacing: TimeDelta,
    /// The spacing of exploration in restricted hours.
    pub restricted_spacing: TimeDelta,
    /// The least bound of the age of a calendar's last answered poll ([`domain::poll_bound`]).
    pub least_bound: TimeDelta,
    /// The most looks to hand out at once.
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
