//! The watchdog. If an engine leads and finishes no round, the watchdog restarts the engine. If the
//! engine cannot be ended, the watchdog ends the process.
//!
//! The watchdog has its own thread and database connection. A lock that is never released blocks
//! every thread that requests it. Once the last thread of the runtime is blocked, a watchdog on
//! that runtime would stop too.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use domain::clock::{Clock, Instant};
use store::{Db, Options};
use tokio::runtime::{Builder, Handle};
use tokio::sync::{OnceCell, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::Engine;
use crate::memory::Pulse;

/// Interval between samples.
const TICK: Duration = Duration::from_secs(1);
/// Maximum gap between two samples. After a longer one, the process or the machine counts as
/// suspended, so that no round could finish.
const GAP: Duration = Duration::from_secs(5);
/// Maximum response time of the database. If it is exceeded, the engine counts as waiting for the
/// database, not as stalled.
const ANSWERS: Duration = Duration::from_secs(2);
/// Time that a cancelled engine has to finish a booking request in progress.
const FINISH: Duration = Duration::from_secs(45);
/// Number of samples until the watchdog acts again if the process did not end.
const REST: u32 = 600;

/// Minimum age of the process for an exit that the database cannot record. It permits three exits
/// an hour, like the recorded limit.
const UNRECORDED_AFTER: Duration = Duration::from_mins(20);

/// Limits of the watchdog's waits.
#[derive(Clone, Copy, Debug)]
pub struct Waits {
    /// Maximum time without a finished round. Time in which the process is suspended does not
    /// count.
    pub still: Duration,
    /// Maximum number of samples in which a cancelled engine may finish a booking request in
    /// progress and release the lease.
    pub end: u32,
}

impl Default for Waits {
    fn default() -> Self {
        Self { still: Duration::from_secs(60), end: 60 }
    }
}

/// Environment of a watched engine.
pub struct Surroundings {
    /// Address of the database. The watchdog opens its own connection, because the engine's
    /// connections belong to the stalled runtime.
    pub database: String,
    /// Ends the process. It is called at most three times an hour, counted over restarts.
    pub exit: fn(),
    /// Limits of the waits.
    pub waits: Waits,
}

/// State of the engine at one sample.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Time since the sample before.
    gap: Duration,
    leads: bool,
    finished: u64,
}

/// Measurement of the time without a finished round.
#[derive(Debug)]
struct Watch {
    longest: Duration,
    finished: u64,
    still: Duration,
}

impl Watch {
    const fn new(longest: Duration) -> Self {
        Self { longest, finished: 0, still: Duration::ZERO }
    }

    /// Returns `true` if no round was finished for too long.
    fn is_stuck(&mut self, sample: Sample) -> bool {
        let goes_on = !sample.leads || sample.finished != self.finished || sample.gap > GAP;
        self.finished = sample.finished;
        self.still = if goes_on { Duration::ZERO } else { self.still + sample.gap };
        self.still >= self.longest
    }

    /// Restarts the measurement, because the cause lies outside the engine.
    fn begin_anew(&mut self) {
        self.still = Duration::ZERO;
    }
}

/// A watched loop, and the possible actions on it.
trait Watched: Send + Sync {
    /// Returns the loop's activity.
    fn pulse(&self) -> &Pulse;
    /// Starts the loop; it ends soon after its token is cancelled.
    fn begin(&self, stop: CancellationToken) -> JoinHandle<()>;
    /// Returns `true` if the database answers.
    fn database_answers(&self) -> impl Future<Output = bool> + Send;
    /// Ends the process, if that is allowed.
    fn exit(&self) -> impl Future<Output = ()> + Send;
    /// Waits until the next sample.
    fn rest(&self) -> impl Future<Output = ()> + Send;
}

/// An engine in its environment.
struct WatchedEngine {
    engine: Arc<Engine>,
    around: Surroundings,
    /// Runtime of the engine's loop; the watchdog runs elsewhere.
    runtime: Handle,
    /// Time at which the watchdog started.
    begun: Instant,
    db: OnceCell<Db>,
}

impl Engine {
    /// Runs like [`Engine::run`], under a watchdog.
    pub async fn run_watched(self: Arc<Self>, around: Surroundings, stop: CancellationToken) {
        let clock = self.ctx.wall.clone();
        let (runtime, begun, db) = (Handle::current(), clock.now(), OnceCell::new());
        let watched = WatchedEngine { engine: self, around, runtime, begun, db };
        // Dropping the sender signals the end of the thread, on every exit path.
        let (over, ended) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            let _over = over;
            match Builder::new_current_thread().enable_all().build() {
                Ok(own) => own.block_on(keep(&watched, &clock, watched.around.waits, stop)),
                Err(error) => tracing::error!(%error, "failed to start the watchdog"),
            }
        });
        let thread = match thread {
            Ok(thread) => thread,
            Err(error) => return tracing::error!(%error, "failed to start the watchdog"),
        };
        let _ = ended.await;
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

