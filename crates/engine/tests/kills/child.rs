//! The engine in a process of its own.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::clock::Clock;
use engine::{Config, Context, Engine};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use store::keyring::KeyRing;
use store::{Db, Random};
use tokio_util::sync::CancellationToken;

/// Portal seconds per wall second.
pub(crate) const SPEED: f64 = 240.0;
/// The child's client gives a POST this long.
pub(crate) const POST_SECONDS: i64 = 2;

/// The one place of this suite that reads the ambient clock.
#[allow(clippy::disallowed_methods)]
pub(crate) fn wall() -> Clock {
    Clock::new(Utc::now)
}

/// Everything an engine needs over a given database and portal.
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

/// Runs the engine until it is killed, when the parent asked for it.
pub(crate) fn run_if_asked() {
    let Ok(database) = std::env::var("RIG_DATABASE") else { return };
    let var = |name: &str| std::env::var(name).expect("set by the parent");
    // One thread, for fail points belong to a thread.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    if let Ok(crash) = std::env::var("RIG_CRASH") {
        engine::on_fail_points(Some(Box::new(move |point| {
            if point == crash {
                die();
            }
        })));
    }
    runtime.block_on(async {
        let anchor = var("RIG_ANCHOR").parse().expect("an instant");
        let seed = u64::from(std::process::id());
        let ctx = context(&database, &var("RIG_PORTAL"), &var("RIG_KEYS"), anchor, seed).await;
        Engine::new(ctx).run(CancellationToken::new()).await;
    });
}

/// Kills this process with SIGKILL.
fn die() {
    let _ = kill(Pid::this(), Signal::SIGKILL);
    // The signal is asynchronous: nothing after this line may run.
    loop {
        std::thread::park();
    }
}
