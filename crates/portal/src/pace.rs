//! Timeouts, `Retry-After` and back-off.

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
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            total: Duration::from_secs(30),
            booking: Duration::from_secs(45),
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

/// Exponential back-off with bounded jitter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backoff {
    /// Delay before the first retry.
    pub first: Duration,
    /// No delay is longer than this, jitter included.
    pub longest: Duration,
    /// Part of a delay that may vary either way, 0..=1.
    pub jitter: f64,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { first: Duration::from_secs(5), longest: Duration::from_secs(900), jitter: 0.2 }
    }
}

impl Backoff {
    /// The delay before retry number `attempt` (0 = first), doubling each time; `draw` is a
    /// uniform random number in 0..1 from the caller's generator.
    pub fn delay(&self, attempt: u32, draw: f64) -> Duration {
        let base = self.first.as_secs_f64() * 2f64.powi(attempt.min(40).cast_signed());
        let base = base.min(self.longest.as_secs_f64());
        let swing = self.jitter.clamp(0.0, 1.0) * (draw.clamp(0.0, 1.0) * 2.0 - 1.0);
        Duration::from_secs_f64((base * (1.0 + swing)).min(self.longest.as_secs_f64()))
    }
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

    #[test]
    fn back_off_grows_stays_within_its_jitter_and_is_bounded() {
        let b = Backoff::default();
        for attempt in 0..100 {
            let (low, mid, high) = (b.delay(attempt, 0.0), b.delay(attempt, 0.5), b.delay(attempt, 1.0));
            assert!(low <= mid && mid <= high && high <= b.longest);
            assert!(low.as_secs_f64() >= 0.79 * mid.as_secs_f64());
            assert!(mid <= b.delay(attempt + 1, 0.5));
        }
        assert_eq!(b.delay(0, 0.5), Duration::from_secs(5));
        assert_eq!(b.delay(1, 0.5), Duration::from_secs(10));
    }
}
