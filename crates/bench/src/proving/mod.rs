//! Simulation that compares the planner with other polling policies. Each policy makes the same
//! number of polls in generated worlds of calendars, in virtual time. The result is the share of
//! the possible value that a policy captures.
//!
//! `sooner-bench plan` and the ratchet test in `make test` use the simulation. It is deterministic
//! for a seed and never sleeps.

mod hidden;
mod informed;
mod ours;
mod policy;
mod poller;
mod report;
mod run;
mod world;

pub use policy::Policy;
pub use report::{Report, measure};
pub use run::{RunResult, run};
pub use world::{Size, Trace, World};
