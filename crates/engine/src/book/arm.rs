//! An intent while nothing was sent: written before anything is read, given up when nothing comes of it.

use std::sync::Arc;

use domain::ids::{IntentId, TaskId};
use domain::verdict::Verdict;
use serde_json::json;
use store::intent::NewIntent;
use store::task::Task;

use crate::crash::crash_point;
use crate::hint::Hint;
use crate::state::LiveIntent;
use crate::tell::Told;
use crate::{Engine, Fault};

/// Writes the intent, and reads the task afresh with it; `None` when the group, the account or the engine is not free
/// for it.
#[tracing::instrument(level = "trace", name = "durable", skip_all)]
pub(super) async fn arm(
    engine: &Arc<Engine>,
    task: &Task,
    hint: &Hint,
) -> Result<Option<(IntentId, Task)>, Fault> {
    let now = engine.ctx.portal_time.now();
    let Some(epoch) = engine.state.lock().epoch else {
        return Ok(None);
    };
    let id = IntentId::new(now, engine.ctx.random.bytes());
    let new = NewIntent {
        id,
        task_id: task.id,
        user_id: task.user_id,
        portal_account_id: task.portal_account_id,
        country: task.country.clone(),
        portal_schedule_id: task.portal_schedule_id.clone(),
        epoch,
        expected: task.booked,
        target: (hint.key.facility, hint.date),
        attempts_before: task.attempts_left,
    };
    let mut tx = engine.ctx.db.begin_first().await?;
    // A stop, edit or deletion of this very task is either seen here or waits for this transaction.
    store::lease::alone(&mut tx, task.id.0).await?;
    let unchanged = |t: &Task| {
        t.deleted_at.is_none()
            && t.status.is_running()
            && t.wish_version == task.wish_version
            && t.booked == task.booked
    };
    let Some(current) = store::task::get(&mut tx, task.id).await?.filter(unchanged) else {
        return Ok(None);
    };
    let lag = now - domain::booking::LAG;
    if store::intent::lagging(&mut tx, &task.country, &task.portal_schedule_id, lag).await?.is_some() {
        // A second POST so soon after our own booking may undo it.
        return Ok(None);
    }
    match store::intent::arm(&mut tx, &new, now).await {
        Err(store::Error::Conflict(_)) => return Ok(None),
        armed => armed?,
    }
    let evidence = json!({ "facility": hint.key.facility.name(), "date": hint.date });
    let told = Told { task: task.id, verdict: Verdict::Booking, evidence, next_try_at: None };
    crate::tell::verdict(engine, &mut tx, &told).await?;
    crash_point("arm.before_commit");
    tx.commit().await?;
    crash_point("armed");
    let account = task.portal_account_id;
    let live = LiveIntent { task: task.id, account, target: None, next_read_at: None };
    engine.state.lock().intents.insert(id, live);
    Ok(Some((id, current)))
}

/// Gives up an intent of which nothing was sent.
pub(super) async fn give_up(engine: &Arc<Engine>, task: TaskId, intent: IntentId) -> Result<(), Fault> {
    let mut tx = engine.ctx.db.begin().await?;
    let released = store::intent::release(&mut tx, intent, engine.ctx.portal_time.now()).await?;
    if released {
        let told = Told { task, verdict: Verdict::Watching, evidence: json!({}), next_try_at: None };
        crate::tell::verdict(engine, &mut tx, &told).await?;
    }
    tx.commit().await?;
    if released {
        engine.state.lock().intents.remove(&intent);
    }
    Ok(())
}
