//! Soft bans of an account: probability of a beginning at a call, duration, and inference from a
//! chain of answers.
//!
//! The figures are user reports: bans after about 50–110 calls in ten hours, with reports differing
//! five-fold. Bans last 3–12 h, with 24 h reported, and apply to the account.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

/// Calls in ten hours after which half of all accounts are banned, before any ban was found.
const MEDIAN_CALLS: f64 = 70.0;
/// Weight of that report, in bans found.
const REPORT: f64 = 3.0;
/// Lower limit of the learned median.
const FEWEST_CALLS: f64 = 12.0;
/// Steepness of the rise with the logarithm of the calls: 25 calls 1.6 %, 40 calls 10 %, 110 calls
/// 86 %.
const STEEPNESS: i32 = 4;
/// Probability that a ban begins with any single call.
const ANY_CALL: f64 = 0.002;
/// Prior mean time in hours between bans not caused by the engine. The account's user also polls
/// manually.
const BY_HAND_HOURS: f64 = 150.0;
/// Time in hours after which manual calls no longer count.
const FORGOTTEN_HOURS: f64 = 10.0;
/// Shortest duration of a ban: the reported three hours, less a margin because its first minute is
/// unknown.
const SHORTEST_HOURS: f64 = 2.75;
/// Mean duration of a ban beyond the shortest.
const THEN_MEAN_HOURS: f64 = 4.5;
/// Probability that a ban begins and ends within the shortest duration.
const TOO_SHORT: f64 = 5e-4;
/// Probability that a banned account sees dates. It covers unknown effects.
const SEES_DAYS: f64 = 1e-4;

/// Distribution of the beginning of bans: the reported figures, updated by the bans found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BanOnset {
    logarithms: f64,
    bans: f64,
    by_hand: f64,
    hours: f64,
}

impl BanOnset {
    /// Records a ban that began with the `calls`-th call in ten hours.
    pub fn found(&mut self, calls: u32) {
        if f64::from(calls) * 2.0 < self.median() {
            self.by_hand += 1.0;
            return;
        }
        self.logarithms += f64::from(calls.max(1)).ln();
        self.bans += 1.0;
    }

    /// Records the time between two answers of an account.
    pub fn passed(&mut self, gap: TimeDelta) {
        self.hours += in_hours(gap).min(FORGOTTEN_HOURS);
    }

    /// Returns the number of calls in ten hours after which half of all accounts are banned.
    #[must_use]
    pub fn median(&self) -> f64 {
        let mean = (REPORT * MEDIAN_CALLS.ln() + self.logarithms) / (REPORT + self.bans);
        mean.exp().max(FEWEST_CALLS)
    }

    /// Returns the probability that a ban began by the `calls`-th call in ten hours. The account
    /// was free `gap` before.
    #[must_use]
    pub fn begins(&self, calls: u32, gap: TimeDelta) -> f64 {
        let median = self.median();
        let within = |n: u32| match n {
            0 => 0.0,
            n => 1.0 / (1.0 + (median / f64::from(n)).powi(STEEPNESS)),
        };
        let (before, now) = (within(calls.saturating_sub(1)), within(calls));
        let by_hand = (1.0 + self.by_hand) / (BY_HAND_HOURS + self.hours);
        let alone = (1.0 - ANY_CALL) * (-by_hand * in_hours(gap).clamp(0.0, FORGOTTEN_HOURS)).exp();
        1.0 - alone * (1.0 - now) / (1.0 - before)
    }
}

fn in_hours(t: TimeDelta) -> f64 {
    t.num_milliseconds() as f64 / 3_600_000.0
}

/// Returns the probability that a ban ended in the last `gap`. The account was last known free
/// `free` ago.
#[must_use]
pub fn ends(gap: TimeDelta, free: TimeDelta) -> f64 {
    let open = in_hours(gap).min(in_hours(free) - SHORTEST_HOURS);
    if open <= 0.0 { TOO_SHORT } else { (1.0 - (-open / THEN_MEAN_HOURS).exp()).max(TOO_SHORT) }
}

/// Returns the cool-down of an account first found banned `since` ago: three hours, then longer
/// each time.
#[must_use]
pub fn cool_down(since: TimeDelta) -> TimeDelta {
    match since.num_hours() {
        ..=1 => TimeDelta::hours(3),
        2..=5 => TimeDelta::hours(4),
        6..=10 => TimeDelta::hours(5),
        _ => TimeDelta::hours(6),
    }
}

/// One answer of an account in its chain.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Time in milliseconds since the epoch.
    pub at: i64,
    /// Number of polls in the last ten hours, including this one.
    pub calls: u32,
    /// Probability of an empty list for a free account; `None` if dates were shown.
    pub empty: Option<f64>,
}

/// State of an account before the first link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Before {
    /// Time of the state, in milliseconds since the epoch.
    pub at: i64,
    /// Probability that the account was banned.
    pub banned: f64,
    /// Time at which it was last known free, in milliseconds since the epoch.
    pub free_at: i64,
}

/// Probability that the account was banned at an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// Probability given all answers of the account.
    pub all: f64,
    /// Probability given all answers of the account except this one.
    pub others: f64,
}

/// Computes the probability of a ban at each answer, by a forward and a backward pass over two
/// states.
#[must_use]
pub fn chain(before: Before, links: &[Link], onset: &BanOnset) -> Vec<Chance> {
    let emit = |link: &Link| match link.empty {
        None => (1.0, SEES_DAYS),
        Some(chance) => (chance, 1.0),
    };
    let mut free_at = before.free_at;
    let mut last_at = before.at;
    let mut steps = Vec::with_capacity(links.len());
    for link in links {
        let ms = |from: i64| TimeDelta::milliseconds((link.at - from).max(0));
        steps.push((onset.begins(link.calls, ms(last_at)), ends(ms(last_at), ms(free_at))));
        last_at = link.at;
        if link.empty.is_none() {
            free_at = link.at;
        }
    }
    let mut forward = Vec::with_capacity(links.len());
    let mut state = (1.0 - before.banned, before.banned);
    for (link, (begin, end)) in links.iter().zip(&steps) {
        let (free, banned) = state;
        let seen = emit(link);
        // A ban that ends does not begin again with the same call.
        let next = (free * (1.0 - begin) + banned * end, free * begin + banned * (1.0 - end));
        state = normal((next.0 * seen.0, next.1 * seen.1));
        forward.push(next);
    }
    let mut after = (1.0, 1.0);
    let mut both = vec![Chance { all: 0.0, others: 0.0 }; links.len()];
    for at in (0..links.len()).rev() {
        let seen = emit(&links[at]);
        let others = (forward[at].0 * after.0, forward[at].1 * after.1);
        both[at] = Chance { all: normal((others.0 * seen.0, others.1 * seen.1)).1, others: normal(others).1 };
        let (begin, end) = steps[at];
        let (free, banned) = (seen.0 * after.0, seen.1 * after.1);
        after = normal((free * (1.0 - begin) + banned * begin, free * end + banned * (1.0 - end)));
    }
    both
}

fn normal((a, b): (f64, f64)) -> (f64, f64) {
    let sum = a + b;
    if sum > 0.0 { (a / sum, b / sum) } else { (0.5, 0.5) }
}
