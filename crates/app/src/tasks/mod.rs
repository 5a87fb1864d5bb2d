//! What happens to a task besides being searched for and booked.

mod delete;
mod stop;

pub use delete::delete;
pub use stop::{Cause, Stopped, never_succeeds, stop};
