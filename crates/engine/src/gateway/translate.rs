//! Translation of portal pages into domain types.

use chrono::NaiveDate;
use domain::appointment::{Applicant, Group, PortalStatus, Slot};
use domain::booking::evidence::Printed;
use domain::clock::Instant;
use domain::country::CountryCode;
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
}

impl Details {
    /// Returns the details that are already stored for a group.
    pub(crate) fn of(group: &Group) -> Self {
        Self { fee_paid_on: group.fee_paid_on, is_tcn: group.is_tcn }
    }
}

/// Translates a group of the groups page. Returns `None` if the group cannot be read, has only a
/// fingerprints appointment, or has its appointment in a city that is unknown in the country.
pub(crate) fn translate(page: &PageGroup, country: CountryCode, details: Details) -> Option<GroupReading> {
    let booked = match &page.appointment {
        None => None,
        Some(a) => {
            let facility = FacilityId::in_country(country, &a.facility_name)?;
            Some(Slot { facility, date: a.at.date, time: a.at.time })
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
        GroupStatus::FingerprintsOnly | GroupStatus::Unreadable => return None,
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
    };
    Some(GroupReading { group, booked })
}

/// Translates a group as [`translate`] does. Also returns `None` if its status text is unknown,
/// because an unknown text must not stop a task.
pub(crate) fn translate_known(
    page: &PageGroup,
    country: CountryCode,
    details: Details,
) -> Option<GroupReading> {
    translate(page, country, details).filter(|read| read.group.status != PortalStatus::Unknown)
}

/// Returns the deadline for changes on the instructions page. Returns `None` unless that page
/// prints the task's stored appointment.
pub(crate) fn deadline(task: &Task, page: &Instructions) -> Option<Instant> {
    let booked = task.booked?;
    page.interview.filter(|i| i.date == booked.date && i.time == booked.time)?;
    booked.facility.instant(page.deadline?.date.and_time(page.deadline?.time))
}
