//! Timeouts and `Retry-After`.

use chrono::{DateTime, Utc};
use std::time::Duration;

/// How long the client waits (wall time, never scaled).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// To open a connection, TLS included.
    pub connect: Duration,
    /// For a whole request, from sending to the last byte of the answer.
    pub total: Duration,
    /// For the answer of the booking POST, from its first byte sent.
    pub booking: Duration,
    /// How long an idle connection is kept: the portal closes its own after about a minute, and who is second to close
    /// sends a request into a connection that is gone.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            total: Duration::from_secs(30),
            booking: Duration::from_secs(45),
            idle: Duration::from_secs(50),
        }
    }
}

/// Reads a `Retry-After` value: seconds, or an HTTP date relative to `now` (past = zero);
/// unreadable = none. Waits beyond a week are cut to a week.
pub fn retry_after(value: &str, now: DateTime<Utc>) -> Option<Duration> {
    const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);
    let value = value.trim();
    let wait = if let Ok(seconds) = value.parse::<u64>() {
        Duration::from_secs(seconds)
    } else {
        let at: DateTime<Utc> = httpdate::parse_http_date(value).ok()?.into();
        (at - now).to_std().unwrap_or_default()
    };
    Some(wait.min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_reads_seconds_and_dates_only() {
        let now = "2026-11-21T10:00:00Z".parse().unwrap();
        let secs = |v| retry_after(v, now).map(|d| d.as_secs());
        assert_eq!(secs("120"), Some(120));
        assert_eq!(secs("Sat, 21 Nov 2026 10:05:00 GMT"), Some(300));
        assert_eq!(secs("Sat, 21 Nov 2026 09:00:00 GMT"), Some(0));
        assert_eq!(secs("99999999999"), Some(7 * 24 * 3600));
        assert_eq!(secs("soon"), None);
        assert_eq!(secs("-5"), None);
    }
}
