//! Prewarm job: signs in to the account of a task that may soon book a date.

use domain::booking::{Allowance, Stop};
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::TaskId;
use domain::journal::JournalEvent;
use domain::prewarm::PrewarmReason;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::jobs::JobOutcome;

/// Returns `true` if the engine knows no reason against booking any date for the task.
pub(crate) fn can_book(task: &Task, now: Instant) -> bool {
    task.allowance().is_some_and(|allowance| may_book_any(allowance, now))
}

/// Returns `true` if the rules allow some date to be booked, either automatically or after the
/// user's approval.
pub(crate) fn may_book_any(allowance: Allowance<'_>, now: Instant) -> bool {
    matches!(allowance.allows_any(now), Ok(()) | Err(Stop::Unanswered))
}

/// Signs in to the portal account of the task, if a date could be booked for it.
pub(crate) async fn make_ready(
    gateway: &Gateway,
    task: TaskId,
    guard: LeaseGuard,
    why: PrewarmReason,
) -> Result<JobOutcome, JobError> {
    let now = gateway.records.portal_time.now();
    let Some(task) = gateway.records.known_task(task).await?.filter(|task| can_book(task, now)) else {
        return Ok(JobOutcome::Done);
    };
    let mut lease = AccountLease::begin(guard).await?;
    match sign_in(gateway, &mut lease, &task, why).await {
        // A sign-in that the budget does not allow now is skipped. The user is not notified of it.
        Ok(()) | Err(JobError::Rest(_)) => {}
        Err(error) => crate::gateway::recovery::recover(gateway, &mut lease, &task, error).await?,
    }
    lease.finish().await.map(|()| JobOutcome::Done)
}

async fn sign_in(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    why: PrewarmReason,
) -> Result<(), JobError> {
    let now = gateway.records.portal_time.now();
    lease.allowed(Spend::Other, now)?;
    if why == PrewarmReason::SessionLikelyOver {
        lease.allowed(Spend::SignIn, now)?;
        crate::gateway::session::forget(gateway, lease).await?;
        gateway.records.memory.forget_lists(lease.account);
    }
    crate::gateway::session::ensure(gateway, lease, task, Spend::SignIn).await?;
    let event = JournalEvent::Prewarm { step: "sign_in".to_owned(), because: Some(why) };
    crate::persist::notify::journal_now(&gateway.records, &[task.id], &event).await
}
