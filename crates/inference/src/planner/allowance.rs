//! What may be spent.

use serde::Serialize;

/// How strongly a purse off its middle bends the price.
const PRESSURE: f64 = 0.5;
/// Calls that may be spent: a mean rate per second, and a maximum that is saved up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Allowance {
    /// Refill, calls a second.
    pub rate: f64,
    /// The most that can be saved up, calls.
    pub burst: f64,
    /// What there is, calls.
    pub tokens: f64,
}

impl Allowance {
    /// A full one.
    #[must_use]
    pub const fn full(rate: f64, burst: f64) -> Self {
        Self { rate, burst, tokens: burst }
    }

    /// Spends one call. A compelled poll may spend what is not there yet, at most as much as can be saved up.
    pub(super) fn draw(&mut self) {
        self.tokens = (self.tokens - 1.0).max(-self.burst);
    }

    pub(super) fn refill(&mut self, seconds: f64) {
        self.tokens = (self.tokens + self.rate * seconds).min(self.burst);
    }

    /// What a price is multiplied with: a full purse makes looks cheap, an empty one dear.
    pub(super) fn pressure(&self) -> f64 {
        let fill = (self.tokens / self.burst.max(1e-9)).clamp(0.0, 1.0);
        (PRESSURE * (1.0 - 2.0 * fill)).exp()
    }
}
