//! Account leases of jobs, written before their first request. If the engine crashes, those
//! accounts are charged with the calls that the job may have spent. No other account is charged.

use crate::JobError;
use crate::model::job::Job;
use crate::persist::Records;

impl Records {
    /// Writes the accounts that these jobs use, in one transaction; nothing for jobs that have
    /// another row.
    pub(crate) async fn write_leases(&self, jobs: &[Job]) -> Result<(), JobError> {
        let lent = self.memory.lock().written_leases.number(jobs, self.wall.now());
        if lent.is_empty() {
            return Ok(());
        }
        let mut tx = self.db.begin_first().await?;
        store::account_lease::record(&mut tx, &lent, self.portal_time.now()).await?;
        tx.commit().await?;
        let mut state = self.memory.lock();
        state.written_leases.written.extend(lent.into_iter().map(|(id, turn, _)| (id, turn)));
        Ok(())
    }
}
