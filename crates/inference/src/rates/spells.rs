//! Busy spells: detects frequent new dates with a two-state filter for each way of clumping.

use serde::{Deserialize, Serialize};

use super::shape::{CLUMPS, SCOPES};

/// Probability of the busy state by way of clumping, for one calendar or for several with common
/// spells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spells {
    busy: [f64; CLUMPS.len()],
    busy_at: f64,
}

impl Default for Spells {
    fn default() -> Self {
        Self { busy: CLUMPS.map(|clump| clump.share), busy_at: 0.0 }
    }
}

impl Spells {
    /// Returns the probability of the busy state at `at`, projected from the last update.
    fn busy_then(&self, way: usize, at: f64) -> f64 {
        let clump = CLUMPS[way];
        let leave = 1.0 / clump.length;
        let enter = leave * clump.share / (1.0 - clump.share);
        let fade = (-(leave + enter) * (at - self.busy_at).max(0.0)).exp();
        clump.share + (self.busy[way] - clump.share) * fade
    }

    /// Returns the intensity at a time relative to the mean, over all ways of clumping weighted by
    /// `beliefs`.
    fn factor(&self, beliefs: &[f64; CLUMPS.len()], at: f64, curiosity: f64) -> f64 {
        let mut factor = 0.0;
        for (way, clump) in CLUMPS.iter().enumerate().filter(|(way, _)| beliefs[*way] > 0.0) {
            let busy = self.busy_then(way, at);
            let busy = (busy + curiosity * busy * (1.0 - busy)).min(1.0);
            factor += beliefs[way] * (busy * clump.busy + (1.0 - busy) * clump.calm());
        }
        factor
    }

    /// Updates each filter with `got` new dates; `expected` returns the mean by way of clumping.
    /// Returns the log-likelihood of the observation by way of clumping.
    pub(super) fn learn(
        &mut self,
        got: f64,
        expected: impl Fn(usize) -> f64,
        at: f64,
    ) -> [f64; CLUMPS.len()] {
        let mut foresaw = [0.0; CLUMPS.len()];
        for (way, clump) in CLUMPS.iter().enumerate() {
            let likelihood =
                |factor: f64| got * (factor * expected(way)).max(1e-12).ln() - factor * expected(way);
            let busy = self.busy_then(way, at);
            let (high, low) = (likelihood(clump.busy), likelihood(clump.calm()));
            let top = high.max(low);
            let (high, low) = (busy * (high - top).exp(), (1.0 - busy) * (low - top).exp());
            self.busy[way] = high / (high + low);
            foresaw[way] = (high + low).ln() + top;
        }
        self.busy_at = at;
        foresaw
    }
}

/// Spells of the city and of all calendars, which may be active in a calendar. Its own spells are
/// part of its [`Rates`](super::Rates).
#[derive(Clone, Copy, Debug)]
pub struct SharedSpells<'a> {
    /// Spells of the city.
    pub city: &'a Spells,
    /// Spells of all calendars.
    pub everywhere: &'a Spells,
}

/// Returns the intensity at a time relative to the mean, over all scopes and ways of clumping.
pub(super) fn factor(
    own: &Spells,
    shared: SharedSpells<'_>,
    beliefs: &[[f64; CLUMPS.len()]; SCOPES],
    at: f64,
    curiosity: f64,
) -> f64 {
    [own, shared.city, shared.everywhere]
        .into_iter()
        .zip(beliefs)
        .map(|(spells, beliefs)| spells.factor(beliefs, at, curiosity))
        .sum()
}
