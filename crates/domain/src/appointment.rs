//! Slots, appointments and the groups that hold them.

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use serde::{Deserialize, Serialize};

use crate::country::city::CityId;
use crate::facility::FacilityId;

/// A bookable or booked facility, date and time. The date is the civil date at the consulate.
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
    /// Returns the days from this slot to a later one; negative if `other` is earlier.
    #[must_use]
    pub fn days_before(&self, other: &Self) -> i64 {
        (other.date - self.date).num_days()
    }
}

/// The slot of a fingerprint appointment. The place is a support centre (ASC) in a city; its number
/// is read from the booking form each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FingerprintSlot {
    /// The city of the place.
    pub city: CityId,
    /// The civil date there.
    pub date: NaiveDate,
    /// The local time there.
    pub time: NaiveTime,
}

/// The appointment of a group, held or wanted: the interview and, where the booking form asks for
/// one, the fingerprint appointment before it. Improvement, price and deadlines follow from the
/// interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Appointment {
    /// The interview at the consulate.
    #[serde(flatten)]
    pub consular: Slot,
    /// The fingerprint appointment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprints: Option<FingerprintSlot>,
}

impl From<Slot> for Appointment {
    fn from(consular: Slot) -> Self {
        Self { consular, fingerprints: None }
    }
}

impl Appointment {
    /// Returns `true` if both have the same interview and different fingerprint appointments.
    #[must_use]
    pub fn differs_in_fingerprints(&self, other: &Self) -> bool {
        self.consular == other.consular && self.fingerprints != other.fingerprints
    }
}

/// Status of a group at the portal, reduced to what decides the possible actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PortalStatus {
    /// The group holds an appointment.
    AttendAppointment,
    /// The group may book its first appointment.
    ScheduleAppointment,
    /// The fee is unpaid.
    PayVisaFee,
    /// The interview is in progress or finished.
    Interview,
    /// The group has expired.
    Expired,
    /// The status text is unknown.
    Unknown,
}

impl PortalStatus {
    /// Returns the value on the wire and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns `true` for the two statuses that can be monitored.
    #[must_use]
    pub const fn can_be_monitored(self) -> bool {
        matches!(self, Self::AttendAppointment | Self::ScheduleAppointment)
    }
}

/// One applicant of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applicant {
    /// The portal's number of the applicant, if the page links to it.
    pub id: Option<String>,
    /// The name as the portal prints it.
    pub name: String,
}

/// A portal group as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The applicants.
    pub applicants: Vec<Applicant>,
    /// Visa class of the first applicant, such as `B1/B2 Business & Tourism …`.
    pub visa_class: Option<String>,
    /// Visa classes of all applicants, sorted; part of the calendar's key.
    pub classes: Vec<String>,
    /// The portal's status.
    pub status: PortalStatus,
    /// The IVR account number in the page's footer.
    pub ivr_account_number: Option<String>,
    /// `true` for third-country nationals; `None` if the portal did not ask.
    pub is_tcn: Option<bool>,
    /// Date of the fee payment, if the portal shows it.
    pub fee_paid_on: Option<NaiveDate>,
    /// `true` if the booking form asks for a fingerprint appointment too; `None` if the form was
    /// not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks_fingerprints: Option<bool>,
    /// `true` if the booking form has unknown fields for it, which this service cannot fill in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_unknown_form: bool,
}

impl Group {
    /// Returns the number of applicants, at least one.
    #[must_use]
    pub fn party_size(&self) -> u32 {
        u32::try_from(self.applicants.len()).unwrap_or(u32::MAX).max(1)
    }

    /// Returns the applicants' names, joined by commas.
    #[must_use]
    pub fn names(&self) -> String {
        self.applicants.iter().map(|a| a.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Returns the initials of each applicant, for texts that others may read: `LIN ANNA` as
    /// `L. A.`.
    #[must_use]
    pub fn initials(&self) -> Vec<String> {
        self.applicants.iter().map(|applicant| initials(&applicant.name)).collect()
    }

    /// Returns the last date on which the fee is valid: 365 days after the payment.
    #[must_use]
    pub fn fee_expires_on(&self) -> Option<NaiveDate> {
        self.fee_paid_on.map(|paid| paid + TimeDelta::days(365))
    }

    /// Returns `true` if the fee has expired on `today`. An unknown date never counts as expired.
    #[must_use]
    pub fn fee_expired(&self, today: NaiveDate) -> bool {
        self.fee_expires_on().is_some_and(|expires| expires < today)
    }

    /// Returns the API's reason why the portal data prevents monitoring of the group, or `None`.
    #[must_use]
    pub fn unfit(&self, today: NaiveDate) -> Option<&'static str> {
        match self.status {
            PortalStatus::PayVisaFee => Some("pay_visa_fee"),
            _ if self.fee_expired(today) => Some("fee_expired"),
            status if !status.can_be_monitored() => Some("status_not_monitorable"),
            _ if self.has_unknown_form => Some("asks_fingerprints"),
            _ => None,
        }
    }
}

/// Returns the first letter of each part of a name.
fn initials(name: &str) -> String {
    let letters = name.split_whitespace().filter_map(|part| part.chars().next());
    letters.map(|letter| format!("{letter}.")).collect::<Vec<_>>().join(" ")
}
