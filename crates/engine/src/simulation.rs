//! Simulation of the engine's polling in virtual time, without a portal and a database.
//! `sooner-bench plan` uses it.
//!
//! The engine's own code makes all decisions: schedule, poll plan, budgets, pacing, inferred causes
//! of empty lists, and trust in lists. The caller simulates the portal and the bookings.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, NaiveDate, TimeDelta};
use domain::budget::Calls;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use domain::prewarm::{SESSION_LIKELY_LIVES, SIGN_IN_COSTS};
use portal::{Pacer, Rate};
use store::task::Outline;

use crate::Config;
use crate::gateway::outward::Allowed;
use crate::model::job::Job;
use crate::model::observe::{PendingEffects, share};
use crate::model::state::State;
use crate::schedule::Schedule;

/// A poll that is due.
#[derive(Clone, Debug)]
pub struct DuePoll {
    /// The calendar to poll.
    pub calendar: CalendarKey,
    /// The account to poll through.
    pub account: PortalAccountId,
}

/// The engine's memory and schedule over simulated tasks.
pub struct Simulation {
    state: State,
    config: Config,
    pacer: Pacer,
    /// Time of the pacer's clock, in microseconds since the Unix epoch.
    clock: Arc<AtomicI64>,
    sessions: HashMap<PortalAccountId, Instant>,
}

impl Simulation {
    /// Creates a simulated engine without tasks. It never books.
    #[must_use]
    pub fn new(config: Config, rate: Rate, start: Instant) -> Self {
        let clock = Arc::new(AtomicI64::new(start.timestamp_micros()));
        let read = clock.clone();
        let now = move || DateTime::from_timestamp_micros(read.load(Ordering::Relaxed)).unwrap_or_default();
        Self {
            state: State::default(),
            config: Config { dry_run: true, ..config },
            pacer: Pacer::new(rate, Arc::new(now)),
            clock,
            sessions: HashMap::new(),
        }
    }

    /// Adds or updates a task from its current row. Removes a task that does not run.
    pub fn put(&mut self, task: Outline) {
        self.state.take_over(task);
    }

    /// Returns the polls that are due at `now`, and the next instant at which anything can be due.
    /// The account of a poll is busy until [`Self::answered`] applies its result.
    pub fn due(&mut self, now: Instant) -> (Vec<DuePoll>, Option<Instant>) {
        self.clock.store(now.timestamp_micros(), Ordering::Relaxed);
        let schedule = Schedule { config: &self.config, pacer: &self.pacer };
        let round = schedule.due(&mut self.state, Allowed::All, now);
        let (polls, others): (Vec<Job>, Vec<Job>) =
            round.jobs.into_iter().partition(|job| matches!(job, Job::Poll { .. }));
        // The simulation runs only polls and puts other jobs back.
        self.state.take_back(&others);
        let polls = polls.into_iter().filter_map(|job| match job {
            Job::Poll { account, key, .. } => Some(DuePoll { calendar: key, account }),
            _ => None,
        });
        (polls.collect(), round.next_due)
    }

    /// Applies the result of a poll; `days` must be sorted. Returns the number of requests that the
    /// poll cost. They include a sign-in if the account's session had ended.
    pub fn answered(&mut self, poll: &DuePoll, days: Vec<NaiveDate>, now: Instant) -> u32 {
        let (id, state) = (poll.account, &mut self.state);
        let signs_in = self.sessions.get(&id).is_none_or(|until| *until <= now);
        let calls = Calls {
            requests: 1 + if signs_in { SIGN_IN_COSTS } else { 0 },
            polls: 1,
            sign_ins: u32::from(signs_in),
        };
        if signs_in {
            self.sessions.insert(id, now + SESSION_LIKELY_LIVES);
        }
        let account = state.accounts.get_mut(id);
        account.busy = false;
        // The account need not sign in while the session lasts.
        account.imported = false;
        account.budget.spend(calls, now);
        let PendingEffects { effects, .. } = share(state, &poll.calendar, days, id, &self.config.limits, now);
        for update in effects.inferred.conditions.iter().chain(&effects.conditions) {
            state.tasks.set_condition(update.task, update.condition);
        }
        // The simulation books and writes nothing.
        state.openings.clear();
        state.availability.take_unrecorded();
        state.housekeeping.end_flush_interval();
        calls.requests
    }

    /// Ends expired sessions, so that their accounts sign in before they poll.
    pub fn end_sessions(&mut self, now: Instant) {
        let over = self.sessions.extract_if(|_, until| *until <= now);
        for (id, _) in over.collect::<Vec<_>>() {
            self.state.accounts.get_mut(id).imported = true;
        }
    }

    /// Returns the remaining back-off of an account; zero if it does not back off. An account backs
    /// off, for example, while the portal seems to hide its lists.
    #[must_use]
    pub fn rests_for(&self, account: PortalAccountId, now: Instant) -> TimeDelta {
        let until = self.state.accounts.get(account).not_before;
        until.map_or(TimeDelta::zero(), |until| (until - now).max(TimeDelta::zero()))
    }

    /// Returns the number of requests of an account in the ten hours before `now`.
    #[must_use]
    pub fn requests(&self, account: PortalAccountId, now: Instant) -> u32 {
        self.state.accounts.get(account).budget.requests(now)
    }
}
