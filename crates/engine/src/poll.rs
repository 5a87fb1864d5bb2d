//! Looks: one calendar fetched through one poll source.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::TaskId;
use inference::planner::Why;
use portal::{Days, Recovery};

use crate::observe::Noted;
use crate::roster::Came;
use crate::state::State;
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

pub(crate) fn refill(state: &mut State, per_second: f64, now: Instant) {
    let passed = state.poll_tokens_at.map_or(10.0, |at| (now - at).num_milliseconds() as f64 / 1000.0);
    state.poll_tokens = (state.poll_tokens + passed.max(0.0) * per_second).min(4.0);
    state.poll_tokens_at = Some(now);
}

/// Fetches one calendar through one poll source and shares what it saw.
pub(crate) async fn poll(
    engine: &Arc<Engine>,
    task: TaskId,
    lent: Lent,
    key: &CalendarKey,
    reason: Why,
) -> Result<(), Fault> {
    let Some(task) = engine.known_task(task).await? else {
        return Ok(());
    };
    let mut turn = Turn::begin(lent).await?;
    tracing::debug!(calendar = %key, ?reason, "looking");
    let poll = async {
        crate::session::ensure(engine, &mut turn, &task, Spend::SignIn).await?;
        fetch(engine, &mut turn, &task, key, reason.as_str()).await
    };
    let (seen, ()) = tokio::join!(poll, crate::prewarm::open_ahead(engine, key));
    match seen {
        Ok(seen) => crate::follow::follow(engine, turn, seen).await,
        Err(fault) => {
            turn.stir();
            crate::react::react(engine, &mut turn, &task, fault).await?;
            turn.finish().await
        }
    }
}

/// How a days request ended, in a word.
fn outcome_of(days: &Result<Days, portal::PortalError>) -> &'static str {
    match days {
        Ok(Days::Unchanged) => "unchanged",
        Ok(Days::List(days)) if days.is_empty() => "empty",
        Ok(Days::List(_)) => "days",
        Err(portal_error) => portal_error.code(),
    }
}

/// One days request of this turn, shared with every criteria it answers; what it means is still to be followed.
pub(crate) async fn fetch(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &store::task::Task,
    key: &CalendarKey,
    why: &'static str,
) -> Result<Option<Noted>, Fault> {
    let session = turn.session.clone().ok_or(portal::PortalError::SignedOut)?;
    turn.allowed(Spend::Poll, engine.ctx.portal_time.now())?;
    let group = task.portal_schedule_id.clone();
    let facility = key.facility;
    let (asked, began) = (engine.ctx.portal_time.now(), engine.ctx.wall.now());
    engine.state.lock().calendar(key).last_try = Some(asked);
    let days = engine.ctx.client.days(&turn.meter, &session, &group, facility).await;
    crate::metrics::poll(why, outcome_of(&days));
    engine.polls.fetch_add(1, Ordering::Relaxed);
    turn.settle_budget(engine.ctx.portal_time.now());
    let seen_before = (task.portal_schedule_id.clone(), key.facility);
    let now = engine.ctx.portal_time.now();
    let came = match &days {
        Ok(_) => Some(Came::Answer((engine.ctx.wall.now() - began).to_std().unwrap_or_default())),
        Err(portal_error) => {
            let failed =
                matches!(portal_error.recovery(), Recovery::RetryLater { .. } | Recovery::StopAndTell { .. });
            failed.then_some(Came::Failure)
        }
    };
    if let Some(came) = came {
        let mut state = engine.state.lock();
        state.tasks.note_hour(key, &came, now);
        state.flushed_at.get_or_insert(now);
    }
    let days = days?;
    engine.state.lock().answered_after(now - asked, now);
    let days = match days {
        Days::Unchanged => {
            let state = engine.state.lock();
            state.accounts.get(&turn.account).and_then(|a| a.lists.get(&seen_before).cloned())
        }
        Days::List(mut days) => {
            days.sort_unstable();
            days.dedup();
            // "Unchanged" shows nothing of how a list looks now.
            engine.parsed(&key.kind.country, &[portal::PageKind::Days]);
            Some(days)
        }
    };
    let Some(days) = days else {
        // "Unchanged" against a list we no longer have: the next poll brings it whole.
        session.forget_etag(&group, facility);
        return Ok(None);
    };
    if let Some(account) = engine.state.lock().accounts.get_mut(&turn.account) {
        account.lists.insert(seen_before, days.clone());
    }
    engine.host_answered(turn.account);
    Ok(Some(crate::observe::share(engine, key, days, turn.account)))
}
