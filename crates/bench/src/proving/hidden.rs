//! Conditions under which a poll shows nothing: restricted hours, and bans of accounts.

use chrono::Timelike;
use domain::facility::FACILITIES;
use inference::cause::hours::restricted_hours;
use inference::planner::poll_source::instant;

use crate::proving::poller::Poll;
use crate::proving::world::{Account, Trace, World};

impl World {
    /// Returns `true` if the applicant kind of a calendar holds an appointment.
    #[must_use]
    pub fn booked(&self, calendar: usize) -> bool {
        self.trace == Trace::Hours && self.calendars[calendar].pool.is_multiple_of(2)
    }

    /// Returns `true` if a calendar shows nothing at an instant: to applicants with an appointment,
    /// during restricted hours.
    #[must_use]
    pub fn restricted(&self, calendar: usize, at: f64) -> bool {
        let facility = FACILITIES[self.calendars[calendar].city].id;
        let (from, to) = restricted_hours(facility);
        let hour = instant(at).with_timezone(&facility.zone()).hour();
        self.booked(calendar) && (from..to).contains(&hour)
    }

    /// Returns `true` if a poll shows nothing, whatever exists.
    pub(crate) fn hides(&self, poll: Poll, at: f64) -> bool {
        self.restricted(poll.calendar, at)
            || poll.account.is_some_and(|account| self.accounts[account].banned(at))
    }
}

impl Account {
    /// Returns `true` if the account is shown nothing at an instant.
    #[must_use]
    pub fn banned(&self, at: f64) -> bool {
        self.bans.iter().any(|(from, to)| (*from..*to).contains(&at))
    }
}
