//! Reactions to failed jobs: retry later, sign in again, stop the task, or ask its user to act.

use chrono::TimeDelta;
use domain::account_problem::ProblemKind;
use domain::budget::Spend;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::health::AccountHealth;
use domain::host_health::account_rest;
use domain::ids::PortalAccountId;
use domain::task::{Reason, TaskStatus};
use portal::{PortalError, Recovery, UserAction};
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;
use crate::model::page_breaker::PageFailure;
use crate::persist::task_status::stop_task;

/// Assumed duration of an account lock whose end the portal does not show.
const LOCK: TimeDelta = TimeDelta::hours(1);

impl Gateway {
    /// Records that the host answered a request of this account. Resets the failure counts of the
    /// account and of the host.
    pub(crate) fn host_answered(&self, account: PortalAccountId) {
        self.outward.answered(self.records.portal_time.now());
        self.records.memory.update_account(account, |account| account.failures = 0);
    }

    /// Records that a request of the leased account failed because of the host. The account backs
    /// off. If several accounts fail, the engine backs off from the host too. Returns the time
    /// until which no request is sent for the account.
    async fn host_failed(
        &self,
        lease: &AccountLease,
        portal_error: &PortalError,
        now: Instant,
    ) -> Result<Instant, JobError> {
        let asked = crate::gateway::outward::failure_of(portal_error).and_then(|(_, asked)| asked);
        let (until, health) = self.records.memory.update(|state| {
            state.availability.portal_failed(now);
            let account = state.accounts.get_mut(lease.account);
            account.back_off(now + account_rest(account.failures, asked));
            account.failures += 1;
            (account.not_before.unwrap_or(now), account.health)
        });
        if asked.is_some() {
            self.outward.failed(lease.account.0.as_u128(), portal_error, now);
        }
        let rested =
            crate::persist::account_health::back_off(&self.records, lease.account, health, until).await;
        if matches!(rested, Err(JobError::NotLeading)) {
            // Another node leads, so this node was suspended, and its request failed because of
            // that. The failure is no evidence about the host.
            return rested.map(|()| until);
        }
        if asked.is_none() {
            self.outward.failed(lease.account.0.as_u128(), portal_error, now);
        }
        rested?;
        Ok(match self.outward.allowed(now) {
            crate::gateway::outward::Allowed::ReadBacks(host) => until.max(host),
            _ => until,
        })
    }
}

/// Handles the error that ended a job of `task`.
///
/// # Errors
/// An error that has no reaction here, such as a database error, is returned to the caller.
pub(crate) async fn recover(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    error: JobError,
) -> Result<(), JobError> {
    let now = gateway.records.portal_time.now();
    let portal_error = match error {
        JobError::Portal(portal_error) => portal_error,
        JobError::Rest(until) => return back_off_for_budget(gateway, lease, task, until).await,
        JobError::Gone => return Ok(()),
        error => return Err(error),
    };
    tracing::info!(code = portal_error.code(), account = %lease.account, "portal request failed");
    crate::persist::parse_failure::record_parse_failure(&gateway.records, &portal_error).await;
    if let PortalError::Busy(changed) = &portal_error
        && gateway.unreadable(task.country, changed, lease.account) != PageFailure::Alone
    {
        return Ok(());
    }
    match portal_error.recovery() {
        Recovery::SignInAgain => signed_out(gateway, lease, task, now).await,
        Recovery::RetryLater { .. } | Recovery::StopAndNotify { .. } => {
            let condition = match portal_error {
                PortalError::Overloaded { .. } | PortalError::Busy(_) | PortalError::Timeout => {
                    TaskCondition::Overloaded
                }
                _ => TaskCondition::PortalDown,
            };
            let until = gateway.host_failed(lease, &portal_error, now).await?;
            crate::persist::account_health::set_conditions(
                &gateway.records,
                lease.account,
                condition,
                portal_error.code(),
                until,
            )
            .await
        }
        Recovery::NotifyOperator => {
            let PortalError::LayoutChanged(changed) = &portal_error else { return Ok(()) };
            if gateway.unreadable(task.country, changed, lease.account) != PageFailure::Alone {
                return Ok(());
            }
            tracing::warn!(%portal_error, "one account received an unreadable portal page");
            let until = now
                + gateway.records.memory.update(|state| {
                    state.page_breakers.pause(lease.account, task.country, changed.page, now)
                });
            pause_account(gateway, lease, AccountHealth::Valid, until).await?;
            crate::persist::account_health::set_conditions(
                &gateway.records,
                lease.account,
                TaskCondition::LayoutChanged,
                portal_error.code(),
                until,
            )
            .await?;
            crate::persist::problem::record(&gateway.records, lease.account, ProblemKind::PageUnreadable)
                .await
        }
        Recovery::CheckGroups => check_groups(gateway, task).await,
        Recovery::StopChanging => crate::persist::task_status::limit_reached(&gateway.records, task).await,
        Recovery::AskUser(ask) => ask_user(gateway, lease, task, ask, now).await,
    }
}

