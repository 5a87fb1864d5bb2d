//! Transactions that only the holder of the engine's lease may commit.

use store::Tx;
use store::task::Task;

use crate::JobError;
use crate::persist::Records;

impl Records {
    /// Checks in the database that this node holds the engine's lease. Returns `false` if another
    /// node holds it. Also returns `false` if a failover has changed the database's history since
    /// the last renewal. No other node can acquire the lease before the transaction ends.
    ///
    /// Lock the task before this call. Another node may acquire the lease while this node waits for
    /// the lock, and this node's readings are too old then.
    pub(crate) async fn leads(&self, tx: &mut Tx) -> Result<bool, JobError> {
        let Some(epoch) = self.memory.epoch() else { return Ok(false) };
        self.leads_by(tx, epoch).await
    }

    /// Begins a transaction of the leading engine. No other node can acquire the lease before it
    /// ends.
    ///
    /// # Errors
    /// [`JobError::NotLeading`] if this node does not hold the lease.
    pub(crate) async fn begin_leading(&self) -> Result<Tx, JobError> {
        let mut tx = self.db.begin().await?;
        if self.leads(&mut tx).await? { Ok(tx) } else { Err(JobError::NotLeading) }
    }

    /// Checks in the database that this node holds the lease under `epoch`. Use this for a lease
    /// that memory does not have yet.
    pub(crate) async fn leads_by(&self, tx: &mut Tx, epoch: i64) -> Result<bool, JobError> {
        let holds = store::lease::holds(tx, crate::LEASE, &self.config.node, epoch).await?;
        if !holds {
            // The next round requests the lease, even if it was renewed a moment ago. Until then
            // every write is refused.
            self.memory.update(|state| state.leadership.renew_at_once());
        }
        Ok(holds)
    }
}

/// Name of the lease that the leading engine holds.
pub const LEASE: &str = store::lease::ENGINE;

/// Begins a transaction, locks the task, and checks the lease. Returns `None` if this node does not
/// hold the lease: its readings may be too old.
pub(crate) async fn alone_and_leading(records: &Records, task: &Task) -> Result<Option<store::Tx>, JobError> {
    let mut tx = records.db.begin_first().await?;
    store::lock::exclusive(&mut tx, task.id.0).await?;
    Ok(records.leads(&mut tx).await?.then_some(tx))
}
