//! Tests of the notification channels. Each transport sends to the sandbox's provider of the same
//! name.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod addresses;
mod fixture;
mod linking;
mod messages;
mod outcomes;
mod registration;
