//! Tests of the sandbox with a minimal HTTP client that is independent of the product.

#![allow(clippy::unwrap_used)]

mod availability;
mod booking;
mod cards;
mod channels;
mod client;
mod control;
mod countries;
mod faults;
mod fingerprint_booking;
mod fingerprint_faults;
mod fingerprint_lists;
mod golden;
mod linking;
mod mail;
mod oracle;
mod public_clients;
mod resume;
mod sign_in;
