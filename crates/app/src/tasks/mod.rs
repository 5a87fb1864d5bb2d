//! What happens to a task besides being searched for and booked.

mod accept_group;
mod actions;
mod delete;
mod start;
mod stop;
mod submit;

pub use accept_group::accept_group;
pub use actions::{demand, facts};
pub use delete::delete;
pub use start::start;
pub use stop::{Cause, Stopped, never_succeeds, stop};
pub use submit::{Receipt, Submission, submit};
