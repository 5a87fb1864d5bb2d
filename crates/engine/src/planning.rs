//! The planner at work: which calendars there are, what they are worth, who may look, what was learned.

use std::collections::{HashMap, HashSet};

use chrono::{NaiveDate, TimeDelta};
use domain::budget::Spend;
use domain::calendar::{CalendarKey, Change, Kind};
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use inference::planner::poll_source::{PollSource, Standing, affordable, pick, ready_at, turn_order};
use inference::planner::{Allowance, Choice, Planner, Why};
use inference::rates::{Rates, Shape};
use portal::Purpose;
use serde_json::Value;

use crate::driver::{Job, Round};
use crate::roster::Census;
use crate::state::State;
use crate::{Config, Engine};

mod learned;

/// Members of a calendar among whom its poll sources are chosen, and how many of them.
const CONSIDERED: usize = 4_096;
const VIEWPOINTS: usize = 256;
/// Viewpoints are chosen anew this often, and whenever the number of tasks changes.
const CHOSEN_FOR: TimeDelta = TimeDelta::minutes(10);
/// The ceiling of polls saves up so many seconds for the planner's price; the hard ceiling is the engine's.
const SAVED_UP: f64 = 900.0;
/// After an answer that proves nothing a calendar is left alone so long, seconds.
const UNTRUSTED: f64 = 300.0;
/// An account saves up so many polls.
const SAVED_LOOKS: f64 = 3.0;

/// A calendar in the plan.
struct Plot {
    key: CalendarKey,
    census: Census,
    /// Who looks, and through which task; the first in today's order.
    poll_sources: Vec<(PortalAccountId, TaskId, u64)>,
    chosen_at: Option<Instant>,
    /// The last day that any considered criteria could use.
    horizon: Option<NaiveDate>,
    /// Days that appeared before the horizon, and those of them somebody wanted; the past fades.
    useful: (f64, f64),
    choice: Option<(Choice, Instant)>,
    /// Something was learned since it was written.
    fresh: bool,
}

/// The planner with the names behind its handles.
#[derive(Default)]
pub(crate) struct Planning {
    planner: Option<Planner>,
    plots: Vec<Plot>,
    handles: HashMap<CalendarKey, usize>,
    pools: HashMap<Kind, usize>,
    /// Read at the start, taken when its calendar comes up.
    recalled: HashMap<String, Value>,
    shape: Shape,
    kept_at: Option<Instant>,
}

fn seconds(at: Instant) -> f64 {
    at.timestamp_micros() as f64 / 1e6
}

fn day_of(now: Instant) -> i64 {
    now.timestamp().div_euclid(86_400)
}

impl Planning {
    /// Takes over what was learned before.
    pub fn recall(&mut self, learned: Vec<(String, Value)>) {
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
        let plot = &mut self.plots[*handle];
        let (days, change) = days;
        let near = |day: &&NaiveDate| plot.horizon.is_none_or(|horizon| **day <= horizon);
        let count = |list: &[NaiveDate]| u32::try_from(list.iter().filter(near).count()).unwrap_or(u32::MAX);
        let (appeared, vanished) = (count(&change.appeared), count(&change.vanished));
        let at_risk = (count(days) + vanished).saturating_sub(appeared);
        let seen = (!first).then_some((appeared, at_risk, vanished));
        if appeared > 0 {
            let of_use = change.appeared.iter().filter(|day| wanted.contains(*day)).count();
            plot.useful = (plot.useful.0 * 0.98 + f64::from(appeared), plot.useful.1 * 0.98 + of_use as f64);
        }
        plot.fresh = true;
        planner.answered(*handle, seconds(now), seen);
        planner.set_value(*handle, value(plot));
    }

    /// The accounts through which a calendar can be looked at.
    pub fn pollers(&self, key: &CalendarKey) -> impl Iterator<Item = PortalAccountId> {
        let plot = self.handles.get(key).map(|handle| &self.plots[*handle]);
        plot.into_iter().flat_map(|plot| plot.poll_sources.iter().map(|poll_source| poll_source.0))
    }

    /// For those the next poll is for, the calendar was last seen then.
    pub fn last_seen(&mut self, key: &CalendarKey, at: Instant) {
        if let (Some(planner), Some(handle)) = (&mut self.planner, self.handles.get(key)) {
            planner.last_seen(*handle, seconds(at));
        }
    }

    /// A poll whose answer proves nothing: the calendar is left alone for a while, not asked through one account after
    /// the other.
    pub fn unanswered(&mut self, key: &CalendarKey, now: Instant) {
        if let (Some(planner), Some(handle)) = (&mut self.planner, self.handles.get(key)) {
            planner.failed(*handle, seconds(now), UNTRUSTED);
        }
    }

