//! Selection of the account that polls a calendar: as few accounts as the rate needs, different
//! ones on other days.

use chrono::{DateTime, TimeDelta};

use domain::budget::{Budget, Limits, Spend};
use domain::clock::Instant;

/// Minimum time between two polls of one account.
pub const ACCOUNT_SPACING: TimeDelta = TimeDelta::minutes(10);

/// Doubt about an account whose lists may be hidden from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccountDoubt {
    /// The account is in doubt, and its poll of this calendar would settle the doubt. It is
    /// preferred to other accounts.
    ToSettle,
    /// The account is not in doubt.
    #[default]
    Sound,
    /// The account is in doubt, and a poll here would not settle it: another account's poll is more
    /// informative.
    Doubted,
}

/// An account as a source of polls.
#[derive(Clone, Copy, Debug)]
pub struct PollSource<'a> {
    /// Request budget of the account.
    pub budget: &'a Budget,
    /// Place of the account in today's order ([`turn_order`]).
    pub turn: u64,
    /// `true` if no job is in progress in the account.
    pub free: bool,
    /// `true` if the account has a session; otherwise a poll needs a sign-in first.
    pub signed_in: bool,
    /// Doubt about hidden lists.
    pub standing: AccountDoubt,
    /// Time before which it may not poll: cooling down, locked, backing off.
    pub not_before: Option<Instant>,
}

/// Returns an account's place in the order of a day (days since the epoch).
///
/// The order is stable within a day, so that the same few accounts stay signed in. It differs every
/// day, so that no account carries the load permanently.
#[must_use]
pub fn turn_order(account: u128, day: i64) -> u64 {
    // SplitMix64's mixing steps.
    let mut mixed =
        (account as u64) ^ ((account >> 64) as u64) ^ day.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Selects the account for a poll among those that may poll: by doubt, then signed-in ones, then by
/// today's order.
///
/// # Errors
/// Returns the first time at which an account may poll, or `None` if all are busy. In that case the
/// end of a job triggers another selection.
pub fn pick<'a, K: Copy>(
    poll_sources: impl Iterator<Item = (K, PollSource<'a>)>,
    limits: &Limits,
    spacing: TimeDelta,
    now: Instant,
) -> Result<K, Option<Instant>> {
    let mut best: Option<((AccountDoubt, bool, u64), K)> = None;
    let mut soonest: Option<Instant> = None;
    for (key, poll_source) in poll_sources {
        match ready_at(&poll_source, limits, spacing, now) {
            Some(at) if at <= now => {
                let order = (poll_source.standing, !poll_source.signed_in, poll_source.turn);
                if best.as_ref().is_none_or(|(other, _)| order < *other) {
                    best = Some((order, key));
                }
            }
            Some(at) => soonest = Some(soonest.map_or(at, |s: Instant| s.min(at))),
            None => {}
        }
    }
    best.map(|(_, key)| key).ok_or(soonest)
}

/// Returns the time of the account's next possible poll, or `None` while it is busy.
#[must_use]
pub fn ready_at(
    poll_source: &PollSource<'_>,
    limits: &Limits,
    spacing: TimeDelta,
    now: Instant,
) -> Option<Instant> {
    if !poll_source.free {
        return None;
    }
    let mut at = poll_source.not_before.unwrap_or(now).max(now);
    if let Some(last) = poll_source.budget.last_poll() {
        at = at.max(last + spread(poll_source.budget, limits, last, now).max(spacing));
    }
    for (spend, asked) in [(Spend::Poll, true), (Spend::SignIn, !poll_source.signed_in)] {
        if let (true, Err(rest)) = (asked, poll_source.budget.check(spend, limits, now)) {
            at = at.max(rest.until);
        }
    }
    Some(at)
}

/// Requests per poll, including its share of sign-ins and visits: 34 polls in ten hours need 21
/// other requests.
const REQUESTS_PER_POLL: f64 = 1.6;

/// Returns the time between the account's last poll and its next.
///
/// After a first hour of close polls, the rest of the ten-hour budget, in polls and in requests, is
/// spread evenly. An account therefore never stops polling for hours. The time is measured from the
/// last poll, so that the account is not ready before the announced time.
fn spread(budget: &Budget, limits: &Limits, last: Instant, now: Instant) -> TimeDelta {
    // After a ban an account has fewer polls to spread.
    let limits = budget.eased(limits, now);
    let open = limits.polls_per_ten_hours.saturating_sub(limits.polls_reserved);
    let (_, used) = budget.polls(now);
    if used <= limits.polls_per_hour {
        return TimeDelta::zero();
    }
    let over = |oldest: Option<Instant>, left: u32| {
        let left = i32::try_from(left.max(1)).unwrap_or(i32::MAX);
        oldest.map_or(TimeDelta::zero(), |oldest| (oldest + TimeDelta::hours(10) - last) / left)
    };
    let open_requests = limits.requests_per_ten_hours.saturating_sub(limits.requests_reserved);
    let (used_requests, oldest_request) = budget.own_requests(now);
    let left_requests = open_requests.saturating_sub(used_requests);
    let by_requests = (f64::from(left_requests) / REQUESTS_PER_POLL) as u32;
    let by_polls = open.saturating_sub(used);
    over(budget.oldest_poll(now), by_polls).max(over(oldest_request, by_requests))
}

/// Returns the polls per second that an account can sustain.
#[must_use]
pub fn affordable(limits: &Limits) -> f64 {
    limits.lasting_polls_per_hour() / 3_600.0
}

/// Returns the time for seconds since the epoch.
#[must_use]
pub fn instant(seconds: f64) -> Instant {
    DateTime::from_timestamp_micros((seconds * 1e6) as i64).unwrap_or(DateTime::UNIX_EPOCH)
}
