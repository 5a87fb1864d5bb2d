//! Attempts whose request was sent, kept in memory. Without the database they are still read back.
//! The readings are written when the database is available again.

use domain::booking::AttemptState;
use domain::ids::AttemptId;
use domain::journal::{JournalEvent, PostEvent, Wrote};
use store::booking_attempt::BookingAttempt;
use store::task::Task;

use crate::JobError;
use crate::model::attempts::Sent;
use crate::persist::Records;

/// Loads an attempt and its task, and adds the readings that are not written yet. If the database
/// is unavailable, returns the copy in memory. Returns `None` if there is no such attempt.
///
/// # Errors
/// The database error if memory has no copy of the attempt.
pub(crate) async fn sent(records: &Records, id: AttemptId) -> Result<Option<Sent>, JobError> {
    let (row, error) = match rows(records, id).await {
        Ok(None) => return Ok(None),
        Ok(row) => (row, None),
        Err(error) => (None, Some(error)),
    };
    match (records.memory.update(|state| state.attempts.with_unwritten(id, row)), error) {
        (None, Some(error)) => Err(error),
        (sent, _) => Ok(sent),
    }
}

async fn rows(records: &Records, id: AttemptId) -> Result<Option<(BookingAttempt, Task)>, JobError> {
    let mut tx = records.db.read().await?;
    let attempt = store::booking_attempt::get(&mut tx, id).await?;
    let task = match &attempt {
        Some(attempt) => store::task::get(&mut tx, attempt.task_id).await?,
        None => None,
    };
    tx.commit().await?;
    Ok(attempt.zip(task))
}

impl Records {
    /// Keeps the evidence of a POST in memory until it is written.
    pub(crate) fn remember_evidence(&self, id: AttemptId, evidence: &PostEvent) {
        let now = self.portal_time.now();
        self.memory.update(|state| state.attempts.keep_evidence(id, evidence.clone(), now));
    }

    /// Writes the evidence of a POST, if it is not written yet.
    pub(crate) async fn write_evidence(&self, id: AttemptId) -> Result<(), JobError> {
        let pending = self.memory.read(|state| state.attempts.unwritten_evidence(id));
        let Some((task, evidence, t0)) = pending else { return Ok(()) };
        let mut tx = self.db.begin_first().await?;
        if !store::booking_attempt::set_evidence(&mut tx, id, &evidence, t0, t0).await?
            && store::booking_attempt::get(&mut tx, id)
                .await?
                .is_some_and(|row| row.state == AttemptState::Prepared)
        {
            // After a failover the row may have lost the state *sending*. The evidence is written
            // after an engine has detected the failover.
            return Ok(());
        }
        let event = match evidence.wrote {
            Wrote::Nothing => JournalEvent::NothingSent(evidence),
            Wrote::Partly | Wrote::All => JournalEvent::Attempted(evidence),
        };
        crate::persist::notify::journal(self, &mut tx, task, &event).await?;
        tx.commit().await?;
        self.memory.update(|state| state.attempts.mark_evidence_written(id));
        Ok(())
    }
}
