//! The planner at work: which calendars there are, what they are worth, who may look, what was learned.

use std::collections::{HashMap, HashSet};

use chrono::{NaiveDate, TimeDelta};
use domain::calendar::{CalendarKey, Change, Kind};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{PortalAccountId, TaskId};
use domain::poll_bound::{AccountShare, poll_bound};
use inference::planner::poll_source::{affordable, turn_order};
use inference::planner::{Allowance, Choice, Planner};
use inference::rates::{Rates, Shape};
use serde_json::{Value, json};

use crate::Config;
use crate::model::account::Accounts;
use crate::model::list_agreement::{ListAgreement, ListAgreements};
use crate::model::task_index::DemandCounts;

/// Members of a calendar among whom its poll sources are chosen, and how many of them.
const CONSIDERED: usize = 4_096;
const POLL_SOURCES: usize = 256;
/// Viewpoints are chosen anew this often, and whenever the number of tasks changes.
const CHOSEN_FOR: TimeDelta = TimeDelta::minutes(10);
/// Seconds that the ceiling of polls saves up for the planner's price; the hard ceiling is the engine's.
const SAVED_UP: f64 = 900.0;
/// After an answer that proves nothing a calendar is left alone so long, seconds.
const UNTRUSTED: f64 = 300.0;
/// The number of polls that an account saves up.
const SAVED_POLLS: f64 = 3.0;

/// A calendar in the plan.
pub(crate) struct CalendarPlan {
    pub key: CalendarKey,
    demand_counts: DemandCounts,
    /// Who looks, and through which task; the first in today's order.
    pub poll_sources: Vec<(PortalAccountId, TaskId, u64)>,
    chosen_at: Option<Instant>,
    /// The last day that any considered criteria could use.
    horizon: Option<NaiveDate>,
    /// Days that appeared before the horizon, and those of them somebody wanted; the past fades.
    useful: (f64, f64),
    pub choice: Option<(Choice, Instant)>,
    /// Something was learned since it was written.
    fresh: bool,
}

/// The planner with the names behind its handles.
#[derive(Default)]
pub(crate) struct PollPlan {
    pub planner: Option<Planner>,
    pub plans: Vec<CalendarPlan>,
    pub handles: HashMap<CalendarKey, usize>,
    pools: HashMap<Kind, usize>,
    cities: HashMap<FacilityId, usize>,
    /// Read at the start, taken when its calendar comes up.
    recalled: HashMap<String, Value>,
    shape: Shape,
    pub kept_at: Option<Instant>,
}

pub(crate) fn seconds(at: Instant) -> f64 {
    at.timestamp_micros() as f64 / 1e6
}

fn day_of(now: Instant) -> i64 {
    now.timestamp().div_euclid(86_400)
}

impl PollPlan {
    /// Takes over what was learned before.
    pub fn restore(&mut self, learned: Vec<(String, Value)>) {
        *self = Self::default();
        for (subject, data) in learned {
            if subject == "shape" {
                self.shape = serde_json::from_value(data).unwrap_or_default();
                self.shape.renew();
            } else {
                self.recalled.insert(subject, data);
            }
        }
    }

    /// What a poll showed; the planner learns from days somebody could use.
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

    /// The accounts through which a calendar can be looked at.
    pub fn pollers(&self, key: &CalendarKey) -> impl Iterator<Item = PortalAccountId> {
        let plan = self.handles.get(key).map(|handle| &self.plans[*handle]);
        plan.into_iter().flat_map(|plan| plan.poll_sources.iter().map(|poll_source| poll_source.0))
    }

    /// How old the last answered poll of a calendar may become; none where no account polls it.
    pub fn bound(&self, key: &CalendarKey) -> Option<TimeDelta> {
        let handle = *self.handles.get(key).filter(|handle| !self.plans[**handle].poll_sources.is_empty())?;
        let seconds = self.planner.as_ref()?.bound(handle);
        seconds.is_finite().then(|| TimeDelta::milliseconds((seconds * 1000.0) as i64))
    }

    /// For those the next poll is for, the calendar was last seen then.
    pub fn last_seen(&mut self, key: &CalendarKey, at: Instant) {
        if let (Some(planner), Some(handle)) = (&mut self.planner, self.handles.get(key)) {
            planner.last_seen(*handle, seconds(at));
        }
    }

