//! Requests for the pages that lead to the booking form.

use domain::appointment::Appointment;
use domain::facility::FacilityId;
use domain::ids::PortalScheduleId;
use portal::pages::actions::ActionKind;
use portal::pages::appointment::{AppointmentForm, Fingerprints};
use portal::{ApplicantId, FormVisit, PortalError, Session};
use store::task::Task;

use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;

/// Requests the limit page, and then the booking form for a task's applicants. Returns the number
/// of attempts left and the form.
///
/// # Errors
/// [`PortalError::NoPermission`] if the group has applicants that the task's price does not
/// include.
pub(crate) async fn visit(
    gateway: &Gateway,
    lease: &AccountLease,
    task: &Task,
    session: &Session,
    group: &PortalScheduleId,
) -> Result<FormVisit, PortalError> {
    let people: Vec<ApplicantId> =
        task.group.applicants.iter().filter_map(|a| a.id.clone()).map(ApplicantId::from).collect();
    let visit = gateway.client.form_afresh(&lease.meter, session, group, &people).await?;
    gateway.parsed(task.country, &crate::model::page_breaker::TO_THE_FORM);
    let others = visit.listed.iter().any(|id| !people.contains(id));
    if others && !people.is_empty() {
        // The price does not include these applicants. The group must be read again before anything
        // is booked.
        return Err(PortalError::NoPermission);
    }
    Ok(visit)
}

/// Returns `true` if the form's button agrees with `booked`, the appointment that the other pages
/// show. The button must move an appointment if there is one, and otherwise book the first.
pub(crate) fn form_agrees(form: &AppointmentForm, booked: Option<&Appointment>) -> bool {
    (form.kind() == ActionKind::Reschedule) == booked.is_some()
}

/// Returns `true` if the engine can choose what the form asks about fingerprints beside an
/// interview in this city. `held` is the appointment that the group holds.
fn knows_fingerprints(form: &AppointmentForm, held: Option<&Appointment>, city: FacilityId) -> bool {
    match form.fingerprints_for(city) {
        // What such a form does to a present fingerprint appointment is not known.
        Fingerprints::NotAsked => held.is_none_or(|held| held.fingerprints.is_none()),
        Fingerprints::Asked => !form.fingerprint_places(city.facility().country).is_empty(),
        Fingerprints::AtConsulate | Fingerprints::Unknown => false,
    }
}

/// Returns `true` if the engine can choose what the form asks about fingerprints in one of the
/// task's cities that the form offers. Returns `true` for a task without such a city.
pub(crate) fn knows_fingerprints_somewhere(form: &AppointmentForm, task: &Task) -> bool {
    let cities = task.criteria.iter().flat_map(|criteria| &criteria.cities);
    let mut offered = cities.filter(|city| form.require_offer(**city).is_ok()).peekable();
    offered.peek().is_none() || offered.any(|city| knows_fingerprints(form, task.booked.as_ref(), *city))
}
