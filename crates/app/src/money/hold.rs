//! Life of a task's hold, with the codes that its price includes: placing, capture and release.
//! [`domain::hold`] lists the moments.

use domain::appointment::Appointment;
use domain::clock::Instant;
use domain::hold::ALERT_COUNTS_FOR;
use domain::ids::TransferId;
use domain::journal::{BookedEvent, JournalEvent, NamedSlot};
use domain::money::Money;
use domain::pricing::{CodeStatus, DiscountKind};
use store::journal::Success;
use store::ledger::{self, HoldError, SOURCE_TASK};
use store::task::Task;
use store::{Tx, promo, referral, task_hold};

use super::price::{TaskPrice, offer_of_referrer};
use crate::{Ctx, Error, Refusal};

/// Places a hold of `amount` (minor units) for a task. An amount of 0 needs no hold.
pub(crate) async fn hold(
    ctx: &Ctx,
    tx: &mut Tx,
    task: &Task,
    amount: i64,
) -> Result<Option<TransferId>, Error> {
    if amount == 0 {
        return Ok(None);
    }
    let (required, source) = (Money::cad(amount), (SOURCE_TASK, task.id.0));
    let held = ledger::hold(tx, &ctx.random, task.user_id, required, source, ctx.wall.now()).await;
    held.map(Some).map_err(|error| match error {
        HoldError::Insufficient { required, available } => {
            Refusal::Insufficient { required, available }.into()
        }
        HoldError::InDebt(owed) => Refusal::InDebt { required, owed }.into(),
        HoldError::AlreadyHeld(_) => Refusal::StatusChanged.into(),
        HoldError::Store(error) => error.into(),
    })
}

/// Reserves the codes that the price includes. Another task may have used up a code meanwhile.
pub(crate) async fn reserve_codes(
    ctx: &Ctx,
    tx: &mut Tx,
    task: &Task,
    price: &TaskPrice,
) -> Result<(), Error> {
    let (who, now) = ((task.user_id, task.id), ctx.wall.now());
    if let Some(promo) = &price.promo {
        let amount = price.price.discounts.promo;
        promo::reserve(tx, &ctx.random, promo, who, amount, now).await?.map_err(Refusal::Promo)?;
    }
    if let Some(offer) = &price.referral
        && !referral::reserve(tx, &ctx.random, offer, who, now).await?
    {
        return Err(Refusal::Referral(CodeStatus::NotFirst).into());
    }
    Ok(())
}

/// Places a hold again after its release, which also returned its codes. If a code has been used up
/// since, the price is higher. The user must then have confirmed it as `expected_total` (minor
/// units).
pub(crate) async fn hold_again(
    ctx: &Ctx,
    tx: &mut Tx,
    task: &Task,
    expected_total: Option<i64>,
) -> Result<(), Error> {
    let (Some(agreed), None, None) = (task.price, task.captured_at, task.hold_id) else { return Ok(()) };
    let captured = task.captured_amount.unwrap_or(0);
    if agreed.total <= captured {
        return Ok(());
    }
    let now = ctx.wall.now();
    ledger::lock(tx, &ctx.random, task.user_id, now).await?;
    let mut price = agreed;
    for (kind, kept) in [
        (DiscountKind::Promo, reserve_promo_again(ctx, tx, task).await?),
        (DiscountKind::Referral, reserve_referral_again(ctx, tx, task).await?),
    ] {
        if !kept {
            price.unit += price.discounts.of(kind).minor;
            price.discounts = price.discounts.with(kind, Money::cad(0));
        }
    }
    price.total = captured + price.unit * i64::from(price.paying());
    if price != agreed && expected_total != Some(price.total) {
        return Err(Refusal::price_changed(task, price).into());
    }
    let hold = hold(ctx, tx, task, price.total - captured).await?;
    Ok(store::task::set_price(tx, task.id, price, hold, now).await?)
}

