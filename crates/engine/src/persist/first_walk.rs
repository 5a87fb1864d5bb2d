//! Stores first walks. A first walk is complete once the engine could parse the booking form and a
//! list of dates of a country's portal. Before that, tasks of the country ask first.

use crate::JobError;
use crate::persist::Records;

impl Records {
    /// Writes the first walks that became complete since the last write.
    pub(crate) async fn persist_first_walks(&self) -> Result<(), JobError> {
        let fresh = self.memory.read(|state| state.first_walks.unwritten());
        if fresh.is_empty() {
            return Ok(());
        }
        let mut tx = self.db.begin().await?;
        for (country, data) in &fresh {
            let subject = store::learned::walk_subject(&self.host, *country);
            store::learned::save(&mut tx, &subject, data, self.portal_time.now()).await?;
            tracing::info!(%country, host = self.host, "parsed the booking pages of the country for the first time; its tasks may book automatically");
        }
        tx.commit().await?;
        self.memory.update(|state| state.first_walks.written(fresh.len()));
        Ok(())
    }
}
