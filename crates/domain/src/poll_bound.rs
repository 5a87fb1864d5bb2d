//! Maximum age of the last answered poll of a monitored calendar.
//!
//! Promise 29: every calendar that an active task wants is polled within a bound. The bound follows
//! from the polls that the calendar's accounts can afford. The planner keeps the bound; the task
//! page and the test oracle display and check it.

use chrono::TimeDelta;

use crate::budget::Limits;

/// The bound of a calendar whose accounts can afford to poll it at least once an hour.
pub const LEAST_BOUND: TimeDelta = TimeDelta::hours(3);
/// Number of affordable polls within one bound.
const POLLS_PER_BOUND: f64 = 3.0;

/// Contribution of one account to the polls of a calendar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccountShare {
    /// Polls per hour that the account can sustain ([`Limits::lasting_polls_per_hour`]), after
    /// easing.
    pub polls_per_hour: f64,
    /// Number of calendars monitored through the account. Groups that share a calendar count once.
    pub calendars: usize,
}

impl AccountShare {
    /// Returns the polls per hour available for each of the account's calendars.
    #[must_use]
    pub fn per_calendar(&self) -> f64 {
        self.polls_per_hour / self.calendars.max(1) as f64
    }
}

/// Returns the maximum age of the last answered poll of a calendar, or `None` if no account may
/// poll it.
///
/// `accounts` are those that may poll the calendar. If the calendar's list is split, each account
/// has its own bound. `least` is [`LEAST_BOUND`], except in benchmarks that poll more often.
#[must_use]
pub fn poll_bound(accounts: impl IntoIterator<Item = AccountShare>, least: TimeDelta) -> Option<TimeDelta> {
    let rate: f64 = accounts.into_iter().map(|account| account.per_calendar()).sum();
    if rate <= 0.0 {
        return None;
    }
    let milliseconds = POLLS_PER_BOUND / rate * 3_600_000.0;
    Some(least.max(TimeDelta::milliseconds(milliseconds as i64)))
}

impl Limits {
    /// Returns the polls per hour that an account can sustain, without the reserve for bookings.
    #[must_use]
    pub fn lasting_polls_per_hour(&self) -> f64 {
        let free = self.polls_per_ten_hours.saturating_sub(self.polls_reserved);
        f64::from(self.polls_per_hour).min(f64::from(free) / 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::clock::Instant;

    fn hours(accounts: &[AccountShare]) -> Option<f64> {
        let bound = poll_bound(accounts.iter().copied(), LEAST_BOUND)?;
        Some((bound.num_seconds() as f64 / 360.0).round() / 10.0)
    }

    fn share(polls_per_hour: f64, calendars: usize) -> AccountShare {
        AccountShare { polls_per_hour, calendars }
    }

    #[test]
    fn the_poll_bound_grows_above_three_cities_per_account() {
        let each = Limits::default().lasting_polls_per_hour();
        let of = |cities| hours(&[share(each, cities)]);
        assert_eq!([of(1), of(3), of(4), of(7)], [Some(3.0), Some(3.0), Some(3.5), Some(6.2)]);
    }

    #[test]
    fn bans_lengthen_the_poll_bound_of_an_account() {
        let now = Instant::UNIX_EPOCH + TimeDelta::days(20_000);
        let mut budget = Budget::default();
        budget.held_back(now);
        budget.held_back(now);
        let eased = budget.eased(&Limits::default(), now).lasting_polls_per_hour();
        assert_eq!(hours(&[share(eased, 3)]), Some(11.3));
    }

    #[test]
    fn more_accounts_shorten_the_bound_and_none_means_no_bound() {
        let each = Limits::default().lasting_polls_per_hour();
        assert_eq!(hours(&[share(each, 7), share(each, 7)]), Some(3.1));
        assert_eq!(hours(&[]), None);
    }
}
