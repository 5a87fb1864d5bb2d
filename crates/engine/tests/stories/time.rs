//! Virtual time with latency: simultaneous requests are answered in the order of latency, and
//! nothing waits in real time.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::ManualClock;
use engine::Engine;
use sandbox::Answers;
use std::sync::Arc;
use store::Db;
use tokio::task::{JoinError, JoinSet};

use crate::oracle::Watch;

/// Number of turns of the runtime without any change after which all tasks wait for time to pass.
const STILL: u32 = 24;

/// Driver that moves the clock from event to event: engine, answers on their way, and the end of
/// the story.
pub(crate) struct Driver {
    pub clock: ManualClock,
    pub answers: Answers,
    pub db: Db,
    pub watch: Watch,
}

impl Driver {
    /// Runs `engine` to `end`, or until `done`. Jobs in progress are finished first.
    pub async fn run(&self, engine: &Arc<Engine>, end: DateTime<Utc>, done: impl Fn() -> bool) {
        let mut jobs = JoinSet::new();
        self.watch.begin(&self.db, self.clock.now()).await;
        loop {
            self.watch.go_on(&self.db, self.clock.now()).await;
            let over = self.clock.now() >= end || done();
            let due = if over { None } else { engine.begin_due(&mut jobs).await };
            if over && jobs.is_empty() {
                return self.watch.read(&self.db, self.clock.now()).await;
            }
            let before = jobs.len();
            if self.let_go(engine, &mut jobs).await {
                continue;
            }
            // A job in progress may have made room for another (the times of a day are known).
            if !over {
                engine.begin_due(&mut jobs).await;
                if jobs.len() > before {
                    continue;
                }
            }
            self.step(due, end);
        }
    }

    /// Moves to the next instant at which anything happens, and releases one answer if it is due.
    pub fn step(&self, due: Option<DateTime<Utc>>, end: DateTime<Utc>) {
        let now = self.clock.now();
        let answer = self.answers.next();
        let next = [due, answer].into_iter().flatten().min().unwrap_or(end);
        // Only jobs in progress may continue beyond the end.
        let next = if answer == Some(next) { next.max(now) } else { next.min(end) };
        let least = if answer.is_some_and(|at| at <= next) { now } else { now + TimeDelta::milliseconds(1) };
        self.clock.set(next.max(least));
        self.answers.release(self.clock.now());
    }

    /// Lets all jobs run as far as they can at this instant. Returns `true` as soon as one has
    /// ended.
    pub async fn let_go(&self, engine: &Engine, jobs: &mut JoinSet<()>) -> bool {
        let (mut still, mut seen) = (0, (0, 0));
        while still < STILL {
            tokio::task::yield_now().await;
            if !self.db.is_idle() {
                // The database works in a thread or process of its own, which may need this core.
                std::thread::yield_now();
            }
            if let Some(ended) = jobs.try_join_next() {
                ended.unwrap_or_else(lament);
                return true;
            }
            let now = (self.answers.asked(), self.answers.waiting() + engine.waiting_jobs());
            let all_wait = now.1 >= jobs.len() && self.db.is_idle();
            still = if all_wait && now == seen { still + 1 } else { 0 };
            seen = now;
        }
        false
    }
}

/// Payload of a job that was killed at a fail point.
struct Killed;

/// Ends the job that reaches a fail point for which `dies` returns `true`, as if its process had
/// died. This applies to this thread only.
///
/// The test then drops the engine and makes a new one on the same database.
pub(crate) fn kill_when(mut dies: impl FnMut(&str) -> bool + 'static) {
    engine::on_fail_points(Some(Box::new(move |point| {
        if dies(point) {
            std::panic::resume_unwind(Box::new(Killed));
        }
    })));
}

/// Checks how a job ended: the test may kill it, but it must not panic by itself.
fn lament(error: JoinError) {
    if let Ok(payload) = error.try_into_panic()
        && !payload.is::<Killed>()
    {
        std::panic::resume_unwind(payload);
    }
}
