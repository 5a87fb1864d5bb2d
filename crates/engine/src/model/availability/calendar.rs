//! State of one calendar: its last list, its dates without times, and its rate of new dates.

use std::collections::HashMap;

use chrono::{NaiveDate, TimeDelta};
use domain::clock::Instant;

/// Cool-down of a date for all tasks after the portal returned no times for it.
const PHANTOM: TimeDelta = TimeDelta::minutes(30);
/// Time without questions about a date after it was found without times. The portal's list lags
/// behind.
const NO_TIMES: TimeDelta = TimeDelta::minutes(2);

/// State of one calendar.
#[derive(Default)]
pub(crate) struct Calendar {
    pub days: Vec<NaiveDate>,
    /// Time of the last answer, regardless of its interpretation.
    pub last_poll: Option<Instant>,
    /// Time at which an empty list was attributed to restricted hours.
    pub restricted_at: Option<Instant>,
    /// Recent rate of new dates per hour.
    pub activity: Activity,
    /// Dates for which the portal returned no times, each with the number of such answers and the
    /// end of its cool-down.
    phantoms: HashMap<NaiveDate, (u32, Instant)>,
}

impl Calendar {
    /// Returns the dates of the last list, without those that recently had no times twice.
    pub fn usable(&mut self, now: Instant) -> Vec<NaiveDate> {
        self.phantoms.retain(|_, (_, until)| *until > now);
        let is_phantom = |day: &NaiveDate| self.phantoms.get(day).is_some_and(|(times, _)| *times >= 2);
        self.days.iter().copied().filter(|day| !is_phantom(day)).collect()
    }

    /// Records that the portal returned no times for a date.
    pub fn add_empty_times(&mut self, date: NaiveDate, now: Instant) {
        let (times, until) = self.phantoms.entry(date).or_insert((0, now));
        (*times, *until) = (*times + 1, now + PHANTOM);
    }

    /// Returns `true` if the portal returned no times for a date less than [`NO_TIMES`] ago.
    pub fn had_no_times(&self, date: NaiveDate, now: Instant) -> bool {
        let found = self.phantoms.get(&date);
        found.is_some_and(|(_, until)| *until - PHANTOM + NO_TIMES > now)
    }

    /// Forgets the dates for which the portal returned no times.
    pub fn forget_empty_times(&mut self) {
        self.phantoms.clear();
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        for at in [&mut self.last_poll, &mut self.restricted_at].into_iter().flatten() {
            *at += by;
        }
        self.activity.shift(by);
        self.phantoms.values_mut().for_each(|(_, until)| *until += by);
    }
}

/// Rate of new dates per hour, which decays exponentially.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Activity {
    per_hour: f64,
    at: Option<Instant>,
}

/// Time constant of the decay, in hours.
const HEAT_HOURS: f64 = 12.0;

impl Activity {
    /// Returns the rate at `now`.
    pub fn now(self, now: Instant) -> f64 {
        let hours = self.at.map_or(0.0, |at| (now - at).num_seconds().max(0) as f64 / 3600.0);
        self.per_hour * (-hours / HEAT_HOURS).exp()
    }

    /// Adds `by` to the stored time, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        self.at = self.at.map(|at| at + by);
    }

    /// Adds dates that appeared at once.
    pub fn add(&mut self, days: usize, now: Instant) {
        *self = Self { per_hour: self.now(now) + days as f64 / HEAT_HOURS, at: Some(now) };
    }
}
