//! Probe job: tests if an unreadable page of the portal can be read again.

use chrono::TimeDelta;
use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::ids::TaskId;
use portal::PageKind;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::jobs::JobOutcome;
use crate::model::state::{State, kind_of};

/// Requests one page through one account, to test if it can be read again.
pub(crate) async fn probe(
    gateway: &Gateway,
    task: TaskId,
    guard: LeaseGuard,
    page: PageKind,
) -> Result<JobOutcome, JobError> {
    let Some(task) = gateway.records.task(task).await? else {
        return Ok(JobOutcome::Done);
    };
    let mut lease = AccountLease::begin(guard).await?;
    tracing::info!(?page, account = %lease.account, "probing unreadable portal page");
    let outcome = ask_for(gateway, &mut lease, &task, page).await;
    lease.settle_budget(gateway.records.portal_time.now());
    match outcome {
        Ok(Some(noted)) => Ok(JobOutcome::Observed(lease, noted)),
        Ok(None) => lease.finish().await.map(|()| JobOutcome::Done),
        Err(error) => {
            let still = matches!(&error, JobError::Portal(portal_error) if portal_error.unread().is_some_and(|at| at.page == page));
            crate::gateway::recovery::recover(gateway, &mut lease, &task, error).await?;
            if still {
                gateway.records.memory.update(|state| {
                    state.page_breakers.add_failed_probe(task.country, page, &state.tasks);
                });
            }
            lease.finish().await.map(|()| JobOutcome::Done)
        }
    }
}

async fn ask_for(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    page: PageKind,
) -> Result<Option<crate::model::observe::PendingEffects>, JobError> {
    if matches!(page, PageKind::SignIn | PageKind::SignInAnswer) {
        lease.allowed(Spend::SignIn, gateway.records.portal_time.now())?;
        crate::gateway::session::forget(gateway, lease).await?;
    }
    let session = crate::gateway::session::ensure(gateway, lease, task, Spend::SignIn).await?;
    let group = task.portal_schedule_id.clone();
    let city =
        task.criteria.as_ref().and_then(|criteria| criteria.cities.first().copied()).ok_or(JobError::Gone)?;
    let key = CalendarKey { kind: kind_of(task), facility: city };
    match page {
        PageKind::Days => {
            session.forget_etag(&group, city);
            return crate::gateway::lists::fetch(gateway, lease, task, &key, "probe").await;
        }
        PageKind::Times => {
            let now = gateway.records.portal_time.now();
            let first = |state: &State| state.availability.calendar(&key)?.days.first().copied();
            let known = gateway.records.memory.read(first);
            let day = known.unwrap_or_else(|| city.today(now) + TimeDelta::days(30));
            crate::gateway::pages::probe_times(gateway, lease, &session, &key, &group, day).await?;
        }
        PageKind::Groups => {
            crate::gateway::pages::probe_groups(gateway, lease, &session, task.country).await?;
        }
        PageKind::Actions | PageKind::Limit | PageKind::Applicants | PageKind::Form => {
            crate::gateway::form::visit(gateway, lease, task, &session, &group).await?;
        }
        _ => {}
    }
    Ok(None)
}
