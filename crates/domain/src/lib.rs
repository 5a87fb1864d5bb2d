//! Rules of the product as pure functions: no I/O, no ambient clock, no ambient randomness.
//!
//! `now`, `today` and random bytes are arguments. Decisions are returned as data with a reason.

pub mod account_problem;
pub mod appointment;
pub mod bonus;
pub mod booking;
pub mod budget;
pub mod calendar;
pub mod card;
pub mod channel;
pub mod clock;
pub mod condition;
pub mod country;
pub mod criteria;
pub mod dayset;
pub mod display_name;
pub mod email;
pub mod fingerprints;
pub mod health;
pub mod hold;
pub mod host_health;
pub mod ids;
pub mod journal;
pub mod ledger;
pub mod matching;
pub mod money;
pub mod password;
pub mod phone;
pub mod poll_bound;
pub mod poll_wait;
pub mod prewarm;
pub mod pricing;
pub mod question;
pub mod refund;
pub mod secret;
pub mod security_event;
pub mod silence;
pub mod task;
pub mod tax;
pub mod text;
pub mod visit;

pub use country::facility;
