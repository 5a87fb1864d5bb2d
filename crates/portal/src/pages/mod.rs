//! Pure readers of the portal's pages: `parse(&str)` -> the contents, or
//! [`LayoutChanged`](crate::LayoutChanged).
//!
//! The readers accept the English and French pages that were seen at the real portal. They fail
//! rather than guess: they return a date only if its whole known context is present.

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
