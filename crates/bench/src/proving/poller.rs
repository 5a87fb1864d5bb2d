//! Interface of a polling policy during a simulation.

/// Changes of a calendar's list since its last poll.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PollDifference {
    pub appeared: u32,
    pub at_risk: u32,
    pub vanished: u32,
}

/// Poll that a policy makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Poll {
    pub calendar: usize,
    /// Account with which the poll is made, if the policy uses accounts.
    pub account: Option<usize>,
}

/// Polling policy during a simulation.
pub(crate) trait Poller {
    /// Returns the poll to make at `now`, if one is due.
    fn next(&mut self, now: f64) -> Option<Poll>;
    /// Receives the result of a poll: the changes since the last poll, and the listed days as
    /// indexes into the calendar's days. Returns the number of requests that the poll cost.
    fn saw(&mut self, poll: Poll, now: f64, seen: PollDifference, listed: &[usize]) -> u64;
    /// Called when a user waits for a calendar again.
    fn wanted(&mut self, _calendar: usize) {}
    /// Called when no user waits for a calendar any more.
    fn unwanted(&mut self, _calendar: usize) {}
    /// Returns the number of seconds until the next poll may be due.
    fn seconds_to_poll(&mut self, now: f64) -> f64;
    /// Returns the number of accounts that made more requests than the lowest reported ban
    /// threshold.
    fn bans(&self) -> u64 {
        0
    }
}
