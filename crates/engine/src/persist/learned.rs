//! Periodic writes of values learned from polls, so that a restart does not lose them.

use crate::JobError;
use crate::persist::Records;

impl Records {
    /// Writes the values learned from polls, if their periodic write is due.
    pub(crate) async fn persist_learned(&self) -> Result<(), JobError> {
        let now = self.portal_time.now();
        let learned = self.memory.update(|state| {
            if !state.poll_plan.is_write_due(now) {
                return Vec::new();
            }
            let mut learned = state.poll_plan.take_learned(now);
            if !learned.is_empty() {
                learned.extend(state.availability.learned_causes());
            }
            learned.extend(state.availability.take_learned_agreements());
            learned
        });
        if learned.is_empty() {
            return Ok(());
        }
        let mut tx = self.db.begin().await?;
        for (subject, data) in learned {
            store::learned::save(&mut tx, &subject, &data, now).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}
