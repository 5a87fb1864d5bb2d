//! Scenario tests and property tests of the portal client, with test pages and a simulated portal.

mod booking;
mod client;
mod fixtures;
mod mutation;
mod pages;
mod redact;
mod server;
