//! The web service: routes, sessions, the API document and the pages it serves.

pub mod api;
pub mod config;
pub mod detached;
pub mod envelope;
pub mod error;
pub mod extract;
pub mod router;
pub mod state;
