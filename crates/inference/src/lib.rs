//! Statistics of the product as pure functions: no I/O, no ambient clock, no ambient randomness.
//!
//! - [`rates`]: how often dates appear on a list and how long they stay, learned from polls.
//! - [`planner`]: the list to poll next, and the portal account for the poll.
//! - [`cause`]: the cause of an empty list: no dates, restricted hours, a soft ban, or overload.
//! - [`agreement`]: agreement between the lists of the accounts that share a calendar.
//!
//! Everything shown to users, and every rule of the product, is in `domain`; this crate estimates.

pub mod agreement;
pub mod cause;
pub mod planner;
pub mod rates;
