//! What the engine works with.

use std::sync::Arc;

use domain::clock::Clock;
use store::keyring::KeyRing;
use store::{Db, Random};

use crate::Config;
use crate::gateway::outward;

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

impl Context {
    /// A fresh UUIDv7 stamped `now`.
    #[must_use]
    pub fn uuid(&self, now: domain::clock::Instant) -> uuid::Uuid {
        domain::ids::uuid_v7(now, self.random.bytes())
    }
}
