//! Account leases of jobs, written before the first request of each job. After a crash, the calls
//! that a job may have made are added to its account's budget. Budgets of other accounts do not
//! change.

use crate::JobError;
use crate::model::job::Job;
use crate::persist::Records;

impl Records {
    /// Writes the account leases of these jobs, in one transaction. Skips a booking and its
    /// read-back, whose attempt is stored in a row of its own.
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
