//! Status changes and values of a task in warm-up.

use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::journal::JournalEvent;
use domain::task::TaskStatus;
use serde_json::json;
use store::task::Task;

use crate::JobError;
use crate::model::task_update::TaskUpdate;
use crate::persist::Records;

/// Changes a submitted task to *processing* after its first sign-in, and journals it.
pub(crate) async fn begin_processing(records: &Records, task: &Task) -> Result<(), JobError> {
    if task.status != TaskStatus::Submitted {
        return Ok(());
    }
    let mut tx = records.begin_leading().await?;
    let step = (TaskStatus::Submitted, TaskStatus::Processing);
    store::task::set_status(&mut tx, task.id, step, None, records.wall.now()).await?;
    crate::persist::notify::journal(records, &mut tx, task.id, &JournalEvent::SignedIn {}).await?;
    tx.commit().await?;
    records.refresh(task.id).await?;
    Ok(())
}

/// Sends an active task back to warm-up.
pub(crate) async fn begin_anew(records: &Records, task: &Task) -> Result<(), JobError> {
    let mut tx = records.begin_leading().await?;
    crate::persist::task_status::warm_up_anew(records, &mut tx, task.id).await?;
    tx.commit().await?;
    Ok(())
}

/// Stores the attempts left and the deadline for changes that portal pages showed.
pub(crate) async fn keep_allowance(
    records: &Records,
    task: &Task,
    attempts_left: Option<u32>,
    deadline: Option<Instant>,
) -> Result<(), JobError> {
    let mut tx = records.begin_leading().await?;
    store::task::set_allowance(&mut tx, task.id, attempts_left, deadline, records.wall.now()).await?;
    tx.commit().await?;
    records.refresh(task.id).await?;
    Ok(())
}

/// Changes a task that has finished its warm-up to *active*. Replaces an outdated condition by the
/// task's default condition.
pub(crate) async fn activate(records: &Records, task: &Task) -> Result<(), JobError> {
    let now = records.wall.now();
    let mut tx = records.begin_leading().await?;
    let Some(fresh) = store::task::get(&mut tx, task.id).await? else {
        return Ok(());
    };
    if fresh.status == TaskStatus::Processing {
        let step = (TaskStatus::Processing, TaskStatus::Active);
        store::task::set_status(&mut tx, task.id, step, None, now).await?;
        crate::persist::notify::journal(records, &mut tx, task.id, &JournalEvent::Watching {}).await?;
        let said = [TaskCondition::WaitingFirstPoll, TaskCondition::Paused, TaskCondition::DeadlinePassed];
        if said.contains(&fresh.condition) {
            let condition = crate::persist::task_status::default_condition_of(records, &fresh);
            let evidence = match condition {
                TaskCondition::DeadlinePassed => crate::model::task_update::evidence(fresh.change_deadline),
                _ => json!({}),
            };
            let update = TaskUpdate { task: task.id, condition, evidence, next_try_at: None };
            crate::persist::notify::condition(records, &mut tx, &update).await?;
        }
    }
    tx.commit().await?;
    records.refresh(task.id).await?;
    Ok(())
}
