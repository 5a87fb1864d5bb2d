//! Conditions in which polls return an empty list: restricted hours and bans of accounts.

use chrono::Timelike;
use domain::country::CountryCode;
use domain::facility::Facility;
use inference::planner::poll_source::instant;

use crate::proving::poller::Poll;
use crate::proving::world::{Account, Trace, World};

/// Returns the Canadian city at an index of the list.
pub(super) fn city(index: usize) -> &'static Facility {
    CountryCode::CANADA.country().facilities().nth(index).expect("a city of Canada")
}

impl World {
    /// Returns `true` if the applicants of a calendar have an appointment.
    #[must_use]
    pub fn booked(&self, calendar: usize) -> bool {
        self.trace == Trace::Hours && self.calendars[calendar].pool.is_multiple_of(2)
    }

    /// Returns `true` if a calendar shows no dates at the time `at`, because its applicants have an
    /// appointment and the hours are restricted.
    #[must_use]
    pub fn restricted(&self, calendar: usize, at: f64) -> bool {
        let city = city(self.calendars[calendar].city);
        let hour = instant(at).with_timezone(&city.zone).hour();
        self.booked(calendar) && city.restricted.contains(&hour)
    }

    /// Returns `true` if a poll returns an empty list even if dates are free.
    pub(crate) fn hides(&self, poll: Poll, at: f64) -> bool {
        self.restricted(poll.calendar, at)
            || poll.account.is_some_and(|account| self.accounts[account].banned(at))
    }
}

impl Account {
    /// Returns `true` if the account is banned at the time `at`.
    #[must_use]
    pub fn banned(&self, at: f64) -> bool {
        self.bans.iter().any(|(from, to)| (*from..*to).contains(&at))
    }
}