async fn reserve_promo_again(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<bool, Error> {
    let off = task.price.map_or(Money::cad(0), |price| price.discounts.promo);
    if off.minor == 0 {
        return Ok(true);
    }
    let Some(promo) = promo::last_of_task(tx, task.id).await? else { return Ok(false) };
    let who = (task.user_id, task.id);
    Ok(promo::reserve(tx, &ctx.random, &promo, who, off, ctx.wall.now()).await?.is_ok())
}

async fn reserve_referral_again(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<bool, Error> {
    let off = task.price.map_or(0, |price| price.discounts.referral.minor);
    let offer = offer_of_referrer(tx, task.user_id).await?.ok();
    // A code without a discount may still earn the referrer a bonus.
    let Some(offer) = offer.filter(|offer| off > 0 || offer.worth.newcomer_discount.minor == 0) else {
        return Ok(off == 0);
    };
    let who = (task.user_id, task.id);
    Ok(referral::reserve(tx, &ctx.random, &offer, who, ctx.wall.now()).await? || off == 0)
}

/// Marks a task with a price of 0 as paid when it is submitted.
pub(crate) async fn free(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<(), Error> {
    Ok(task_hold::free(tx, &ctx.random, task, ctx.wall.now()).await?)
}

/// Captures the hold of a successful task. Returns the charge in minor units; 0 if the task was
/// paid before.
///
/// # Errors
/// Returns an error if the database fails or the ledger is frozen.
pub async fn capture(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<i64, Error> {
    Ok(task_hold::capture(tx, &ctx.random, task, ctx.wall.now()).await?)
}

/// Replaces the error of a frozen ledger by a movement of 0. The caller's other changes are then
/// committed, and the engine's sweep moves the money when the ledger is open again.
///
/// # Errors
/// Returns every other error of the movement.
pub fn later_if_frozen(moved: Result<i64, Error>) -> Result<i64, Error> {
    match moved {
        Err(Error::Store(store::Error::Frozen(_))) => Ok(0),
        moved => moved,
    }
}

/// Captures the hold if the appointment became a (facility, date) that this task notified its user
/// of. Only alerts within [`ALERT_COUNTS_FOR`] before `until` count. While the ledger is frozen,
/// the capture happens later.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn capture_if_alerted(
    ctx: &Ctx,
    tx: &mut Tx,
    task: &Task,
    booked: Option<Appointment>,
    until: Instant,
) -> Result<(), Error> {
    // A change of the fingerprint appointment alone is not the booking of an alerted date.
    let is_new = |booked: &Appointment| task.interview() != Some(&booked.consular);
    let Some(booked) = booked.filter(|booked| is_new(booked) && task.captured_at.is_none()) else {
        return Ok(());
    };
    let (now, since) = (ctx.portal_time.now(), until - ALERT_COUNTS_FOR);
    if !store::journal::alerted_since(tx, task.id, (booked.consular.facility, booked.consular.date), since)
        .await?
    {
        return Ok(());
    }
    let known = store::journal::successes(tx, task.id).await?;
    if task.captured_amount.is_none() && known.iter().any(|success| success.new.consular == booked.consular) {
        // The success was recorded while the ledger was frozen: the sweep captures the hold.
        return Ok(());
    }
    let charged = later_if_frozen(capture(ctx, tx, task).await)?;
    let days = task.interview().map(|old| booked.consular.days_before(old));
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

/// Schedules the final reading of a task that recently sent an alert, because no other reading
/// follows its appointment from now on. The hold is resolved after that reading. Returns `true` if
/// the reading is scheduled.
///
/// # Errors
/// Returns an error if the database fails.
pub(crate) async fn keep_if_alerted(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<bool, Error> {
    Ok(task_hold::plan_final_read(tx, task, ctx.portal_time.now()).await?)
}

/// Releases an uncaptured hold in full, whatever alerts the task sent. Returns the released amount
/// in minor units.
///
/// # Errors
/// Returns an error if the database fails or the ledger is frozen.
pub async fn release(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<i64, Error> {
    Ok(task_hold::release(tx, &ctx.random, task, ctx.wall.now()).await?)
}

/// Releases an uncaptured hold in full. If the task recently sent an alert, the hold is released
/// only after the final reading. Returns the released amount in minor units.
///
/// # Errors
/// Returns an error if the database fails or the ledger is frozen.
pub async fn release_unless_alerted(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<i64, Error> {
    if keep_if_alerted(ctx, tx, task).await? {
        return Ok(0);
    }
    release(ctx, tx, task).await
}
