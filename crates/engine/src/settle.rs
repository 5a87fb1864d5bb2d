//! Reading back and settling: only what the portal shows decides what is charged and what goes on.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::booking::{
    Allowance, Attempts, IntentState, LAG, Meant, Outcome, Patience, Reading, Shown, judge,
};
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::IntentId;
use domain::money::Money;
use domain::task::{Reason, TaskStatus};
use domain::verdict::Verdict;
use serde_json::json;
use store::intent::Intent;
use store::journal::Success;
use store::task::Task;

use crate::crash::{crash_point, sabotaged};
use crate::tell::{Told, names};
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

mod kept;
mod pages;

pub(crate) use kept::Kept;
use kept::Sent;
use pages::read_pages;

/// A read-back that failed on our side is tried again after this.
const TRY_AGAIN: TimeDelta = TimeDelta::seconds(60);

/// Reads a due intent back, in a turn of its own.
pub(crate) async fn read_back(engine: &Arc<Engine>, intent: IntentId, lent: Lent) -> Result<(), Fault> {
    let outcome = async {
        let mut turn = Turn::begin(lent).await?;
        let outcome = read_now(engine, &mut turn, intent).await;
        match turn.finish().await {
            // What was spent is known here, and written with the next that can be.
            Ok(()) | Err(Fault::Store(_)) => outcome,
            fault => fault.and(outcome),
        }
    }
    .await;
    let mut state = engine.state.lock();
    match &outcome {
        Ok(()) => state.read_not_before.remove(&intent),
        // Whatever failed on our side must not become a stream of requests on theirs.
        Err(_) => state.read_not_before.insert(intent, engine.ctx.portal_time.now() + TRY_AGAIN),
    };
    drop(state);
    outcome
}

/// Reads the portal once and settles what can be settled; without the database what was read is kept.
pub(crate) async fn read_now(engine: &Arc<Engine>, turn: &mut Turn, id: IntentId) -> Result<(), Fault> {
    let Some(sent) = kept::sent(engine, id).await? else {
        return Err(Fault::Gone);
    };
    let (intent, task) = (&sent.intent, &sent.task);
    let (Some(target), Some(t0), true) =
        (intent.target, intent.t0, matches!(intent.state, IntentState::Acting | IntentState::Unknown))
    else {
        let mut state = engine.state.lock();
        state.intents.remove(&id);
        state.kept.remove(&id);
        return Ok(());
    };
    if sabotaged("blind_retry") && intent.readings.is_empty() && intent.evidence == json!({}) {
        blind_retry(engine, turn, task, target).await?;
    }
    let mut meant = Meant { expected: intent.expected, target, t0, attempts_before: intent.attempts_before };
    let now = engine.ctx.portal_time.now();
    let mut readings = intent.readings.clone();
    let (mut deadline, mut refused) = (sent.deadline, false);
    if let Some(last) = readings.last() {
        meant.target = intent.meant_target(target, &last.shown);
    }
    if !kept::is_only_to_write(&sent, &judge(&meant, &readings, patience(), now), now) {
        let pages = read_pages(engine, turn, task, &Meant { target, ..meant }, now >= t0 + LAG).await?;
        let mut reading = pages.reading;
        if sabotaged("trust_post_answer") && intent.evidence["location"].to_string().contains("instructions")
        {
            reading.shown = Shown::Appointment { slot: target };
        }
        crash_point("readback.read");
        meant.target = intent.meant_target(target, &reading.shown);
        readings.push(reading);
        (deadline, refused) = (pages.deadline, pages.refused);
    }
    let now = engine.ctx.portal_time.now();
    let outcome = judge(&meant, &readings, patience(), now);
    match settle(engine, &sent, &meant, (&readings, deadline, refused), outcome).await {
        Ok(true) => {
            engine.kept_is_written(id, readings);
            Ok(())
        }
        Ok(false) => {
            engine.keep(&sent, (&readings, deadline), &outcome);
            Ok(())
        }
        Err(Fault::Store(error)) => {
            tracing::warn!(%error, task = %task.id, "what a read-back showed is not written yet");
            engine.keep(&sent, (&readings, deadline), &outcome);
            Ok(())
        }
        Err(fault) => Err(fault),
    }
}

