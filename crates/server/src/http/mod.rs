//! HTTP layer of all requests: connections, limits, client addresses, responses and errors.

pub mod connections;
pub mod detached;
pub mod envelope;
pub mod error;
pub mod extract;
pub mod host;
pub mod idempotency;
pub mod proxies;
pub mod queue;
pub mod rate_limit;
pub mod requests_in_progress;
