//! What was learned, written now and then and read at the start.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::facility::FacilityId;
use serde_json::{Value, json};

use super::Planning;
use crate::state::State;
use crate::{Engine, Fault};

/// What was learned is written this often.
const KEEP_EVERY: TimeDelta = TimeDelta::minutes(5);

impl Engine {
    /// Writes what was learned, now and then.
    pub(crate) async fn keep_learned(self: &Arc<Self>) -> Result<(), Fault> {
        let now = self.ctx.portal_time.now();
        let kept = {
            let mut state = self.state.lock();
            let due = state.planning.kept_at.is_none_or(|at| now - at >= KEEP_EVERY || now < at);
            if !due {
                return Ok(());
            }
            let hours: Vec<(String, Value)> =
                state.judge.learned_hours().iter().map(|(f, h)| (hours_of(*f), json!(h))).collect();
            let mut kept = state.planning.learned(now);
            if !kept.is_empty() {
                kept.extend(hours);
                kept.push((LISTS.to_owned(), json!(state.judge.learned_lists())));
            }
            kept.extend(state.sharing.learned());
            kept
        };
        if kept.is_empty() {
            return Ok(());
        }
        let mut tx = self.ctx.db.begin().await?;
        for (subject, data) in kept {
            store::learned::keep(&mut tx, &subject, &data, now).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

/// The subject under which it is kept how lists of all kinds come and go.
const LISTS: &str = "lists";

/// The subject under which a facility's restricted hours are kept.
pub(crate) fn hours_of(facility: FacilityId) -> String {
    format!("hours {}", facility.number())
}

impl Planning {
    /// What is to be written: the rates of calendars that were looked at, why, and the shape they share.
    fn learned(&mut self, now: Instant) -> Vec<(String, Value)> {
        self.kept_at = Some(now);
        let Some(planner) = &self.planner else { return Vec::new() };
        let mut kept = Vec::new();
        for (handle, plot) in self.plots.iter_mut().enumerate().filter(|(_, plot)| plot.fresh) {
            plot.fresh = false;
            let (rates, estimate) = planner.rates(handle);
            let key = plot.key.to_string();
            kept.push((store::learned::rates_of(&key), json!({ "rates": rates, "useful": plot.useful })));
            if let Some((choice, at)) = &plot.choice {
                let per_hour = estimate.arrival * 3600.0;
                let told = json!({
                    "at": at,
                    "choice": choice,
                    "days_per_hour": per_hour,
                    "life_seconds": 1.0 / estimate.death,
                    "worth": planner.value(handle),
                    "viewpoints": plot.poll_sources.len(),
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

impl State {
    /// Takes over what was learned before a restart.
    pub(crate) fn recall(&mut self, learned: Vec<(String, Value)>) {
        for (subject, data) in &learned {
            let facility = subject
                .strip_prefix("hours ")
                .and_then(|f| FacilityId::try_from(f.parse::<u16>().ok()?).ok());
            if let (Some(facility), Ok(hours)) = (facility, serde_json::from_value(data.clone())) {
                self.judge.restore(facility, hours);
            }
            if subject == LISTS
                && let Ok(lists) = serde_json::from_value(data.clone())
            {
                self.judge.restore_lists(lists);
            }
        }
        self.sharing.recall(&learned);
        self.layouts.recall(&learned);
        self.planning.recall(learned);
    }
}
