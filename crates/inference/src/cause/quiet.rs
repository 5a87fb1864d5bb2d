//! Quiet times of a kind of applicant, without dates in any city: one hidden state shared by its
//! cities.
//!
//! The list of each city changes independently ([`super::list`]), but for weeks no city may have a
//! date. Counted per city, that would be evidence for a ban of the polling account. It is one cause
//! and is counted once.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use domain::ids::PortalAccountId;

/// Prior share of quiet time, and its weight [`WORTH`] in hours.
const PRIOR: f64 = 0.2;
const WORTH: f64 = 48.0;
/// Limits of the learned share.
const BETWEEN: (f64, f64) = (0.02, 0.9);
/// Maximum weight of what was learned, in hours.
const MOST_HOURS: f64 = 720.0;
/// Mean length of a quiet time, in hours.
const MEAN_HOURS: f64 = 50.0;
/// Maximum age of stored answers; [`MOST`] is their maximum number.
const KEPT_MS: i64 = 12 * 3_600_000;
const MOST: usize = 400;
/// Number of answers used on each side of a moment.
const REACH: usize = 40;
/// Evidence of a date shown in any city, in log-odds.
const SHOWN: f64 = -13.8;
/// Maximum evidence of one empty answer, in log-odds.
const SAYS: f64 = 3.0;
/// Distance beyond which two answers prove nothing about the time between them.
const APART_MS: i64 = 2 * 3_600_000;
const HOUR_MS: f64 = 3_600_000.0;

/// Share of quiet time of a kind of applicant, learned over all kinds and stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuietShare {
    quiet: f64,
    hours: f64,
}

impl QuietShare {
    /// Returns the share of time, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        ((PRIOR * WORTH + self.quiet) / (WORTH + self.hours)).clamp(BETWEEN.0, BETWEEN.1)
    }

    fn learn(&mut self, hours: f64, quiet: f64) {
        self.hours += hours;
        self.quiet += hours * quiet;
        if self.hours > MOST_HOURS {
            self.quiet *= MOST_HOURS / self.hours;
            self.hours = MOST_HOURS;
        }
    }
}

/// Evidence of one answer, in log-odds.
#[derive(Clone, Copy, Debug)]
struct QuietEvidence {
    id: u64,
    at: i64,
    account: PortalAccountId,
    /// Evidence for the account itself, which is treated as free.
    own: f64,
    /// Evidence for all other accounts; lower if the account may have been banned.
    others: f64,
    learned: bool,
}

/// All answers of one kind, over all cities.
#[derive(Clone, Debug, Default)]
pub(super) struct Quiet {
    evidence: VecDeque<QuietEvidence>,
    last_learned: Option<i64>,
}

impl Quiet {
    /// Adds an answer. An empty one has no evidence before [`Quiet::set_evidence`].
    pub fn add(&mut self, (id, at): (u64, i64), account: PortalAccountId, is_empty: bool) {
        let says = if is_empty { 0.0 } else { SHOWN };
        self.evidence.push_back(QuietEvidence { id, at, account, own: says, others: says, learned: false });
        while self.evidence.len() > MOST || self.evidence.front().is_some_and(|s| s.at < at - KEPT_MS) {
            self.evidence.pop_front();
        }
    }

    /// Sets the probabilities of an empty answer without this cause: for a free account, and for
    /// the account with its ban probability.
    pub fn set_evidence(&mut self, id: u64, free: f64, as_it_was: f64) {
        let Ok(at) = self.evidence.binary_search_by_key(&id, |s| s.id) else { return };
        let says = |chance: f64| (-chance.max(f64::MIN_POSITIVE).ln()).clamp(0.0, SAYS);
        self.evidence[at].own = says(free);
        self.evidence[at].others = says(as_it_was);
    }

    /// Returns the probability of a quiet time at a moment.
    ///
    /// Uses the answers of all accounts, but only the account's own earlier ones (the chain rule:
    /// each answer given those before it).
    pub fn chance(&self, (id, at): (u64, i64), account: PortalAccountId, share: &QuietShare) -> f64 {
        let middle = self.evidence.partition_point(|s| s.id < id);
        let says = |s: &QuietEvidence| if s.account == account { s.own } else { s.others };
        let before = self.evidence.range(..middle).rev().take(REACH).map(|s| (s.at, says(s)));
        let after = self.evidence.range(middle..).filter(|s| s.id != id && s.account != account);
        let after = after.take(REACH).map(|s| (s.at, s.others));
        self.between(at, before.collect(), after.collect(), share)
    }

    /// Learns the share from answers whose cause is final.
    pub fn learn(&mut self, until: i64, share: &mut QuietShare) {
        while let Some(at) = self.evidence.iter().position(|s| !s.learned && s.at < until) {
            self.evidence[at].learned = true;
            let then = self.evidence[at].at;
            let gap = self.last_learned.map(|last| then - last).filter(|gap| (0..APART_MS).contains(gap));
            self.last_learned = Some(then);
            if let Some(gap) = gap {
                let near = |s: &QuietEvidence| (s.at, s.others);
                let before = self.evidence.range(..=at).rev().take(REACH).map(near).collect();
                let after = self.evidence.range(at + 1..).take(REACH).map(near).collect();
                let quiet = self.between(then, before, after, share);
                share.learn(gap as f64 / HOUR_MS, quiet);
            }
        }
    }

    /// Combines the answers on both sides of a moment, the nearest first on each side.
    fn between(&self, at: i64, before: Vec<(i64, f64)>, after: Vec<(i64, f64)>, share: &QuietShare) -> f64 {
        let share = share.share();
        let towards = |answers: Vec<(i64, f64)>| {
            let (mut chance, mut then) = (share, None);
            for (when, says) in answers.into_iter().rev() {
                chance = step(chance, share, then.map_or(0, |then: i64| (when - then).abs()));
                let odds = chance / (1.0 - chance).max(f64::MIN_POSITIVE) * says.exp();
                (chance, then) = (odds / (1.0 + odds), Some(when));
            }
            let chance = step(chance, share, then.map_or(0, |then| (at - then).abs()));
            chance / (1.0 - chance).max(f64::MIN_POSITIVE)
        };
        // Both sides include the share: count it once.
        let odds = towards(before) * towards(after) * (1.0 - share) / share;
        odds / (1.0 + odds)
    }
}

/// Returns the probability after another `gap` milliseconds.
fn step(chance: f64, share: f64, gap: i64) -> f64 {
    let rate = 1.0 / (MEAN_HOURS * (1.0 - share));
    share + (chance - share) * (-rate * gap as f64 / HOUR_MS).exp()
}
