//! Choice of the fingerprint appointment before an interview.
//!
//! The portal's own list decides how many days before the interview are possible. The criteria only
//! narrow that list. The present fingerprint appointment is never kept.

use std::cmp::Reverse;

use chrono::{NaiveDate, TimeDelta};

use crate::appointment::Slot;
use crate::clock::Instant;
use crate::country::city::CityId;
use crate::criteria::SearchCriteria;

/// Returns the dates of the portal's list at which a task accepts the fingerprint appointment,
/// nearest to the interview first. All are before the interview. The minimum number of days from
/// today holds for the fingerprint appointment, because it is the first trip.
#[must_use]
pub fn fingerprint_days(
    listed: &[NaiveDate],
    interview: &Slot,
    city: CityId,
    criteria: &SearchCriteria,
    now: Instant,
) -> Vec<NaiveDate> {
    let today = now.with_timezone(&city.zone()).date_naive();
    let soonest = today + TimeDelta::days(i64::from(criteria.minimum_days_from_current));
    let is_accepted = |day: &NaiveDate| {
        *day < interview.date
            && *day >= soonest
            && !criteria.excluded.contains(*day)
            && criteria.weekdays.contains(*day)
            && criteria.fingerprints.as_ref().is_none_or(|wanted| wanted.accepts(*day, interview.date))
    };
    let mut days: Vec<NaiveDate> = listed.iter().copied().filter(is_accepted).collect();
    days.sort_unstable_by_key(|day| Reverse(*day));
    days.dedup();
    days
}
