//! What a booking that a user made themselves costs.

use domain::appointment::Slot;
use domain::clock::Instant;
use domain::journal::{BookedEvent, JournalEvent, NamedSlot};
use domain::money::Money;
use store::Tx;
use store::journal::Success;
use store::task::Task;

use crate::{Ctx, Error};

/// Notify-only: captures the hold when the appointment became a (facility, day) that this task was told of since `since`.
///
/// # Errors
/// When the database fails or the books are frozen.
pub async fn capture_if_alerted(
    ctx: &Ctx,
    tx: &mut Tx,
    task: &Task,
    booked: Option<Slot>,
    since: Instant,
) -> Result<(), Error> {
    let Some(booked) = booked.filter(|b| task.booked != Some(*b) && task.captured_at.is_none()) else {
        return Ok(());
    };
    let now = ctx.portal_time.now();
    if !store::journal::alerted_since(tx, task.id, (booked.facility, booked.date), since).await? {
        return Ok(());
    }
    let charged = store::task_hold::capture(tx, &ctx.random, task, ctx.wall.now()).await?;
    let days = task.booked.map(|old| booked.days_before(&old));
    let success =
        Success { task_id: task.id, found_at: now, old: task.booked, new: booked, days_advanced: days };
    store::journal::add_success(tx, ctx.uuid(now), None, &success).await?;
    let event = JournalEvent::BookedByUser(BookedEvent {
        from: task.booked.as_ref().map(NamedSlot::from),
        to: NamedSlot::from(&booked),
        days,
        charged: Money::cad(charged).to_wire(),
    });
    Ok(ctx.journal(tx, task.id, &event).await?)
}
