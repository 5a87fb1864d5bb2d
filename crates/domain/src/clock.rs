//! Injected clocks: `wall` (tokens, throttles, ledger stamps) and `portal_time` (planner, budgets,
//! read-backs).

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};

/// A UTC time in microseconds, the precision of PostgreSQL.
pub type Instant = DateTime<Utc>;

/// Truncates a time to microseconds, the precision that both databases store.
#[must_use]
pub fn truncate(at: Instant) -> Instant {
    at.trunc_subsecs(6)
}

/// A source of the current time. Cheap to clone; every reading is truncated to microseconds.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Instant + Send + Sync>);

impl Clock {
    /// Creates a clock that calls `source` for each reading.
    pub fn new(source: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        Self(Arc::new(source))
    }

    /// Returns the current time in microseconds.
    #[must_use]
    pub fn now(&self) -> Instant {
        truncate((self.0)())
    }

    /// Returns a clock that runs `speed` times as fast as this one. Both show the same time at
    /// `anchor`.
    #[must_use]
    pub fn scaled(&self, anchor: Instant, speed: f64) -> Self {
        let wall = self.clone();
        Self::new(move || {
            let passed = (wall.now() - anchor).num_microseconds().unwrap_or(i64::MAX);
            anchor + TimeDelta::microseconds((passed as f64 * speed) as i64)
        })
    }
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}

/// A clock set by tests, for stories in virtual time.
#[derive(Clone, Debug)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// Creates a clock that shows `start`.
    #[must_use]
    pub fn new(start: Instant) -> Self {
        Self(Arc::new(AtomicI64::new(start.timestamp_micros())))
    }

    /// Returns the time that the clock shows.
    #[must_use]
    pub fn now(&self) -> Instant {
        DateTime::from_timestamp_micros(self.0.load(Ordering::SeqCst)).unwrap_or_default()
    }

    /// Sets the clock to `at`; never backwards.
    pub fn set(&self, at: Instant) {
        self.0.fetch_max(at.timestamp_micros(), Ordering::SeqCst);
    }

    /// Moves the clock forward by `by`.
    pub fn advance(&self, by: TimeDelta) {
        self.set(self.now() + by);
    }

    /// Returns the same clock as an injectable source.
    #[must_use]
    pub fn clock(&self) -> Clock {
        let own = self.clone();
        Clock::new(move || own.now())
    }
}
