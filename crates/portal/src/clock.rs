//! Source of the current time.

use std::sync::Arc;

use chrono::{DateTime, Utc};

/// Function that returns the current time. The client never reads the system clock itself.
pub type Clock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;
