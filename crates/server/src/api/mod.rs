//! The API, one module per resource.

pub mod events;
pub mod schedules;
pub mod stats;
