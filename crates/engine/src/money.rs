//! What a booking costs: captured when it is shown, given back when it can not be.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::ids::EntitlementId;
use domain::money::Money;
use serde_json::json;
use store::Tx;
use store::journal::Success;
use store::task::Task;

use crate::{Engine, Fault};

/// Captures an uncaptured task: what was held is paid, and the right for 365 days is written.
pub(crate) async fn capture(engine: &Engine, tx: &mut Tx, task: &Task) -> Result<i64, Fault> {
    if task.captured_at.is_some() {
        return Ok(0);
    }
    let now = engine.ctx.wall.now();
    let amount = match task.hold_id {
        None => 0,
        Some(hold) => match store::ledger::capture(tx, &engine.ctx.random, hold, now).await? {
            store::ledger::Resolution::Now => task.price.map_or(0, |p| p.total),
            // The hold went back to the customer before the portal told: the booking is theirs for free.
            store::ledger::Resolution::AlreadyCaptured | store::ledger::Resolution::AlreadyReleased => 0,
        },
    };
    store::task::set_captured(tx, task.id, amount, now).await?;
    let id = EntitlementId::new(now, engine.ctx.random.bytes());
    let people = task.price.map_or_else(|| task.group.party_size(), |p| p.applicants);
    let paid_by = task.hold_id.map_or(task.id.0, |hold| hold.0);
    let group = (task.country.as_str(), &task.portal_schedule_id);
    store::journal::add_entitlement(tx, id, (task.user_id, task.id, paid_by), group, people, now).await?;
    Ok(amount)
}

/// Gives an uncaptured hold back whole; answers what went back, in minor units.
pub(crate) async fn release_hold(engine: &Engine, tx: &mut Tx, task: &Task) -> Result<i64, Fault> {
    let (None, Some(hold)) = (task.captured_at, task.hold_id) else {
        return Ok(0);
    };
    let now = engine.ctx.wall.now();
    match store::ledger::release(tx, &engine.ctx.random, hold, now).await? {
        store::ledger::Resolution::Now => {
            store::task::set_hold(tx, task.id, None, now).await?;
            Ok(task.price.map_or(0, |p| p.total))
        }
        _ => Ok(0),
    }
}

/// Notify-only: captured when the appointment became a (facility, day) this task was told of in 72 hours.
pub(crate) async fn capture_if_alerted(
    engine: &Arc<Engine>,
    tx: &mut Tx,
    task: &Task,
    booked: Option<Slot>,
) -> Result<(), Fault> {
    let Some(booked) = booked.filter(|b| task.booked != Some(*b) && task.captured_at.is_none()) else {
        return Ok(());
    };
    let now = engine.ctx.portal_time.now();
    let since = now - TimeDelta::hours(72);
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
