//! The engine. In the background it polls calendars, shares their lists among tasks, books slots
//! and settles tasks.
//!
//! Every round finds due work in the database and in memory, dispatches jobs, and sleeps until the
//! next instant at which work can be due. Work is derived from this state, never from events, so a
//! restart needs no special recovery.

mod config;
mod context;
pub mod delivery;
mod error;
mod fail_point;
mod gateway;
mod jobs;
mod memory;
pub mod metrics;
mod model;
pub mod operator;
pub mod path_check;
mod persist;
mod runner;
mod schedule;
pub mod simulation;
pub mod stats;
pub mod verify_login;

pub use config::Config;
pub(crate) use config::FLUSH_EVERY;
pub use context::Context;
pub use error::JobError;
#[cfg(feature = "fail-points")]
pub use fail_point::{Handler, on_fail_points};
pub use gateway::outward;
pub use persist::commit::SendingKey;
pub use persist::leader::LEASE;
pub use runner::watchdog::{Surroundings, Waits};
pub use runner::{Engine, LONGEST_SLEEP};
pub use schedule::Round;
