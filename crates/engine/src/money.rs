//! What a booking costs: captured when it is shown, given back when it cannot be.

use std::sync::Arc;

use domain::appointment::Slot;
use domain::clock::Instant;
use domain::money::Money;
use domain::task::Reason;
use serde_json::json;
use store::Tx;
use store::journal::Success;
use store::task::Task;

use crate::{Engine, Fault};

/// Captures an uncaptured task: what was held is paid, with all that hangs on it.
pub(crate) async fn capture(engine: &Engine, tx: &mut Tx, task: &Task) -> Result<i64, Fault> {
    Ok(store::payment::capture(tx, &engine.ctx.random, task, engine.ctx.wall.now()).await?)
}

/// Gives an uncaptured hold back whole; answers what went back, in minor units.
pub(crate) async fn release_hold(engine: &Engine, tx: &mut Tx, task: &Task) -> Result<i64, Fault> {
    Ok(store::payment::release(tx, &engine.ctx.random, task, engine.ctx.wall.now()).await?)
}

/// Whether a task that stands still for `reason` can never succeed as it is: an uncaptured hold goes back whole.
///
/// A limit of its user's own can be raised at any time, and the hold waits for that; the portal's cannot.
pub(crate) fn never_succeeds(task: &Task, reason: Reason) -> bool {
    reason.makes_impossible() || (reason == Reason::ReschedulesUsed && task.attempts_left == Some(0))
}

/// Notify-only: captured when the appointment became a (facility, day) this task was told of since `since`.
pub(crate) async fn capture_if_alerted(
    engine: &Arc<Engine>,
    tx: &mut Tx,
    task: &Task,
    (booked, since): (Option<Slot>, Instant),
) -> Result<(), Fault> {
    let Some(booked) = booked.filter(|b| task.booked != Some(*b) && task.captured_at.is_none()) else {
        return Ok(());
    };
    let now = engine.ctx.portal_time.now();
    if !store::journal::alerted_since(tx, task.id, (booked.facility, booked.date), since).await? {
        return Ok(());
    }
    let charged = capture(engine, tx, task).await?;
    let days = task.booked.map(|old| booked.days_before(&old));
    let success =
        Success { task_id: task.id, found_at: now, old: task.booked, new: booked, days_advanced: days };
    store::journal::add_success(tx, engine.ctx.uuid(now), None, &success).await?;
    let data = json!({
        "from": task.booked.as_ref().map(crate::tell::slot),
        "to": crate::tell::slot(&booked),
        "days": days,
        "charged": Money::cad(charged).to_wire(),
    });
    crate::tell::journal(engine, tx, task.id, "booked_by_user", data).await
}
