//! When a poll is shown nothing, whatever there is: restricted hours, and bans of accounts.

use chrono::Timelike;
use domain::facility::FACILITIES;
use inference::cause::hours::restricted_hours;
use inference::planner::poll_source::instant;

use crate::proving::poller::Poll;
use crate::proving::world::{Account, Trace, World};

impl World {
    /// Whether the kind of applicant of a calendar holds an appointment.
    #[must_use]
    pub fn booked(&self, calendar: usize) -> bool {
        self.trace == Trace::Hours && self.calendars[calendar].pool.is_multiple_of(2)
    }

    /// Whether everybody of a calendar is shown nothing at an instant: those who hold an appointment, by day.
    #[must_use]
    pub fn restricted(&self, calendar: usize, at: f64) -> bool {
        let facility = FACILITIES[self.calendars[calendar].city].id;
        let (from, to) = restricted_hours(facility);
        let hour = instant(at).with_timezone(&facility.zone()).hour();
        self.booked(calendar) && (from..to).contains(&hour)
    }

    /// Whether a poll is shown nothing, whatever there is.
    pub(crate) fn hides(&self, poll: Poll, at: f64) -> bool {
        self.restricted(poll.calendar, at)
            || poll.account.is_some_and(|account| self.accounts[account].banned(at))
    }
}

impl Account {
    /// Whether it is shown nothing.
    #[must_use]
    pub fn banned(&self, at: f64) -> bool {
        self.bans.iter().any(|(from, to)| (*from..*to).contains(&at))
    }
}