    /// Takes in an answer that proves nothing: the calendar is not polled for a while, not through one account after the
    /// other.
    pub fn unproven(&mut self, key: &CalendarKey, now: Instant) {
        if let (Some(planner), Some(handle)) = (&mut self.planner, self.handles.get(key)) {
            planner.unproven(*handle, seconds(now), UNTRUSTED);
        }
    }

    /// A poll without an answer: the calendar is not polled for a while.
    pub fn failed(&mut self, key: &CalendarKey, now: Instant) {
        if let (Some(planner), Some(handle)) = (&mut self.planner, self.handles.get(key)) {
            planner.failed(*handle, seconds(now), UNTRUSTED);
        }
    }

    /// Brings calendars, pools and poll sources up to date; cheap when nothing changed.
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
                let (rates, useful) = rates.map(remembered).unwrap_or_default();
                let last = state.calendars.get(&key).and_then(|c| c.last_poll).map(seconds);
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

/// What the planner needs to see of the state while it is borrowed itself.
pub(crate) struct PlanInput<'a> {
    pub tasks: &'a crate::model::task_index::TaskIndex,
    pub calendars: &'a HashMap<CalendarKey, crate::model::availability::Calendar>,
    pub accounts: &'a Accounts,
    pub list_agreement: &'a ListAgreements,
}

/// Returns how old the last answer of a calendar may become, by the accounts that poll it. Where its list is split, each
/// account has a bound of its own, and the shortest counts.
fn bound(plan: &CalendarPlan, state: &PlanInput<'_>, config: &Config, now: Instant) -> Option<TimeDelta> {
    let shares = plan.poll_sources.iter().filter_map(|(id, _, _)| {
        let account = state.accounts.get(id)?;
        let polls_per_hour = account.budget.eased(&config.limits, now).lasting_polls_per_hour();
        Some(AccountShare { polls_per_hour, calendars: state.tasks.count_polled_through(*id) })
    });
    let least = config.pace.least_bound;
    if state.list_agreement.get(&plan.key).is_some_and(ListAgreement::is_split) {
        return shares.filter_map(|share| poll_bound([share], least)).min();
    }
    poll_bound(shares, least)
}

fn length(time: TimeDelta) -> f64 {
    time.num_milliseconds() as f64 / 1000.0
}

fn remembered(data: Value) -> (Rates, (f64, f64)) {
    let rates = serde_json::from_value(data["rates"].clone()).unwrap_or_default();
    let useful = serde_json::from_value(data["useful"].clone()).unwrap_or_default();
    (rates, useful)
}

/// Captured appointments that a day before the horizon is worth: whether somebody wants it, and what it earns.
fn value(plan: &CalendarPlan) -> f64 {
    let DemandCounts { active, uncaptured, automatic } = plan.demand_counts;
    if active == 0 || plan.poll_sources.is_empty() {
        return 0.0;
    }
    // Who has not been served yet comes first, here as in the order of who gets a slot.
    let value = if uncaptured > 0 && automatic > 0 {
        1.0
    } else if uncaptured > 0 || automatic > 0 {
        0.5
    } else {
        0.25
    };
    value * (plan.useful.1 + 1.0) / (plan.useful.0 + 2.0)
}

/// The first in today's order of those who may look.
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

impl PollPlan {
    /// What is to be written: the rates of calendars that were looked at, why, and the shape they share.
    pub fn learned(&mut self, now: Instant) -> Vec<(String, Value)> {
        self.kept_at = Some(now);
        let Some(planner) = &self.planner else { return Vec::new() };
        let mut kept = Vec::new();
        for (handle, plan) in self.plans.iter_mut().enumerate().filter(|(_, plan)| plan.fresh) {
            plan.fresh = false;
            let (rates, estimate) = planner.rates(handle);
            let key = plan.key.to_string();
            kept.push((store::learned::rates_of(&key), json!({ "rates": rates, "useful": plan.useful })));
            if let Some((choice, at)) = &plan.choice {
                let per_hour = estimate.arrival * 3600.0;
                let told = json!({
                    "at": at,
                    "choice": choice,
                    "days_per_hour": per_hour,
                    "life_seconds": 1.0 / estimate.death,
                    "worth": planner.value(handle),
                    "viewpoints": plan.poll_sources.len(),
                });
                kept.push((store::learned::choice_of(&key), told));
            }
        }
        if !kept.is_empty() {
            kept.push(("shape".to_owned(), json!(planner.shape())));
        }
        kept
    }
}
