//! The engine in a process of its own.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use domain::clock::Clock;
use engine::{Config, Context, Engine};
use rustix::process::{Signal, getpid, kill_process};
use store::keyring::KeyRing;
use store::{Db, Random};
use tokio_util::sync::CancellationToken;

/// Portal seconds per wall second.
pub(crate) const SPEED: f64 = 240.0;
/// Time limit of the child's client for a POST.
pub(crate) const POST_SECONDS: i64 = 2;

/// Returns the clock. This is the only place of the suite that reads the ambient clock.
#[allow(clippy::disallowed_methods)]
pub(crate) fn wall() -> Clock {
    Clock::new(Utc::now)
}

/// Returns an engine's context over a given database and portal.
pub(crate) async fn context(
    database: &str,
    portal: &str,
    key_ring: &str,
    anchor: DateTime<Utc>,
    seed: u64,
) -> Context {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let db = Db::open(database).await.expect("a database");
    let wall = wall();
    let time = wall.clone();
    let host = portal::PortalHost::new(portal.parse().expect("a url"));
    let mut settings = portal::Settings::new(host, Arc::new(move || time.now()));
    settings.pacer = Arc::new(portal::Pacer::new(portal::Rate::UNLIMITED, settings.clock.clone()));
    settings.timeouts.booking = std::time::Duration::from_secs(POST_SECONDS.unsigned_abs());
    Context {
        db,
        keyring: Arc::new(KeyRing::load(key_ring.as_ref()).expect("a key ring")),
        client: Arc::new(portal::Client::new(settings).expect("a client")),
        outward: Arc::default(),
        portal_time: wall.scaled(anchor, SPEED),
        wall,
        random: Random::seeded(seed),
        config: Config { speed: SPEED, post_timeout_seconds: POST_SECONDS, ..Config::default() },
    }
}

/// Runs the engine until it is killed, if the parent requested it.
pub(crate) fn run_if_asked() {
    let Ok(database) = std::env::var("RIG_DATABASE") else { return };
    if std::env::var("RIG_STUCK").is_ok() {
        return run_stuck(database);
    }
    let var = |name: &str| std::env::var(name).expect("the parent sets it");
    // One thread, because fail points belong to a thread.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (crash, mut pause) = (std::env::var("RIG_CRASH").ok(), std::env::var("RIG_PAUSE").ok());
    engine::on_fail_points(Some(Box::new(move |point| {
        if crash.as_deref() == Some(point) {
            die();
        }
        if pause.as_deref() == Some(point) {
            pause = None;
            // The process sleeps until the parent sends SIGCONT.
            let _ = kill_process(getpid(), Signal::STOP);
        }
    })));
    runtime.block_on(async {
        let anchor = var("RIG_ANCHOR").parse().expect("an instant");
        let seed = u64::from(std::process::id());
        let ctx = context(&database, &var("RIG_PORTAL"), &var("RIG_KEYS"), anchor, seed).await;
        Engine::new(ctx).run(CancellationToken::new()).await;
    });
}

/// Runs the engine as a server does, on two threads under a watchdog, with a lock that is never
/// released.
fn run_stuck(database: String) {
    let var = |name: &str| std::env::var(name).expect("the parent sets it");
    let stuck = || {
        engine::on_fail_points(Some(Box::new(|point| {
            if point == "round.locked" {
                loop {
                    std::thread::park();
                }
            }
        })));
    };
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().on_thread_start(stuck).build().expect("a runtime");
    runtime.block_on(async {
        let anchor = var("RIG_ANCHOR").parse().expect("an instant");
        let ctx = context(&database, &var("RIG_PORTAL"), &var("RIG_KEYS"), anchor, 7).await;
        let engine = Engine::new(ctx);
        // Other calls to the engine wait for the same lock, on the remaining threads.
        let asking = engine.clone();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_millis(200)).await;
                let _ = asking.watched_calendars();
            }
        });
        let waits = engine::Waits { still: Duration::from_secs(3), end: 3 };
        let exit = || std::process::exit(STUCK_STATUS);
        let around = engine::Surroundings { database, exit, waits };
        engine.run_watched(around, CancellationToken::new()).await;
    });
}

/// Exit status of a process that its watchdog ended.
pub(crate) const STUCK_STATUS: i32 = 70;

/// Kills this process with SIGKILL.
fn die() {
    let _ = kill_process(getpid(), Signal::KILL);
    // The signal is asynchronous: no code after this line may run.
    loop {
        std::thread::park();
    }
}
