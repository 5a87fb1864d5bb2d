//! Watching, sharing, booking, settling: the work that goes on while nobody looks.
//!
//! Level-triggered: every round finds what is due in the database and in memory, hands out jobs, and
//! sleeps until the next instant anything can be due. Recovery is the normal path.

mod account_lease;
mod accounts;
mod adopt;
mod ahead;
mod book;
mod clockwork;
#[cfg(debug_assertions)]
pub mod crash;
#[cfg(not(debug_assertions))]
mod crash;

pub mod deliver;
mod driver;
mod eligible;
mod fault;
pub mod figures;
mod flush;
mod follow;
mod judge;
mod last_read;
mod late;
mod layout;
pub mod metrics;
mod missed;
mod observe;
mod opening;
pub mod operate;
pub mod outward;
pub(crate) mod planning;
mod poll;
mod prewarm;
mod queue;
mod react;
mod reload;
mod roster;
mod secret;
mod session;
mod settle;
mod sharing;
mod start;
mod state;
mod sweep;
mod tell;
mod turn;
pub mod verify;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use chrono::TimeDelta;
use domain::budget::Limits;
use domain::clock::Clock;
use inference::planner::Pace;
use parking_lot::Mutex;
use store::keyring::KeyRing;
use store::{Db, Random};
use tokio::sync::Notify;

pub use driver::{LEASE, LONGEST_SLEEP, Round};
pub use fault::Fault;
use state::State;

/// What the engine works with; cheap to clone.
#[derive(Clone)]
pub struct Context {
    /// The database.
    pub db: Db,
    /// Seals and opens secrets.
    pub keyring: Arc<KeyRing>,
    /// The portal's client.
    pub client: Arc<portal::Client>,
    /// What may be sent to the portal's host now.
    pub outward: Arc<outward::Outward>,
    /// Stamps, tokens, socket timeouts; never scaled.
    pub wall: Clock,
    /// Planner, budgets, read-backs; scaled in tests and demos.
    pub portal_time: Clock,
    /// Random bytes.
    pub random: Random,
    /// How it paces.
    pub config: Config,
}

/// How the engine paces and what it may do.
#[derive(Clone, Debug)]
pub struct Config {
    /// Who holds the lease.
    pub node: String,
    /// How long the lease lasts without renewal, wall seconds.
    pub lease_seconds: i64,
    /// Calls allowed per portal account.
    pub limits: Limits,
    /// How looks are spaced.
    pub pace: Pace,
    /// Polls a second over all accounts (portal time).
    pub polls_per_second: f64,
    /// How much faster than the wall portal time runs.
    pub speed: f64,
    /// The POST's answer may take this long, wall seconds; not below the client's own timeout.
    pub post_timeout_seconds: i64,
    /// Looks and matches, but never books.
    pub dry_run: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            node: "single".to_owned(),
            lease_seconds: 15,
            limits: Limits::default(),
            pace: Pace::default(),
            polls_per_second: 1.2,
            speed: 1.0,
            post_timeout_seconds: 45,
            dry_run: false,
        }
    }
}

/// The engine: one active per portal host, by lease.
pub struct Engine {
    pub(crate) ctx: Context,
    pub(crate) state: Mutex<State>,
    pub(crate) nudge: Notify,
    /// Somebody who tried for a day has sent the POST, or given up.
    pub(crate) sent: Notify,
    /// Held by whoever writes what people are told.
    pub(crate) telling: tokio::sync::Mutex<()>,
    /// Rows may have changed in ways not known here: the next round reads what changed.
    pub(crate) asked: AtomicBool,
    /// Connections opened ahead for booking POSTs, each with when.
    pub(crate) ahead: Mutex<Vec<(portal::BookingConnection, domain::clock::Instant)>>,
    /// Rounds and polls since it began.
    pub(crate) rounds: AtomicU64,
    pub(crate) polls: AtomicU64,
}

/// How often what looks add up to is written: with the 0.7 s of an event stream, who watches sees a poll within 5 s.
pub(crate) const FLUSH_EVERY: TimeDelta = TimeDelta::seconds(4);

impl Engine {
    /// An engine that has not begun.
    #[must_use]
    pub fn new(ctx: Context) -> Arc<Self> {
        Arc::new(Self {
            ctx,
            state: Mutex::new(State::default()),
            nudge: Notify::new(),
            sent: Notify::new(),
            telling: tokio::sync::Mutex::default(),
            asked: AtomicBool::new(true),
            ahead: Mutex::default(),
            rounds: AtomicU64::new(0),
            polls: AtomicU64::new(0),
        })
    }

    /// Something changed: look at the rows again soon.
    pub fn nudge(&self) {
        self.asked.store(true, Ordering::Release);
        self.nudge.notify_one();
    }

    /// Something changed in memory: hand out what is due; no row needs to be read for it.
    pub(crate) fn wake(&self) {
        self.nudge.notify_one();
    }

    /// Whether this node works: whether it holds the lease, as far as it knows.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.state.lock().epoch.is_some()
    }

    /// Its context, for what runs beside it.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.ctx
    }
}

impl Context {
    /// What use cases work with.
    #[must_use]
    pub fn app(&self) -> app::Ctx {
        app::Ctx {
            wall: self.wall.clone(),
            portal_time: self.portal_time.clone(),
            random: self.random.clone(),
        }
    }

    /// A fresh UUIDv7 stamped `now`.
    #[must_use]
    pub fn uuid(&self, now: domain::clock::Instant) -> uuid::Uuid {
        domain::ids::uuid_v7(now, self.random.bytes())
    }
}
