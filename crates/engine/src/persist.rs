//! The engine's access to the database: writes each decision in one transaction, and loads rows
//! into memory.

pub(crate) mod account_health;
pub(crate) mod account_lease;
pub(crate) mod adopt;
pub(crate) mod batch;
pub(crate) mod budget;
pub(crate) mod clock_rows;
pub(crate) mod commit;
pub(crate) mod credential;
pub(crate) mod facility;
pub(crate) mod final_read;
pub(crate) mod first_walk;
pub(crate) mod group;
pub(crate) mod host;
pub(crate) mod late_attempt;
pub(crate) mod leader;
pub(crate) mod learned;
pub(crate) mod missed_openings;
pub(crate) mod not_booked;
pub(crate) mod notify;
pub(crate) mod observation;
pub(crate) mod page_breaker;
pub(crate) mod parse_failure;
pub(crate) mod prepare;
pub(crate) mod problem;
pub(crate) mod questions;
pub(crate) mod reload;
pub(crate) mod sent;
pub(crate) mod session;
pub(crate) mod settlement;
pub(crate) mod task_status;
pub(crate) mod visit;
pub(crate) mod warm_up;

use std::sync::Arc;

use domain::clock::Clock;
use store::keyring::KeyRing;
use store::{Db, Random};

use crate::Config;
use crate::memory::Memory;

/// Dependencies for writing a decision: the database, the clocks, and the memory that mirrors the
/// rows. This type cannot send requests to the portal.
#[derive(Clone)]
pub(crate) struct Records {
    pub db: Db,
    pub keyring: Arc<KeyRing>,
    pub wall: Clock,
    pub portal_time: Clock,
    pub random: Random,
    pub config: Config,
    /// Name of the portal's host.
    pub host: String,
    pub memory: Arc<Memory>,
}

impl Records {
    /// Returns the context for the use cases of the crate `app`.
    pub fn app(&self) -> app::Ctx {
        app::Ctx {
            wall: self.wall.clone(),
            portal_time: self.portal_time.clone(),
            random: self.random.clone(),
            billing: self.config.billing,
        }
    }

    /// Returns a new UUIDv7 with the timestamp `now`.
    pub fn uuid(&self, now: domain::clock::Instant) -> uuid::Uuid {
        domain::ids::uuid_v7(now, self.random.bytes())
    }
}
