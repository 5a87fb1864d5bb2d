//! When a portal host is left alone: after failures of several accounts, after a block, or at its own request.
//!
//! One account's failures are that account's: they say nothing of the others as long as others are answered.

use chrono::{SubsecRound as _, TimeDelta};

use crate::clock::Instant;

/// Failures count together when they lie this close.
const WINDOW: TimeDelta = TimeDelta::seconds(60);
/// Accounts that fail within [`WINDOW`], with no success between, from which on the host has failed.
const ACCOUNTS: usize = 3;
/// The first pause; doubled for each that follows without a success, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: TimeDelta = TimeDelta::seconds(30);
/// The longest pause nobody asked for, and the least after a block.
const LONGEST_PAUSE: TimeDelta = TimeDelta::minutes(30);
/// A requested pause up to this is honoured whole; a longer one is probed from time to time, in case it was a mistake.
const MAX_WAIT: TimeDelta = TimeDelta::hours(1);
const LONGEST_WAIT: TimeDelta = TimeDelta::hours(4);

/// How a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It may pass at once: a gateway without an answer, a timeout, a cut connection.
    Passing,
    /// Announced maintenance.
    Maintenance,
    /// Signs of a block: 403, 429, connections reset again and again.
    Block,
}

/// The health of one host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostHealth {
    /// Who failed when, since the last success; one entry an account.
    failures: Vec<(u128, Instant)>,
    /// Pauses since the last success.
    pauses: u32,
    until: Option<Instant>,
    /// The host asked for the pause: no success of a request already under way ends it.
    firm: bool,
}

/// What a host allows now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everything.
    Open,
    /// One request, to see whether a pause that has ended was long enough.
    Probe,
    /// Nothing before this.
    Closed(Instant),
}

impl HostHealth {
    /// What the host allows now.
    #[must_use]
    pub fn access(&self, now: Instant) -> Access {
        match self.until {
            None => Access::Open,
            Some(until) if until <= now => Access::Probe,
            Some(until) => Access::Closed(until),
        }
    }

    /// Until when the host is left alone; past once it may be probed.
    #[must_use]
    pub const fn until(&self) -> Option<Instant> {
        self.until
    }

    /// Takes over what another node, or an operator, decided.
    pub fn set_until(&mut self, until: Option<Instant>) {
        if until.is_none() {
            *self = Self::default();
        }
        self.until = until;
        self.firm = until.is_some();
    }

    /// A request of `account` failed; the host asked to be left alone for `asked`. `active` is how many accounts there are.
    /// Returns until when the host is left alone, where this failure decides it.
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
        // Failures of one moment are one pause: the first of them has counted.
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

    /// A request was answered: whatever failed before has passed. A pause the host asked for goes on until it is over.
    pub fn answered(&mut self, now: Instant) {
        if self.firm && matches!(self.access(now), Access::Closed(_)) {
            return;
        }
        *self = Self::default();
    }

    /// The clock was set by so much.
    pub fn shift(&mut self, by: TimeDelta) {
        self.failures.iter_mut().for_each(|(_, at)| *at += by);
        self.until = self.until.map(|until| until + by);
    }
}

/// How long an account rests that has failed `before` times in a row before this failure.
#[must_use]
pub fn account_rest(before: u32, asked: Option<TimeDelta>) -> TimeDelta {
    doubled(FIRST_PAUSE, before, LONGEST_PAUSE).max(honoured(asked, before))
}

/// How much of the pause that a host asks for is honoured at once, `before` pauses into it.
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
    fn one_account_never_stops_the_others_and_three_within_a_minute_do() {
        let mut health = HostHealth::default();
        for n in 0..50 {
            assert_eq!(health.failed(1, Failure::Passing, None, 9, at(n)), None);
        }
        assert_eq!(health.failed(2, Failure::Passing, None, 9, at(55)), None);
        health.answered(at(56));
        assert_eq!(health.failed(3, Failure::Passing, None, 9, at(57)), None, "a success lies between");
        assert_eq!(health.failed(4, Failure::Passing, None, 9, at(100)), None);
        assert_eq!(health.failed(5, Failure::Passing, None, 9, at(118)), None, "the first is a minute old");
        assert_eq!(pause(health.failed(6, Failure::Passing, None, 9, at(119)), 119), Some(30));
        assert_eq!(health.access(at(120)), Access::Closed(at(149)));
        assert_eq!(health.access(at(149)), Access::Probe);
    }

    #[test]
    fn with_fewer_accounts_all_of_them_are_enough() {
        for (active, needed) in [(0, 1), (1, 1), (2, 2), (3, 3), (4, 3), (7_000, 3)] {
            let mut health = HostHealth::default();
            let failed =
                (0..).take_while(|n| health.failed(*n, Failure::Passing, None, active, at(0)).is_none());
            assert_eq!(failed.count() + 1, needed, "{active}");
        }
    }

    #[test]
    fn a_pause_that_did_not_help_is_followed_by_a_longer_one() {
        let mut health = HostHealth::default();
        let mut now = 0;
        let mut pauses = Vec::new();
        for _ in 0..9 {
            // One request looks whether it is over: its failure alone counts.
            let until = health.failed(1, Failure::Passing, None, if now == 0 { 1 } else { 50 }, at(now));
            pauses.push(pause(until, now).unwrap());
            now = (until.unwrap() - at(0)).num_seconds();
        }
        assert_eq!(pauses, [30, 60, 120, 240, 480, 960, 1800, 1800, 1800]);
        health.answered(at(now));
        assert_eq!(health, HostHealth::default());
    }

    #[test]
    fn failures_of_one_moment_are_one_pause() {
        let mut health = HostHealth::default();
        for account in 0..20 {
            health.failed(account, Failure::Passing, None, 20, at(0));
        }
        assert_eq!(health.until(), Some(at(30)));
    }

    #[test]
    fn a_requested_pause_is_honoured_whole_up_to_an_hour_and_probed_beyond() {
        let week = Some(TimeDelta::days(7));
        let mut health = HostHealth::default();
        let until = health.failed(1, Failure::Maintenance, Some(TimeDelta::minutes(59)), 50, at(0));
        assert_eq!(pause(until, 0), Some(59 * 60), "maintenance is announced for everybody");
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
    fn a_block_stops_at_once_and_is_never_probed_early() {
        let mut health = HostHealth::default();
        assert_eq!(pause(health.failed(1, Failure::Block, None, 50, at(0)), 0), Some(1800));
        health.answered(at(10));
        assert_eq!(health.access(at(10)), Access::Closed(at(1800)), "an answer on its way does not end it");
        let asked = Some(TimeDelta::days(7));
        assert_eq!(pause(health.failed(2, Failure::Block, asked, 50, at(20)), 20), Some(7 * 86_400));
        health.set_until(None);
        assert_eq!(health.access(at(30)), Access::Open, "an operator may");
    }
}