    /// Brings calendars, pools and poll sources up to date; cheap when nothing changed.
    fn sync(&mut self, state: &Seen<'_>, config: &Config, now: Instant) {
        let shape = &self.shape;
        let planner = self.planner.get_or_insert_with(|| {
            let ceiling = Allowance::full(config.polls_per_second, config.polls_per_second * SAVED_UP);
            let mut planner = Planner::new(ceiling, shape.clone(), seconds(now));
            planner.set_longest_blind(config.pace.longest_blind.num_milliseconds() as f64 / 1000.0);
            planner
        });
        let mut gone: HashSet<usize> = (0..self.plots.len()).collect();
        let mut resized: HashSet<Kind> = HashSet::new();
        for (key, census) in state.tasks.calendars() {
            let handle = *self.handles.entry(key.clone()).or_insert_with(|| {
                let pool = *self
                    .pools
                    .entry(key.kind.clone())
                    .or_insert_with(|| planner.add_pool(Allowance::full(0.0, SAVED_LOOKS)));
                let rates = self.recalled.remove(&store::learned::rates_of(&key.to_string()));
                let (rates, useful) = rates.map(remembered).unwrap_or_default();
                let last = state.calendars.get(&key).and_then(|c| c.last_poll).map(seconds);
                self.plots.push(Plot {
                    key: key.clone(),
                    census: Census::default(),
                    poll_sources: Vec::new(),
                    chosen_at: None,
                    horizon: None,
                    useful,
                    choice: None,
                    fresh: false,
                });
                planner.add_calendar(pool, key.facility.zone(), rates, last)
            });
            gone.remove(&handle);
            let plot = &mut self.plots[handle];
            let stale = plot.chosen_at.is_none_or(|at| now - at >= CHOSEN_FOR || now < at);
            if stale || plot.census != census {
                plot.census = census;
                plot.chosen_at = Some(now);
                choose_poll_sources(plot, state, now);
                planner.set_most(handle, plot.poll_sources.len() as f64 * affordable(&config.limits));
                planner.set_value(handle, value(plot));
                resized.insert(key.kind.clone());
            }
        }
        for handle in gone {
            self.plots[handle].census = Census::default();
            self.plots[handle].poll_sources.clear();
            planner.set_value(handle, 0.0);
        }
        for kind in resized {
            let of_kind = self.plots.iter().filter(|p| p.key.kind == kind);
            let accounts: HashSet<_> = of_kind.flat_map(|p| p.poll_sources.iter().map(|v| v.0)).collect();
            let accounts = accounts.len() as f64;
            planner.set_pool(
                self.pools[&kind],
                accounts * affordable(&config.limits),
                accounts * SAVED_LOOKS,
            );
        }
    }
}

/// What the planner needs to see of the state while it is borrowed itself.
struct Seen<'a> {
    tasks: &'a crate::roster::Roster,
    calendars: &'a HashMap<CalendarKey, crate::state::Calendar>,
}

fn remembered(data: Value) -> (Rates, (f64, f64)) {
    let rates = serde_json::from_value(data["rates"].clone()).unwrap_or_default();
    let useful = serde_json::from_value(data["useful"].clone()).unwrap_or_default();
    (rates, useful)
}

