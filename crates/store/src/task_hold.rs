//! Resolution of a task's hold with all that depends on it. A capture also settles the promo use,
//! the referrer's bonus and the entitlement. A release returns everything. Called only by
//! `app/money/hold.rs`.

use domain::clock::Instant;
use domain::hold::ALERT_COUNTS_FOR;
use domain::ids::EntitlementId;
use uuid::Uuid;

use crate::ledger::Resolution;
use crate::task::Task;
use crate::{Error, Random, Tx, journal, ledger, lock, promo, referral, task};

/// Captures the hold of a task that succeeded. Returns the charged amount in minor units, or 0 if
/// the task was paid before.
pub async fn capture(tx: &mut Tx, random: &Random, task: &Task, now: Instant) -> Result<i64, Error> {
    let task = &locked_task(tx, task).await?;
    if task.captured_at.is_some() {
        return Ok(0);
    }
    let mut people = vec![task.user_id];
    people.extend(referral::waiting_for(tx, task.id).await?);
    ledger::lock_all(tx, random, &people, now).await?;
    let amount = match task.hold_id {
        None => 0,
        Some(hold) => match ledger::capture(tx, random, hold, now).await? {
            Resolution::Now => ledger::hold_state(tx, hold).await?.map_or(0, |(amount, _)| amount.minor),
            // The hold was released before the portal reported the booking, so the booking is free
            // for the user.
            Resolution::AlreadyCaptured | Resolution::AlreadyReleased => 0,
        },
    };
    settle(tx, random, task, (amount, task.hold_id.map_or(task.id.0, |hold| hold.0)), now).await?;
    Ok(amount)
}

/// Marks a submitted task with a price of zero as paid. Writes no transfer.
pub async fn free(tx: &mut Tx, random: &Random, task: &Task, now: Instant) -> Result<(), Error> {
    let task = &locked_task(tx, task).await?;
    settle(tx, random, task, (0, task.id.0), now).await
}

/// Releases an uncaptured hold. Returns the released amount in minor units.
pub async fn release(tx: &mut Tx, random: &Random, task: &Task, now: Instant) -> Result<i64, Error> {
    let task = &locked_task(tx, task).await?;
    let (None, Some(hold)) = (task.captured_at, task.hold_id) else { return Ok(0) };
    if ledger::release(tx, random, hold, now).await? != Resolution::Now {
        return Ok(0);
    }
    task::set_hold(tx, task.id, None, now).await?;
    promo::returned(tx, task.id, now).await?;
    referral::returned(tx, task.id, now).await?;
    Ok(ledger::hold_state(tx, hold).await?.map_or(0, |(amount, _)| amount.minor))
}

/// Schedules the final reading of a task whose appointment no other reading follows any more: the
/// task is paused, deleted, or books by itself. A user who was alerted recently may still book the
/// slot, and then owes the price. The reading is due when the last alert stops counting (`now` is
/// portal time). Returns `true` if a final reading is due; the hold stays until then.
pub async fn plan_final_read(tx: &mut Tx, task: &Task, now: Instant) -> Result<bool, Error> {
    if task.captured_at.is_some() || task.hold_id.is_none() {
        return Ok(false);
    }
    let last = journal::last_alert(tx, task.id).await?.filter(|at| *at >= now - ALERT_COUNTS_FOR);
    if let Some(last) = last {
        task::set_last_read(tx, task.id, Some(last + ALERT_COUNTS_FOR)).await?;
    }
    Ok(last.is_some() || task.last_read_at.is_some())
}

/// Locks the task and returns it with its current hold. The caller read the portal meanwhile, and
/// the user may have agreed to another price.
async fn locked_task(tx: &mut Tx, task: &Task) -> Result<Task, Error> {
    lock::exclusive(tx, task.id.0).await?;
    task::get(tx, task.id).await?.ok_or(Error::Corrupt("task"))
}

async fn settle(
    tx: &mut Tx,
    random: &Random,
    task: &Task,
    (amount, paid_by): (i64, Uuid),
    now: Instant,
) -> Result<(), Error> {
    task::set_captured(tx, task.id, amount, now).await?;
    let people = task.price.map_or_else(|| task.group.party_size(), |price| price.paying());
    if people > 0 {
        let id = EntitlementId::new(now, random.bytes());
        let group = (task.country, &task.portal_schedule_id);
        journal::add_entitlement(tx, id, (task.user_id, task.id, paid_by), group, people, now).await?;
    }
    promo::used(tx, task.id, now).await?;
    referral::captured(tx, random, task.id, amount, now).await
}
