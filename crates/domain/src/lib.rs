//! The product's rules as pure functions: no I/O, no ambient clock, no ambient randomness.
//!
//! `now`, `today` and random bytes come in as arguments; decisions come out as data with a reason.

pub mod clock;
pub mod ids;
pub mod ledger;
pub mod money;
pub mod secret;
