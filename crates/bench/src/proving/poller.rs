//! What every policy does in a world.

use domain::budget::Budget;

/// What a poll showed, against the poll before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PollDifference {
    pub appeared: u32,
    pub useful: u32,
    pub at_risk: u32,
    pub vanished: u32,
}

/// A policy at work.
pub(crate) trait Poller {
    /// The calendar to look at now, if one is due.
    fn next(&mut self, now: f64, budgets: &mut [Budget]) -> Option<usize>;
    /// What the poll showed.
    fn saw(&mut self, calendar: usize, now: f64, seen: PollDifference);
    /// Seconds until the next may be due.
    fn rest(&mut self, now: f64) -> f64;
    /// Accounts it got banned.
    fn bans(&self) -> u64 {
        0
    }
}
