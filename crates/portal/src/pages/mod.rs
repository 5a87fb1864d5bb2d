//! Pure readers of the portal's pages: `parse(&str)` -> what stands there, or
//! [`LayoutChanged`](crate::LayoutChanged).
//!
//! They accept what has been seen of the real portal in English and French, and rather fail than
//! guess: a date is returned only when everything known to stand around it stands there.

pub mod actions;
pub mod applicant;
pub mod appointment;
pub mod days;
pub mod groups;
pub mod instructions;
pub mod payment;
pub mod sign_in;
pub mod sign_in_answer;
pub mod times;
