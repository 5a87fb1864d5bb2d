//! One list of days, for all accounts: what all accounts were shown, and how likely there were days at a moment.
//!
//! Booked and unbooked accounts of one class and party share the list; restricted hours hide it from the booked.

use std::collections::VecDeque;

use chrono::{NaiveDate, TimeDelta};

use super::EmptyCause;
use super::list::{Chances, ListChanges, ListDynamics, state};
use domain::ids::PortalAccountId;

/// How long answers are kept, and the maximum number of them.
const KEPT: TimeDelta = TimeDelta::hours(6);
const MOST: usize = 300;
/// How far an answer speaks for another moment.
const REACH_MS: i64 = 2 * 3_600_000;
/// Answers looked at on each side of a moment.
const REACH: usize = 40;
/// A day shown before and after a moment was there at it: odds by which that speaks.
const SAME_DAY: f64 = 60.0;
/// Days must be shown again within this for that.
const SAME_DAY_MS: i64 = 30 * 60_000;
/// A few days, and soon quite others: the list may well have been empty in between.
const REPLACED: f64 = 0.2;
/// Never surer than this of anything a portal does.
const NEVER: f64 = 1e-6;
/// The chance of an empty answer for reasons nobody knows.
pub(super) const UNKNOWN: f64 = 0.0005;

/// One answer in a pool.
#[derive(Clone, Debug)]
pub(super) struct PoolAnswer {
    pub id: u64,
    /// Milliseconds since the epoch.
    pub at: i64,
    pub account: PortalAccountId,
    pub booked: bool,
    /// Local hours since the epoch: the same for answers of one hour.
    pub hour: i64,
    /// The earliest days shown, as days since the epoch; none when the list was empty.
    pub days: Vec<u16>,
    /// How likely the account was banned then, by its other answers; for empty lists.
    pub banned: f64,
    /// How likely an overload emptied it.
    pub overload: f64,
    /// What it said of the portal's load.
    pub says: f64,
    /// Its inferred cause, and how likely it is that there really were no days.
    pub meaning: EmptyCause,
    pub no_availability: f64,
    pub learned: bool,
}

impl PoolAnswer {
    pub fn sample(days: &[NaiveDate]) -> Vec<u16> {
        let epoch = NaiveDate::default();
        days.iter().take(12).map(|d| u16::try_from((*d - epoch).num_days()).unwrap_or(u16::MAX)).collect()
    }
}

/// What a pool says about a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// How likely there were days.
    pub days: f64,
    /// How likely booked accounts were shown none because of the hour.
    pub restricted: f64,
}

/// The moment asked about, and for whom.
pub(super) struct Query {
    pub id: u64,
    pub at: i64,
    pub account: PortalAccountId,
    pub hour: i64,
}

/// All answers about one list.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool {
    pub polls: VecDeque<PoolAnswer>,
    dynamics: ListDynamics,
    last_learned: Option<(i64, Vec<u16>)>,
}

impl Pool {
    /// A list nothing is known of yet, by what was learned of others.
    pub fn after(others: &ListChanges) -> Self {
        Self { dynamics: ListDynamics::after(others), ..Self::default() }
    }

    pub fn add(&mut self, seen: PoolAnswer) {
        let horizon = seen.at - KEPT.num_milliseconds();
        self.polls.push_back(seen);
        while self.polls.len() > MOST || self.polls.front().is_some_and(|s| s.at < horizon) {
            self.polls.pop_front();
        }
    }

    pub fn get_mut(&mut self, id: u64) -> Option<&mut PoolAnswer> {
        let at = self.polls.binary_search_by_key(&id, |s| s.id).ok()?;
        self.polls.get_mut(at)
    }

    /// Learns how lists come and go from answers whose cause is final, for itself and for `all` lists; calls
    /// `settled` for each.
    pub fn learn(&mut self, until: i64, all: &mut ListChanges, mut settled: impl FnMut(&PoolAnswer)) {
        for seen in self.polls.iter_mut().filter(|s| !s.learned && s.at < until) {
            seen.learned = true;
            settled(seen);
            if seen.days.is_empty() && seen.no_availability < 0.8 {
                continue;
            }
            if let Some((at, before)) = &self.last_learned {
                let gap = (seen.at - at).max(0);
                if gap < REACH_MS {
                    let replaced = !before.is_empty() && !before.iter().any(|day| seen.days.contains(day));
                    let (from, to) = (state(before.len()), state(seen.days.len()));
                    self.dynamics.learn(gap as f64, from, to, replaced);
                    all.learn(gap as f64, from, to, replaced);
                }
            }
            self.last_learned = Some((seen.at, seen.days.clone()));
        }
    }

