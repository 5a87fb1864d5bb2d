//! Scenario tests and property tests of the portal client, with test pages and a simulated portal.
#![allow(clippy::unwrap_used, missing_docs)]

mod booking;
mod client;
mod fingerprints;
mod fixtures;
mod languages;
mod mutation;
mod pages;
mod redact;
mod server;
