//! Looks: the plan from facts, and one calendar fetched through one viewpoint.

use std::collections::HashMap;
use std::sync::Arc;

use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use domain::planner::{AccountFacts, CalendarFacts, LookReason, Plan, next_look_at, plan};
use domain::verdict::in_restricted_hours;
use portal::Days;

use crate::driver::{Job, Round};
use crate::observe::Noted;
use crate::state::State;
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

/// The facts a plan is made from, with the names behind their indices.
struct Facts<'a> {
    accounts: Vec<AccountFacts<'a>>,
    account_ids: Vec<PortalAccountId>,
    calendars: Vec<CalendarFacts>,
    keys: Vec<CalendarKey>,
    /// Per calendar: the task through which each account looks.
    viewpoints: Vec<HashMap<usize, TaskId>>,
}

/// Accounts considered for one calendar.
const MOST_VIEWPOINTS: usize = 256;

impl<'a> Facts<'a> {
    fn add_account(&mut self, state: &'a State, round: &Round, id: PortalAccountId) {
        let Some(account) = state.accounts.get(&id) else { return };
        self.account_ids.push(id);
        self.accounts.push(AccountFacts {
            budget: &account.budget,
            free: !account.busy && !round.uses(id) && !state.has_live_intent(id),
            signed_in: account.session.is_some() || !account.imported,
            not_before: account.not_before,
        });
    }
}

fn facts<'a>(state: &'a State, round: &Round, now: Instant) -> Facts<'a> {
    let mut facts = Facts {
        accounts: Vec::new(),
        account_ids: Vec::new(),
        calendars: Vec::new(),
        keys: Vec::new(),
        viewpoints: Vec::new(),
    };
    let mut index: HashMap<PortalAccountId, usize> = HashMap::new();
    let mut calendars: Vec<_> = state.tasks.calendars().collect();
    calendars.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    for (key, census) in calendars {
        let mut viewpoints: HashMap<usize, TaskId> = HashMap::new();
        for (id, task) in state.tasks.viewpoints(&key).take(MOST_VIEWPOINTS) {
            let at = *index.entry(id).or_insert_with(|| {
                facts.add_account(state, round, id);
                facts.accounts.len() - 1
            });
            viewpoints.insert(at, task);
        }
        let known = state.calendars.get(&key);
        let mut accounts: Vec<usize> = viewpoints.keys().copied().collect();
        accounts.sort_unstable();
        facts.calendars.push(CalendarFacts {
            last_look: known.and_then(|c| c.last_look),
            last_try: known.and_then(|c| c.last_try),
            viewpoints: accounts,
            wishes: census.active,
            restricted: key.kind.booked
                && in_restricted_hours(key.facility, now)
                && known.is_some_and(|c| c.restricted_at.is_some()),
        });
        facts.keys.push(key);
        facts.viewpoints.push(viewpoints);
    }
    facts
}

impl Engine {
    /// Adds the looks the planner wants now.
    pub(crate) fn take_looks(&self, state: &mut State, round: &mut Round, now: Instant) {
        let config = &self.ctx.config;
        refill(state, config.looks_per_second, now);
        let allowed = state.look_tokens.floor().max(0.0) as usize;
        let facts = facts(state, round, now);
        let pace = domain::planner::Pace { most: allowed.min(config.pace.most), ..config.pace };
        let Plan { looks, next_due } = plan(&facts.accounts, &facts.calendars, &config.limits, &pace, now);
        round.later(next_due);
        let mut tried = Vec::new();
        for look in looks {
            let key = facts.keys[look.calendar].clone();
            let Some(task) = facts.viewpoints[look.calendar].get(&look.account).copied() else {
                continue;
            };
            let account = facts.account_ids[look.account];
            tried.push(key.clone());
            round.jobs.push(Job::Look { task, account, key, reason: look.reason });
        }
        drop(facts);
        for key in tried {
            state.look_tokens -= 1.0;
            state.calendar(&key).last_try = Some(now);
        }
    }