/// Discards the session that has ended, and the lists fetched with it. The next job signs in. If
/// the budget allows no sign-in now, the account backs off.
async fn signed_out(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    now: Instant,
) -> Result<(), JobError> {
    crate::gateway::session::forget(gateway, lease).await?;
    gateway.records.memory.forget_lists(lease.account);
    // A login verification may have stored a session since: then no sign-in is needed.
    lease.take_stored().await?;
    if lease.session.is_some() {
        return Ok(());
    }
    match lease.allowed(Spend::SignIn, now) {
        Err(JobError::Rest(until)) => back_off_for_budget(gateway, lease, task, until).await,
        _ => Ok(()),
    }
}

/// Backs off from the account until `until`, because its budget is used up. The conditions of its
/// tasks show that time.
async fn back_off_for_budget(
    gateway: &Gateway,
    lease: &AccountLease,
    task: &Task,
    until: Instant,
) -> Result<(), JobError> {
    gateway.records.memory.update(|state| {
        state.accounts.get_mut(lease.account).back_off(until);
        state.backoffs.delay_start(task.id, until);
    });
    crate::persist::account_health::set_conditions(
        &gateway.records,
        lease.account,
        TaskCondition::BudgetRest,
        "budget",
        until,
    )
    .await
}

/// Sets the account's health, and backs off from the account until `until`.
async fn pause_account(
    gateway: &Gateway,
    lease: &AccountLease,
    health: AccountHealth,
    until: Instant,
) -> Result<(), JobError> {
    crate::persist::account_health::back_off(&gateway.records, lease.account, health, until).await?;
    gateway.records.memory.update_account(lease.account, |account| {
        account.not_before = Some(until);
        account.health = health;
    });
    Ok(())
}

/// Stops the tasks that cannot continue before their user acts. A captcha or a lock also makes the
/// account back off.
async fn ask_user(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    ask: UserAction,
    now: Instant,
) -> Result<(), JobError> {
    let reason = match ask {
        UserAction::NewPassword => {
            // Only tasks with this password stop: another user's password for the same account may
            // be correct.
            return match task.credential_id {
                Some(credential) => crate::persist::credential::stop_all(&gateway.records, credential).await,
                None => Ok(()),
            };
        }
        UserAction::Captcha => {
            pause_account(gateway, lease, AccountHealth::Captcha, now + LOCK).await?;
            Reason::Captcha
        }
        UserAction::Unlock { until } => {
            let until = until.unwrap_or(now + LOCK).max(now + TimeDelta::minutes(1));
            pause_account(gateway, lease, AccountHealth::Locked, until).await?;
            Reason::AccountLocked
        }
    };
    for (task, _) in gateway.records.memory.tasks_of(lease.account) {
        stop_task(&gateway.records, task, TaskStatus::Error, reason).await?;
    }
    Ok(())
}

/// Sends an active task back to warm-up, which reads its groups page again after a delay. Its group
/// may have changed or left the account.
async fn check_groups(gateway: &Gateway, task: &Task) -> Result<(), JobError> {
    if task.status == TaskStatus::Active {
        crate::persist::warm_up::begin_anew(&gateway.records, task).await?;
    }
    let until = gateway.records.portal_time.now() + TimeDelta::minutes(5);
    gateway.records.refresh(task.id).await?;
    gateway.records.memory.delay_start(task.id, until);
    Ok(())
}
