//! The source of time.

use std::sync::Arc;

use chrono::{DateTime, Utc};

/// Tells the time; the client never asks the system itself.
pub type Clock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;
