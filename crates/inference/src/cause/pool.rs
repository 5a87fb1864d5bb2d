//! Answers of all accounts about one list of dates, and the probability that dates existed at a
//! moment.
//!
//! Accounts of one class and party size share the list. Restricted hours hide it from those with an
//! appointment.

use std::collections::VecDeque;

use chrono::{NaiveDate, TimeDelta};

use super::EmptyCause;
use super::list::{Chances, ListChanges, ListDynamics, state};
use domain::ids::PortalAccountId;

/// Maximum age of stored answers; [`MOST`] is their maximum number.
const KEPT: TimeDelta = TimeDelta::hours(6);
const MOST: usize = 300;
/// Maximum distance at which an answer counts for another moment.
const REACH_MS: i64 = 2 * 3_600_000;
/// Number of answers used on each side of a moment.
const REACH: usize = 40;
/// Odds for a date at a moment if it was shown before and after.
const SAME_DAY: f64 = 60.0;
/// Maximum time between the two answers for that.
const SAME_DAY_MS: i64 = 30 * 60_000;
/// Odds for a date if a few dates were soon replaced by others: the list was possibly empty in
/// between.
const REPLACED: f64 = 0.2;
/// Minimum probability of any behaviour of the portal.
const NEVER: f64 = 1e-6;
/// Probability of an empty answer for unknown reasons.
pub(super) const UNKNOWN: f64 = 0.0005;

/// One answer in a pool.
#[derive(Clone, Debug)]
pub(super) struct PoolAnswer {
    pub id: u64,
    /// Time in milliseconds since the epoch.
    pub at: i64,
    pub account: PortalAccountId,
    pub booked: bool,
    /// Local hours since the epoch; equal for answers of one hour.
    pub hour: i64,
    /// The earliest dates shown, as days since the epoch; empty if the list was empty.
    pub days: Vec<u16>,
    /// For empty lists: probability that the account was banned then, by its other answers.
    pub banned: f64,
    /// Probability that an overload emptied the list.
    pub overload: f64,
    /// Evidence about the portal's load.
    pub says: f64,
    /// Inferred cause; `no_availability` is the probability that no dates existed.
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

/// Result for a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Probability that dates existed.
    pub days: f64,
    /// Probability that the hour hid the dates from accounts with an appointment.
    pub restricted: f64,
}

/// The moment and the account of a query.
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
    /// Creates an unobserved list with the rates learned from others as prior.
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

    /// Learns how lists change from answers whose cause is final, for this list and for `all`
    /// lists. Calls `settled` for each answer.
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

    /// Returns the probabilities that dates existed at a moment and that the hour hid them, for a
    /// free account.
    ///
    /// Uses the answers of all accounts. Of the account's own empty answers only the earlier ones
    /// count (the chain rule: each answer given those before it). `hours` returns the probability
    /// of a restriction in an hour for an account with an appointment.
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

    /// Returns the likelihoods of all answers with an empty and with a full list at `at`, and the
    /// logarithm of their scale.
    fn both_sides(
        &self,
        asked: &Query,
        before: &[&PoolAnswer],
        after: &[&PoolAnswer],
        belief: &dyn Fn(&PoolAnswer) -> f64,
    ) -> ((f64, f64), f64) {
        let list = &self.dynamics;
        // Proceeds from the farthest answer towards the moment; `bridge` covers each gap.
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

/// Returns the probabilities of an answer for an empty list, a few dates and many.
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

/// Returns the odds factor for dates from the nearest non-empty answers on both sides.
///
/// The factor is high if a date was shown shortly before and again shortly after. It is low if a
/// few dates were replaced by others.
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
