//! Conditions for the fingerprint appointment.

use std::ops::RangeInclusive;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::country::city::CityId;

/// Allowed numbers of days from the fingerprint appointment to the interview.
pub const DAYS_BEFORE: RangeInclusive<u16> = 1..=60;

/// Maximum number of chosen cities. A booking has no time to read the lists of more.
pub const MOST_FINGERPRINT_CITIES: usize = 3;

/// Conditions for the fingerprint appointment, beside those that hold for the interview too. They
/// only narrow the portal's lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FingerprintCriteria {
    /// Acceptable cities in order of preference; if empty, the place that belongs to the consulate.
    #[serde(default)]
    pub cities: Vec<CityId>,
    /// The minimum number of days before the interview ([`DAYS_BEFORE`]).
    pub min_days_before: Option<u16>,
    /// The maximum number of days before the interview ([`DAYS_BEFORE`]).
    pub max_days_before: Option<u16>,
}

impl FingerprintCriteria {
    /// Returns `true` if every fingerprint appointment is acceptable.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns `true` if a fingerprint appointment on `day` is acceptable before an interview.
    #[must_use]
    pub fn accepts(&self, day: NaiveDate, interview: NaiveDate) -> bool {
        let days = (interview - day).num_days();
        self.min_days_before.is_none_or(|least| days >= i64::from(least))
            && self.max_days_before.is_none_or(|most| days <= i64::from(most))
    }

    /// Returns `true` if a fingerprint appointment is acceptable that was not under `old`.
    pub(super) fn widens(&self, old: &Self) -> bool {
        self.cities != old.cities
            || old.min_days_before.is_some_and(|was| self.min_days_before.is_none_or(|is| is < was))
            || old.max_days_before.is_some_and(|was| self.max_days_before.is_none_or(|is| is > was))
    }
}
