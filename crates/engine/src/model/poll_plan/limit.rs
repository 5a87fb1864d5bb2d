//! Limit of requests over all accounts. Polls and sign-ins share a token bucket. Its surplus is
//! saved for polls alone.

use chrono::TimeDelta;
use domain::clock::Instant;

/// Capacity of the bucket that polls and sign-ins share. A sign-in costs several tokens. It may
/// begin with one token, and then the balance is negative. With a larger bucket several sign-ins
/// would begin at once.
const SHARED: f64 = 4.0;

/// Seconds of polls that can be saved. Dates appear after each five-minute mark, so the savings
/// cover the time between two marks. A fixed number of polls would last hours at a low rate and
/// seconds at a high one. The pacer limits how fast savings are spent.
const SAVED_UP: f64 = 300.0;

/// Seconds of tokens in the bucket when the engine starts.
const FILLING: f64 = 10.0;

/// Tokens of the limit. They arrive at a constant rate and fill the shared bucket first. The
/// surplus is saved for polls.
#[derive(Default)]
pub(crate) struct PollLimit {
    /// Tokens for polls and sign-ins; below zero after a sign-in.
    shared: f64,
    /// Tokens for polls alone.
    saved: f64,
    filled_at: Option<Instant>,
}

impl PollLimit {
    /// Adds the tokens that have arrived since the last call.
    pub fn refill(&mut self, per_second: f64, now: Instant) {
        let Some(filled_at) = self.filled_at.replace(now) else {
            self.shared = (FILLING * per_second).min(SHARED);
            return;
        };
        let passed = (now - filled_at).num_milliseconds() as f64 / 1000.0;
        let shared = self.shared + passed.max(0.0) * per_second;
        self.shared = shared.min(SHARED);
        self.saved = (self.saved + shared - self.shared).min(per_second * SAVED_UP);
    }

    /// Returns `true` if a poll may begin.
    pub fn may_poll(&self) -> bool {
        self.saved >= 1.0 || self.shared >= 1.0
    }

    /// Spends the token of a poll, from the savings first.
    pub fn draw_poll(&mut self) {
        let tokens = if self.saved >= 1.0 { &mut self.saved } else { &mut self.shared };
        *tokens -= 1.0;
    }

    /// Returns `true` if a sign-in may begin: a warm-up, or a prewarm.
    pub fn may_sign_in(&self) -> bool {
        self.shared >= 1.0
    }

    /// Spends the tokens of a sign-in that makes `requests` requests.
    pub fn draw_sign_in(&mut self, requests: u32) {
        self.shared -= f64::from(requests);
    }

    /// Puts back the token of a poll that was not made.
    pub fn give_back_poll(&mut self) {
        self.shared = (self.shared + 1.0).min(SHARED);
    }

    /// Puts back the tokens of a sign-in that was not made.
    pub fn give_back_sign_in(&mut self, requests: u32) {
        self.shared = (self.shared + f64::from(requests)).min(SHARED);
    }

    /// Sets the available tokens, and any debt, to zero.
    pub fn empty(&mut self) {
        (self.shared, self.saved) = (0.0, 0.0);
    }

    /// Adds `by` to the stored time, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        self.filled_at = self.filled_at.map(|at| at + by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PER_SECOND: f64 = 0.1;

    /// Returns a limit that was first refilled at the returned instant.
    fn started() -> (PollLimit, Instant) {
        let now = "2026-11-25T10:00:00Z".parse().expect("an instant");
        let mut limit = PollLimit::default();
        limit.refill(PER_SECOND, now);
        (limit, now)
    }

    fn polls(limit: &mut PollLimit) -> u32 {
        let mut polls = 0;
        while limit.may_poll() {
            limit.draw_poll();
            polls += 1;
        }
        polls
    }

    fn sign_ins(limit: &mut PollLimit) -> u32 {
        let mut sign_ins = 0;
        while limit.may_sign_in() {
            limit.draw_sign_in(6);
            sign_ins += 1;
        }
        sign_ins
    }

    #[test]
    fn unused_poll_tokens_are_saved_for_five_minutes() {
        let (mut limit, start) = started();
        polls(&mut limit);
        limit.refill(PER_SECOND, start + TimeDelta::minutes(5));
        assert_eq!(polls(&mut limit), 30, "all tokens of five minutes");
        limit.refill(PER_SECOND, start + TimeDelta::hours(9));
        assert_eq!(polls(&mut limit), 34, "a night adds no more than five minutes and the shared tokens");
    }

    #[test]
    fn saved_poll_tokens_do_not_allow_a_second_sign_in() {
        let (mut limit, start) = started();
        limit.refill(PER_SECOND, start + TimeDelta::hours(1));
        assert_eq!(sign_ins(&mut limit), 1, "the second waits for the debt of the first");
        assert_eq!(polls(&mut limit), 30, "polls do not wait for it");
        limit.refill(PER_SECOND, start + TimeDelta::hours(1) + TimeDelta::seconds(29));
        assert_eq!(
            (polls(&mut limit), sign_ins(&mut limit)),
            (0, 0),
            "two tokens of debt and not yet one above it"
        );
        limit.refill(PER_SECOND, start + TimeDelta::hours(1) + TimeDelta::seconds(31));
        assert_eq!(sign_ins(&mut limit), 1);
    }

    #[test]
    fn rate_limit_starts_with_ten_seconds_of_tokens_and_can_be_emptied() {
        assert_eq!(polls(&mut started().0), 1);
        let (mut limit, start) = started();
        limit.refill(PER_SECOND, start + TimeDelta::hours(1));
        limit.empty();
        assert_eq!((polls(&mut limit), sign_ins(&mut limit)), (0, 0));
        limit.shift(TimeDelta::hours(1));
        limit.refill(PER_SECOND, start + TimeDelta::hours(2));
        assert_eq!(polls(&mut limit), 0, "a clock that was set adds no tokens");
    }
}
