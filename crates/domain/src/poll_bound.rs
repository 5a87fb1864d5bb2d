//! How old the last answered poll of a watched calendar may become.
//!
//! Promise 29: every calendar that an active task wants is polled within a bound. The bound follows from what the
//! accounts that may poll the calendar can afford; the planner keeps it, the task page and the test oracle state it.

use chrono::TimeDelta;

use crate::budget::Limits;

/// The bound of a calendar whose accounts can afford to poll it at least once an hour.
pub const LEAST_BOUND: TimeDelta = TimeDelta::hours(3);
/// Share of the affordable polls of a calendar that the bound asks for, as one over it.
const POLLS_PER_BOUND: f64 = 3.0;

/// What one account can contribute to the polls of a calendar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccountShare {
    /// Polls an hour that the account can afford for good ([`Limits::lasting_polls_per_hour`]), after easing.
    pub polls_per_hour: f64,
    /// Calendars that are watched through the account; groups that share a calendar count once.
    pub calendars: usize,
}

impl AccountShare {
    /// Polls an hour that are left for each of the account's calendars.
    #[must_use]
    pub fn per_calendar(&self) -> f64 {
        self.polls_per_hour / self.calendars.max(1) as f64
    }
}

/// Returns how old the last answered poll of a calendar may become, or `None` when no account may poll it. `accounts`
/// are those that may poll it; of a calendar whose list is split, each account has its own bound. `least` is
/// [`LEAST_BOUND`], except in benchmarks that poll more often.
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
    /// Polls an hour that an account can afford for good, without the reserve of bookings.
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
    fn one_account_keeps_three_hours_for_three_cities_and_longer_for_more() {
        let each = Limits::default().lasting_polls_per_hour();
        let of = |cities| hours(&[share(each, cities)]);
        assert_eq!([of(1), of(3), of(4), of(7)], [Some(3.0), Some(3.0), Some(3.5), Some(6.2)]);
    }

    #[test]
    fn an_account_after_a_ban_has_a_longer_bound() {
        let now = Instant::UNIX_EPOCH + TimeDelta::days(20_000);
        let mut budget = Budget::default();
        budget.held_back(now);
        budget.held_back(now);
        let eased = budget.eased(&Limits::default(), now).lasting_polls_per_hour();
        assert_eq!(hours(&[share(eased, 3)]), Some(11.3));
    }

    #[test]
    fn accounts_add_up_and_none_has_no_bound() {
        let each = Limits::default().lasting_polls_per_hour();
        assert_eq!(hours(&[share(each, 7), share(each, 7)]), Some(3.1));
        assert_eq!(hours(&[]), None);
    }
}
