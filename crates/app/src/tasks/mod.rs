//! Use cases of tasks other than polling and booking.

mod accept_group;
mod actions;
mod configure;
mod delete;
mod edit;
mod start;
mod stop;
mod submit;
mod submitted;

pub use accept_group::accept_group;
pub use actions::{demand, facts};
pub use configure::{PickedAppointment, configure, obstacle, require_own_country};
pub use delete::delete;
pub use edit::{Edit, edit};
pub use start::start;
pub use stop::{Cause, Stopped, never_succeeds, notify_half_booked, release_if_never, stop};
pub use submit::{Receipt, Submission, submit};
