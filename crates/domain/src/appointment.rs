//! Slots, appointments and the groups that hold them.

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use serde::{Deserialize, Serialize};

use crate::facility::FacilityId;

/// A bookable or booked (facility, date, time). The date is civil, at the consulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Slot {
    /// The city.
    pub facility: FacilityId,
    /// The civil date there.
    pub date: NaiveDate,
    /// The local time there.
    pub time: NaiveTime,
}

impl Slot {
    /// Days from this slot to a later one; negative when `other` is earlier.
    #[must_use]
    pub fn days_before(&self, other: &Self) -> i64 {
        (other.date - self.date).num_days()
    }
}

/// The portal's status of a group, as far as it decides what can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PortalStatus {
    /// Holds an appointment.
    AttendAppointment,
    /// May book a first one.
    ScheduleAppointment,
    /// The fee is unpaid.
    PayVisaFee,
    /// The interview is over or under way.
    Interview,
    /// The group has expired.
    Expired,
    /// Words we do not know.
    Unknown,
}

impl PortalStatus {
    /// The word on the wire and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Only these two can be monitored.
    #[must_use]
    pub const fn can_be_monitored(self) -> bool {
        matches!(self, Self::AttendAppointment | Self::ScheduleAppointment)
    }
}

/// One person of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applicant {
    /// The portal's number, when the page links to it.
    pub id: Option<String>,
    /// The name as the portal prints it.
    pub name: String,
}

/// What the portal says of one group, as we keep it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The people.
    pub applicants: Vec<Applicant>,
    /// `B1/B2 Business & Tourism …` of the first person.
    pub visa_class: Option<String>,
    /// Every person's class, sorted: part of the calendar's key.
    pub classes: Vec<String>,
    /// The portal's status.
    pub status: PortalStatus,
    /// The IVR account number in the page's footer.
    pub ivr_account_number: Option<String>,
    /// Third-country national, when asked.
    pub is_tcn: Option<bool>,
    /// The day the fee was paid, when the portal shows it.
    pub fee_paid_on: Option<NaiveDate>,
}

impl Group {
    /// People in the group, at least one.
    #[must_use]
    pub fn party_size(&self) -> u32 {
        u32::try_from(self.applicants.len()).unwrap_or(u32::MAX).max(1)
    }

    /// The applicants' names, joined.
    #[must_use]
    pub fn names(&self) -> String {
        self.applicants.iter().map(|a| a.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The day the fee stops being valid: 365 days after it was paid.
    #[must_use]
    pub fn fee_expires_on(&self) -> Option<NaiveDate> {
        self.fee_paid_on.map(|paid| paid + TimeDelta::days(365))
    }

    /// Whether the fee has expired on `today`; an unknown date never counts as expired.
    #[must_use]
    pub fn fee_expired(&self, today: NaiveDate) -> bool {
        self.fee_expires_on().is_some_and(|expires| expires < today)
    }

    /// Why the portal's own words keep the group from being monitored, as the API says it.
    #[must_use]
    pub fn unfit(&self, today: NaiveDate) -> Option<&'static str> {
        match self.status {
            PortalStatus::PayVisaFee => Some("pay_visa_fee"),
            _ if self.fee_expired(today) => Some("fee_expired"),
            status if !status.can_be_monitored() => Some("status_not_monitorable"),
            _ => None,
        }
    }
}
