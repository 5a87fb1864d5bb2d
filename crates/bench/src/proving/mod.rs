//! Test bed of the planner: worlds of calendars in virtual time, and the baselines for comparison.
//! It measures the share of the possible value that each captures with the same number of polls.
//!
//! `sooner-bench plan` and the ratchet in `make test` use it. Everything is seeded, and nothing
//! waits.

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
