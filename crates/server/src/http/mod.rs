//! What every request passes through: connections, limits, who asks from where, answers and errors.

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
