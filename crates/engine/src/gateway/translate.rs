//! Translation of portal pages into domain types.

use chrono::NaiveDate;
use domain::appointment::{Applicant, Appointment, FingerprintSlot, Group, PortalStatus, Slot};
use domain::booking::evidence::Printed;
use domain::clock::Instant;
use domain::country::CountryCode;
use domain::country::city::CityId;
use domain::facility::FacilityId;
use portal::pages::groups::{Group as PageGroup, GroupStatus};
use portal::pages::instructions::Instructions;
use store::task::Task;

use crate::model::group::GroupReading;

/// Returns the appointment that the instructions page prints.
pub(crate) fn printed(page: &portal::pages::instructions::Instructions) -> Printed {
    match page.interview {
        Some(at) => Printed::Appointment { date: at.date, time: at.time },
        None if page.headed => Printed::None,
        None => Printed::Unreadable,
    }
}

/// Facts about a group that are not on the groups page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Details {
    /// Date on which the visa fee was paid.
    pub fee_paid_on: Option<NaiveDate>,
    /// `true` if the group's applicants come from another country.
    pub is_tcn: Option<bool>,
    /// `true` if the group's booking form asks for a fingerprint appointment too.
    pub asks_fingerprints: Option<bool>,
    /// `true` if the form has unknown fields for it.
    pub has_unknown_form: bool,
}

impl Details {
    /// Returns the details that are already stored for a group.
    pub(crate) fn of(group: &Group) -> Self {
        Self {
            fee_paid_on: group.fee_paid_on,
            is_tcn: group.is_tcn,
            asks_fingerprints: group.asks_fingerprints,
            has_unknown_form: group.has_unknown_form,
        }
    }
}

/// Reason why a group of the groups page has no translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// The card cannot be read.
    Unreadable,
    /// The group has only a fingerprint appointment.
    FingerprintsOnly,
    /// No city of the country has the printed name, or its number is not known yet.
    UnknownCity(String),
}

/// Translates a group of the groups page.
///
/// # Errors
/// Returns the reason why the product cannot hold the group.
pub(crate) fn translate(
    page: &PageGroup,
    country: CountryCode,
    details: Details,
) -> Result<GroupReading, LeftOut> {
    let booked = match &page.appointment {
        None => None,
        Some(a) => {
            let facility = FacilityId::in_country(country, &a.facility_name)
                .ok_or_else(|| LeftOut::UnknownCity(a.facility_name.clone()))?;
            let consular = Slot { facility, date: a.at.date, time: a.at.time };
            Some(Appointment { consular, fingerprints: fingerprints(page, country)? })
        }
    };
    let status = match page.status {
        GroupStatus::AttendAppointment => PortalStatus::AttendAppointment,
        GroupStatus::ScheduleAppointment => PortalStatus::ScheduleAppointment,
        GroupStatus::PayVisaFee => PortalStatus::PayVisaFee,
        GroupStatus::Other if page.status_text.to_lowercase().contains("interview") => {
            PortalStatus::Interview
        }
        GroupStatus::Other if page.status_text.to_lowercase().contains("expire") => PortalStatus::Expired,
        GroupStatus::Other => PortalStatus::Unknown,
        GroupStatus::FingerprintsOnly => return Err(LeftOut::FingerprintsOnly),
        GroupStatus::Unreadable => return Err(LeftOut::Unreadable),
    };
    let mut classes: Vec<String> = page.applicants.iter().filter_map(|a| a.visa_class.clone()).collect();
    classes.sort_unstable();
    classes.dedup();
    let people = page
        .applicants
        .iter()
        .map(|a| Applicant { id: a.id.as_ref().map(|id| id.as_str().to_owned()), name: a.name.clone() });
    let group = Group {
        applicants: people.collect(),
        visa_class: page
            .applicants
            .iter()
            .find_map(|a| a.visa_class.clone())
            .or_else(|| page.visa_class.clone()),
        classes,
        status,
        ivr_account_number: page.ivr_account_number.clone(),
        is_tcn: details.is_tcn,
        fee_paid_on: details.fee_paid_on,
        asks_fingerprints: details.asks_fingerprints,
        has_unknown_form: details.has_unknown_form,
    };
    Ok(GroupReading { group, booked })
}

/// Translates the fingerprint appointment of a group.
fn fingerprints(page: &PageGroup, country: CountryCode) -> Result<Option<FingerprintSlot>, LeftOut> {
    let Some(printed) = &page.fingerprints else { return Ok(None) };
    let city = CityId::in_country(country, &printed.facility_name)
        .ok_or_else(|| LeftOut::UnknownCity(printed.facility_name.clone()))?;
    Ok(Some(FingerprintSlot { city, date: printed.at.date, time: printed.at.time }))
}

/// Translates a group as [`translate`] does. Returns `None` without a translation, and if the
/// group's status text is unknown, because an unknown text must not stop a task.
pub(crate) fn translate_known(
    page: &PageGroup,
    country: CountryCode,
    details: Details,
) -> Option<GroupReading> {
    translate(page, country, details).ok().filter(|read| read.group.status != PortalStatus::Unknown)
}

/// Returns the deadline for changes on the instructions page. Returns `None` unless that page
/// prints the task's stored appointment.
pub(crate) fn deadline(task: &Task, page: &Instructions) -> Option<Instant> {
    let booked = task.interview()?;
    page.interview.filter(|i| i.date == booked.date && i.time == booked.time)?;
    booked.facility.instant(page.deadline?.date.and_time(page.deadline?.time))
}
