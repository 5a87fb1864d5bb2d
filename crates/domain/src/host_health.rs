//! Back-off of a portal host: after failures of several accounts, after a block, or at its request.
//!
//! Failures of one account do not count for the host as long as requests of other accounts are
//! answered.

use chrono::{SubsecRound as _, TimeDelta};

use crate::clock::Instant;

/// Time within which failures count together.
const WINDOW: TimeDelta = TimeDelta::seconds(60);
/// Number of accounts that must fail within [`WINDOW`], with no success between, for the host to
/// have failed.
const ACCOUNTS: usize = 3;
/// The first pause. Each further pause without a success doubles it, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: TimeDelta = TimeDelta::seconds(30);
/// Longest pause that the host did not request, and shortest pause after a block.
const LONGEST_PAUSE: TimeDelta = TimeDelta::minutes(30);
/// Longest requested pause that is observed in full. A longer one is probed from time to time, in
/// case it was a mistake.
const MAX_WAIT: TimeDelta = TimeDelta::hours(1);
const LONGEST_WAIT: TimeDelta = TimeDelta::hours(4);

/// Kind of a failed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A failure that may pass at once: a gateway without an answer, a timeout, a cut connection.
    Passing,
    /// Announced maintenance.
    Maintenance,
    /// Signs of a block: 403, 429, repeated connection resets.
    Block,
}

/// Health of one host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostHealth {
    /// Failures since the last success: account and time, one entry per account.
    failures: Vec<(u128, Instant)>,
    /// Number of pauses since the last success.
    pauses: u32,
    until: Option<Instant>,
    /// `true` if the host requested the pause. Then no success of a request already in progress
    /// ends it.
    firm: bool,
}

/// Requests that a host allows now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// All requests.
    Open,
    /// One request, which tests whether a pause that has ended was long enough.
    Probe,
    /// No request before this time.
    Closed(Instant),
}

impl HostHealth {
    /// Returns the requests that the host allows now.
    #[must_use]
    pub fn access(&self, now: Instant) -> Access {
        match self.until {
            None => Access::Open,
            Some(until) if until <= now => Access::Probe,
            Some(until) => Access::Closed(until),
        }
    }

    /// Returns the end of the pause. Once it is past, the host may be probed.
    #[must_use]
    pub const fn until(&self) -> Option<Instant> {
        self.until
    }

    /// Adopts the decision of another node or of an operator.
    pub fn set_until(&mut self, until: Option<Instant>) {
        if until.is_none() {
            *self = Self::default();
        }
        self.until = until;
        self.firm = until.is_some();
    }

    /// Records a failed request of `account`. `asked` is the pause that the host requested;
    /// `active` is the number of accounts. Returns the end of the pause if this failure causes one.
    pub fn failed(
        &mut self,
        account: u128,
        failure: Failure,
        asked: Option<TimeDelta>,
        active: usize,
        now: Instant,
    ) -> Option<Instant> {
        self.failures.retain(|(who, at)| *who != account && now - *at < WINDOW);
        self.failures.push((account, now));
        let several = self.failures.len() >= active.clamp(1, ACCOUNTS);
        let probed = self.access(now) == Access::Probe;
        let asked_all = failure != Failure::Passing && asked.is_some();
        if failure != Failure::Block && !several && !probed && !asked_all {
            return None;
        }
        // Failures at the same moment cause one pause: the first of them has counted.
        let closed = self.until.is_some_and(|until| until > now);
        let earlier = if closed { self.pauses.saturating_sub(1) } else { self.pauses };
        let own = doubled(FIRST_PAUSE, earlier, LONGEST_PAUSE);
        let pause = match failure {
            Failure::Block => LONGEST_PAUSE.max(asked.unwrap_or_default()),
            Failure::Passing | Failure::Maintenance => own.max(honoured(asked, earlier)),
        };
        self.pauses = earlier + 1;
        self.firm |= failure == Failure::Block || asked.is_some();
        let until = (now + pause).trunc_subsecs(6);
        self.until = self.until.max(Some(until));
        self.until
    }

    /// Records an answered request, which clears earlier failures. A pause requested by the host
    /// stays until its end.
    pub fn answered(&mut self, now: Instant) {
        if self.firm && matches!(self.access(now), Access::Closed(_)) {
            return;
        }
        *self = Self::default();
    }

    /// Moves all times by `by` after the clock was set by as much.
    pub fn shift(&mut self, by: TimeDelta) {
        self.failures.iter_mut().for_each(|(_, at)| *at += by);
        self.until = self.until.map(|until| until + by);
    }
}

/// Returns the pause of an account that has failed `before` times in a row before this failure.
#[must_use]
pub fn account_rest(before: u32, asked: Option<TimeDelta>) -> TimeDelta {
    doubled(FIRST_PAUSE, before, LONGEST_PAUSE).max(honoured(asked, before))
}

