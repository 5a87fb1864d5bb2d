//! Plan of polls: which calendar is polled next, and through which account. It connects the planner
//! of the `inference` crate with the engine's state.

mod learned;
mod limit;
mod written;

use std::collections::{HashMap, HashSet};

use chrono::{NaiveDate, TimeDelta};
use domain::calendar::{CalendarKey, Change, Kind};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{PortalAccountId, TaskId};
use domain::poll_bound::{AccountShare, poll_bound};
use inference::planner::poll_source::{AccountDoubt, PollSource, affordable, ready_at, turn_order};
use inference::planner::{Allowance, Choice, ChoiceReason, Planner};
use inference::rates::Shape;
use limit::PollLimit;
use serde_json::Value;
use written::WrittenPlans;

use crate::Config;
use crate::model::accounts::Accounts;
use crate::model::availability::Availability;
use crate::model::availability::list_agreement::ListAgreement;
use crate::model::task_index::{DemandCounts, TaskIndex};

/// Maximum number of a calendar's tasks that are considered as poll sources. At most
/// [`POLL_SOURCES`] accounts are chosen.
const CONSIDERED: usize = 4_096;
const POLL_SOURCES: usize = 256;
/// Interval at which poll sources are chosen again. A change of the calendar's active tasks also
/// causes a new choice.
const CHOSEN_FOR: TimeDelta = TimeDelta::minutes(10);
/// Seconds of polls that the planner's allowance accumulates. The planner uses it to price polls;
/// [`PollLimit`] enforces the hard limit.
const SAVED_UP: f64 = 900.0;
/// Seconds for which a calendar is not polled after an answer that is not trusted.
const UNTRUSTED: f64 = 300.0;
/// Number of polls that the allowance accumulates for each account.
const SAVED_POLLS: f64 = 3.0;

/// A calendar in the plan.
pub(crate) struct CalendarPlan {
    pub key: CalendarKey,
    demand_counts: DemandCounts,
    /// Account, task and place in today's order of each poll source, lowest place first.
    pub poll_sources: Vec<(PortalAccountId, TaskId, u64)>,
    chosen_at: Option<Instant>,
    /// The last date that a considered task could use.
    horizon: Option<NaiveDate>,
    /// Number of dates that appeared before the horizon, and number of those that a task wanted.
    /// Older dates have less weight.
    useful: (f64, f64),
    choice: Option<(Choice, Instant)>,
    /// `true` if something was learned since the last write.
    fresh: bool,
}

/// Planner, and the calendars behind its numeric handles.
#[derive(Default)]
pub(crate) struct PollPlan {
    planner: Option<Planner>,
    plans: Vec<CalendarPlan>,
    handles: HashMap<CalendarKey, usize>,
    pools: HashMap<Kind, usize>,
    cities: HashMap<FacilityId, usize>,
    /// Learned values read at the start. Each is removed when its calendar is first used.
    recalled: HashMap<String, Value>,
    shape: Shape,
    /// Time of the last write of learned values.
    written_at: Option<Instant>,
    /// Limit of polls and sign-ins that all accounts together may begin.
    pub limit: PollLimit,
    /// Next polls as written in the rows of calendars.
    written: WrittenPlans,
}

/// Hours in which a poll happens: the portal may show empty lists in some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PollHours {
    /// Lists show free dates in these hours.
    Open,
    /// The calendar is assumed to show empty lists to accounts with an appointment.
    Restricted,
}

/// The next poll, as the planner chose it.
pub(crate) struct ChosenPoll {
    pub key: CalendarKey,
    pub account: PortalAccountId,
    pub task: TaskId,
    choice: Choice,
}

fn seconds(at: Instant) -> f64 {
    at.timestamp_micros() as f64 / 1e6
}

fn day_of(now: Instant) -> i64 {
    now.timestamp().div_euclid(86_400)
}

