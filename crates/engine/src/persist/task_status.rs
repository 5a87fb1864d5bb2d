//! Changes of a task's status: stops, and the return to warm-up.
//!
//! The limits on changes of an appointment are in [`domain::booking::Allowance`].

use app::tasks::Cause;
use domain::condition::TaskCondition;
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use store::Tx;
use store::task::Task;

use crate::JobError;
use crate::model::task_index::default_condition;
use crate::model::task_update::{TaskUpdate, evidence};
use crate::persist::Records;

/// Stops a task that has used up its own or the portal's limit of reschedules. Does nothing while
/// the task has an open attempt.
pub(crate) async fn stop_used_up(records: &Records, task: TaskId) -> Result<(), JobError> {
    let may = records.memory.read(|state| state.tasks.is_used_up(&task) && !state.attempts.holds_task(task));
    if !may {
        return Ok(());
    }
    crate::persist::task_status::stop_task(records, task, TaskStatus::Stopped, Reason::ReschedulesUsed).await
}

/// Stores that the portal allows no further change, and stops the task.
pub(crate) async fn limit_reached(records: &Records, task: &Task) -> Result<(), JobError> {
    let mut tx = records.begin_leading().await?;
    store::task::set_allowance(&mut tx, task.id, Some(0), None, records.wall.now()).await?;
    tx.commit().await?;
    crate::persist::task_status::stop_task(records, task.id, TaskStatus::Stopped, Reason::ReschedulesUsed)
        .await
}

/// Stops the task if no further change is possible for it. Otherwise returns its current row.
/// Returns `None` if the task does not run any more.
pub(crate) async fn still_able(records: &Records, task: &Task) -> Result<Option<Task>, JobError> {
    let Some(task) = records.task(task.id).await? else { return Ok(None) };
    if task.allowance().is_some_and(|allowance| allowance.is_used_up()) {
        crate::persist::task_status::stop_task(
            records,
            task.id,
            TaskStatus::Stopped,
            Reason::ReschedulesUsed,
        )
        .await?;
        return Ok(None);
    }
    Ok(Some(task))
}

/// Sends an active task back to warm-up, in the caller's transaction. Warm-up reads its pages
/// again, beginning with the groups page.
pub(crate) async fn warm_up_anew(records: &Records, tx: &mut Tx, task: TaskId) -> Result<(), JobError> {
    let step = (TaskStatus::Active, TaskStatus::Processing);
    store::task::set_status(tx, task, step, None, records.wall.now()).await?;
    Ok(())
}

/// Returns the condition of a task to which no other condition applies.
pub(crate) fn default_condition_of(records: &Records, task: &Task) -> TaskCondition {
    let now = records.portal_time.now();
    task.allowance().map_or(TaskCondition::Watching, |allowance| default_condition(&allowance, now))
}

/// Sets the condition of a task whose deadline for changes has passed: nothing more is booked for
/// it.
pub(crate) async fn notify_deadline(records: &Records, id: TaskId) -> Result<(), JobError> {
    let mut tx = records.begin_leading().await?;
    let Some(task) = store::task::get(&mut tx, id).await? else { return Ok(()) };
    let update = TaskUpdate {
        task: id,
        condition: TaskCondition::DeadlinePassed,
        evidence: evidence(task.change_deadline),
        next_try_at: None,
    };
    crate::persist::notify::condition(records, &mut tx, &update).await?;
    tx.commit().await?;
    Ok(())
}

/// Stops a running task for a reason. Releases the hold of a task that can never succeed. Does
/// nothing if this node does not lead.
pub(crate) async fn stop_task(
    records: &Records,
    task: TaskId,
    to: TaskStatus,
    reason: Reason,
) -> Result<(), JobError> {
    let mut tx = records.db.begin().await?;
    store::lock::exclusive(&mut tx, task.0).await?;
    if !records.leads(&mut tx).await? {
        // The current leader decides by its own readings.
        return Ok(());
    }
    let Some(task) = store::task::get(&mut tx, task).await? else {
        return Ok(());
    };
    if !task.status.is_running() || task.deleted_at.is_some() {
        return Ok(());
    }
    stop_in(records, &mut tx, &task, to, reason).await?;
    tx.commit().await?;
    records.refresh(task.id).await?;
    Ok(())
}

/// Stops a task in the caller's transaction, which must have locked the task. Returns the amount
/// released from the hold, in minor units. Returns `None` if the task's status changed meanwhile.
/// Nothing is written then, and the caller's other writes remain valid.
pub(crate) async fn stop_in(
    records: &Records,
    tx: &mut Tx,
    task: &Task,
    to: TaskStatus,
    reason: Reason,
) -> Result<Option<i64>, JobError> {
    stop_because(records, tx, task, Cause::Found { to, reason }).await
}

/// Stops the task for a cause, in the caller's transaction, as [`stop_in`] does.
pub(crate) async fn stop_because(
    records: &Records,
    tx: &mut Tx,
    task: &Task,
    cause: Cause,
) -> Result<Option<i64>, JobError> {
    let stopped = match app::tasks::stop(&records.app(), tx, task, cause).await {
        Err(app::Error::Refused(_)) => return Ok(None),
        stopped => stopped?,
    };
    if let Some(condition) = stopped.condition {
        crate::metrics::condition(condition);
        records.memory.set_condition(task.id, condition);
    }
    Ok(Some(stopped.released))
}
