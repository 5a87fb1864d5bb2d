//! World time: a scaled wall clock, or a clock that tests move.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Duration, SubsecRound, Utc};

use super::answers::Answers;

/// Source of the sandbox's world time.
#[derive(Clone)]
pub enum Clock {
    /// Scaled wall time, `anchor + (wall − start) × speed`. Anchor and speed come from
    /// [`crate::Options`].
    Scaled,
    /// Clock that moves only through [`ManualClock`] or `POST /control/clock`.
    Manual(ManualClock),
    /// Clock of the caller. Latencies are recorded in the journal, and responses do not wait.
    Custom(Source),
    /// Clock of a test driver, which releases every response when its latency has passed.
    Driven(Source, Answers),
}

/// Function that returns the current world time.
pub type Source = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// Clock that moves only when a test moves it. Clones share one time.
#[derive(Clone)]
pub struct ManualClock(Arc<Mutex<DateTime<Utc>>>);

impl ManualClock {
    /// Creates a clock that shows `at`.
    pub fn new(at: DateTime<Utc>) -> Self {
        Self(Arc::new(Mutex::new(at)))
    }

    /// Returns the current time of this clock.
    pub fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the clock to `at`. Ignores an earlier time, because world time never runs backwards.
    pub fn set(&self, at: DateTime<Utc>) {
        let mut hands = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *hands = at.max(*hands);
    }

    /// Moves the clock forward by `by`.
    pub fn advance(&self, by: Duration) {
        let mut hands = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *hands += by.max(Duration::zero());
    }
}

/// Clock of a running sandbox.
#[derive(Clone)]
pub(crate) struct WorldClock {
    now: Source,
    manual: Option<ManualClock>,
    /// Queue in which responses wait for virtual time, if a driver controls the clock.
    pub answers: Option<Answers>,
    /// World seconds per wall second, or `None` if time is virtual.
    pub speed: Option<f64>,
}

impl WorldClock {
    pub fn new(clock: Clock, anchor: Option<DateTime<Utc>>, speed: f64) -> Self {
        match clock {
            Clock::Scaled => {
                let start = wall();
                let anchor = anchor.unwrap_or(start);
                let speed = if speed.is_finite() && speed > 0.0 { speed } else { 1.0 };
                Self {
                    now: Arc::new(move || scaled(anchor, wall() - start, speed)),
                    manual: None,
                    answers: None,
                    speed: Some(speed),
                }
            }
            Clock::Manual(hands) => {
                let shared = hands.clone();
                Self { now: Arc::new(move || shared.now()), manual: Some(hands), answers: None, speed: None }
            }
            Clock::Custom(now) => Self { now, manual: None, answers: None, speed: None },
            Clock::Driven(now, answers) => Self { now, manual: None, answers: Some(answers), speed: None },
        }
    }

    /// Returns the world time, rounded to microseconds, the precision with which times are stored.
    pub fn now(&self) -> DateTime<Utc> {
        (self.now)().trunc_subsecs(6)
    }

    pub fn manual(&self) -> Option<&ManualClock> {
        self.manual.as_ref()
    }
}

fn scaled(anchor: DateTime<Utc>, passed: Duration, speed: f64) -> DateTime<Utc> {
    let micros = passed.num_microseconds().unwrap_or(i64::MAX / 2) as f64 * speed;
    anchor + Duration::microseconds(micros as i64)
}

/// Returns wall time. No other function of this crate reads the system clock.
#[allow(clippy::disallowed_methods)]
pub(crate) fn wall() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(6)
}
