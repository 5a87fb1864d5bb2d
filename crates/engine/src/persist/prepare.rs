//! Booking attempts before their request is sent. An attempt is stored before any page is read, and
//! released if nothing is sent.

use domain::condition::TaskCondition;
use domain::ids::{AttemptId, TaskId};
use serde_json::json;
use store::booking_attempt::NewAttempt;
use store::task::Task;

use crate::JobError;
use crate::fail_point::fail_point;
use crate::model::openings::Opening;
use crate::model::task_update::TaskUpdate;
use crate::persist::Records;

/// Stores a prepared attempt, and reads the task's current row in the same transaction. Returns
/// `None` if the task changed, or if its group was booked a moment ago. Also returns `None` if
/// another attempt holds the group or the account.
///
/// # Errors
/// [`JobError::NotLeading`] if another node leads.
#[tracing::instrument(level = "trace", name = "durable", skip_all)]
pub(crate) async fn prepare(
    records: &Records,
    task: &Task,
    opening: &Opening,
) -> Result<Option<(AttemptId, Task)>, JobError> {
    let now = records.portal_time.now();
    let Some(epoch) = records.memory.epoch() else {
        return Ok(None);
    };
    let id = AttemptId::new(now, records.random.bytes());
    let new = NewAttempt {
        id,
        task_id: task.id,
        user_id: task.user_id,
        portal_account_id: task.portal_account_id,
        country: task.country,
        portal_schedule_id: task.portal_schedule_id.clone(),
        epoch,
        expected: task.booked,
        target: (opening.key.facility, opening.date),
        attempts_before: task.attempts_left,
    };
    let mut tx = records.db.begin_first().await?;
    // The lock orders this transaction before or after any stop, edit or deletion of the task.
    store::lock::exclusive(&mut tx, task.id.0).await?;
    if !records.leads(&mut tx).await? {
        return Err(JobError::NotLeading);
    }
    let unchanged = |t: &Task| {
        t.deleted_at.is_none()
            && t.status.is_running()
            && t.criteria_version == task.criteria_version
            && t.booked == task.booked
    };
    let Some(current) = store::task::get(&mut tx, task.id).await?.filter(unchanged) else {
        return Ok(None);
    };
    let lag = now - domain::booking::LAG;
    if store::booking_attempt::lagging(&mut tx, task.country, &task.portal_schedule_id, lag).await?.is_some()
    {
        // A POST soon after the engine's previous booking may undo that booking.
        return Ok(None);
    }
    match store::booking_attempt::prepare(&mut tx, &new, now).await {
        Err(store::Error::Conflict(_)) => return Ok(None),
        prepared => prepared?,
    }
    let evidence = json!({ "facility": opening.key.facility.name(), "date": opening.date });
    let update = TaskUpdate { task: task.id, condition: TaskCondition::Booking, evidence, next_try_at: None };
    crate::persist::notify::condition(records, &mut tx, &update).await?;
    fail_point("arm.before_commit");
    tx.commit().await?;
    fail_point("armed");
    records.memory.update(|state| state.attempts.prepare(id, task.id, task.portal_account_id));
    Ok(Some((id, current)))
}

/// Releases a prepared attempt that sent nothing, and sets its task's condition to *watching*.
pub(crate) async fn give_up(records: &Records, task: TaskId, attempt: AttemptId) -> Result<(), JobError> {
    let mut tx = records.db.begin().await?;
    let released = store::booking_attempt::release(&mut tx, attempt, records.portal_time.now()).await?;
    if released {
        let update =
            TaskUpdate { task, condition: TaskCondition::Watching, evidence: json!({}), next_try_at: None };
        crate::persist::notify::condition(records, &mut tx, &update).await?;
    }
    tx.commit().await?;
    if released {
        records.memory.update(|state| state.attempts.forget(attempt));
    }
    Ok(())
}
