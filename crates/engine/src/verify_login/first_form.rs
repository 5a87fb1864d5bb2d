//! Reading of one booking form during a verification, in a country about which the table of places
//! lacks facts: the numbers of its cities, or whether its form asks for a fingerprint appointment.

use domain::budget::Calls;
use domain::country::Country;
use domain::ids::PortalScheduleId;
use portal::pages::appointment::AppointmentForm;
use portal::pages::groups::{Group as PageGroup, GroupStatus};
use portal::{ApplicantId, Meter, PortalError, Session};

use crate::error::NotVerified;
use crate::gateway::Gateway;
use crate::persist::{facility, parse_failure};
use crate::verify_login::limits::Ticket;

/// Maximum number of pages on the way to a form.
const MOST_PAGES: u32 = 4;

/// Maximum number of groups whose form is requested.
const MOST_GROUPS: usize = 2;

/// Fact about the form of one group.
pub(super) struct FirstForm {
    /// The group.
    pub group: PortalScheduleId,
    /// `true` if the form asks for a fingerprint appointment too.
    pub asks_fingerprints: bool,
    /// `true` if its fields for that appointment are unknown.
    pub has_unknown_fields: bool,
}

/// Reads the form of the first group that can be scheduled, and stores the numbers of its cities.
/// Returns `None` if no form is needed, if none is open, or if it has an unknown layout.
///
/// # Errors
/// Returns an error if the portal does not answer as usual.
pub(super) async fn read(
    gateway: &Gateway,
    country: &'static Country,
    ticket: &Ticket,
    meter: &Meter,
    session: &Session,
    pages: &[PageGroup],
) -> Result<Option<FirstForm>, NotVerified> {
    if !country.needs_a_form() || ticket.is_watched(gateway).await? {
        return Ok(None);
    }
    let leads_to_form = |page: &&PageGroup| {
        matches!(page.status, GroupStatus::AttendAppointment | GroupStatus::ScheduleAppointment)
    };
    for page in pages.iter().filter(leads_to_form).take(MOST_GROUPS) {
        ticket.count(gateway, Calls { requests: MOST_PAGES, ..Calls::default() }).await?;
        let people: Vec<ApplicantId> =
            page.applicants.iter().filter_map(|person| person.id.clone()).collect();
        match gateway.client.form_afresh(meter, session, &page.portal_schedule_id, &people).await {
            Ok(visit) => {
                store_cities(gateway, country, &visit.form).await?;
                let fields = visit.form.fingerprints.as_ref();
                return Ok(Some(FirstForm {
                    group: page.portal_schedule_id.clone(),
                    asks_fingerprints: fields.is_some(),
                    has_unknown_fields: fields.is_some_and(|fields| !fields.is_known),
                }));
            }
            // The form of another group may still be open.
            Err(PortalError::LimitReached) => {}
            Err(error @ PortalError::LayoutChanged(_)) => {
                parse_failure::record_parse_failure(&gateway.records, &error).await;
                tracing::warn!(%error, country = %country.code, "failed to read the first booking form of a login");
                return Ok(None);
            }
            // A portal that refuses this page should not get the requests that follow.
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

async fn store_cities(
    gateway: &Gateway,
    country: &'static Country,
    form: &AppointmentForm,
) -> Result<(), NotVerified> {
    let offered = || form.facilities.iter().map(|offered| (offered.id, offered.name.as_str()));
    let numbers = country.unnumbered(offered());
    if !numbers.is_empty() {
        tracing::info!(country = %country.code, ?numbers, "discovered the numbers of cities in a booking form");
        facility::store_numbers(&gateway.records, country, &numbers).await?;
    }
    let is_known = |number: u16| country.facilities().any(|city| city.id.number() == number);
    for (number, city) in offered().filter(|(number, _)| !is_known(*number)) {
        tracing::warn!(country = %country.code, number, city, "a booking form offers a city that cannot be held");
    }
    Ok(())
}