/// Writes what was read; `false` when this node may not.
async fn settle(
    engine: &Arc<Engine>,
    sent: &Sent,
    meant: &Meant,
    (readings, deadline, refused): (&[Reading], Option<Instant>, bool),
    outcome: Outcome,
) -> Result<bool, Fault> {
    let (intent, task) = (&sent.intent, &sent.task);
    engine.write_evidence(intent.id).await?;
    match outcome {
        Outcome::Confirmed => confirmed(engine, intent, task, meant, readings, deadline).await,
        Outcome::NotBooked => not_booked(engine, intent, task, readings).await,
        Outcome::ReadAgain { at, unknown } => {
            read_again(engine, intent, task, readings, (at, unknown, refused)).await
        }
        Outcome::Manual => manual(engine, intent, task, readings).await,
    }
}

fn patience() -> Patience {
    if sabotaged("hasty_readback") {
        return Patience { lag: TimeDelta::zero(), apart: TimeDelta::zero() };
    }
    Patience::default()
}

/// The seeded bug of posting again after a crash: the harness must catch it.
async fn blind_retry(engine: &Arc<Engine>, turn: &mut Turn, task: &Task, target: Slot) -> Result<(), Fault> {
    let session = crate::session::ensure(engine, turn, task, Spend::Booking).await?;
    let group = task.portal_schedule_id.clone();
    let form = engine.ctx.client.form(&turn.meter, &session, &group, &[]).await?.form;
    let Ok(form) = form.fill(target.facility, target.date, target.time) else {
        return Ok(());
    };
    let connection = portal::BookingConnection::open(&engine.ctx.client).await?;
    let proof = portal::ActingProof::committed("sabotage", engine.ctx.wall.now() + TimeDelta::seconds(5));
    let _ = connection.post(&turn.meter, &session, &group, form, proof).await;
    Ok(())
}

/// A transaction in which nobody else changes the task; none when another node holds the lease: it reads for itself, and
/// what was read here may be old.
async fn alone_and_leading(engine: &Arc<Engine>, task: &Task) -> Result<Option<store::Tx>, Fault> {
    let mut tx = engine.ctx.db.begin_first().await?;
    store::lease::alone(&mut tx, task.id.0).await?;
    Ok(engine.leads(&mut tx).await?.then_some(tx))
}

async fn confirmed(
    engine: &Arc<Engine>,
    intent: &Intent,
    task: &Task,
    meant: &Meant,
    readings: &[Reading],
    deadline: Option<Instant>,
) -> Result<bool, Fault> {
    let Some(mut tx) = alone_and_leading(engine, task).await? else { return Ok(false) };
    if !confirm_in(engine, &mut tx, (intent, task), meant, readings, deadline).await? {
        return Ok(true);
    }
    crash_point("settle.before_commit");
    tx.commit().await?;
    crate::metrics::booking("confirmed");
    crash_point("settle.committed");
    tracing::trace!("confirmed");
    settled(engine, intent, task).await?;
    Ok(true)
}

