//! Sent attempts in memory. While the database is unavailable they are read back nevertheless, and
//! the readings are written once it has returned.

use chrono::TimeDelta;
use domain::booking::{AttemptState, Observation, ReadBackOutcome};
use domain::clock::Instant;
use domain::ids::AttemptId;
use domain::journal::{JournalEvent, PostEvent, Wrote};
use store::booking_attempt::BookingAttempt;
use store::task::Task;

use crate::JobError;
use crate::model::attempts::{Sent, SentAttempt};
use crate::persist::Records;

/// Delay before unwritten readings are written again.
const WRITE_AGAIN: TimeDelta = TimeDelta::seconds(10);

/// Returns the attempt by its row, with the unwritten readings added; without the database, the
/// copy in memory. Returns `None` if there is no such attempt.
pub(crate) async fn sent(records: &Records, id: AttemptId) -> Result<Option<Sent>, JobError> {
    let rows = rows(records, id).await;
    let mut state = records.memory.lock();
    let (mut attempt, task) = match rows {
        Ok(None) => return Ok(None),
        Ok(Some((attempt, task))) => {
            let kept =
                state.kept.entry(id).or_insert_with(|| SentAttempt::new(attempt.clone(), task.clone()));
            (kept.attempt, kept.task) = (attempt.clone(), task.clone());
            (attempt, task)
        }
        Err(error) => {
            let kept = state.kept.get(&id).ok_or(error)?;
            (kept.attempt.clone(), kept.task.clone())
        }
    };
    let kept = state.kept.get(&id);
    if let Some((evidence, t0)) = kept.and_then(|kept| kept.evidence.as_ref()) {
        attempt.end_post(evidence, *t0);
    }
    let unwritten: &[Observation] = kept.map_or(&[], |kept| &kept.unwritten);
    attempt.readings.extend(unwritten);
    let (unwritten, deadline) = (unwritten.len(), kept.and_then(|kept| kept.deadline));
    Ok(Some(Sent { attempt, task, unwritten, deadline }))
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
    /// Holds the evidence of a POST in memory until it is written.
    pub(crate) fn remember_evidence(&self, id: AttemptId, evidence: &PostEvent) {
        let now = self.portal_time.now();
        if let Some(kept) = self.memory.lock().kept.get_mut(&id) {
            kept.evidence = Some((evidence.clone(), now));
        }
    }

    /// Writes the evidence of a POST, if it is not written yet.
    pub(crate) async fn write_evidence(&self, id: AttemptId) -> Result<(), JobError> {
        let pending = {
            let state = self.memory.lock();
            state.kept.get(&id).and_then(|kept| Some((kept.attempt.task_id, kept.evidence.clone()?)))
        };
        let Some((task, (evidence, t0))) = pending else { return Ok(()) };
        let mut tx = self.db.begin_first().await?;
        if !store::booking_attempt::set_evidence(&mut tx, id, &evidence, t0, t0).await?
            && store::booking_attempt::get(&mut tx, id)
                .await?
                .is_some_and(|row| row.state == AttemptState::Prepared)
        {
            // After a failover the row may be from before the POST: the evidence is written once an
            // engine has noticed that.
            return Ok(());
        }
        let event = match evidence.wrote {
            Wrote::Nothing => JournalEvent::NothingSent(evidence),
            Wrote::Partly | Wrote::All => JournalEvent::Attempted(evidence),
        };
        crate::persist::notify::journal(self, &mut tx, task, &event).await?;
        tx.commit().await?;
        if let Some(kept) = self.memory.lock().kept.get_mut(&id) {
            kept.evidence = None;
        }
        Ok(())
    }

    /// Holds readings that could not be written, and sets the time of the next try. The row still
    /// has the time of the previous reading, so the attempt would otherwise be due in every round.
    pub(crate) fn keep(
        &self,
        sent: &Sent,
        (readings, deadline): (&[Observation], Option<Instant>),
        outcome: &ReadBackOutcome,
    ) {
        let soon = self.portal_time.now() + WRITE_AGAIN;
        let at = match outcome {
            ReadBackOutcome::ReadAgain { at, .. } => soon.min(*at),
            _ => soon,
        };
        let written = sent.attempt.readings.len() - sent.unwritten;
        let mut state = self.memory.lock();
        if let Some(kept) = state.kept.get_mut(&sent.attempt.id) {
            kept.unwritten = readings.iter().skip(written).copied().collect();
            kept.deadline = deadline;
        }
        state.read_not_before.insert(sent.attempt.id, at);
    }

    /// Records that all readings are written.
    pub(crate) fn mark_written(&self, id: AttemptId, readings: Vec<Observation>) {
        let mut state = self.memory.lock();
        state.read_not_before.remove(&id);
        if let Some(kept) = state.kept.get_mut(&id) {
            kept.unwritten.clear();
            kept.attempt.readings = readings;
        }
    }
}
