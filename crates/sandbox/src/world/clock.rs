//! World time: either a scaled wall clock or one that only moves when told.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Duration, SubsecRound, Utc};

use super::answers::Answers;

/// Where the sandbox takes its world time from.
#[derive(Clone)]
pub enum Clock {
    /// `anchor + (wall − start) × speed`; anchor and speed come from [`crate::Options`].
    Scaled,
    /// Moves only through [`ManualClock`] or `POST /control/clock`.
    Manual(ManualClock),
    /// Any other source of world time; latency is named, not slept.
    Custom(Source),
    /// Any other source of world time; whoever drives it lets every answer go when its latency has passed.
    Driven(Source, Answers),
}

/// A source of world time.
pub type Source = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// A clock that stands still until it is moved; clones share the same hands.
#[derive(Clone)]
pub struct ManualClock(Arc<Mutex<DateTime<Utc>>>);

impl ManualClock {
    /// A clock standing at `at`.
    pub fn new(at: DateTime<Utc>) -> Self {
        Self(Arc::new(Mutex::new(at)))
    }

    /// The time it shows.
    pub fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves to `at`; an earlier time is ignored, since world time never runs backwards.
    pub fn set(&self, at: DateTime<Utc>) {
        let mut hands = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *hands = at.max(*hands);
    }

    /// Moves forward by `by`.
    pub fn advance(&self, by: Duration) {
        let mut hands = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *hands += by.max(Duration::zero());
    }
}

/// The clock as the running sandbox uses it.
#[derive(Clone)]
pub(crate) struct WorldClock {
    now: Source,
    manual: Option<ManualClock>,
    /// Where answers wait for virtual time.
    pub answers: Option<Answers>,
    /// How many world seconds pass in a wall second; `None` when time is virtual.
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

    /// Microseconds and no finer, as everything that stores times keeps them.
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

/// Wall time: the one place where this crate reads the ambient clock.
#[allow(clippy::disallowed_methods)]
pub(crate) fn wall() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(6)
}
