//! Transactions that only the holder of the engine's lease may commit.

use store::Tx;
use store::task::Task;

use crate::JobError;
use crate::persist::Records;

impl Records {
    /// Whether this node holds the lease by what the database says, whose history is the one it was renewed on; nobody takes it before the transaction ends.
    ///
    /// To be asked after the task's lock: a node that was paused for long may have been replaced, and what it read is old.
    pub(crate) async fn leads(&self, tx: &mut Tx) -> Result<bool, JobError> {
        let epoch = self.memory.lock().epoch;
        let Some(epoch) = epoch else { return Ok(false) };
        self.leads_by(tx, epoch).await
    }

    /// A transaction of the leading engine; nobody takes the lease before it ends.
    pub(crate) async fn begin_leading(&self) -> Result<Tx, JobError> {
        let mut tx = self.db.begin().await?;
        if self.leads(&mut tx).await? { Ok(tx) } else { Err(JobError::NotLeading) }
    }

    /// The same for a lease that was taken a moment ago.
    pub(crate) async fn leads_by(&self, tx: &mut Tx, epoch: i64) -> Result<bool, JobError> {
        let holds = store::lease::holds(tx, crate::LEASE, &self.config.node, epoch).await?;
        if !holds {
            // The next round asks for it, however short ago it was renewed: until then every write is refused.
            self.memory.lock().lease_renewed_at = None;
        }
        Ok(holds)
    }
}

/// The lease that the leading engine holds.
pub const LEASE: &str = store::lease::ENGINE;

/// A transaction in which nobody else changes the task; none when another node holds the lease: it reads for itself, and
/// what was read here may be old.
pub(crate) async fn alone_and_leading(records: &Records, task: &Task) -> Result<Option<store::Tx>, JobError> {
    let mut tx = records.db.begin_first().await?;
    store::lock::exclusive(&mut tx, task.id.0).await?;
    Ok(records.leads(&mut tx).await?.then_some(tx))
}
