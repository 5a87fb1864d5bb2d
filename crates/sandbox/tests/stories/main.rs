//! Stories of the sandbox with a bare HTTP client, as an independent client of the real portal
//! would run them.

#![allow(clippy::unwrap_used)]

mod availability;
mod booking;
mod cards;
mod channels;
mod client;
mod control;
mod faults;
mod linking;
mod mail;
mod oracle;
mod public_clients;
mod resume;
mod sign_in;
