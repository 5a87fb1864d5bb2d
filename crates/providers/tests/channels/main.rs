//! Stories of the notification channels: each transport against the sandbox's provider of its name.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod addresses;
mod fixture;
mod linking;
mod messages;
mod outcomes;
mod registration;
