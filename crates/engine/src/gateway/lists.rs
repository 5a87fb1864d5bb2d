//! Requests for a calendar's list of free dates.

use std::sync::atomic::Ordering;

use domain::budget::Spend;
use domain::calendar::CalendarKey;
use portal::Days;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;
use crate::model::observe::{PendingEffects, share};
use crate::model::task_index::PollResult;

/// Returns the metric label of a poll's result.
fn outcome_of(days: &Result<Days, portal::PortalError>) -> &'static str {
    match days {
        Ok(Days::Unchanged) => "unchanged",
        Ok(Days::List(days)) if days.is_empty() => "empty",
        Ok(Days::List(_)) => "days",
        Err(portal_error) => portal_error.code(),
    }
}

/// Polls the calendar `key`, and shares its list of free dates with every task that the list
/// concerns. Returns effects that the caller must write. Returns `None` if the list is unchanged
/// but no longer in memory.
pub(crate) async fn fetch(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &store::task::Task,
    key: &CalendarKey,
    why: &'static str,
) -> Result<Option<PendingEffects>, JobError> {
    let session = lease.session.clone().ok_or(portal::PortalError::SignedOut)?;
    lease.allowed(Spend::Poll, gateway.records.portal_time.now())?;
    let group = task.portal_schedule_id.clone();
    let facility = key.facility;
    let (asked, began) = (gateway.records.portal_time.now(), gateway.records.wall.now());
    let days = gateway.client.days(&lease.meter, &session, &group, facility).await;
    crate::metrics::poll(why, outcome_of(&days));
    gateway.records.memory.polls.fetch_add(1, Ordering::Relaxed);
    lease.settle_budget(gateway.records.portal_time.now());
    let seen_before = (task.portal_schedule_id.clone(), key.facility);
    let now = gateway.records.portal_time.now();
    let came = match &days {
        Ok(_) => Some(PollResult::Answer((gateway.records.wall.now() - began).to_std().unwrap_or_default())),
        Err(portal_error) => portal_error.is_host_failure().then_some(PollResult::Failure),
    };
    if let Some(came) = came {
        gateway.records.memory.update(|state| {
            state.tasks.note_hour(key, &came, now);
            if days.is_ok() {
                state.tasks.note_answer(key, now);
                state.availability.answered_after(now - asked, now);
            }
            state.housekeeping.begin_flush_interval(now);
        });
    }
    let days = match days? {
        Days::Unchanged => {
            gateway.records.memory.account(lease.account, |account| account.lists.get(&seen_before).cloned())
        }
        Days::List(mut days) => {
            days.sort_unstable();
            days.dedup();
            // The answer "unchanged" has no list, so it proves nothing about the page's layout.
            gateway.parsed(key.kind.country, &[portal::PageKind::Days]);
            Some(days)
        }
    };
    let Some(days) = days else {
        // The unchanged list is no longer in memory. Without its ETag, the next poll fetches it
        // completely.
        session.forget_etag(&group, facility);
        return Ok(None);
    };
    gateway.host_answered(lease.account);
    let at = gateway.records.portal_time.now();
    let limits = &gateway.records.config.limits;
    Ok(Some(gateway.records.memory.update(|state| {
        state.accounts.get_mut(lease.account).lists.insert(seen_before, days.clone());
        share(state, key, days, lease.account, limits, at)
    })))
}
