//! What happens to a task besides being searched for and booked.

mod delete;
mod start;
mod stop;

pub use delete::delete;
pub use start::{demand_password, start};
pub use stop::{Cause, Stopped, never_succeeds, stop};
