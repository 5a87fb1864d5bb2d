//! Accounts that found a listed date without bookable times. If another account then books the
//! date, that is evidence that these accounts cannot book.

use chrono::NaiveDate;
use domain::account_problem::BOOKED_WITHIN;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::PortalAccountId;

/// Recent findings of dates without times, stored for [`BOOKED_WITHIN`].
#[derive(Debug, Default)]
pub(crate) struct NoTimes(Vec<NoTimesFound>);

#[derive(Debug)]
struct NoTimesFound {
    facility: FacilityId,
    date: NaiveDate,
    account: PortalAccountId,
    at: Instant,
}

impl NoTimes {
    /// Records that an account found no times for a date.
    pub fn add(&mut self, facility: FacilityId, date: NaiveDate, account: PortalAccountId, at: Instant) {
        self.0.retain(|found| at - found.at < BOOKED_WITHIN);
        self.0.push(NoTimesFound { facility, date, account, at });
    }

    /// Removes and returns the accounts that recently found no times for a date, each once.
    pub fn take(&mut self, facility: FacilityId, date: NaiveDate, now: Instant) -> Vec<PortalAccountId> {
        let of_date = |found: &mut NoTimesFound| found.facility == facility && found.date == date;
        let found = self.0.extract_if(.., of_date);
        let lately = found.filter(|found| now - found.at < BOOKED_WITHIN);
        let mut accounts: Vec<_> = lately.map(|found| found.account).collect();
        accounts.sort_unstable();
        accounts.dedup();
        accounts
    }
}
