//! Late readings: the portal may show a booking long after its attempt was settled. These functions
//! load the readings that are due, and confirm such an attempt.

use chrono::TimeDelta;
use domain::appointment::Appointment;
use domain::booking::{ExpectedOutcome, LATE_COUNTS_FOR, Observation, ObservedState, counts_late};
use domain::clock::Instant;
use store::Tx;
use store::booking_attempt::BookingAttempt;
use store::task::Task;

use crate::JobError;
use crate::model::attempts::LateReadings;
use crate::persist::Records;
use crate::persist::task_status::warm_up_anew;

/// Time within which due readings of one group are combined into one.
const TOGETHER: TimeDelta = TimeDelta::minutes(10);

impl LateReadings {
    /// Loads the late readings that are due by now, and the time of the next one.
    pub async fn read(tx: &mut Tx, now: Instant) -> Result<Self, JobError> {
        let due = store::booking_attempt::late::due(tx, (now, now - LATE_COUNTS_FOR)).await?;
        Ok(Self { due, next: store::booking_attempt::late::next(tx).await? })
    }
}

/// Result of one late reading of a group.
pub(crate) struct LateReading {
    pub at: Instant,
    pub shown: ObservedState,
    /// Deadline for changes of the appointment, in the city's local time.
    pub deadline: Option<chrono::NaiveDateTime>,
}

impl LateReading {
    const fn observation(&self) -> Observation {
        Observation { at: self.at, shown: self.shown, attempts_left: None }
    }

    /// Returns the slot that this attempt requested, if the portal shows it.
    fn target_of(&self, attempt: &BookingAttempt) -> Option<Appointment> {
        let target = attempt.expected_target(attempt.target?, &self.shown);
        (self.shown == ObservedState::Appointment { appointment: target }).then_some(target)
    }
}

/// Confirms an attempt whose target slot the portal shows late. Does nothing if another cause
/// explains the appointment, or if this node does not lead.
pub(crate) async fn confirm(
    records: &Records,
    read: &BookingAttempt,
    seen: &LateReading,
) -> Result<(), JobError> {
    let now = records.portal_time.now();
    let mut tx = records.db.begin_first().await?;
    store::lock::exclusive(&mut tx, read.task_id.0).await?;
    if !records.leads(&mut tx).await? {
        return Ok(());
    }
    let late =
        store::booking_attempt::late::of_group(&mut tx, read.country, &read.portal_schedule_id).await?;
    let own = late.iter().filter(|attempt| attempt.task_id == read.task_id);
    let mut timely = own.filter(|attempt| attempt.t0.is_some_and(|t0| counts_late(t0, now)));
    let printed = timely.find_map(|attempt| seen.target_of(attempt).map(|target| (attempt, target)));
    let Some((attempt, target)) = printed else { return Ok(()) };
    let Some(task) = store::task::get(&mut tx, attempt.task_id).await? else { return Ok(()) };
    let explained = task.booked == Some(target)
        || store::booking_attempt::late::is_overtaken(&mut tx, attempt).await?
        || store::booking_attempt::is_open(&mut tx, attempt.country, &attempt.portal_schedule_id).await?;
    if explained || !confirm_in(records, &mut tx, (attempt, task), target, seen).await? {
        return Ok(());
    }
    tx.commit().await?;
    crate::metrics::booking("confirmed_late");
    tracing::info!(task = %attempt.task_id, "confirmed a booking attempt that the portal showed late");
    records.refresh(attempt.task_id).await?;
    records.memory.nudge();
    Ok(())
}

/// Confirms the attempt in the caller's transaction. Returns `false` if it was settled already.
async fn confirm_in(
    records: &Records,
    tx: &mut Tx,
    (attempt, task): (&BookingAttempt, Task),
    target: Appointment,
    seen: &LateReading,
) -> Result<bool, JobError> {
    let wall = records.wall.now();
    let expected_outcome = ExpectedOutcome {
        expected: attempt.expected,
        target,
        t0: attempt.t0.unwrap_or(seen.at),
        attempts_before: attempt.attempts_before,
    };
    let mut readings = attempt.readings.clone();
    readings.push(seen.observation());
    let deadline = seen.deadline.and_then(|at| target.consular.facility.instant(at));
    // A task that stopped only because the outcome was unknown continues.
    let task = records.resumed(tx, attempt, task).await?;
    if !crate::persist::settlement::confirm_in(
        records,
        tx,
        (attempt, &task),
        &expected_outcome,
        &readings,
        deadline,
    )
    .await?
    {
        return Ok(false);
    }
    // The stored number of attempts left may no longer equal the portal's.
    store::task::forget_allowance(tx, task.id, wall).await?;
    warm_up_anew(records, tx, task.id).await?;
    Ok(true)
}

/// Stores the reading in every attempt of the group that is due, with the time of its next reading.
/// `next` computes that time from the attempt's `t0`.
pub(crate) async fn reschedule(
    records: &Records,
    read: &BookingAttempt,
    seen: Option<&LateReading>,
    next: impl Fn(Instant) -> Option<Instant>,
) -> Result<(), JobError> {
    let due = records.portal_time.now() + TOGETHER;
    let mut tx = records.db.begin().await?;
    for attempt in
        store::booking_attempt::late::of_group(&mut tx, read.country, &read.portal_schedule_id).await?
    {
        let (Some(at), Some(t0)) = (attempt.next_read_at, attempt.t0) else { continue };
        if at <= due {
            let reading = seen.map(LateReading::observation);
            store::booking_attempt::late::read(&mut tx, &attempt, reading, next(t0)).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}
