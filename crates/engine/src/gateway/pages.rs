//! Requests for pages of the portal, each within the budget of its account.

use chrono::NaiveDate;
use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::country::CountryCode;
use domain::ids::PortalScheduleId;
use portal::pages::groups::GroupsPage;
use portal::pages::instructions::Instructions;
use portal::{PageKind, PortalError};
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;

/// Requests the groups page.
pub(crate) async fn groups(
    gateway: &Gateway,
    lease: &AccountLease,
    session: &portal::Session,
) -> Result<GroupsPage, JobError> {
    lease.allowed(Spend::Other, gateway.records.portal_time.now())?;
    let page = gateway.client.groups(&lease.meter, session).await?;
    lease.settle_budget(gateway.records.portal_time.now());
    gateway.host_answered(lease.account);
    Ok(page)
}

/// Proves that a group missing on `page` has left the account. The proof is that `page` lists it as
/// archived, or that the portal refuses the group's own page.
///
/// # Errors
/// [`PortalError::LayoutChanged`] if the portal still shows the group's own page. The groups page
/// then has an unknown layout.
pub(crate) async fn prove_left(
    gateway: &Gateway,
    lease: &AccountLease,
    session: &portal::Session,
    page: &GroupsPage,
    group: &PortalScheduleId,
) -> Result<(), JobError> {
    if page.archived.contains(group) {
        return Ok(());
    }
    lease.allowed(Spend::Other, gateway.records.portal_time.now())?;
    let own = gateway.client.actions(&lease.meter, session, group).await;
    lease.settle_budget(gateway.records.portal_time.now());
    match own {
        Err(PortalError::NoPermission | PortalError::NotFound) => Ok(()),
        Ok(_) | Err(PortalError::LayoutChanged(_)) => {
            Err(PortalError::LayoutChanged(page.lacks_a_group()).into())
        }
        Err(portal_error) => Err(portal_error.into()),
    }
}

/// Reads the number of attempts left, on the pages that lead to the booking form. Returns
/// `Some(None)` if the number cannot be read, and `None` without a session.
pub(crate) async fn attempts_left(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
) -> Result<Option<Option<u32>>, JobError> {
    let Some(session) = lease.session.clone() else {
        return Ok(None);
    };
    let group = task.portal_schedule_id.clone();
    let left = match gateway.client.form(&lease.meter, &session, &group, &[]).await {
        Ok(visit) => {
            if crate::gateway::form::form_agrees(&visit.form, task.booked.as_ref()) {
                gateway.parsed(task.country, &crate::model::page_breaker::TO_THE_FORM);
            }
            visit.remaining
        }
        Err(PortalError::LimitReached) => Some(0),
        // If the number is unknown, the engine uses its own count. Each booking requests it again.
        Err(portal_error @ PortalError::LayoutChanged(_)) => {
            crate::persist::parse_failure::record_parse_failure(&gateway.records, &portal_error).await;
            if let PortalError::LayoutChanged(changed) = &portal_error {
                gateway.unreadable(task.country, changed, lease.account);
            }
            tracing::warn!(%portal_error, "failed to read reschedules left");
            None
        }
        Err(portal_error) => return Err(portal_error.into()),
    };
    lease.settle_budget(gateway.records.portal_time.now());
    Ok(Some(left))
}

/// Reads the limit page. Returns the number of reschedules left; `None` if the page does not show
/// it.
pub(crate) async fn reschedules_left(
    gateway: &Gateway,
    lease: &AccountLease,
    task: &Task,
) -> Result<Option<u32>, JobError> {
    let session = lease.session.clone().ok_or(PortalError::SignedOut)?;
    let left = gateway.client.limit(&lease.meter, &session, &task.portal_schedule_id).await;
    lease.settle_budget(gateway.records.portal_time.now());
    match left {
        // If the number is unknown, the engine uses its own count. Each booking requests it again.
        Err(portal_error @ PortalError::LayoutChanged(_)) => {
            crate::persist::parse_failure::record_parse_failure(&gateway.records, &portal_error).await;
            Ok(None)
        }
        left => Ok(left?),
    }
}

/// Requests the instructions page, which prints the appointment. Returns `None` if the page cannot
/// be read.
pub(crate) async fn instructions(
    gateway: &Gateway,
    lease: &AccountLease,
    task: &Task,
    session: &portal::Session,
) -> Result<Option<Instructions>, JobError> {
    let group = task.portal_schedule_id.clone();
    match gateway.client.instructions(&lease.meter, session, &group).await {
        Ok(page) => Ok(Some(page)),
        Err(PortalError::SignedOut) => Err(PortalError::SignedOut.into()),
        Err(portal_error) => {
            crate::persist::parse_failure::record_parse_failure(&gateway.records, &portal_error).await;
            Ok(None)
        }
    }
}

/// Requests the instructions page of a group. Returns an error if the page cannot be read.
pub(crate) async fn printed(
    gateway: &Gateway,
    lease: &AccountLease,
    session: &portal::Session,
    group: &PortalScheduleId,
) -> Result<Instructions, JobError> {
    let page = gateway.client.instructions(&lease.meter, session, group).await?;
    gateway.host_answered(lease.account);
    Ok(page)
}

/// Requests the free times of a date, to test if the page of times can be parsed.
pub(crate) async fn probe_times(
    gateway: &Gateway,
    lease: &AccountLease,
    session: &portal::Session,
    key: &CalendarKey,
    group: &PortalScheduleId,
    day: NaiveDate,
) -> Result<(), JobError> {
    lease.allowed(Spend::Poll, gateway.records.portal_time.now())?;
    gateway.client.times(&lease.meter, session, group, key.facility, day).await?;
    gateway.parsed(key.kind.country, &[PageKind::Times]);
    Ok(())
}

/// Requests the groups page, to test if it can be parsed.
pub(crate) async fn probe_groups(
    gateway: &Gateway,
    lease: &AccountLease,
    session: &portal::Session,
    country: CountryCode,
) -> Result<(), JobError> {
    let page = gateway.client.groups(&lease.meter, session).await?;
    gateway.parsed_groups(country, &page);
    Ok(())
}
