//! Learned values of the planner, as they are stored.

use chrono::TimeDelta;
use domain::clock::Instant;
use inference::rates::Rates;
use serde_json::{Value, json};

use crate::model::poll_plan::PollPlan;

/// Interval between writes of learned values.
const WRITE_EVERY: TimeDelta = TimeDelta::minutes(5);

impl PollPlan {
    /// Restores the values that were learned before a restart.
    pub fn restore(&mut self, learned: Vec<(String, Value)>) {
        let (limit, written) = (std::mem::take(&mut self.limit), std::mem::take(&mut self.written));
        *self = Self { limit, written, ..Self::default() };
        for (subject, data) in learned {
            if subject == "shape" {
                self.shape = serde_json::from_value(data).unwrap_or_default();
                self.shape.renew();
            } else {
                self.recalled.insert(subject, data);
            }
        }
    }

    /// Returns `true` if a write of learned values is due.
    pub fn is_write_due(&self, now: Instant) -> bool {
        self.written_at.is_none_or(|at| now - at >= WRITE_EVERY || now < at)
    }

    /// Takes the values to write: the rates of polled calendars, the reason for each choice, and
    /// the factors common to all calendars.
    pub fn take_learned(&mut self, now: Instant) -> Vec<(String, Value)> {
        self.written_at = Some(now);
        let Some(planner) = &self.planner else { return Vec::new() };
        let mut values = Vec::new();
        for (handle, plan) in self.plans.iter_mut().enumerate().filter(|(_, plan)| plan.fresh) {
            plan.fresh = false;
            let (rates, estimate) = planner.rates(handle);
            let key = plan.key.to_string();
            values.push((store::learned::rates_of(&key), json!({ "rates": rates, "useful": plan.useful })));
            if let Some((choice, at)) = &plan.choice {
                let per_hour = estimate.arrival * 3600.0;
                let chosen = json!({
                    "at": at,
                    "choice": choice,
                    "days_per_hour": per_hour,
                    "life_seconds": 1.0 / estimate.death,
                    "worth": planner.value(handle),
                    "viewpoints": plan.poll_sources.len(),
                });
                values.push((store::learned::choice_of(&key), chosen));
            }
        }
        if !values.is_empty() {
            values.push(("shape".to_owned(), json!(planner.shape())));
        }
        values
    }
}

/// Returns the stored rates of a calendar, and its numbers of useful dates; defaults if they cannot
/// be parsed.
pub(super) fn rates(data: Value) -> (Rates, (f64, f64)) {
    let rates = serde_json::from_value(data["rates"].clone()).unwrap_or_default();
    let useful = serde_json::from_value(data["useful"].clone()).unwrap_or_default();
    (rates, useful)
}
