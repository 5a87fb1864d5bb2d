//! Dependencies of the engine.

use std::sync::Arc;

use domain::clock::Clock;
use store::keyring::KeyRing;
use store::{Db, Random};

use crate::Config;
use crate::gateway::outward;

/// Dependencies of the engine; cheap to clone.
#[derive(Clone)]
pub struct Context {
    /// The database.
    pub db: Db,
    /// Seals and opens secrets.
    pub keyring: Arc<KeyRing>,
    /// The portal's client.
    pub client: Arc<portal::Client>,
    /// State of the portal's host, which decides the requests that may be sent now.
    pub outward: Arc<outward::Outward>,
    /// Clock for stamps, tokens and socket timeouts; never scaled.
    pub wall: Clock,
    /// Clock for planner, budgets and read-backs; scaled in tests and demos.
    pub portal_time: Clock,
    /// Random bytes.
    pub random: Random,
    /// Settings of the engine, including its pace.
    pub config: Config,
}

impl Context {
    /// Returns a fresh UUIDv7 stamped `now`.
    #[must_use]
    pub fn uuid(&self, now: domain::clock::Instant) -> uuid::Uuid {
        domain::ids::uuid_v7(now, self.random.bytes())
    }
}
