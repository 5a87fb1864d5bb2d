//! Requests that reach the booking form.

use domain::appointment::Slot;
use domain::ids::PortalScheduleId;
use portal::pages::actions::ActionKind;
use portal::pages::appointment::AppointmentForm;
use portal::{ApplicantId, FormVisit, PortalError, Session};
use store::task::Task;

use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;

/// Returns the attempts left, read first, and the booking form of a task's applicants.
///
/// # Errors
/// [`PortalError::NoPermission`] if the group has other applicants than were priced.
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
        // The group has other applicants than were priced: it has to be read again before anything
        // is booked.
        return Err(PortalError::NoPermission);
    }
    Ok(visit)
}

/// Returns `true` if the form's button agrees with the other pages. It must move an appointment if
/// they show one, and book the first appointment if they show none.
pub(crate) fn form_agrees(form: &AppointmentForm, booked: Option<&Slot>) -> bool {
    (form.kind() == ActionKind::Reschedule) == booked.is_some()
}