/// Captured appointments that a day before the horizon is worth: whether somebody wants it, and what it earns.
fn value(plot: &Plot) -> f64 {
    let Census { active, uncaptured, automatic } = plot.census;
    if active == 0 || plot.poll_sources.is_empty() {
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
    value * (plot.useful.1 + 1.0) / (plot.useful.0 + 2.0)
}

/// The first in today's order of those who may look.
fn choose_poll_sources(plot: &mut Plot, state: &Seen<'_>, now: Instant) {
    let day = day_of(now);
    plot.poll_sources.clear();
    plot.horizon = None;
    let mut known = HashSet::new();
    for (account, task) in state.tasks.poll_sources(&plot.key).take(CONSIDERED) {
        if let Some(task) = state.tasks.get(&task) {
            let last = task.criteria.latest_useful(task.booked.as_ref());
            plot.horizon = Some(plot.horizon.map_or(last, |h| h.max(last)));
        }
        if known.insert(account) {
            plot.poll_sources.push((account, task, turn_order(account.0.as_u128(), day)));
        }
    }
    plot.poll_sources.sort_unstable_by_key(|poll_source| poll_source.2);
    plot.poll_sources.truncate(VIEWPOINTS);
}

impl Engine {
    /// Adds the polls that are worth their calls now, at most `most`.
    pub(crate) fn take_polls(&self, state: &mut State, round: &mut Round, most: usize, now: Instant) {
        let config = &self.ctx.config;
        crate::poll::refill(state, config.polls_per_second, now);
        let mut planning = std::mem::take(&mut state.planning);
        planning.sync(&Seen { tasks: &state.tasks, calendars: &state.calendars }, config, now);
        let Planning { planner: Some(planner), plots, .. } = &mut planning else { return };
        let mut taken = 0;
        let pacer = self.ctx.client.pacer();
        while state.poll_tokens >= 1.0 && pacer.may_begin(Purpose::Poll) && taken < most {
            let mut through = None;
            let choice = planner.choose(seconds(now), &mut |handle| {
                let able = self.able(state, round, &plots[handle], now);
                able.map(|poll_source| through = Some(poll_source))
            });
            let (Some(mut choice), Some((account, task))) = (choice, through) else { break };
            let plot = &mut plots[choice.calendar];
            if state.is_restricted(&plot.key, now) {
                choice.kind = Why::Exploration;
            }
            plot.choice = Some((choice, now));
            planner.spend(choice.calendar);
            state.poll_tokens -= 1.0;
            pacer.prepay(Purpose::Poll, 1);
            taken += 1;
            state.calendar(&plot.key).last_try = Some(now);
            round.jobs.push(Job::Poll { task, account, key: plot.key.clone(), reason: choice.kind });
        }
        let rest = if state.poll_tokens < 1.0 { 1.0 } else { planner.rest(seconds(now)) };
        let rest = rest.max(pacer.opens_in(Purpose::Poll).as_secs_f64());
        if plots.iter().any(|plot| !plot.poll_sources.is_empty()) {
            round.later(Some(now + TimeDelta::milliseconds((rest * 1000.0).ceil() as i64)));
        }
        state.planning = planning;
    }

    /// The account to look through and its task; else the seconds until one may.
    fn able(
        &self,
        state: &State,
        round: &Round,
        plot: &Plot,
        now: Instant,
    ) -> Result<(PortalAccountId, TaskId), f64> {
        let config = &self.ctx.config;
        let until = |at: Instant| (at - now).num_milliseconds() as f64 / 1000.0;
        if state.layouts.stops_polls(&plot.key.kind.country) {
            return Err(crate::layout::Layouts::polls_wait());
        }
        if state.is_restricted(&plot.key, now) {
            let last = state.calendars.get(&plot.key).and_then(|c| c.last_try);
            let next = last.map_or(now, |at| at + config.pace.restricted_spacing);
            if next > now {
                return Err(until(next));
            }
        }
        let sharing = state.sharing.get(&plot.key);
        let split = sharing.is_some_and(crate::sharing::Sharing::is_split);
        let candidates = plot.poll_sources.iter().filter_map(|(id, task, turn)| {
            let account = state.accounts.get(id)?;
            state.tasks.get(task).filter(|task| state.tasks.is_of(task, &plot.key))?;
            let signed_in = account.session.is_some() || !account.imported;
            // Split, everybody's turn comes: who would have to sign in first does not wait for those who need not.
            let may_sign_in = || account.budget.check(Spend::SignIn, &config.limits, now).is_ok();
            let (standing, not_before) = state.standing(*id, &plot.key, now);
            let poll_source = PollSource {
                budget: &account.budget,
                turn: sharing.map_or(*turn, |sharing| sharing.turn(*id, *turn)),
                free: !account.busy && !round.uses(*id) && !state.has_live_attempt(*id),
                signed_in: signed_in || (split && may_sign_in()),
                standing,
                not_before: account.not_before.max(not_before),
            };
            Some(((*id, *task), poll_source))
        });
        match pick(candidates, &config.limits, config.pace.account_spacing, now) {
            Ok(poll_source) => Ok(poll_source),
            Err(later) => Err(later.map_or(1.0, until)),
        }
    }

    /// When a calendar will be looked at next, as things stand.
    pub(crate) fn next_poll(&self, state: &State, key: &CalendarKey, now: Instant) -> Option<Instant> {
        let config = &self.ctx.config;
        let Planning { planner: Some(planner), plots, handles, .. } = &state.planning else { return None };
        let most = config.pace.longest_blind.num_milliseconds() as f64 / 1000.0;
        let handle = *handles.get(key)?;
        let ready = plots[handle].poll_sources.iter().take(16).filter_map(|(id, _, turn)| {
            let account = state.accounts.get(id)?;
            let poll_source = PollSource {
                budget: &account.budget,
                turn: *turn,
                free: true,
                signed_in: true,
                standing: Standing::Sound,
                not_before: account.not_before,
            };
            ready_at(&poll_source, &config.limits, config.pace.account_spacing, now)
        });
        let ready = ready.min()?;
        let due = planner.due_in(handle, seconds(now), most);
        Some(ready.max(now + TimeDelta::milliseconds((due * 1000.0) as i64)))
    }
}

impl State {
    /// Whether an empty list would prove nothing at a calendar now.
    fn is_restricted(&self, key: &CalendarKey, now: Instant) -> bool {
        key.kind.booked
            && self.judge.is_restricted(key.facility, now)
            && self.calendars.get(key).is_some_and(|c| c.restricted_at.is_some())
    }
}