impl WatchedEngine {
    /// Returns the database over the watchdog's own connection, which the first call opens.
    async fn db(&self) -> Result<&Db, store::Error> {
        let options = Options { connections: 1, ..Options::default() };
        self.db.get_or_try_init(|| async move { Db::open_with(&self.around.database, &options).await }).await
    }
}

impl Watched for WatchedEngine {
    fn pulse(&self) -> &Pulse {
        &self.engine.memory().pulse
    }

    fn begin(&self, stop: CancellationToken) -> JoinHandle<()> {
        self.runtime.spawn(self.engine.clone().run_until(stop, FINISH))
    }

    async fn database_answers(&self) -> bool {
        let asked = async {
            let mut tx = self.db().await?.read().await?;
            store::watchdog::exits(&mut tx).await
        };
        matches!(tokio::time::timeout(ANSWERS, asked).await, Ok(Ok(_)))
    }

    async fn rest(&self) {
        tokio::time::sleep(TICK).await;
    }

    async fn exit(&self) {
        let now = self.engine.ctx.wall.now();
        let counted = async {
            let mut tx = self.db().await?.begin().await?;
            let may = store::watchdog::may_exit(&mut tx, now).await?;
            tx.commit().await?;
            Ok::<_, store::Error>(may)
        };
        let counted = match tokio::time::timeout(ANSWERS, counted).await {
            Ok(Ok(may)) => Some(may),
            // On SQLite the stalled engine may hold the database's one writer.
            Ok(Err(_)) | Err(_) => None,
        };
        if may_exit(counted, (now - self.begun).to_std().unwrap_or_default()) {
            tracing::error!(recorded = counted.is_some(), "engine is stalled; ending the process");
            (self.around.exit)();
        } else {
            tracing::error!(
                recorded = counted.is_some(),
                "engine is stalled, but the process may not be ended again yet; restart this node by hand"
            );
        }
    }
}

/// Returns `true` if the process may end. `counted` is the decision by the recorded exits, or
/// `None` if the database could not record an exit. `ran` is the age of the process.
fn may_exit(counted: Option<bool>, ran: Duration) -> bool {
    counted.unwrap_or(ran >= UNRECORDED_AFTER)
}

/// Keeps a loop running until `stop` is cancelled or the loop ends by itself.
async fn keep(watched: &impl Watched, clock: &Clock, waits: Waits, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let own = stop.child_token();
        let mut running = watched.begin(own.clone());
        tokio::select! {
            // A panic of the loop ends the watchdog too, as it would end the process without one.
            ended = &mut running => return ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())),
            () = wait_for_stall(watched, clock, waits.still) => {}
        }
        tracing::error!(
            seconds = waits.still.as_secs(),
            "engine leads but finishes no round; restarting the engine"
        );
        own.cancel();
        if ends(watched, &mut running, waits.end).await {
            continue;
        }
        // The engine holds resources that cannot be taken from it. Another node, or the next
        // process, takes over when its lease expires.
        watched.exit().await;
        tokio::select! {
            _ = ends(watched, &mut running, REST) => {}
            () = stop.cancelled() => {}
        }
        running.abort();
    }
}

/// Returns `true` if a loop ends within this many samples.
async fn ends(watched: &impl Watched, running: &mut JoinHandle<()>, samples: u32) -> bool {
    for _ in 0..samples {
        tokio::select! {
            biased;
            _ = &mut *running => return true,
            () = watched.rest() => {}
        }
    }
    false
}

