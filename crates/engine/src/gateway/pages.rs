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

/// The groups page.
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

/// Proves that a group which `page` does not show has left the account: the page lists it as archived, or the portal
/// refuses the group's own page.
///
/// # Errors
/// [`PortalError::LayoutChanged`] where the portal still has the group, so that the groups page is not as known.
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

/// The attempts left, by the way to the booking form: unknown where it cannot be read, none without a session.
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
            gateway.parsed(task.country, &crate::model::page_breaker::TO_THE_FORM);
            visit.remaining
        }
        Err(PortalError::LimitReached) => Some(0),
        // Unknown is counted by ourselves; the booking path asks again.
        Err(portal_error @ PortalError::LayoutChanged(_)) => {
            crate::persist::parse_failure::note_parse_failure(&gateway.records, &portal_error).await;
            if let PortalError::LayoutChanged(changed) = &portal_error {
                gateway.unreadable(task.country, changed, lease.account);
            }
            tracing::warn!(%portal_error, "reschedules left could not be read");
            None
        }
        Err(portal_error) => return Err(portal_error.into()),
    };
    lease.settle_budget(gateway.records.portal_time.now());
    Ok(Some(left))
}

/// Reads the limit page: the reschedules left, none where it does not tell.
pub(crate) async fn reschedules_left(
    gateway: &Gateway,
    lease: &AccountLease,
    task: &Task,
) -> Result<Option<u32>, JobError> {
    let session = lease.session.clone().ok_or(PortalError::SignedOut)?;
    let left = gateway.client.limit(&lease.meter, &session, &task.portal_schedule_id).await;
    lease.settle_budget(gateway.records.portal_time.now());
    match left {
        // Unknown is counted by ourselves; the booking path asks again.
        Err(portal_error @ PortalError::LayoutChanged(_)) => {
            crate::persist::parse_failure::note_parse_failure(&gateway.records, &portal_error).await;
            Ok(None)
        }
        left => Ok(left?),
    }
}

/// The page the portal prints the appointment on; none where it cannot be read.
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
            crate::persist::parse_failure::note_parse_failure(&gateway.records, &portal_error).await;
            Ok(None)
        }
    }
}

/// The instructions page of a group.
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

/// Asks for the times of a day, to see whether that page can be read.
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

/// Asks for the groups page, to see whether it can be read.
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