impl PollPlan {
    /// Records the result of a poll. The planner learns only from dates that a task could use. With
    /// `first`, there is no earlier list to compare with.
    pub fn answered(
        &mut self,
        key: &CalendarKey,
        days: (&[NaiveDate], &Change),
        wanted: &HashSet<NaiveDate>,
        first: bool,
        now: Instant,
    ) {
        let (Some(planner), Some(handle)) = (&mut self.planner, self.handles.get(key)) else { return };
        let plan = &mut self.plans[*handle];
        let (days, change) = days;
        let near = |day: &&NaiveDate| plan.horizon.is_none_or(|horizon| **day <= horizon);
        let count = |list: &[NaiveDate]| u32::try_from(list.iter().filter(near).count()).unwrap_or(u32::MAX);
        let (appeared, vanished) = (count(&change.appeared), count(&change.vanished));
        let at_risk = (count(days) + vanished).saturating_sub(appeared);
        let seen = (!first).then_some((appeared, at_risk, vanished));
        if appeared > 0 {
            let of_use = change.appeared.iter().filter(|day| wanted.contains(*day)).count();
            plan.useful = (plan.useful.0 * 0.98 + f64::from(appeared), plan.useful.1 * 0.98 + of_use as f64);
        }
        plan.fresh = true;
        planner.answered(*handle, seconds(now), seen);
        planner.set_value(*handle, value(plan));
    }

    /// Returns the accounts through which a calendar can be polled.
    pub fn pollers(&self, key: &CalendarKey) -> impl Iterator<Item = PortalAccountId> {
        let plan = self.handles.get(key).map(|handle| &self.plans[*handle]);
        plan.into_iter().flat_map(|plan| plan.poll_sources.iter().map(|poll_source| poll_source.0))
    }

    /// Returns the maximum age of the last answered poll of a calendar; `None` if no account polls
    /// it.
    pub fn bound(&self, key: &CalendarKey) -> Option<TimeDelta> {
        let handle = *self.handles.get(key).filter(|handle| !self.plans[**handle].poll_sources.is_empty())?;
        let seconds = self.planner.as_ref()?.bound(handle);
        seconds.is_finite().then(|| TimeDelta::milliseconds((seconds * 1000.0) as i64))
    }

    /// Records that the account of the next poll last received the calendar's list at `at`.
    pub fn last_seen(&mut self, key: &CalendarKey, at: Instant) {
        if let (Some(planner), Some(handle)) = (&mut self.planner, self.handles.get(key)) {
            planner.last_seen(*handle, seconds(at));
        }
    }

    /// Records an answer that is not trusted. No account polls the calendar for a while.
    pub fn unproven(&mut self, key: &CalendarKey, now: Instant) {
        if let (Some(planner), Some(handle)) = (&mut self.planner, self.handles.get(key)) {
            planner.unproven(*handle, seconds(now), UNTRUSTED);
        }
    }

    /// Records a host failure of a poll. In restricted hours, no account then polls the calendar
    /// for a while. Otherwise one account after the other would repeat the failure.
    pub fn host_failed(&mut self, key: &CalendarKey, availability: &Availability, now: Instant) {
        if availability.is_restricted(key, now)
            && let (Some(planner), Some(handle)) = (&mut self.planner, self.handles.get(key))
        {
            planner.failed(*handle, seconds(now), UNTRUSTED);
        }
    }

    /// Chooses the next poll; `None` if no calendar is to be polled now. `able` returns the account
    /// and task that can poll a calendar, or the seconds until one can.
    pub fn choose(
        &mut self,
        now: Instant,
        mut able: impl FnMut(&CalendarPlan) -> Result<(PortalAccountId, TaskId), f64>,
    ) -> Option<ChosenPoll> {
        let Self { planner: Some(planner), plans, .. } = self else { return None };
        let mut through = None;
        let choice = planner.choose(seconds(now), &mut |handle| {
            able(&plans[handle]).map(|poll_source| through = Some(poll_source))
        })?;
        let (account, task) = through?;
        Some(ChosenPoll { key: plans[choice.calendar].key.clone(), account, task, choice })
    }

