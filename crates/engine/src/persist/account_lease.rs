//! Account leases of jobs, written before their first request. If the engine crashes, those
//! accounts are charged with the calls that the job may have spent. No other account is charged.

use crate::JobError;
use crate::model::job::Job;
use crate::persist::Records;

impl Records {
    /// Writes the accounts that these jobs use, in one transaction; nothing for jobs that have
    /// another row.
    pub(crate) async fn write_leases(&self, jobs: &[Job]) -> Result<(), JobError> {
        let leases = self.memory.update(|state| state.accounts.number_leases(jobs, self.wall.now()));
        if leases.is_empty() {
            return Ok(());
        }
        let mut tx = self.db.begin_first().await?;
        store::account_lease::record(&mut tx, &leases, self.portal_time.now()).await?;
        tx.commit().await?;
        self.memory.update(|state| state.accounts.add_leases(leases));
        Ok(())
    }
}
