//! Conditions in which polls return an empty list: restricted hours and bans of accounts.

use chrono::Timelike;
use domain::facility::FACILITIES;
use inference::cause::hours::restricted_hours;
use inference::planner::poll_source::instant;

use crate::proving::poller::Poll;
use crate::proving::world::{Account, Trace, World};

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
        let facility = FACILITIES[self.calendars[calendar].city].id;
        let (from, to) = restricted_hours(facility);
        let hour = instant(at).with_timezone(&facility.zone()).hour();
        self.booked(calendar) && (from..to).contains(&hour)
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
