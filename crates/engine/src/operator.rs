//! Actions of an operator on a task. They follow the engine's own rules, in the transaction that
//! also writes the audit row.

use domain::appointment::Appointment;
use domain::booking::{AttemptState, ExpectedOutcome, ObservedState};
use domain::ids::{AttemptId, TaskId};
use domain::task::{Reason, TaskStatus};
use store::Tx;
use store::task::Task;

use crate::JobError;
use crate::persist::Records;

/// Reason why an action was not done.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
    /// The rules do not allow the action; carries a sentence for the operator.
    #[error("{0}")]
    Refused(String),
    /// The database failed, or another internal error occurred.
    #[error(transparent)]
    Fault(#[from] JobError),
}

impl From<store::Error> for NotDone {
    fn from(error: store::Error) -> Self {
        Self::Fault(error.into())
    }
}

fn refused<T>(why: impl Into<String>) -> Result<T, NotDone> {
    Err(NotDone::Refused(why.into()))
}

/// Stops a task for the operator. Its user is notified, its hold is released, and its group is free
/// for other tasks. Returns the released amount in minor units.
///
/// # Errors
/// [`NotDone::Refused`] while a booking is open, and for a task that was never submitted, or is
/// deleted, released already or missing.
pub(crate) async fn release_task(records: &Records, tx: &mut Tx, id: TaskId) -> Result<i64, NotDone> {
    let task = taken_alone(tx, id).await?;
    if task.deleted_at.is_some() {
        return refused(format!("task {id} was deleted by its user"));
    }
    if matches!(task.status, TaskStatus::Draft | TaskStatus::Configured) {
        return refused(format!("task {id} was never submitted, so there is nothing to release"));
    }
    if task.reason == Some(Reason::ReleasedByOperator) {
        return refused(format!("task {id} was released already"));
    }
    let attempts = store::booking_attempt::of_task(tx, id).await?;
    let open = attempts
        .iter()
        .find(|i| matches!(i.state, AttemptState::Sending | AttemptState::Unknown | AttemptState::Manual));
    if let Some(open) = open {
        let state = open.state.as_str();
        return refused(format!(
            "a booking of task {id} is {state}, so the amount to charge is unknown; settle the \
             booking first"
        ));
    }
    let to = (TaskStatus::Stopped, Reason::ReleasedByOperator);
    match crate::persist::task_status::stop_in(records, tx, &task, to.0, to.1).await? {
        Some(released) => Ok(released),
        None => refused(format!("task {id} changed meanwhile; try again")),
    }
}

/// Settles an attempt that the engine could not settle. `seen` is the appointment that the operator
/// saw at the portal as the result of this attempt, or `None` if the attempt booked nothing. The
/// search continues if it was stopped because of this attempt.
///
/// `force` also settles an attempt that the engine still reads back, but never one that may still
/// be in progress.
///
/// # Errors
/// [`NotDone::Refused`] if there is nothing to settle, or if `seen` is not the target of the
/// attempt.
pub(crate) async fn settle_by_hand(
    records: &Records,
    tx: &mut Tx,
    id: AttemptId,
    seen: Option<Appointment>,
    force: bool,
) -> Result<AttemptState, NotDone> {
    let Some(attempt) = store::booking_attempt::get(tx, id).await? else {
        return refused(format!("there is no booking {id}"));
    };
    let task = taken_alone(tx, attempt.task_id).await?;
    let Some(attempt) = store::booking_attempt::get(tx, id).await? else {
        return refused(format!("there is no booking {id}"));
    };
    match attempt.state {
        AttemptState::Manual => {}
        AttemptState::Unknown if force => {}
        AttemptState::Unknown => {
            return refused("the engine still reads this booking back by itself; --force settles it now");
        }
        state => {
            return refused(format!("this booking is {}: there is nothing to settle", state.as_str()));
        }
    }
    let (Some(target), Some(t0)) = (attempt.target, attempt.t0) else {
        return refused("this booking has no exact slot");
    };
    let target = attempt.expected_target(target, &ObservedState::of(seen));
    if seen.is_some_and(|seen| seen != target) {
        let (date, city) = (target.consular.date, target.consular.facility.name());
        let is_time_unknown = attempt.is_time_unknown();
        let time = target.consular.time.format("%H:%M ").to_string();
        let time = if is_time_unknown { String::new() } else { time };
        let fingerprints = match target.fingerprints {
            Some(slot) => {
                format!(
                    ", with fingerprints on {} {} {}",
                    slot.date,
                    slot.time.format("%H:%M"),
                    slot.city.name()
                )
            }
            None => String::new(),
        };
        return refused(format!(
            "this booking was for {date} {time}{city}{fingerprints}; if the portal shows another appointment, settle it as \
             not booked, and the engine adopts the other appointment"
        ));
    }
    let task = records.resumed(tx, &attempt, task).await?;
    let both = (&attempt, &task);
    let settled = match seen {
        Some(target) => {
            let attempts_before = attempt.attempts_before;
            let expected_outcome =
                ExpectedOutcome { expected: attempt.expected, target, t0, attempts_before };
            let done = crate::persist::settlement::confirm_in(
                records,
                tx,
                both,
                &expected_outcome,
                &attempt.readings,
                None,
            )
            .await?;
            done.then_some(AttemptState::Confirmed)
        }
        None => crate::persist::settlement::not_booked_in(records, tx, both, &attempt.readings).await?,
    };
    settled.map_or_else(|| refused("the booking was settled meanwhile"), Ok)
}

/// Locks and returns the task. Other changes of the task wait until this transaction ends.
async fn taken_alone(tx: &mut Tx, id: TaskId) -> Result<Task, NotDone> {
    store::lock::exclusive(tx, id.0).await?;
    match store::task::get(tx, id).await? {
        Some(task) => Ok(task),
        None => refused(format!("there is no task {id}")),
    }
}