    /// When each calendar will be looked at next, at the soonest.
    pub(crate) fn next_looks(&self, state: &State, now: Instant) -> HashMap<CalendarKey, Instant> {
        let round = Round { jobs: Vec::new(), next_due: None };
        let facts = facts(state, &round, now);
        let config = &self.ctx.config;
        let next = |c| next_look_at(&facts.accounts, c, &config.limits, &config.pace, now);
        facts.keys.iter().zip(&facts.calendars).filter_map(|(key, c)| Some((key.clone(), next(c)?))).collect()
    }
}

pub(crate) fn refill(state: &mut State, per_second: f64, now: Instant) {
    let passed = state.look_tokens_at.map_or(10.0, |at| (now - at).num_milliseconds() as f64 / 1000.0);
    state.look_tokens = (state.look_tokens + passed.max(0.0) * per_second).min(4.0);
    state.look_tokens_at = Some(now);
}

/// Fetches one calendar through one viewpoint and shares what it saw.
pub(crate) async fn look(
    engine: &Arc<Engine>,
    task: TaskId,
    lent: Lent,
    key: &CalendarKey,
    reason: LookReason,
) -> Result<(), Fault> {
    let Some(task) = engine.known_task(task).await? else {
        return Ok(());
    };
    let mut turn = Turn::begin(lent).await?;
    tracing::debug!(calendar = %key, ?reason, "looking");
    let look = async {
        crate::session::ensure(engine, &mut turn, &task, Spend::SignIn).await?;
        fetch(engine, &mut turn, &task, key, reason.as_str()).await
    };
    let (seen, ()) = tokio::join!(look, crate::standby::open_ahead(engine, key));
    match seen {
        Ok(seen) => crate::follow::follow(engine, turn, seen).await,
        Err(fault) => {
            crate::react::react(engine, &mut turn, &task, fault).await?;
            turn.finish().await
        }
    }
}

/// How a days request ended, in a word.
fn outcome_of(days: &Result<Days, portal::Trouble>) -> &'static str {
    match days {
        Ok(Days::Unchanged) => "unchanged",
        Ok(Days::List(days)) if days.is_empty() => "empty",
        Ok(Days::List(_)) => "days",
        Err(trouble) => trouble.code(),
    }
}

/// One days request of this turn, shared with every wish it answers; what it means is still to be followed.
pub(crate) async fn fetch(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &store::task::Task,
    key: &CalendarKey,
    why: &'static str,
) -> Result<Option<Noted>, Fault> {
    let session = turn.session.clone().ok_or(portal::Trouble::SignedOut)?;
    turn.allowed(Spend::Look, engine.ctx.portal_time.now())?;
    let group = portal::PortalScheduleId::from(task.portal_schedule_id.0.as_str());
    let facility = portal::FacilityId::from(key.facility.0);
    engine.state.lock().calendar(key).last_try = Some(engine.ctx.portal_time.now());
    let days = engine.ctx.client.days(&turn.meter, &session, &group, facility).await;
    crate::metrics::look(why, outcome_of(&days));
    turn.settle_budget(engine.ctx.portal_time.now());
    let seen_before = (task.portal_schedule_id.clone(), key.facility);
    let days = match days? {
        Days::Unchanged => {
            let state = engine.state.lock();
            state.accounts.get(&turn.account).and_then(|a| a.lists.get(&seen_before).cloned())
        }
        Days::List(mut days) => {
            days.sort_unstable();
            days.dedup();
            Some(days)
        }
    };
    let Some(days) = days else {
        // "Unchanged" against a list we no longer have: the next look brings it whole.
        session.forget_etag(&group, facility);
        return Ok(None);
    };
    if let Some(account) = engine.state.lock().accounts.get_mut(&turn.account) {
        account.lists.insert(seen_before, days.clone());
    }
    engine.host_answered();
    Ok(Some(crate::observe::share(engine, key, days, turn.account)))
}
