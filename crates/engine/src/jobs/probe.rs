use chrono::TimeDelta;
use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::ids::TaskId;
use portal::PageKind;
use store::task::Task;

use crate::Fault;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{Lent, Turn};
use crate::jobs::JobOutcome;
use crate::model::state::kind_of;

/// Asks for one page through one account, to see whether it can be read again.
pub(crate) async fn probe(
    gateway: &Gateway,
    task: TaskId,
    lent: Lent,
    page: PageKind,
) -> Result<JobOutcome, Fault> {
    let Some(task) = gateway.records.task(task).await? else {
        return Ok(JobOutcome::Done);
    };
    let mut turn = Turn::begin(lent).await?;
    tracing::info!(?page, account = %turn.account, "looking whether the page is as known again");
    let outcome = ask_for(gateway, &mut turn, &task, page).await;
    turn.settle_budget(gateway.records.portal_time.now());
    match outcome {
        Ok(Some(noted)) => Ok(JobOutcome::Observed(turn, noted)),
        Ok(None) => turn.finish().await.map(|()| JobOutcome::Done),
        Err(fault) => {
            let still = matches!(&fault, Fault::Portal(portal_error) if portal_error.unread().is_some_and(|at| at.page == page));
            crate::gateway::recovery::react(gateway, &mut turn, &task, fault).await?;
            if still {
                gateway.records.memory.lock().tell_all(&task.country, page);
                gateway.records.memory.lock().layouts.keep(&task.country, page);
            }
            turn.finish().await.map(|()| JobOutcome::Done)
        }
    }
}

async fn ask_for(
    gateway: &Gateway,
    turn: &mut Turn,
    task: &Task,
    page: PageKind,
) -> Result<Option<crate::model::observe::Noted>, Fault> {
    if matches!(page, PageKind::SignIn | PageKind::SignInAnswer) {
        turn.allowed(Spend::SignIn, gateway.records.portal_time.now())?;
        crate::gateway::session::forget(gateway, turn).await?;
    }
    let session = crate::gateway::session::ensure(gateway, turn, task, Spend::SignIn).await?;
    let client = &gateway.client;
    let group = task.portal_schedule_id.clone();
    let city =
        task.criteria.as_ref().and_then(|criteria| criteria.cities.first().copied()).ok_or(Fault::Gone)?;
    let key = CalendarKey { kind: kind_of(task), facility: city };
    match page {
        PageKind::Days => {
            session.forget_etag(&group, city);
            return crate::gateway::lists::fetch(gateway, turn, task, &key, "probe").await;
        }
        PageKind::Times => {
            let now = gateway.records.portal_time.now();
            let known = gateway.records.memory.lock().calendar(&key).days.first().copied();
            let day = known.unwrap_or_else(|| city.today(now) + TimeDelta::days(30));
            turn.allowed(Spend::Poll, now)?;
            client.times(&turn.meter, &session, &group, city, day).await?;
            gateway.parsed(&task.country, &[PageKind::Times]);
        }
        PageKind::Groups => {
            client.groups(&turn.meter, &session).await?;
            gateway.parsed(&task.country, &[PageKind::Groups]);
        }
        PageKind::Actions | PageKind::Limit | PageKind::Applicants | PageKind::Form => {
            crate::gateway::form::visit(gateway, turn, task, &session, &group).await?;
        }
        _ => {}
    }
    Ok(None)
}
