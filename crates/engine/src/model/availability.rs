//! What one calendar showed.

use std::collections::HashMap;

use chrono::{NaiveDate, TimeDelta};
use domain::clock::Instant;

impl crate::model::availability::Calendar {
    /// The days of the last list without those whose times answered empty twice lately.
    pub fn usable(&mut self, now: Instant) -> Vec<NaiveDate> {
        self.phantoms.retain(|_, (_, until)| *until > now);
        let is_phantom = |day: &NaiveDate| self.phantoms.get(day).is_some_and(|(times, _)| *times >= 2);
        self.days.iter().copied().filter(|day| !is_phantom(day)).collect()
    }
}

/// A calendar as the engine sees it.
#[derive(Default)]
pub(crate) struct Calendar {
    pub days: Vec<NaiveDate>,
    /// The last answer, whatever it was taken for.
    pub last_poll: Option<Instant>,
    /// When an empty list was put down to restricted hours.
    pub restricted_at: Option<Instant>,
    /// New days an hour, of late: decays over half a day.
    pub activity: Activity,
    /// Days whose times answered empty, how often, and until when they are left alone.
    pub phantoms: HashMap<NaiveDate, (u32, Instant)>,
}

/// New days an hour, with the latest counting most.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Activity {
    per_hour: f64,
    at: Option<Instant>,
}

/// How long a new day keeps its calendar warm, hours.
const HEAT_HOURS: f64 = 12.0;

impl Activity {
    /// At this instant.
    pub fn now(self, now: Instant) -> f64 {
        let hours = self.at.map_or(0.0, |at| (now - at).num_seconds().max(0) as f64 / 3600.0);
        self.per_hour * (-hours / HEAT_HOURS).exp()
    }

    /// The clock was set by so much.
    pub fn shift(&mut self, by: TimeDelta) {
        self.at = self.at.map(|at| at + by);
    }

    /// Adds days that appeared at once.
    pub fn add(&mut self, days: usize, now: Instant) {
        *self = Self { per_hour: self.now(now) + days as f64 / HEAT_HOURS, at: Some(now) };
    }
}
