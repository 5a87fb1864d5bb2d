//! Tasks for which nothing can be booked: stopped, or told why, instead of standing in line.
//!
//! The rule itself is [`domain::booking::Allowance`].

use std::sync::Arc;

use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use serde_json::{Value, json};
use store::task::Task;

use crate::roster::calm;
use crate::tell::Told;
use crate::{Engine, Fault};

/// Stops tasks that were found to have used up what they may change when they were taken over.
pub(crate) async fn stop_all_used_up(engine: &Arc<Engine>) -> Result<(), Fault> {
    let found = engine.state.lock().tasks.take_used_up();
    for task in found {
        stop_used_up(engine, task).await?;
    }
    Ok(())
}

/// Stops a task whose user's limit or the portal's is used up; while a booking of it is open, that decides first.
pub(crate) async fn stop_used_up(engine: &Arc<Engine>, task: TaskId) -> Result<(), Fault> {
    {
        let state = engine.state.lock();
        if !state.tasks.is_used_up(&task) || state.attempts.values().any(|attempt| attempt.task == task) {
            return Ok(());
        }
    }
    crate::react::stop_task(engine, task, TaskStatus::Stopped, Reason::ReschedulesUsed).await
}

/// The portal says that nothing can be changed any more: that is kept, and the task stops.
pub(crate) async fn limit_reached(engine: &Arc<Engine>, task: &Task) -> Result<(), Fault> {
    let mut tx = engine.ctx.db.begin().await?;
    store::task::set_allowance(&mut tx, task.id, Some(0), None, engine.ctx.wall.now()).await?;
    tx.commit().await?;
    crate::react::stop_task(engine, task.id, TaskStatus::Stopped, Reason::ReschedulesUsed).await
}

/// The task as it stands after its limit page was read; none when it has stopped because nothing is left.
pub(crate) async fn still_able(engine: &Arc<Engine>, task: &Task) -> Result<Option<Task>, Fault> {
    let Some(task) = engine.task(task.id).await? else { return Ok(None) };
    let automatic = task.criteria.as_ref().is_some_and(|criteria| !criteria.notify_only);
    if automatic && task.allowance().is_some_and(|allowance| allowance.is_used_up()) {
        crate::react::stop_task(engine, task.id, TaskStatus::Stopped, Reason::ReschedulesUsed).await?;
        return Ok(None);
    }
    Ok(Some(task))
}

/// What a task is told when nothing else is to be said.
pub(crate) fn calm_condition(engine: &Engine, task: &Task) -> TaskCondition {
    let notify_only = task.criteria.as_ref().is_none_or(|criteria| criteria.notify_only);
    let now = engine.ctx.portal_time.now();
    task.allowance().map_or(TaskCondition::Watching, |allowance| calm(notify_only, &allowance, now))
}

/// What stands beside [`TaskCondition::DeadlinePassed`].
pub(crate) fn evidence(deadline: Option<Instant>) -> Value {
    json!({ "change_deadline": deadline })
}

/// Tells tasks whose deadline for changes has passed that nothing is booked for them.
pub(crate) async fn tell_late(engine: &Arc<Engine>, late: &[TaskId]) -> Result<(), Fault> {
    if late.is_empty() {
        return Ok(());
    }
    let mut tx = engine.ctx.db.begin().await?;
    for id in late {
        let Some(task) = store::task::get(&mut tx, *id).await? else { continue };
        let told = Told {
            task: *id,
            condition: TaskCondition::DeadlinePassed,
            evidence: evidence(task.change_deadline),
            next_try_at: None,
        };
        crate::tell::condition(engine, &mut tx, &told).await?;
    }
    tx.commit().await?;
    Ok(())
}
