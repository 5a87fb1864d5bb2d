//! What every policy does in a world.

/// What a poll showed, against the poll before.
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
    /// The account, where the policy has any.
    pub account: Option<usize>,
}

/// A policy at work.
pub(crate) trait Poller {
    /// The poll to make now, if one is due.
    fn next(&mut self, now: f64) -> Option<Poll>;
    /// What the poll showed: against the poll before, and the days of the list by their place in the world. Returns the
    /// requests that it cost.
    fn saw(&mut self, poll: Poll, now: f64, seen: PollDifference, listed: &[usize]) -> u64;
    /// Somebody waits for a calendar again.
    fn wanted(&mut self, _calendar: usize) {}
    /// Nobody waits for a calendar any more.
    fn unwanted(&mut self, _calendar: usize) {}
    /// Seconds until the next may be due.
    fn rest(&mut self, now: f64) -> f64;
    /// Accounts that made more calls than the most cautious reported threshold.
    fn bans(&self) -> u64 {
        0
    }
}
