//! Periodic writes of learned values.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::JobError;
use crate::model::state::learned::{LISTS, hours_of};
use crate::persist::Records;

/// Interval between writes of learned values.
const KEEP_EVERY: TimeDelta = TimeDelta::minutes(5);

impl Records {
    /// Writes the learned values if [`KEEP_EVERY`] has passed since the last write.
    pub(crate) async fn persist_learned(&self) -> Result<(), JobError> {
        let now = self.portal_time.now();
        let kept = {
            let mut state = self.memory.lock();
            let due = state.poll_plan.kept_at.is_none_or(|at| now - at >= KEEP_EVERY || now < at);
            if !due {
                return Ok(());
            }
            let hours: Vec<(String, Value)> =
                state.cause_inference.learned_hours().iter().map(|(f, h)| (hours_of(*f), json!(h))).collect();
            let mut kept = state.poll_plan.learned(now);
            if !kept.is_empty() {
                kept.extend(hours);
                kept.push((LISTS.to_owned(), json!(state.cause_inference.learned_lists())));
            }
            kept.extend(state.list_agreement.learned());
            kept
        };
        if kept.is_empty() {
            return Ok(());
        }
        let mut tx = self.db.begin().await?;
        for (subject, data) in kept {
            store::learned::save(&mut tx, &subject, &data, now).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}
