//! Schedule of visits of a portal account: readings of its groups page, independent of its
//! calendars.

use chrono::TimeDelta;

use crate::clock::Instant;

/// Maximum time between two answered visits of an account.
pub const LONGEST: TimeDelta = TimeDelta::hours(6);

/// Visits per second over all accounts of a host. With more accounts, each is visited less often.
pub const PER_SECOND: f64 = 0.3;

/// Range by which visits are earlier than [`LONGEST`], spread over the accounts.
const SPREAD: TimeDelta = TimeDelta::minutes(45);

/// Time between the turn of a visit and [`LONGEST`].
const MARGIN: TimeDelta = TimeDelta::minutes(5);

/// Time after which a visit tries again to sign in anew. Sign-ins are limited by the hour.
const TRY_AGAIN: TimeDelta = TimeDelta::hours(1);

/// Age of the last visit from which a newly opened session is used for a visit.
const AFTER_SIGN_IN: TimeDelta = TimeDelta::hours(2);

/// Facts that decide the time of an account's next visit.
#[derive(Clone, Copy, Debug)]
pub struct VisitFacts {
    /// Time of the last answered visit.
    pub answered: Option<Instant>,
    /// Time at which the current session was opened.
    pub signed_in_at: Option<Instant>,
    /// Place of the account among all accounts, from 0 to 1.
    pub place: f64,
}

impl VisitFacts {
    /// Returns the time of the next visit. An account without a visit is due at `now`.
    #[must_use]
    pub fn due_at(&self, now: Instant) -> Instant {
        let Some(answered) = self.answered else { return now };
        let spread = SPREAD.num_milliseconds() as f64 * self.place.clamp(0.0, 1.0);
        let regular = answered + LONGEST - MARGIN - SPREAD + TimeDelta::milliseconds(spread as i64);
        let Some(signed_in) = self.signed_in_at else { return regular };
        // A visit with a new session is cheap. An old session does not test the password.
        let fresh = (signed_in - answered >= AFTER_SIGN_IN).then_some(signed_in);
        let old = (signed_in + LONGEST).max(answered + TRY_AGAIN);
        regular.min(old).min(fresh.unwrap_or(regular))
    }
}

/// Returns `true` if a visit must replace a session opened at `signed_in_at`. The new sign-in
/// detects a changed password, a captcha or a lock.
#[must_use]
pub fn signs_in_anew(signed_in_at: Instant, now: Instant) -> bool {
    now - signed_in_at >= LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hour(hours: f64) -> Instant {
        Instant::UNIX_EPOCH + TimeDelta::seconds((hours * 3600.0) as i64)
    }

    fn due(answered: Option<f64>, signed_in: Option<f64>, place: f64) -> Instant {
        let facts = VisitFacts { answered: answered.map(hour), signed_in_at: signed_in.map(hour), place };
        facts.due_at(hour(100.0))
    }

    #[test]
    fn account_visits_are_spread_within_six_hours() {
        assert_eq!(due(None, None, 0.5), hour(100.0), "never visited, so due now");
        assert_eq!(due(Some(1.0), None, 0.0), hour(7.0) - MARGIN - SPREAD);
        assert_eq!(due(Some(1.0), None, 1.0), hour(7.0) - MARGIN);
    }

    #[test]
    fn visits_reuse_new_sessions_and_renew_old_ones() {
        assert_eq!(due(Some(1.0), Some(2.5), 1.0), hour(7.0) - MARGIN, "the last visit is too recent");
        assert_eq!(due(Some(1.0), Some(3.0), 1.0), hour(3.0));
        assert_eq!(due(Some(4.0), Some(1.0), 1.0), hour(7.0), "the account was opened six hours ago by then");
        assert_eq!(due(Some(7.5), Some(1.0), 1.0), hour(8.5), "a sign-in may be possible an hour later");
        assert!(signs_in_anew(hour(1.0), hour(7.0)));
        assert!(!signs_in_anew(hour(1.0), hour(6.9)));
    }
}
