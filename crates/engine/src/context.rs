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
    /// Database, with the connections of the engine or of the caller.
    pub db: Db,
    /// Key ring that encrypts and decrypts secrets.
    pub keyring: Arc<KeyRing>,
    /// Client that sends requests to the portal.
    pub client: Arc<portal::Client>,
    /// State of the portal's host, which decides the requests that may be sent now.
    pub outward: Arc<outward::Outward>,
    /// Clock for timestamps, tokens and socket timeouts. It is never scaled.
    pub wall: Clock,
    /// Clock for planner, budgets and read-backs. Tests and demos scale it.
    pub portal_time: Clock,
    /// Source of random bytes.
    pub random: Random,
    /// Settings of the engine, including its pace.
    pub config: Config,
}

impl Context {
    /// Returns a new UUIDv7 with the timestamp `now`.
    #[must_use]
    pub fn uuid(&self, now: domain::clock::Instant) -> uuid::Uuid {
        domain::ids::uuid_v7(now, self.random.bytes())
    }
}