/// Returns the part of a requested pause that is observed at once, after `before` pauses.
fn honoured(asked: Option<TimeDelta>, before: u32) -> TimeDelta {
    let asked = asked.unwrap_or_default();
    if asked <= MAX_WAIT { asked } else { asked.min(doubled(MAX_WAIT, before, LONGEST_WAIT)) }
}

fn doubled(first: TimeDelta, times: u32, longest: TimeDelta) -> TimeDelta {
    (first * 2_i32.saturating_pow(times.min(16))).min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Instant {
        Instant::from_timestamp(1_795_000_000 + seconds, 0).unwrap()
    }

    fn pause(until: Option<Instant>, from: i64) -> Option<i64> {
        until.map(|until| (until - at(from)).num_seconds())
    }

    #[test]
    fn three_accounts_failing_within_a_minute_pause_the_host() {
        let mut health = HostHealth::default();
        for n in 0..50 {
            assert_eq!(health.failed(1, Failure::Passing, None, 9, at(n)), None);
        }
        assert_eq!(health.failed(2, Failure::Passing, None, 9, at(55)), None);
        health.answered(at(56));
        assert_eq!(
            health.failed(3, Failure::Passing, None, 9, at(57)),
            None,
            "a success is between the failures"
        );
        assert_eq!(health.failed(4, Failure::Passing, None, 9, at(100)), None);
        assert_eq!(
            health.failed(5, Failure::Passing, None, 9, at(118)),
            None,
            "the first failure is a minute old"
        );
        assert_eq!(pause(health.failed(6, Failure::Passing, None, 9, at(119)), 119), Some(30));
        assert_eq!(health.access(at(120)), Access::Closed(at(149)));
        assert_eq!(health.access(at(149)), Access::Probe);
    }

    #[test]
    fn with_fewer_than_three_accounts_all_must_fail_to_pause() {
        for (active, needed) in [(0, 1), (1, 1), (2, 2), (3, 3), (4, 3), (7_000, 3)] {
            let mut health = HostHealth::default();
            let failed =
                (0..).take_while(|n| health.failed(*n, Failure::Passing, None, active, at(0)).is_none());
            assert_eq!(failed.count() + 1, needed, "{active}");
        }
    }

    #[test]
    fn host_pauses_double_until_a_request_succeeds() {
        let mut health = HostHealth::default();
        let mut now = 0;
        let mut pauses = Vec::new();
        for _ in 0..9 {
            // One request probes whether the failure has ended. Its failure alone counts.
            let until = health.failed(1, Failure::Passing, None, if now == 0 { 1 } else { 50 }, at(now));
            pauses.push(pause(until, now).unwrap());
            now = (until.unwrap() - at(0)).num_seconds();
        }
        assert_eq!(pauses, [30, 60, 120, 240, 480, 960, 1800, 1800, 1800]);
        health.answered(at(now));
        assert_eq!(health, HostHealth::default());
    }

    #[test]
    fn simultaneous_failures_cause_one_pause() {
        let mut health = HostHealth::default();
        for account in 0..20 {
            health.failed(account, Failure::Passing, None, 20, at(0));
        }
        assert_eq!(health.until(), Some(at(30)));
    }

    #[test]
    fn retry_after_is_followed_up_to_an_hour_and_then_probed() {
        let week = Some(TimeDelta::days(7));
        let mut health = HostHealth::default();
        let until = health.failed(1, Failure::Maintenance, Some(TimeDelta::minutes(59)), 50, at(0));
        assert_eq!(pause(until, 0), Some(59 * 60), "maintenance is announced for all accounts");
        let (mut health, mut now, mut hours) = (HostHealth::default(), 0, Vec::new());
        for _ in 0..4 {
            let until = health.failed(1, Failure::Maintenance, week, 50, at(now));
            hours.push(pause(until, now).unwrap() / 3600);
            now = (until.unwrap() - at(0)).num_seconds();
        }
        assert_eq!(hours, [1, 2, 4, 4]);
        assert_eq!(account_rest(0, week), TimeDelta::hours(1));
        assert_eq!(account_rest(1, None), TimeDelta::seconds(60));
    }

    #[test]
    fn a_block_pauses_at_once_and_is_not_probed_early() {
        let mut health = HostHealth::default();
        assert_eq!(pause(health.failed(1, Failure::Block, None, 50, at(0)), 0), Some(1800));
        health.answered(at(10));
        assert_eq!(
            health.access(at(10)),
            Access::Closed(at(1800)),
            "a response that is on its way does not end the pause"
        );
        let asked = Some(TimeDelta::days(7));
        assert_eq!(pause(health.failed(2, Failure::Block, asked, 50, at(20)), 20), Some(7 * 86_400));
        health.set_until(None);
        assert_eq!(health.access(at(30)), Access::Open, "an operator may end the pause");
    }
}
