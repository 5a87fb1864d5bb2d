//! The engine's state in memory: pure and synchronous. This module does not wait, write rows or
//! send requests.

pub(crate) mod account;
pub(crate) mod attempts;
pub(crate) mod availability;
pub(crate) mod backoff;
pub(crate) mod clock;
pub(crate) mod empty_lists;
pub(crate) mod first_walk;
pub(crate) mod group;
pub(crate) mod job;
pub(crate) mod leases;
pub(crate) mod list_agreement;
pub(crate) mod missed_openings;
pub(crate) mod no_times;
pub(crate) mod observe;
pub(crate) mod openings;
pub(crate) mod page_breaker;
pub(crate) mod poll_plan;
pub(crate) mod questions;
pub(crate) mod reload;
pub(crate) mod state;
pub(crate) mod task_index;
pub(crate) mod task_update;
pub(crate) mod visits;
