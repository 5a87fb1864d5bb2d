//! Interface of a policy at work in a world.

/// Difference between a poll and the one before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PollDifference {
    pub appeared: u32,
    pub at_risk: u32,
    pub vanished: u32,
}

/// A poll that a policy makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Poll {
    pub calendar: usize,
    /// Account of the poll, if the policy uses accounts.
    pub account: Option<usize>,
}

/// A policy at work.
pub(crate) trait Poller {
    /// Returns the poll to make now, if one is due.
    fn next(&mut self, now: f64) -> Option<Poll>;
    /// Takes the result of a poll: the difference from the poll before, and the listed days by
    /// their index in the world. Returns the requests that the poll cost.
    fn saw(&mut self, poll: Poll, now: f64, seen: PollDifference, listed: &[usize]) -> u64;
    /// Signals that a user waits for a calendar again.
    fn wanted(&mut self, _calendar: usize) {}
    /// Signals that no user waits for a calendar any more.
    fn unwanted(&mut self, _calendar: usize) {}
    /// Returns the seconds until the next poll may be due.
    fn seconds_to_poll(&mut self, now: f64) -> f64;
    /// Returns the number of accounts with more calls than the lowest reported ban threshold.
    fn bans(&self) -> u64 {
        0
    }
}