/// Everything a confirmed booking means, in a transaction of the caller's; `false` when somebody else settled it.
pub(crate) async fn confirm_in(
    engine: &Engine,
    tx: &mut store::Tx,
    (intent, task): (&Intent, &Task),
    meant: &Meant,
    readings: &[Reading],
    deadline: Option<Instant>,
) -> Result<bool, Fault> {
    let (wall, now) = (engine.ctx.wall.now(), engine.ctx.portal_time.now());
    let days = meant.expected.map(|old| meant.target.days_before(&old));
    let step = (intent.state, IntentState::Confirmed);
    // First of all, as whoever changes a task does: so no two wait in a ring.
    store::lease::alone(tx, task.id.0).await?;
    if !store::intent::settle(tx, intent.id, step, readings, now).await? {
        return Ok(false);
    }
    if meant.expected.is_some() && !intent.counts_as_used() {
        // It was taken back when nothing seemed to have been booked.
        store::task::count_reschedule(tx, task.id, 1, wall).await?;
    }
    // As it stands by now: the portal was read meanwhile.
    let task = &store::task::get(tx, task.id).await?.ok_or(Fault::Gone)?;
    store::task::set_booked(tx, task.id, Some(meant.target), wall).await?;
    let left = task.attempts_left.zip(meant.expected).map(|(left, _)| left.saturating_sub(1));
    store::task::forget_allowance(tx, task.id, wall).await?;
    store::task::set_allowance(tx, task.id, left, deadline, wall).await?;
    let success = Success {
        task_id: task.id,
        found_at: now,
        old: meant.expected,
        new: meant.target,
        days_advanced: days,
    };
    let id = engine.ctx.uuid(now);
    store::journal::add_success(tx, id, Some(intent.id), &success).await?;
    let charged = match crate::money::capture(engine, tx, task).await {
        // The booking is a fact whatever the books say; the sweep captures once they are open again.
        Err(Fault::Store(store::Error::Frozen(_))) => 0,
        captured => captured?,
    };
    let data = json!({
        "from": meant.expected.as_ref().map(crate::tell::slot),
        "to": crate::tell::slot(&meant.target),
        "days": days,
        "charged": Money::cad(charged).to_wire(),
    });
    crate::tell::journal(engine, tx, task.id, "booked", data.clone()).await?;
    let told = Told { task: task.id, verdict: Verdict::Booked, evidence: data, next_try_at: None };
    crate::tell::verdict(engine, tx, &told).await?;
    let auto_stop = store::user::auto_stop(tx, task.user_id).await?;
    let attempts = Attempts { left, used_here: task.reschedules_used };
    let spent = task.wish.as_ref().filter(|wish| !wish.notify_only).is_some_and(|wish| {
        Allowance { wish, booked: Some(&meant.target), change_deadline: deadline, attempts }.is_used_up()
    });
    let stop = if auto_stop {
        Some(Reason::AutoStop)
    } else {
        // Nothing more can be booked for it: it must not seem to search on.
        spent.then_some(Reason::ReschedulesUsed)
    };
    if let Some(reason) = stop.filter(|_| task.status.is_running() && task.deleted_at.is_none()) {
        let step = (task.status, TaskStatus::Stopped);
        store::task::set_status(tx, task.id, step, Some(reason), wall).await?;
    }
    let mail = booked_mail(task, meant, days, charged, deadline);
    crate::tell::mail(engine, tx, task.user_id, "booked", format!("booked:{}", intent.id), mail).await?;
    crate::tell::other_holders(engine, tx, intent, task).await?;
    Ok(true)
}

fn booked_mail(
    task: &Task,
    meant: &Meant,
    days: Option<i64>,
    charged: i64,
    deadline: Option<Instant>,
) -> serde_json::Value {
    let zone = meant.target.facility.zone();
    json!({
        "names": names(task),
        "old": meant.expected.as_ref().map(crate::tell::slot),
        "new": crate::tell::slot(&meant.target),
        "days_advanced": days,
        "charged": (charged > 0).then(|| Money::cad(charged).to_string()),
        "change_deadline": deadline.map(|d| d.with_timezone(&zone).format("%Y-%m-%d %H:%M").to_string()),
        "task_id": task.id.to_string(),
    })
}

async fn not_booked(
    engine: &Arc<Engine>,
    intent: &Intent,
    task: &Task,
    readings: &[Reading],
) -> Result<bool, Fault> {
    let Some(mut tx) = alone_and_leading(engine, task).await? else { return Ok(false) };
    let Some(to) = not_booked_in(engine, &mut tx, (intent, task), readings).await? else {
        return Ok(true);
    };
    tx.commit().await?;
    crate::metrics::booking(to.as_str());
    engine.state.lock().tried_in_vain.insert((intent.facility, intent.date));
    settled(engine, intent, task).await?;
    Ok(true)
}