    /// Records that a chosen poll begins, and spends its token. In restricted hours the poll counts
    /// as exploration. Returns the reason for the choice.
    pub fn begin(&mut self, poll: ChosenPoll, hours: PollHours, now: Instant) -> ChoiceReason {
        let ChosenPoll { mut choice, .. } = poll;
        if hours == PollHours::Restricted {
            choice.kind = ChoiceReason::Exploration;
        }
        let (calendar, reason) = (choice.calendar, choice.kind);
        self.plans[calendar].choice = Some((choice, now));
        if let Some(planner) = &mut self.planner {
            planner.spend(calendar);
        }
        self.limit.draw_poll();
        reason
    }

    /// Returns the seconds until the next poll may begin; `None` if no calendar can be polled.
    pub fn seconds_to_poll(&mut self, now: Instant) -> Option<f64> {
        let planner = self.planner.as_mut()?;
        let wait = if self.limit.may_poll() { planner.seconds_to_poll(seconds(now)) } else { 1.0 };
        self.plans.iter().any(|plan| !plan.poll_sources.is_empty()).then_some(wait)
    }

    /// Returns the expected time of a calendar's next poll.
    pub fn next_poll(
        &self,
        key: &CalendarKey,
        accounts: &Accounts,
        config: &Config,
        now: Instant,
    ) -> Option<Instant> {
        let planner = self.planner.as_ref()?;
        let handle = *self.handles.get(key)?;
        let ready = self.plans[handle].poll_sources.iter().take(16).filter_map(|(id, _, turn)| {
            let account = accounts.get(*id);
            let poll_source = PollSource {
                budget: &account.budget,
                turn: *turn,
                free: true,
                signed_in: true,
                standing: AccountDoubt::Sound,
                not_before: account.not_before,
            };
            ready_at(&poll_source, &config.limits, config.pace.account_spacing, now)
        });
        let ready = ready.min()?;
        let due = planner.due_in(handle, seconds(now), planner.bound(handle));
        Some(ready.max(now + TimeDelta::milliseconds((due * 1000.0) as i64)))
    }

    /// Updates the planner's calendars, pools and poll sources from the state. Cheap if nothing
    /// changed.
    pub fn sync(&mut self, state: &PlanInput<'_>, config: &Config, now: Instant) {
        let shape = &self.shape;
        let planner = self.planner.get_or_insert_with(|| {
            let ceiling = Allowance::full(config.polls_per_second, config.polls_per_second * SAVED_UP);
            let mut planner = Planner::new(ceiling, shape.clone(), seconds(now));
            planner.set_alone(1.0 / affordable(&config.limits).max(1e-9));
            planner
        });
        let mut gone: HashSet<usize> = (0..self.plans.len()).collect();
        let mut resized: HashSet<Kind> = HashSet::new();
        for (key, demand_counts) in state.tasks.calendars() {
            let handle = *self.handles.entry(key.clone()).or_insert_with(|| {
                let pool = *self
                    .pools
                    .entry(key.kind.clone())
                    .or_insert_with(|| planner.add_pool(Allowance::full(0.0, SAVED_POLLS)));
                let city =
                    *self.cities.entry(key.facility).or_insert_with(|| planner.add_city(key.facility.zone()));
                let rates = self.recalled.remove(&store::learned::rates_of(&key.to_string()));
                let (rates, useful) = rates.map(learned::rates).unwrap_or_default();
                let last = state.availability.last_poll(&key).map(seconds);
                self.plans.push(CalendarPlan {
                    key: key.clone(),
                    demand_counts: DemandCounts::default(),
                    poll_sources: Vec::new(),
                    chosen_at: None,
                    horizon: None,
                    useful,
                    choice: None,
                    fresh: false,
                });
                planner.add_calendar(pool, city, rates, last)
            });
            gone.remove(&handle);
            let plan = &mut self.plans[handle];
            let stale = plan.chosen_at.is_none_or(|at| now - at >= CHOSEN_FOR || now < at);
            if stale || plan.demand_counts != demand_counts {
                plan.demand_counts = demand_counts;
                plan.chosen_at = Some(now);
                choose_poll_sources(plan, state, now);
                planner.set_most(handle, plan.poll_sources.len() as f64 * affordable(&config.limits));
                planner.set_value(handle, value(plan));
                planner.set_bound(handle, bound(plan, state, config, now).map_or(f64::INFINITY, length));
                resized.insert(key.kind.clone());
            }
        }
        for handle in gone {
            self.plans[handle].demand_counts = DemandCounts::default();
            self.plans[handle].poll_sources.clear();
            planner.set_value(handle, 0.0);
        }
        for kind in resized {
            let of_kind = self.plans.iter().filter(|p| p.key.kind == kind);
            let accounts: HashSet<_> = of_kind.flat_map(|p| p.poll_sources.iter().map(|v| v.0)).collect();
            let accounts = accounts.len() as f64;
            planner.set_pool(
                self.pools[&kind],
                accounts * affordable(&config.limits),
                accounts * SAVED_POLLS,
            );
        }
    }
}

