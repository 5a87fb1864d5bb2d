//! Adoption of the state that a groups page shows for the active tasks of its account.

use domain::account_problem::ProblemKind;
use domain::budget::Spend;
use domain::ids::TaskId;
use domain::task::TaskStatus;
use portal::pages::groups::GroupsPage;
use portal::{PortalError, Recovery};
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;
use crate::gateway::missing_group::{READ_AGAIN, missing};
use crate::gateway::pages::{instructions, reschedules_left};
use crate::gateway::translate::{Details, deadline, printed, translate_known};
use crate::persist::adopt::{Adopted, adopt};
use crate::persist::group::{UNREADABLE_GROUP, unreadable_group};

/// Adopts the state that the groups page shows for the account's active tasks except `except`, and
/// records the visit. A missing or unreadable group schedules one more reading.
pub(crate) async fn take_over(
    gateway: &Gateway,
    lease: &mut AccountLease,
    page: &GroupsPage,
    except: Option<TaskId>,
) -> Result<(), JobError> {
    let now = gateway.records.portal_time.now();
    let (mut tasks, is_first) = gateway.records.memory.read(|state| {
        let active = state.tasks.of_account(lease.account).filter(|task| task.status == TaskStatus::Active);
        let others = active.map(|task| task.id).filter(|id| Some(*id) != except);
        let is_first = !state.accounts.has_problem(lease.account, ProblemKind::CardUnreadable);
        (others.collect::<Vec<TaskId>>(), is_first)
    });
    tasks.sort_unstable();
    let (mut again, mut readable) = (None, true);
    for id in tasks {
        let task = gateway.records.task(id).await?;
        let Some(task) = task.filter(|task| task.status == TaskStatus::Active) else { continue };
        match take_over_group(gateway, lease, &task, page).await {
            Ok(GroupVisit::TakenOver) => {}
            Ok(GroupVisit::Missing) => again = Some(now + READ_AGAIN),
            Ok(GroupVisit::Unreadable) => {
                readable = false;
                if is_first {
                    again = again.or(Some(now + UNREADABLE_GROUP));
                }
            }
            Err(error) if concerns_one_group(&error) => {
                crate::gateway::recovery::recover(gateway, lease, &task, error).await?;
            }
            Err(error) => return Err(error),
        }
    }
    if readable && except.is_none() {
        crate::persist::problem::end(&gateway.records, lease.account, ProblemKind::CardUnreadable).await?;
    }
    crate::persist::visit::visited(&gateway.records, lease.account, again).await
}

/// Returns `true` if the error concerns one group, so that the account's other groups can still be
/// read.
fn concerns_one_group(error: &JobError) -> bool {
    let JobError::Portal(error) = error else { return false };
    matches!(error.recovery(), Recovery::CheckGroups | Recovery::StopChanging | Recovery::NotifyOperator)
}

/// Result of reading one task's group on the groups page.
enum GroupVisit {
    /// The group is handled: its state is adopted if it is certain.
    TakenOver,
    /// The group is not on the page. The page is read again soon, because it may have been cut
    /// short.
    Missing,
    /// The group's card cannot be read.
    Unreadable,
}

/// Adopts the state that the groups page shows for one task's group.
async fn take_over_group(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    page: &GroupsPage,
) -> Result<GroupVisit, JobError> {
    let (records, now) = (&gateway.records, gateway.records.portal_time.now());
    let Some(group) = page.group(&task.portal_schedule_id) else {
        missing(gateway, lease, task, page).await?;
        return Ok(GroupVisit::Missing);
    };
    records.memory.update(|state| state.backoffs.end_missing_group(task.id));
    let Some(read) = translate_known(group, task.country, Details::of(&task.group)) else {
        unreadable_group(records, task, group).await?;
        return Ok(GroupVisit::Unreadable);
    };
    let session = lease.session.clone().ok_or(PortalError::SignedOut)?;
    // A changed appointment is adopted only if the instructions page confirms it.
    let own = match read.booked == task.booked {
        true => None,
        false => {
            lease.allowed(Spend::Other, now)?;
            instructions(gateway, lease, task, &session).await?
        }
    };
    let print = own.as_ref().map_or(domain::booking::evidence::Printed::Unreadable, printed);
    let Adopted::Known(task) = adopt(records, task, &read, print).await? else {
        return Ok(GroupVisit::TakenOver);
    };
    if task.booked.is_some() && task.status == TaskStatus::Active {
        // If the budget allows no request, the stored values are kept.
        let left = match lease.allowed(Spend::Other, gateway.records.portal_time.now()) {
            Ok(()) => reschedules_left(gateway, lease, &task).await?,
            Err(_) => None,
        };
        let deadline = own.and_then(|own| deadline(&task, &own));
        crate::persist::warm_up::keep_allowance(records, &task, left, deadline).await?;
        crate::persist::task_status::still_able(records, &task).await?;
    }
    Ok(GroupVisit::TakenOver)
}
