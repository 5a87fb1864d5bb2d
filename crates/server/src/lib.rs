//! The web service: routes, sessions, the API document and the pages it serves.

pub mod api;
pub mod app_pages;
pub mod assets;
pub mod auth;
pub mod cached;
pub mod card;
pub mod config;
pub mod connections;
pub mod credentials;
pub mod detached;
pub mod dist;
pub mod envelope;
pub mod error;
pub mod extract;
pub mod idempotency;
pub mod limits;
pub mod metrics;
pub mod open_pages;
pub mod openapi;
pub mod pictures;
pub mod proxies;
pub mod requests;
pub mod router;
pub mod run;
pub mod security;
pub mod state;

pub use router::router;
pub use state::AppState;