/// Waits until no round was finished for too long, although the database answers.
async fn wait_for_stall(watched: &impl Watched, clock: &Clock, longest: Duration) {
    let mut watch = Watch::new(longest);
    let mut before: Instant = clock.now();
    loop {
        watched.rest().await;
        let now = clock.now();
        // A clock that was set back counts as a gap.
        let gap = (now - before).to_std().unwrap_or(Duration::MAX);
        before = now;
        let pulse = watched.pulse();
        let leads = pulse.leads.load(Ordering::Acquire);
        let finished = pulse.finished.load(Ordering::Acquire);
        if watch.is_stuck(Sample { gap, leads, finished }) {
            if watched.database_answers().await {
                return;
            }
            watch.begin_anew();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicUsize};

    use domain::clock::ManualClock;

    const SECOND: Duration = Duration::from_secs(1);

    fn sample(finished: u64) -> Sample {
        Sample { gap: SECOND, leads: true, finished }
    }

    /// Returns the number of samples after which a stall is found; `None` if none is found within
    /// ten minutes.
    fn found(look: impl Fn(usize) -> Sample) -> Option<usize> {
        let mut watch = Watch::new(Waits::default().still);
        (1..=600).find(|n| watch.is_stuck(look(*n)))
    }

    // spec: 10.15.18
    #[test]
    fn a_leader_without_a_round_for_a_minute_is_stuck() {
        assert_eq!(found(|_| sample(0)), Some(60));
        assert_eq!(found(|n| sample(n.min(100) as u64)), Some(160), "counted from the last round on");
        assert_eq!(found(|n| sample(n as u64 / 59)), None, "a round in each 59 seconds");
        assert_eq!(
            found(|_| Sample { leads: false, ..sample(0) }),
            None,
            "the engine waits for the lease, or loads slowly"
        );
    }

    // spec: 10.15.18
    #[test]
    fn a_suspended_process_is_not_counted_as_stuck() {
        let stopped = |n: usize| if n == 59 { Duration::from_secs(120) } else { SECOND };
        assert_eq!(
            found(|n| Sample { gap: stopped(n), ..sample(0) }),
            Some(119),
            "the minute begins when the process continues"
        );
        let often = |n: usize| if n.is_multiple_of(50) { Duration::from_secs(6) } else { SECOND };
        assert_eq!(found(|n| Sample { gap: often(n), ..sample(0) }), None);
    }

    // spec: 10.15.18
    #[test]
    fn an_engine_is_stuck_only_after_a_sampled_minute_without_a_round() {
        let random = store::Random::seeded(7);
        for _ in 0..500 {
            let (mut watch, mut finished, mut still) = (Watch::new(Waits::default().still), 0, 0);
            for _ in 0..300 {
                let gap = u64::from(random.below(5_200));
                let (leads, moved) = (random.below(60) > 0, random.below(60) == 0);
                finished += u64::from(moved);
                still = if moved || !leads || gap > 5_000 { 0 } else { still + gap };
                let sample = Sample { gap: Duration::from_millis(gap), leads, finished };
                assert_eq!(watch.is_stuck(sample), still >= 60_000);
            }
        }
    }

    /// Loop with the behaviour that a test sets.
    struct Fake {
        pulse: Pulse,
        hands: ManualClock,
        /// `true` if it ends when it is cancelled.
        ends: bool,
        database: AtomicBool,
        begun: AtomicUsize,
        exits: AtomicUsize,
        stop: CancellationToken,
        left: AtomicUsize,
    }

    impl Fake {
        fn new(ends: bool) -> Self {
            let pulse = Pulse { leads: AtomicBool::new(true), ..Pulse::default() };
            let hands = ManualClock::new(chrono::DateTime::UNIX_EPOCH);
            let count = || AtomicUsize::new(0);
            let (begun, exits, left) = (count(), count(), count());
            let stop = CancellationToken::new();
            Self { pulse, hands, ends, database: AtomicBool::new(true), begun, exits, stop, left }
        }

        /// Runs the loop for this many samples.
        async fn for_samples(&self, samples: usize) {
            self.left.store(samples, Ordering::Relaxed);
            keep(self, &self.hands.clock(), Waits::default(), self.stop.clone()).await;
        }
    }

    impl Watched for Fake {
        fn pulse(&self) -> &Pulse {
            &self.pulse
        }

        fn begin(&self, stop: CancellationToken) -> JoinHandle<()> {
            self.begun.fetch_add(1, Ordering::Relaxed);
            let ends = self.ends;
            tokio::spawn(async move {
                stop.cancelled().await;
                if !ends {
                    // The caller waits forever; the test's runtime ends it.
                    std::future::pending::<()>().await;
                }
            })
        }

        async fn database_answers(&self) -> bool {
            self.database.load(Ordering::Relaxed)
        }

        async fn exit(&self) {
            self.exits.fetch_add(1, Ordering::Relaxed);
        }

        async fn rest(&self) {
            self.hands.advance(chrono::TimeDelta::seconds(1));
            if self.left.fetch_sub(1, Ordering::Relaxed) <= 1 {
                self.left.store(1, Ordering::Relaxed);
                self.stop.cancel();
            }
            // A loop that was cancelled ends now.
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
        }
    }

    // spec: 10.15.18
    #[tokio::test]
    async fn a_stalled_engine_restarts_and_an_unstoppable_one_exits() {
        let ends = Fake::new(true);
        ends.for_samples(150).await;
        assert_eq!((ends.begun.into_inner(), ends.exits.into_inner()), (3, 0));
        let stuck = Fake::new(false);
        stuck.for_samples(190).await;
        assert_eq!((stuck.begun.into_inner(), stuck.exits.into_inner()), (1, 1));
    }

    // spec: 10.15.18
    #[test]
    fn exits_that_cannot_be_recorded_are_rate_limited_too() {
        assert!(may_exit(Some(true), SECOND));
        assert!(!may_exit(Some(false), UNRECORDED_AFTER));
        assert!(!may_exit(None, UNRECORDED_AFTER - SECOND));
        assert!(may_exit(None, UNRECORDED_AFTER));
    }

    // spec: 10.15.18
    #[tokio::test]
    async fn an_unavailable_database_does_not_end_the_process() {
        let fake = Fake::new(true);
        fake.database.store(false, Ordering::Relaxed);
        fake.for_samples(90).await;
        assert_eq!((fake.begun.into_inner(), fake.exits.into_inner()), (1, 0));
    }
}