    /// How likely there were days at a moment, and whether the hour hid them, had the asking account been free: by
    /// everybody's answers, but of its own empty ones only the earlier (the chain rule: each answer given those
    /// before it). `hours` is the belief for a booked account in an hour.
    pub fn view(&self, asked: &Query, hours: &dyn Fn(i64) -> f64) -> View {
        let middle = self.polls.partition_point(|s| s.id < asked.id);
        let counts = |s: &&PoolAnswer| {
            (s.at - asked.at).abs() <= REACH_MS
                && (!s.days.is_empty() || s.account != asked.account || s.id < asked.id)
        };
        let before: Vec<&PoolAnswer> = self.polls.range(..middle).rev().filter(counts).take(REACH).collect();
        let after: Vec<&PoolAnswer> =
            self.polls.range(middle..).filter(|s| s.id != asked.id).filter(counts).take(REACH).collect();
        let restricted = hours(asked.hour).clamp(NEVER, 1.0 - NEVER);
        let [open, shut] = [(false, 1.0 - restricted), (true, restricted)].map(|(rule, prior)| {
            let belief = |seen: &PoolAnswer| match (seen.booked, seen.hour == asked.hour) {
                (false, _) => 0.0,
                (true, true) if rule => 1.0 - NEVER,
                (true, true) => 0.0,
                (true, false) => hours(seen.hour),
            };
            let ((empty, full), scale) = self.both_sides(asked, &before, &after, &belief);
            (prior * empty, prior * full, scale)
        });
        let most = open.2.max(shut.2);
        let [open, shut] =
            [open, shut].map(|(e, f, scale)| (e * (scale - most).exp(), f * (scale - most).exp()));
        let (open_all, shut_all) = (open.0 + open.1, shut.0 + shut.1);
        let sum = (open.0 + shut.0, open.1 + shut.1);
        let full = sum.1 * same_day(&before, &after);
        let days = full / (sum.0 + full).max(f64::MIN_POSITIVE);
        View { days, restricted: shut_all / (open_all + shut_all).max(f64::MIN_POSITIVE) }
    }

    /// Likelihoods of all answers with an empty and with a full list at `at`, and the logarithm of their scale.
    fn both_sides(
        &self,
        asked: &Query,
        before: &[&PoolAnswer],
        after: &[&PoolAnswer],
        belief: &dyn Fn(&PoolAnswer) -> f64,
    ) -> ((f64, f64), f64) {
        let list = &self.dynamics;
        // From the farthest answer towards the moment, each gap bridged by `bridge`.
        let walk = |polls: &[&PoolAnswer], start: Chances, bridge: &dyn Fn(Chances, i64) -> Chances| {
            let (mut chances, mut scale) = (start, 0.0);
            let mut then = polls.last().map_or(asked.at, |s| s.at);
            for seen in polls.iter().rev() {
                chances = bridge(chances, (seen.at - then).abs());
                let banned = if seen.account == asked.account { 0.0 } else { seen.banned };
                let emitted = emission(seen, banned, belief(seen));
                chances = [0, 1, 2].map(|state: usize| chances[state] * emitted[state]);
                let sum = chances.iter().sum::<f64>().max(f64::MIN_POSITIVE);
                (chances, scale) = (chances.map(|c| c / sum), scale + sum.ln());
                then = seen.at;
            }
            (bridge(chances, (asked.at - then).abs()), scale)
        };
        let (past, scale) = walk(before, list.share(), &|chances, gap| list.forward(chances, gap));
        let (future, more) = walk(after, [1.0; 3], &|likely, gap| list.backward(likely, gap));
        ((past[0] * future[0], past[1] * future[1] + past[2] * future[2]), scale + more)
    }
}

/// The chances of an answer with an empty list behind it, with a few days and with many.
fn emission(seen: &PoolAnswer, banned: f64, restricted: f64) -> Chances {
    let shown = (1.0 - banned) * (1.0 - seen.overload) * (1.0 - restricted);
    let at = state(seen.days.len());
    if at > 0 {
        let mut chances = [NEVER; 3];
        chances[at] = (1.0 - restricted).max(NEVER);
        return chances;
    }
    let hidden = (1.0 - shown).max(UNKNOWN);
    [1.0, hidden, hidden]
}

/// How much more likely days are because one was shown shortly before and is shown again shortly after, or less because
/// a few were and quite others are.
fn same_day(before: &[&PoolAnswer], after: &[&PoolAnswer]) -> f64 {
    let full = |s: &&PoolAnswer| !s.days.is_empty();
    let (Some(last), Some(next)) = (before.iter().position(full), after.iter().position(full)) else {
        return 1.0;
    };
    let doubted =
        before[..last].iter().chain(&after[..next]).any(|s| s.banned < 0.5 && s.no_availability >= 0.5);
    let (last, next) = (before[last], after[next]);
    let same = last.days.iter().any(|d| next.days.contains(d));
    if !same && state(last.days.len()) == 1 && state(next.days.len()) == 1 {
        return REPLACED;
    }
    if same && next.at - last.at <= SAME_DAY_MS && !doubted { SAME_DAY } else { 1.0 }
}
