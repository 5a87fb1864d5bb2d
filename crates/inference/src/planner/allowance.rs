//! Token buckets for polls.

use serde::Serialize;

/// Strength with which a token bucket that is not half full changes the price.
const PRESSURE: f64 = 0.5;
/// Token bucket of polls: a mean rate per second and a maximum burst.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Allowance {
    /// Refill rate in polls per second.
    pub rate: f64,
    /// Maximum number of saved polls.
    pub burst: f64,
    /// Number of polls available now.
    pub tokens: f64,
}

impl Allowance {
    /// Creates a full token bucket.
    #[must_use]
    pub const fn full(rate: f64, burst: f64) -> Self {
        Self { rate, burst, tokens: burst }
    }

    /// Spends one poll. A compelled poll may overdraw the bucket by up to its burst.
    pub(super) fn draw(&mut self) {
        self.tokens = (self.tokens - 1.0).max(-self.burst);
    }

    pub(super) fn refill(&mut self, seconds: f64) {
        self.tokens = (self.tokens + self.rate * seconds).min(self.burst);
    }

    /// Returns the factor on the price: a full bucket makes polls cheap, an empty one expensive.
    pub(super) fn pressure(&self) -> f64 {
        let fill = (self.tokens / self.burst.max(1e-9)).clamp(0.0, 1.0);
        (PRESSURE * (1.0 - 2.0 * fill)).exp()
    }
}
