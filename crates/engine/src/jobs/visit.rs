//! Visit job: reads the groups page of an account, and adopts changes that the engine did not make,
//! for all its tasks.

use domain::budget::Spend;
use domain::ids::TaskId;
use domain::visit::signs_in_anew;
use portal::PortalError;
use portal::pages::groups::GroupsPage;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::gateway::pages::{attempts_left, groups};
use crate::gateway::take_over::take_over;
use crate::jobs::JobOutcome;

/// Visits the account of `task`. Signs in if its session has ended or is old.
pub(crate) async fn visit(
    gateway: &Gateway,
    task: TaskId,
    guard: LeaseGuard,
) -> Result<JobOutcome, JobError> {
    let (account, now) = (guard.account, gateway.records.portal_time.now());
    gateway.records.memory.update(|state| state.visits.begin(account, now));
    let Some(task) = gateway.records.task(task).await? else { return Ok(JobOutcome::Done) };
    let mut lease = AccountLease::begin(guard).await?;
    match read_groups(gateway, &mut lease, &task).await {
        Ok(()) => {}
        // No notification is needed, because the account's polls report an exhausted budget.
        Err(JobError::Rest(until)) => {
            gateway.records.memory.update(|state| state.visits.postpone(account, until));
        }
        Err(error) => crate::gateway::recovery::recover(gateway, &mut lease, &task, error).await?,
    }
    lease.finish().await.map(|()| JobOutcome::Done)
}

async fn read_groups(gateway: &Gateway, lease: &mut AccountLease, task: &Task) -> Result<(), JobError> {
    let now = gateway.records.portal_time.now();
    let opened = gateway.records.memory.account(lease.account, |account| account.signed_in_at);
    let is_old = lease.session.is_some() && opened.is_some_and(|at| signs_in_anew(at, now));
    if is_old && lease.allowed(Spend::SignIn, now).is_ok() {
        end_session(gateway, lease).await?;
    }
    let mut read = groups_page(gateway, lease, task).await;
    if matches!(read, Err(JobError::Portal(PortalError::SignedOut))) {
        end_session(gateway, lease).await?;
        read = groups_page(gateway, lease, task).await;
    }
    let page = read?;
    take_over(gateway, lease, &page, None).await?;
    // A page that lacks a group does not prove that its layout is known.
    let missing = gateway
        .records
        .memory
        .read(|state| state.tasks.of_account(lease.account).any(|task| state.backoffs.misses_group(task.id)));
    if missing {
        return Ok(());
    }
    gateway.parsed_groups(task.country, &page);
    walk_first(gateway, lease, task).await
}

/// Reads the pages up to the booking form if they were never read in this country.
async fn walk_first(gateway: &Gateway, lease: &mut AccountLease, task: &Task) -> Result<(), JobError> {
    if gateway.records.memory.is_walked(task.country) {
        return Ok(());
    }
    lease.allowed(Spend::Other, gateway.records.portal_time.now())?;
    attempts_left(gateway, lease, task).await.map(|_| ())
}

async fn groups_page(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
) -> Result<GroupsPage, JobError> {
    let session = crate::gateway::session::ensure(gateway, lease, task, Spend::SignIn).await?;
    groups(gateway, lease, &session).await
}

async fn end_session(gateway: &Gateway, lease: &mut AccountLease) -> Result<(), JobError> {
    crate::gateway::session::forget(gateway, lease).await?;
    gateway.records.memory.forget_lists(lease.account);
    Ok(())
}