/// Everything it means that nothing was booked, in a transaction of the caller's; none when somebody else settled it.
pub(crate) async fn not_booked_in(
    engine: &Engine,
    tx: &mut store::Tx,
    (intent, task): (&Intent, &Task),
    readings: &[Reading],
) -> Result<Option<IntentState>, Fault> {
    let (wall, now) = (engine.ctx.wall.now(), engine.ctx.portal_time.now());
    let to = if intent.state == IntentState::Acting { IntentState::Refused } else { IntentState::NotBooked };
    if !store::intent::settle(tx, intent.id, (intent.state, to), readings, now).await? {
        return Ok(None);
    }
    if intent.expected.is_some() {
        store::task::count_reschedule(tx, task.id, -1, wall).await?;
    }
    let data = json!({ "facility": intent.facility.name(), "date": intent.date });
    crate::tell::journal(engine, tx, task.id, "not_booked", data.clone()).await?;
    let told = Told { task: task.id, verdict: Verdict::Watching, evidence: data, next_try_at: None };
    crate::tell::verdict(engine, tx, &told).await?;
    Ok(Some(to))
}

/// No byte left, by the client's own count: the one case that needs no reading.
pub(crate) async fn nothing_sent(engine: &Arc<Engine>, task: &Task, id: IntentId) -> Result<(), Fault> {
    let mut tx = engine.ctx.db.read().await?;
    let intent = store::intent::get(&mut tx, id).await?.ok_or(Fault::Gone)?;
    tx.commit().await?;
    not_booked(engine, &intent, task, &[]).await.map(|_| ())
}

async fn read_again(
    engine: &Arc<Engine>,
    intent: &Intent,
    task: &Task,
    readings: &[Reading],
    (at, unknown, refused): (Instant, bool, bool),
) -> Result<bool, Fault> {
    let state = if unknown { IntentState::Unknown } else { intent.state };
    let Some(mut tx) = alone_and_leading(engine, task).await? else { return Ok(false) };
    store::intent::add_reading(&mut tx, intent.id, readings, state, at).await?;
    if refused {
        // Nobody can have got it by this POST: the next in rank may try.
        store::intent::pass_on(&mut tx, intent.id).await?;
    }
    let newly = unknown && intent.state == IntentState::Acting;
    if newly {
        crate::tell::journal(engine, &mut tx, task.id, "booking_unconfirmed", json!({ "read_again": at }))
            .await?;
    }
    let verdict = if unknown { Verdict::BookingUnconfirmed } else { Verdict::Booking };
    let evidence = json!({ "facility": intent.facility.name(), "date": intent.date });
    let told = Told { task: task.id, verdict, evidence, next_try_at: Some(at) };
    crate::tell::verdict(engine, &mut tx, &told).await?;
    tx.commit().await?;
    if newly {
        crate::metrics::booking("unknown");
    }
    if let Some(live) = engine.state.lock().intents.get_mut(&intent.id) {
        live.next_read_at = Some(at);
        live.target = live.target.filter(|_| !refused);
    }
    Ok(true)
}

async fn manual(
    engine: &Arc<Engine>,
    intent: &Intent,
    task: &Task,
    readings: &[Reading],
) -> Result<bool, Fault> {
    let now = engine.ctx.portal_time.now();
    let Some(mut tx) = alone_and_leading(engine, task).await? else { return Ok(false) };
    let from = intent.state;
    if from == IntentState::Acting {
        store::intent::add_reading(&mut tx, intent.id, readings, IntentState::Unknown, now).await?;
    }
    let step = (IntentState::Unknown, IntentState::Manual);
    let moved = store::intent::settle(&mut tx, intent.id, step, readings, now).await?;
    tx.commit().await?;
    if moved {
        crate::metrics::booking("manual");
        crate::react::stop_task(engine, task.id, TaskStatus::Error, Reason::BookingUnconfirmed).await?;
    }
    settled(engine, intent, task).await?;
    Ok(true)
}

/// The outcome is known: the account is free again, and the task is matched afresh.
async fn settled(engine: &Arc<Engine>, intent: &Intent, task: &Task) -> Result<(), Fault> {
    {
        let mut state = engine.state.lock();
        state.intents.remove(&intent.id);
        state.kept.remove(&intent.id);
    }
    engine.refresh(task.id).await?;
    engine.nudge();
    Ok(())
}
