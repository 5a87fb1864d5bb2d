//! Handling of a group that the groups page does not show.

use chrono::TimeDelta;
use domain::task::{Reason, TaskStatus};
use portal::PortalError;
use portal::pages::groups::GroupsPage;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;
use crate::gateway::pages::prove_left;
use crate::persist::group::wait_for_group;
use crate::persist::task_status::stop_task;

/// Delay before a groups page that lacks a group is read again.
pub(crate) const READ_AGAIN: TimeDelta = TimeDelta::minutes(5);

/// Handles a group that `page` lacks. The first time, only schedules a second reading, because the
/// page may be cut short. Stops the task if the group is missing again and is proven to have left
/// the account.
///
/// # Errors
/// [`PortalError::LayoutChanged`] if the portal still has the group, and the page shows no group at
/// all.
pub(crate) async fn missing(
    gateway: &Gateway,
    lease: &AccountLease,
    task: &Task,
    page: &GroupsPage,
) -> Result<(), JobError> {
    let records = &gateway.records;
    let again = records.portal_time.now() + READ_AGAIN;
    if records.memory.update(|state| state.backoffs.add_missing_group(task.id, again)) {
        return Ok(());
    }
    let session = lease.session.clone().ok_or(PortalError::SignedOut)?;
    match prove_left(gateway, lease, &session, page, &task.portal_schedule_id).await {
        Ok(()) => stop_task(records, task.id, TaskStatus::Error, Reason::GroupGone).await,
        // The account's other groups are readable, so only this task waits.
        Err(JobError::Portal(PortalError::LayoutChanged(_))) if !page.groups.is_empty() => {
            wait_for_group(records, task, "unreadable").await
        }
        Err(error) => Err(error),
    }
}
