//! Stores the complete walks of a country's portal.

use crate::JobError;
use crate::persist::Records;

impl Records {
    /// Writes the walks that became complete.
    pub(crate) async fn persist_first_walks(&self) -> Result<(), JobError> {
        let fresh = self.memory.read(|state| state.first_walks.unwritten());
        if fresh.is_empty() {
            return Ok(());
        }
        let mut tx = self.db.begin().await?;
        for (country, data) in &fresh {
            let subject = store::learned::walk_subject(&self.host, *country);
            store::learned::save(&mut tx, &subject, data, self.portal_time.now()).await?;
            tracing::info!(%country, host = self.host, "first walk of the portal is complete; tasks of the country book automatically");
        }
        tx.commit().await?;
        self.memory.update(|state| state.first_walks.written(fresh.len()));
        Ok(())
    }
}
