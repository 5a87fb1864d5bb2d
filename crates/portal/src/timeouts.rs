//! Timeouts of requests, and parsing of `Retry-After`.

use chrono::{DateTime, Utc};
use std::time::Duration;

/// Time limits of requests (wall time, never scaled).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Limit for opening a connection, including TLS.
    pub connect: Duration,
    /// Limit for a whole request, from sending to the last byte of the response.
    pub total: Duration,
    /// Limit for sending the booking POST and receiving its response.
    pub booking: Duration,
    /// Time after which the client closes an idle connection. It must be shorter than the portal's
    /// own limit of about a minute, or requests fail on closed connections.
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

/// Parses a `Retry-After` value: a number of seconds, or an HTTP date, which is converted relative
/// to `now`. A past date is zero. Returns `None` for an unreadable value. Limits the wait to one
/// week.
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
    fn retry_after_accepts_only_seconds_and_dates() {
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
