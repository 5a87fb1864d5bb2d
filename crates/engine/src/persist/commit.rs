//! Final check before a booking POST. The transaction that commits the state *sending* checks every
//! condition that may forbid the POST.

use chrono::TimeDelta;
use domain::appointment::Appointment;
use domain::booking::{AttemptState, SEND_WITHIN};
use domain::clock::Instant;
use domain::ids::AttemptId;
use portal::{CommitKey, SendingProof};
use serde_json::json;
use store::booking_attempt::BookingAttempt;
use store::outward::Pause;
use store::task::Task;

use crate::JobError;
use crate::fail_point::fail_point;
use crate::model::attempts::Agreed;
use crate::persist::Records;

/// Key that permits one booking POST. Only [`mark_sending`] creates it, after its transaction is
/// committed.
///
/// ```compile_fail
/// let key = engine::SendingKey(());
/// ```
#[derive(Debug)]
pub struct SendingKey(());

impl CommitKey for SendingKey {}

/// Proof of a committed attempt. A booking POST requires it.
pub(crate) type Proof = SendingProof<SendingKey>;

/// Result of the commit to send.
pub(crate) enum Commit {
    /// The attempt is committed. Contains the proof that a POST requires.
    Done(Proof),
    /// A condition forbids the attempt. Nothing is written.
    Refused,
    /// An operator paused requests. Nothing is written.
    Paused(Pause),
    /// The database is unavailable, or this node may not book now. Nothing is written.
    Hindered,
    /// It is unknown if the commit was written and will survive a failover. Nothing may be sent.
    /// The attempt is read back as if a request had been sent.
    Unsure,
}

/// Commits the slot and the state *sending* of an attempt. Returns the proof that a POST requires,
/// or the reason why nothing may be sent. The proof expires at the wall time `stale_at` or earlier.
#[tracing::instrument(level = "trace", name = "durable", skip_all)]
pub(crate) async fn mark_sending(
    records: &Records,
    task: &Task,
    attempt: AttemptId,
    (target, agreed): (Appointment, &Agreed),
    stale_at: Instant,
) -> Result<Commit, JobError> {
    let wall = records.wall.now();
    let now = records.portal_time.now();
    let config = &records.config;
    let longest = SEND_WITHIN + TimeDelta::seconds(config.post_timeout_seconds);
    let longest = longest.num_milliseconds() as f64 * config.speed;
    let t0 = now + TimeDelta::milliseconds(longest as i64);
    if records.memory.read(|state| state.leadership.is_quiet(now)) {
        return Ok(Commit::Hindered);
    }
    let mut tx = match records.db.begin_sending().await {
        Ok(tx) => tx,
        Err(error @ store::Error::Unavailable(_)) => {
            tracing::warn!(%error, task = %task.id, "not sending booking attempt: the database is unavailable");
            return Ok(Commit::Hindered);
        }
        Err(error) => return Err(error.into()),
    };
    store::lock::exclusive(&mut tx, task.id.0).await?;
    let epoch = records.memory.epoch();
    if !records.leads(&mut tx).await? {
        return Ok(Commit::Hindered);
    }
    if !store::booking_attempt::is_wanted(&mut tx, task.id, task.criteria_version).await? {
        return Ok(Commit::Refused);
    }
    if !store::timeline::allows(&mut tx, crate::LEASE, (agreed.read_at, now)).await? {
        return Ok(Commit::Hindered);
    }
    if !crate::persist::credential::may_act(records, &mut tx, task).await? {
        return Ok(Commit::Refused);
    }
    let slot = target.consular;
    let shown = agreed.shown.as_ref().map(|shown| &shown.consular);
    if !crate::persist::questions::use_approval(records, &mut tx, task, attempt, slot, shown).await? {
        return Ok(Commit::Refused);
    }
    if target.fingerprints.is_some() && !store::node::all_know_fingerprints(&mut tx, wall).await? {
        tracing::warn!(task = %task.id, "not sending booking attempt: a server of an older build cannot read back its fingerprint appointment");
        return Ok(Commit::Hindered);
    }
    if let Some(pause) = store::outward::paused_at_last(&mut tx, &records.host).await? {
        // The job began before the operator's pause.
        tracing::info!(task = %task.id, why = pause.why, "not sending booking attempt: requests are paused by an operator");
        return Ok(Commit::Paused(pause));
    }
    let read =
        store::booking_attempt::PreflightReading { shown: agreed.shown, attempts: agreed.attempts.left };
    match store::booking_attempt::mark_sending(&mut tx, attempt, &target, read, (now, t0)).await {
        Err(store::Error::Conflict(_)) => return Ok(Commit::Refused),
        Err(error) => return Err(error.into()),
        Ok(false) => return Ok(Commit::Refused),
        Ok(true) => {}
    }
    if agreed.shown.is_some() {
        store::task::count_reschedule(&mut tx, task.id, 1, wall).await?;
    }
    store::task::set_allowance(&mut tx, task.id, agreed.attempts.left, agreed.deadline, wall).await?;
    fail_point("acting.before_commit");
    let unsure = match tx.commit().await {
        Ok(()) => false,
        Err(error @ store::Error::Unsure(_)) => {
            tracing::error!(%error, task = %task.id, "commit of booking attempt is uncertain; reading it back without sending");
            true
        }
        Err(error) => return Err(error.into()),
    };
    let committed = as_committed(task, (attempt, epoch.unwrap_or_default()), (target, agreed), (now, t0));
    records.memory.update(|state| {
        state.attempts.mark_sending(committed, task.clone());
        state.questions.mark_sent((task.id, slot.facility, slot.date));
    });
    if unsure {
        return Ok(Commit::Unsure);
    }
    Ok(Commit::Done(SendingProof::committed(
        SendingKey(()),
        attempt.to_string(),
        stale_at.min(wall + SEND_WITHIN),
    )))
}

/// Returns the attempt with the values of its committed row.
fn as_committed(
    task: &Task,
    (id, epoch): (AttemptId, i64),
    (target, agreed): (Appointment, &Agreed),
    (now, t0): (Instant, Instant),
) -> BookingAttempt {
    BookingAttempt {
        id,
        task_id: task.id,
        user_id: task.user_id,
        portal_account_id: task.portal_account_id,
        country: task.country,
        portal_schedule_id: task.portal_schedule_id.clone(),
        state: AttemptState::Sending,
        epoch,
        expected: agreed.shown,
        facility: target.consular.facility,
        date: target.consular.date,
        target: Some(target),
        attempts_before: agreed.attempts.left,
        prepared_at: now,
        sending_at: Some(now),
        t0: Some(t0),
        readings: Vec::new(),
        evidence: json!({}),
        next_read_at: Some(t0),
        settled_at: None,
        passed_on: false,
    }
}
