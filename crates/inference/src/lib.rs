//! The product's statistics as pure functions: no I/O, no ambient clock, no ambient randomness.
//!
//! - [`rates`]: how often days appear on a list and how long they stay, learned from what polls showed.
//! - [`planner`]: which list to poll next, and through which portal account.
//! - [`cause`]: why a list is empty: no days, restricted hours, a soft ban, or an overloaded portal.
//! - [`agreement`]: whether the accounts that share a list are shown the same days.
//!
//! Everything a user is shown, and every rule of the product, is in `domain`; this crate estimates.

pub mod agreement;
pub mod cause;
pub mod planner;
pub mod rates;
