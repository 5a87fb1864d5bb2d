//! Two clocks, injected: `wall` (tokens, throttles, ledger stamps) and `portal_time` (planner, budgets, read-backs).

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};

/// An instant, UTC, microseconds (PostgreSQL keeps no more).
pub type Instant = DateTime<Utc>;

/// Cuts an instant to the microseconds both databases keep.
#[must_use]
pub fn truncate(at: Instant) -> Instant {
    at.trunc_subsecs(6)
}

/// A source of the current instant. Cheap to clone; every reading is cut to microseconds.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Instant + Send + Sync>);

impl Clock {
    /// A clock that asks `source` each time.
    pub fn new(source: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        Self(Arc::new(source))
    }

    /// The current instant in microseconds.
    #[must_use]
    pub fn now(&self) -> Instant {
        truncate((self.0)())
    }

    /// A clock that runs `speed` times as fast as this one, both showing the same time at `anchor`.
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

/// A clock moved by hand, for stories in virtual time.
#[derive(Clone, Debug)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// A clock standing at `start`.
    #[must_use]
    pub fn new(start: Instant) -> Self {
        Self(Arc::new(AtomicI64::new(start.timestamp_micros())))
    }

    /// The instant it stands at.
    #[must_use]
    pub fn now(&self) -> Instant {
        DateTime::from_timestamp_micros(self.0.load(Ordering::SeqCst)).unwrap_or_default()
    }

    /// Moves it to `at`; never backwards.
    pub fn set(&self, at: Instant) {
        self.0.fetch_max(at.timestamp_micros(), Ordering::SeqCst);
    }

    /// Moves it forward by `by`.
    pub fn advance(&self, by: TimeDelta) {
        self.set(self.now() + by);
    }

    /// The same clock as an injectable source.
    #[must_use]
    pub fn clock(&self) -> Clock {
        let own = self.clone();
        Clock::new(move || own.now())
    }
}