/// Components of the state that the plan reads. The plan is a component too, so it cannot borrow
/// the whole state.
#[derive(Clone, Copy)]
pub(crate) struct PlanInput<'a> {
    pub tasks: &'a TaskIndex,
    pub availability: &'a Availability,
    pub accounts: &'a Accounts,
}

/// Computes the maximum age of the last answer of a calendar from the budgets of its poll sources.
/// In a split calendar each account has its own bound, and the shortest is returned.
fn bound(plan: &CalendarPlan, state: &PlanInput<'_>, config: &Config, now: Instant) -> Option<TimeDelta> {
    let shares = plan.poll_sources.iter().map(|(id, _, _)| {
        let polls_per_hour =
            state.accounts.get(*id).budget.eased(&config.limits, now).lasting_polls_per_hour();
        AccountShare { polls_per_hour, calendars: state.tasks.count_polled_through(*id) }
    });
    let least = config.pace.least_bound;
    if state.availability.agreement(&plan.key).is_some_and(ListAgreement::is_split) {
        return shares.filter_map(|share| poll_bound([share], least)).min();
    }
    poll_bound(shares, least)
}

fn length(time: TimeDelta) -> f64 {
    time.num_milliseconds() as f64 / 1000.0
}

/// Returns the value of a new date before the horizon, in captured fees. It is the value for the
/// calendar's tasks, times the chance that a task wants the date.
fn value(plan: &CalendarPlan) -> f64 {
    let DemandCounts { active, uncaptured, automatic, .. } = plan.demand_counts;
    if active == 0 || plan.poll_sources.is_empty() {
        return 0.0;
    }
    // Tasks without a captured fee come first, as in the allocation order of slots.
    let value = if uncaptured > 0 && automatic > 0 {
        1.0
    } else if uncaptured > 0 || automatic > 0 {
        0.5
    } else {
        0.25
    };
    value * (plan.useful.1 + 1.0) / (plan.useful.0 + 2.0)
}

/// Replaces the poll sources of a calendar by the first accounts in today's order.
fn choose_poll_sources(plan: &mut CalendarPlan, state: &PlanInput<'_>, now: Instant) {
    let day = day_of(now);
    plan.poll_sources.clear();
    plan.horizon = None;
    let mut known = HashSet::new();
    for (account, task) in state.tasks.poll_sources(&plan.key).take(CONSIDERED) {
        if let Some(task) = state.tasks.get(&task) {
            let last = task.criteria.latest_useful(task.booked.as_ref());
            plan.horizon = Some(plan.horizon.map_or(last, |h| h.max(last)));
        }
        if known.insert(account) {
            plan.poll_sources.push((account, task, turn_order(account.0.as_u128(), day)));
        }
    }
    plan.poll_sources.sort_unstable_by_key(|poll_source| poll_source.2);
    plan.poll_sources.truncate(POLL_SOURCES);
}
