//! Schedule of late readings of attempts that seem not to have booked.
//!
//! They find a booking that the portal applied late, even if nothing else reads the group.

use chrono::TimeDelta;

use super::LATE_COUNTS_FOR;
use crate::clock::Instant;

/// Times of the late readings in minutes after the POST. The last one is an hour before
/// [`LATE_COUNTS_FOR`] ends.
const READ_AT: [i64; 8] = [15, 60, 240, 720, 1_440, 2_880, 5_760, 10_020];

/// Returns the next late reading of an attempt whose POST ended at `t0`. Returns `None` once its
/// target no longer counts as its booking.
#[must_use]
pub fn next_late_reading(t0: Instant, now: Instant) -> Option<Instant> {
    READ_AT.iter().map(|minutes| t0 + TimeDelta::minutes(*minutes)).find(|at| *at > now)
}

/// Returns `true` if the appointment at the portal can still result from an attempt whose POST
/// ended at `t0`.
#[must_use]
pub fn counts_late(t0: Instant, now: Instant) -> bool {
    now < t0 + LATE_COUNTS_FOR
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: 10.2.20
    #[test]
    fn eight_late_readings_at_growing_intervals_end_after_a_week() {
        let t0: Instant = "2026-11-22T10:00:00Z".parse().expect("an instant");
        let mut at = t0;
        let mut gaps = Vec::new();
        while let Some(next) = next_late_reading(t0, at) {
            assert!(counts_late(t0, next));
            gaps.push(next - at);
            at = next;
        }
        assert_eq!(gaps.len(), 8);
        assert!(gaps.is_sorted(), "{gaps:?}");
        assert_eq!(at, t0 + LATE_COUNTS_FOR - TimeDelta::hours(1));
        // After days without readings it reads once and does not catch up.
        let back = t0 + TimeDelta::days(3);
        assert_eq!(next_late_reading(t0, back), Some(t0 + TimeDelta::days(4)));
        assert!(!counts_late(t0, t0 + TimeDelta::days(8)));
    }
}
