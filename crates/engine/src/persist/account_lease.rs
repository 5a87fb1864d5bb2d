//! Which accounts are lent to jobs, written before their first request: an engine that dies costs those accounts what the
//! job may have spent, and no other account anything.

use crate::JobError;
use crate::model::job::Job;
use crate::persist::Records;

impl Records {
    /// Writes which accounts these jobs use, in one transaction; nothing for jobs that have another row.
    pub(crate) async fn write_leases(&self, jobs: &[Job]) -> Result<(), JobError> {
        let lent = self.memory.lock().written_leases.number(jobs, self.wall.now());
        if lent.is_empty() {
            return Ok(());
        }
        let mut tx = self.db.begin_first().await?;
        store::account_lease::take(&mut tx, &lent, self.portal_time.now()).await?;
        tx.commit().await?;
        let mut state = self.memory.lock();
        state.written_leases.written.extend(lent.into_iter().map(|(id, turn, _)| (id, turn)));
        Ok(())
    }
}
