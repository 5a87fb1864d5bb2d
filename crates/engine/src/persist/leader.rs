//! Transactions that only the holder of the engine's lease may commit.

use store::Tx;
use store::task::Task;

use crate::JobError;
use crate::persist::Records;

impl Records {
    /// Returns `true` if, according to the database, this node holds the lease, and the database
    /// has the history on which the lease was renewed. No other node can take the lease before the
    /// transaction ends.
    ///
    /// Must be called after the task's lock is taken: a node that was suspended for long may have
    /// been replaced, and its readings are old.
    pub(crate) async fn leads(&self, tx: &mut Tx) -> Result<bool, JobError> {
        let Some(epoch) = self.memory.epoch() else { return Ok(false) };
        self.leads_by(tx, epoch).await
    }

    /// Begins a transaction of the leading engine; no other node can take the lease before it ends.
    pub(crate) async fn begin_leading(&self) -> Result<Tx, JobError> {
        let mut tx = self.db.begin().await?;
        if self.leads(&mut tx).await? { Ok(tx) } else { Err(JobError::NotLeading) }
    }

    /// Returns `true` if this node holds the lease of `epoch`; for a lease that was taken a moment
    /// ago.
    pub(crate) async fn leads_by(&self, tx: &mut Tx, epoch: i64) -> Result<bool, JobError> {
        let holds = store::lease::holds(tx, crate::LEASE, &self.config.node, epoch).await?;
        if !holds {
            // The next round requests the lease, even if it was renewed a moment ago; until then
            // every write is refused.
            self.memory.update(|state| state.leadership.renew_at_once());
        }
        Ok(holds)
    }
}

/// Name of the lease that the leading engine holds.
pub const LEASE: &str = store::lease::ENGINE;

/// Begins a transaction in which no other transaction can change the task. Returns `None` if
/// another node holds the lease: that node reads for itself, and this node's readings may be old.
pub(crate) async fn alone_and_leading(records: &Records, task: &Task) -> Result<Option<store::Tx>, JobError> {
    let mut tx = records.db.begin_first().await?;
    store::lock::exclusive(&mut tx, task.id.0).await?;
    Ok(records.leads(&mut tx).await?.then_some(tx))
}
