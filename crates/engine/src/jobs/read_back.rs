//! Read-back job: reads the result of a booking attempt from the portal's pages.
//!
//! The outcome of a sent booking is unknown until the portal's pages decide it. The pages are read
//! at the times that [`read_back_outcome`] returns. Meanwhile the account and the slot are
//! reserved, and the task books nothing else. If the outcome stays unknown, the task shows that the
//! booking is unconfirmed. In the end the attempt is left to the operator, and the task stops
//! (`persist/settlement.rs`).

use app::tasks::Cause;
use chrono::TimeDelta;
use domain::booking::{
    AttemptState, ExpectedOutcome, LAG, Observation, ReadBackOutcome, ReadBackPolicy, read_back_outcome,
};
use domain::clock::Instant;
use domain::ids::AttemptId;
use domain::task::{Reason, TaskStatus};

use crate::JobError;
use crate::fail_point::fail_point;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::gateway::read_back::read_pages;
use crate::jobs::JobOutcome;
use crate::model::attempts::{Sent, Settled};
use crate::persist::settlement::{confirmed, manual, not_booked, read_again};

/// Delay before the retry of a failed read-back.
const TRY_AGAIN: TimeDelta = TimeDelta::seconds(60);

/// Reads back a due attempt, over an account lease of its own.
pub(crate) async fn read_back(
    gateway: &Gateway,
    attempt: AttemptId,
    guard: LeaseGuard,
) -> Result<JobOutcome, JobError> {
    let outcome = async {
        let mut lease = AccountLease::begin(guard).await?;
        let outcome = read_now(gateway, &mut lease, attempt).await;
        match lease.finish().await {
            // The spent calls are in memory, and the next successful budget write stores them.
            Ok(()) | Err(JobError::Store(_)) => outcome,
            Err(error) => Err(error),
        }
    }
    .await;
    if outcome.is_err() {
        // A failed read-back must not cause repeated requests to the portal.
        let at = gateway.records.portal_time.now() + TRY_AGAIN;
        gateway.records.memory.update(|state| state.attempts.delay_reading(attempt, at));
    }
    outcome.map(|_| JobOutcome::Done)
}

/// Reads the portal once and settles the attempt as far as the reading allows. If the database
/// fails, keeps the reading in memory.
pub(crate) async fn read_now(
    gateway: &Gateway,
    lease: &mut AccountLease,
    id: AttemptId,
) -> Result<Settled, JobError> {
    let Some(sent) = crate::persist::sent::sent(&gateway.records, id).await? else {
        return Err(JobError::Gone);
    };
    let (attempt, task) = (&sent.attempt, &sent.task);
    let (Some(target), Some(t0), true) =
        (attempt.target, attempt.t0, matches!(attempt.state, AttemptState::Sending | AttemptState::Unknown))
    else {
        gateway.records.memory.update(|state| state.attempts.forget(id));
        return Ok(Settled::Recorded);
    };
    let mut expected_outcome =
        ExpectedOutcome { expected: attempt.expected, target, t0, attempts_before: attempt.attempts_before };
    let now = gateway.records.portal_time.now();
    let mut readings = attempt.readings.clone();
    let (mut deadline, mut refused) = (sent.deadline, false);
    if let Some(last) = readings.last() {
        expected_outcome.target = attempt.expected_target(target, &last.shown);
    }
    // The outcome is computed at the time of the last reading. At the current time, a reading that
    // is due now would be skipped.
    let judged = readings.last().map_or(now, |last| last.at);
    if !crate::model::attempts::is_only_to_write(
        &sent,
        &read_back_outcome(&expected_outcome, &readings, ReadBackPolicy::default(), judged),
        now,
    ) {
        let pages = read_pages(
            gateway,
            lease,
            task,
            &ExpectedOutcome { target, ..expected_outcome },
            now >= t0 + LAG,
        )
        .await?;
        fail_point("readback.read");
        expected_outcome.target = attempt.expected_target(target, &pages.reading.shown);
        readings.push(pages.reading);
        (deadline, refused) = (pages.deadline, pages.refused);
    }
    let now = gateway.records.portal_time.now();
    let outcome = read_back_outcome(&expected_outcome, &readings, ReadBackPolicy::default(), now);
    match settle(gateway, &sent, &expected_outcome, (&readings, deadline, refused), outcome).await {
        Ok(Settled::NotLeader) => {
            keep_readings(gateway, &sent, &readings, deadline, &outcome);
            Ok(Settled::NotLeader)
        }
        Ok(settled) => {
            gateway.records.memory.update(|state| state.attempts.mark_readings_written(id, readings));
            Ok(settled)
        }
        Err(JobError::Store(error)) => {
            tracing::warn!(%error, task = %task.id, "failed to store read-back result; keeping it in memory");
            keep_readings(gateway, &sent, &readings, deadline, &outcome);
            Ok(Settled::Recorded)
        }
        Err(error) => Err(error),
    }
}

/// Keeps readings in memory that could not be written.
fn keep_readings(
    gateway: &Gateway,
    sent: &Sent,
    readings: &[Observation],
    deadline: Option<Instant>,
    outcome: &ReadBackOutcome,
) {
    let now = gateway.records.portal_time.now();
    gateway.records.memory.update(|state| {
        state.attempts.keep_readings(sent, readings, deadline, outcome, now);
    });
}

/// Writes the outcome of a reading.
async fn settle(
    gateway: &Gateway,
    sent: &Sent,
    expected_outcome: &ExpectedOutcome,
    (readings, deadline, refused): (&[Observation], Option<Instant>, bool),
    outcome: ReadBackOutcome,
) -> Result<Settled, JobError> {
    let (attempt, task) = (&sent.attempt, &sent.task);
    gateway.records.write_evidence(attempt.id).await?;
    match outcome {
        ReadBackOutcome::Confirmed => {
            confirmed(&gateway.records, attempt, task, expected_outcome, readings, deadline).await
        }
        ReadBackOutcome::NotBooked => not_booked(&gateway.records, attempt, task, readings).await,
        ReadBackOutcome::ReadAgain { at, unknown } => {
            read_again(&gateway.records, attempt, task, readings, (at, unknown, refused)).await
        }
        ReadBackOutcome::Manual => {
            let cause = Cause::Found { to: TaskStatus::Error, reason: Reason::BookingUnconfirmed };
            manual(&gateway.records, attempt, task, readings, cause).await
        }
        ReadBackOutcome::FingerprintsDiffer { shown } => {
            let cause = Cause::HalfBooked { wanted: expected_outcome.target, shown };
            manual(&gateway.records, attempt, task, readings, cause).await
        }
    }
}
