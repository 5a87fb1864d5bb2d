//! The planner's proving ground: worlds of calendars in virtual time, the baselines it is measured against, and
//! what of the possible value each captures with the same number of polls.
//!
//! Used by `sooner-bench plan` and by the ratchet in `make test`. Everything is seeded; nothing waits.

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
