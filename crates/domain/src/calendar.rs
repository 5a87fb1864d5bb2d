//! Calendars: the list of free dates that one kind of applicant sees at one facility.

use std::fmt;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::appointment::Group;
use crate::country::{CountryCode, VisaType};
use crate::facility::FacilityId;

/// Properties that two groups must share to see the same lists.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Kind {
    /// Country and language of the portal.
    pub country: CountryCode,
    /// Half of the portal.
    pub visa_type: VisaType,
    /// Sorted, distinct visa classes of the group, joined by `+`.
    pub classes: String,
    /// Number of applicants in the group.
    pub party: u32,
    /// `true` if the group already holds an appointment.
    pub booked: bool,
    /// `true` for third-country nationals.
    pub tcn: bool,
}

impl Kind {
    /// Returns the kind of a group as it was last read.
    #[must_use]
    pub fn of(country: CountryCode, visa_type: VisaType, group: &Group, booked: bool) -> Self {
        let mut classes = group.classes.clone();
        classes.sort_unstable();
        classes.dedup();
        Self {
            country,
            visa_type,
            classes: classes.join("+"),
            party: group.party_size(),
            booked,
            tcn: group.is_tcn.unwrap_or(false),
        }
    }
}

/// A calendar's key: a kind of applicant at a facility.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CalendarKey {
    /// The kind of applicant.
    pub kind: Kind,
    /// The facility.
    pub facility: FacilityId,
}

impl fmt::Display for CalendarKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Kind { country, visa_type, classes, party, booked, tcn } = &self.kind;
        let (booked, tcn) = (u8::from(*booked), u8::from(*tcn));
        write!(f, "{country}/{visa_type}/{classes}/{party}/{booked}/{tcn}/{}", self.facility.number())
    }
}

/// Differences between two lists of one calendar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Dates only in the later list.
    pub appeared: Vec<NaiveDate>,
    /// Dates only in the earlier list.
    pub vanished: Vec<NaiveDate>,
}

/// Compares two sorted lists of dates.
#[must_use]
pub fn compare(before: &[NaiveDate], after: &[NaiveDate]) -> Change {
    let missing = |from: &[NaiveDate], of: &[NaiveDate]| {
        of.iter().copied().filter(|d| from.binary_search(d).is_err()).collect()
    };
    Change { appeared: missing(before, after), vanished: missing(after, before) }
}
