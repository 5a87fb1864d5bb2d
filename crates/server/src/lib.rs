//! Web service: routes, sessions, the API document and the served pages.

pub mod api;
pub mod auth;
pub mod card;
pub mod config;
pub mod http;
pub mod live;
pub mod metrics;
pub mod openapi;
pub mod operator;
pub mod router;
pub mod run;
pub mod site;
pub mod state;
pub mod traces;
pub mod workers;

pub use router::router;
pub use state::AppState;
