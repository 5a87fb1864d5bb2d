//! Parsers for the portal's pages. Each `parse(&str)` returns the contents or
//! [`LayoutChanged`](crate::LayoutChanged).
//!
//! The parsers accept the English and French pages that were seen at the real portal. They fail
//! rather than guess. A date is returned only if all the text expected around the date is present.
//!
//! [`parse_kind`](crate::parse_kind) gives the parsers further texts of the page's language. The
//! client gives them only the Russian limit sentence of Kazakhstan, so that a page of another
//! language is an unread page for it.

pub mod actions;
pub mod applicant;
pub mod appointment;
pub mod days;
pub mod fingerprint_lists;
pub mod groups;
pub mod instructions;
pub mod payment;
pub mod sign_in;
pub mod sign_in_answer;
pub mod times;
