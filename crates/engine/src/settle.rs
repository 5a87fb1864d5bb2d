//! Reading back and settling: only what the portal shows decides what is charged and what goes on.

use std::sync::Arc;

use app::tasks::Cause;
use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::booking::{
    Allowance, AttemptState, Attempts, ExpectedOutcome, LAG, Observation, ObservedState, ReadBackOutcome,
    ReadBackPolicy, read_back_outcome,
};
use domain::budget::Spend;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::ids::AttemptId;
use domain::money::Money;
use domain::task::{Reason, TaskStatus};
use serde_json::json;
use store::booking_attempt::BookingAttempt;
use store::journal::Success;
use store::task::Task;

use crate::crash::{crash_point, sabotaged};
use crate::tell::Told;
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

mod kept;
mod pages;

pub(crate) use kept::Kept;
use kept::Sent;
use pages::read_pages;

/// A read-back that failed on our side is tried again after this.
const TRY_AGAIN: TimeDelta = TimeDelta::seconds(60);

/// Reads a due attempt back, in a turn of its own.
pub(crate) async fn read_back(engine: &Arc<Engine>, attempt: AttemptId, lent: Lent) -> Result<(), Fault> {
    let outcome = async {
        let mut turn = Turn::begin(lent).await?;
        let outcome = read_now(engine, &mut turn, attempt).await;
        match turn.finish().await {
            // What was spent is known here, and written with the next that can be.
            Ok(()) | Err(Fault::Store(_)) => outcome,
            fault => fault.and(outcome),
        }
    }
    .await;
    let mut state = engine.state.lock();
    match &outcome {
        Ok(()) => state.read_not_before.remove(&attempt),
        // Whatever failed on our side must not become a stream of requests on theirs.
        Err(_) => state.read_not_before.insert(attempt, engine.ctx.portal_time.now() + TRY_AGAIN),
    };
    drop(state);
    outcome
}

/// Reads the portal once and settles what can be settled; without the database what was read is kept.
pub(crate) async fn read_now(engine: &Arc<Engine>, turn: &mut Turn, id: AttemptId) -> Result<(), Fault> {
    let Some(sent) = kept::sent(engine, id).await? else {
        return Err(Fault::Gone);
    };
    let (attempt, task) = (&sent.attempt, &sent.task);
    let (Some(target), Some(t0), true) =
        (attempt.target, attempt.t0, matches!(attempt.state, AttemptState::Sending | AttemptState::Unknown))
    else {
        let mut state = engine.state.lock();
        state.attempts.remove(&id);
        state.kept.remove(&id);
        return Ok(());
    };
    if sabotaged("blind_retry") && attempt.readings.is_empty() && attempt.evidence == json!({}) {
        blind_retry(engine, turn, task, target).await?;
    }
    let mut expected_outcome =
        ExpectedOutcome { expected: attempt.expected, target, t0, attempts_before: attempt.attempts_before };
    let now = engine.ctx.portal_time.now();
    let mut readings = attempt.readings.clone();
    let (mut deadline, mut refused) = (sent.deadline, false);
    if let Some(last) = readings.last() {
        expected_outcome.target = attempt.expected_target(target, &last.shown);
    }
    if !kept::is_only_to_write(
        &sent,
        &read_back_outcome(&expected_outcome, &readings, read_back_policy(), now),
        now,
    ) {
        let pages =
            read_pages(engine, turn, task, &ExpectedOutcome { target, ..expected_outcome }, now >= t0 + LAG)
                .await?;
        let mut reading = pages.reading;
        if sabotaged("trust_post_answer") && attempt.evidence["location"].to_string().contains("instructions")
        {
            reading.shown = ObservedState::Appointment { slot: target };
        }
        crash_point("readback.read");
        expected_outcome.target = attempt.expected_target(target, &reading.shown);
        readings.push(reading);
        (deadline, refused) = (pages.deadline, pages.refused);
    }
    let now = engine.ctx.portal_time.now();
    let outcome = read_back_outcome(&expected_outcome, &readings, read_back_policy(), now);
    match settle(engine, &sent, &expected_outcome, (&readings, deadline, refused), outcome).await {
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
    expected_outcome: &ExpectedOutcome,
    (readings, deadline, refused): (&[Observation], Option<Instant>, bool),
    outcome: ReadBackOutcome,
) -> Result<bool, Fault> {
    let (attempt, task) = (&sent.attempt, &sent.task);
    engine.write_evidence(attempt.id).await?;
    match outcome {
        ReadBackOutcome::Confirmed => {
            confirmed(engine, attempt, task, expected_outcome, readings, deadline).await
        }
        ReadBackOutcome::NotBooked => not_booked(engine, attempt, task, readings).await,
        ReadBackOutcome::ReadAgain { at, unknown } => {
            read_again(engine, attempt, task, readings, (at, unknown, refused)).await
        }
        ReadBackOutcome::Manual => manual(engine, attempt, task, readings).await,
    }
}

fn read_back_policy() -> ReadBackPolicy {
    if sabotaged("hasty_readback") {
        return ReadBackPolicy { lag: TimeDelta::zero(), apart: TimeDelta::zero() };
    }
    ReadBackPolicy::default()
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
    let proof = portal::SendingProof::committed("sabotage", engine.ctx.wall.now() + TimeDelta::seconds(5));
    let _ = connection.post(&turn.meter, &session, &group, form, proof).await;
    Ok(())
}

/// A transaction in which nobody else changes the task; none when another node holds the lease: it reads for itself, and
/// what was read here may be old.
async fn alone_and_leading(engine: &Arc<Engine>, task: &Task) -> Result<Option<store::Tx>, Fault> {
    let mut tx = engine.ctx.db.begin_first().await?;
    store::lock::exclusive(&mut tx, task.id.0).await?;
    Ok(engine.leads(&mut tx).await?.then_some(tx))
}

async fn confirmed(
    engine: &Arc<Engine>,
    attempt: &BookingAttempt,
    task: &Task,
    expected_outcome: &ExpectedOutcome,
    readings: &[Observation],
    deadline: Option<Instant>,
) -> Result<bool, Fault> {
    let Some(mut tx) = alone_and_leading(engine, task).await? else { return Ok(false) };
    if !confirm_in(engine, &mut tx, (attempt, task), expected_outcome, readings, deadline).await? {
        return Ok(true);
    }
    crash_point("settle.before_commit");
    tx.commit().await?;
    crate::metrics::booking("confirmed");
    crash_point("settle.committed");
    tracing::trace!("confirmed");
    settled(engine, attempt, task).await?;
    Ok(true)
}

/// Everything a confirmed booking means, in a transaction of the caller's; `false` when somebody else settled it.
pub(crate) async fn confirm_in(
    engine: &Engine,
    tx: &mut store::Tx,
    (attempt, task): (&BookingAttempt, &Task),
    expected_outcome: &ExpectedOutcome,
    readings: &[Observation],
    deadline: Option<Instant>,
) -> Result<bool, Fault> {
    let (wall, now) = (engine.ctx.wall.now(), engine.ctx.portal_time.now());
    let days = expected_outcome.expected.map(|old| expected_outcome.target.days_before(&old));
    let step = (attempt.state, AttemptState::Confirmed);
    // First of all, as whoever changes a task does: so no two wait in a ring.
    store::lock::exclusive(tx, task.id.0).await?;
    if !store::booking_attempt::settle(tx, attempt.id, step, readings, now).await? {
        return Ok(false);
    }
    if expected_outcome.expected.is_some() && !attempt.counts_as_used() {
        // It was taken back when nothing seemed to have been booked.
        store::task::count_reschedule(tx, task.id, 1, wall).await?;
    }
    // As it stands by now: the portal was read meanwhile.
    let task = &store::task::get(tx, task.id).await?.ok_or(Fault::Gone)?;
    store::task::set_booked(tx, task.id, Some(expected_outcome.target), wall).await?;
    let left = task.attempts_left.zip(expected_outcome.expected).map(|(left, _)| left.saturating_sub(1));
    store::task::forget_allowance(tx, task.id, wall).await?;
    store::task::set_allowance(tx, task.id, left, deadline, wall).await?;
    let success = Success {
        task_id: task.id,
        found_at: now,
        old: expected_outcome.expected,
        new: expected_outcome.target,
        days_advanced: days,
    };
    let id = engine.ctx.uuid(now);
    store::journal::add_success(tx, id, Some(attempt.id), &success).await?;
    let charged = match store::task_hold::capture(tx, &engine.ctx.random, task, engine.ctx.wall.now()).await {
        // The booking is a fact whatever the books say; the sweep captures once they are open again.
        Err(store::Error::Frozen(_)) => 0,
        captured => captured?,
    };
    let data = json!({
        "from": expected_outcome.expected.as_ref().map(app::slot),
        "to": app::slot(&expected_outcome.target),
        "days": days,
        "charged": Money::cad(charged).to_wire(),
    });
    crate::tell::journal(engine, tx, task.id, "booked", data.clone()).await?;
    let told = Told { task: task.id, condition: TaskCondition::Booked, evidence: data, next_try_at: None };
    crate::tell::condition(engine, tx, &told).await?;
    let auto_stop = store::user::auto_stop(tx, task.user_id).await?;
    let attempts = Attempts { left, used_here: task.reschedules_used };
    let spent = task.criteria.as_ref().filter(|criteria| !criteria.notify_only).is_some_and(|criteria| {
        Allowance { criteria, booked: Some(&expected_outcome.target), change_deadline: deadline, attempts }
            .is_used_up()
    });
    let stop = if auto_stop {
        Some(Reason::AutoStop)
    } else {
        // Nothing more can be booked for it: it must not seem to search on.
        spent.then_some(Reason::ReschedulesUsed)
    };
    if let Some(reason) = stop.filter(|_| task.status.is_running() && task.deleted_at.is_none()) {
        app::tasks::stop(&engine.ctx.app(), tx, task, Cause::Booked(reason)).await?;
    }
    let mail = booked_mail(task, expected_outcome, days, charged, deadline);
    crate::tell::mail(engine, tx, task.user_id, "booked", format!("booked:{}", attempt.id), mail).await?;
    crate::tell::other_holders(engine, tx, attempt, task).await?;
    Ok(true)
}

fn booked_mail(
    task: &Task,
    expected_outcome: &ExpectedOutcome,
    days: Option<i64>,
    charged: i64,
    deadline: Option<Instant>,
) -> serde_json::Value {
    let zone = expected_outcome.target.facility.zone();
    json!({
        "names": task.group.names(),
        "old": expected_outcome.expected.as_ref().map(app::slot),
        "new": app::slot(&expected_outcome.target),
        "days_advanced": days,
        "charged": (charged > 0).then(|| Money::cad(charged).to_string()),
        "change_deadline": deadline.map(|d| d.with_timezone(&zone).format("%Y-%m-%d %H:%M").to_string()),
        "task_id": task.id.to_string(),
    })
}

async fn not_booked(
    engine: &Arc<Engine>,
    attempt: &BookingAttempt,
    task: &Task,
    readings: &[Observation],
) -> Result<bool, Fault> {
    let Some(mut tx) = alone_and_leading(engine, task).await? else { return Ok(false) };
    let Some(to) = not_booked_in(engine, &mut tx, (attempt, task), readings).await? else {
        return Ok(true);
    };
    tx.commit().await?;
    crate::metrics::booking(to.as_str());
    engine.state.lock().tried_in_vain.insert((attempt.facility, attempt.date));
    settled(engine, attempt, task).await?;
    Ok(true)
}

/// Everything it means that nothing was booked, in a transaction of the caller's; none when somebody else settled it.
pub(crate) async fn not_booked_in(
    engine: &Engine,
    tx: &mut store::Tx,
    (attempt, task): (&BookingAttempt, &Task),
    readings: &[Observation],
) -> Result<Option<AttemptState>, Fault> {
    let (wall, now) = (engine.ctx.wall.now(), engine.ctx.portal_time.now());
    let to =
        if attempt.state == AttemptState::Sending { AttemptState::Refused } else { AttemptState::NotBooked };
    if !store::booking_attempt::settle(tx, attempt.id, (attempt.state, to), readings, now).await? {
        return Ok(None);
    }
    if attempt.expected.is_some() {
        store::task::count_reschedule(tx, task.id, -1, wall).await?;
    }
    let data = json!({ "facility": attempt.facility.name(), "date": attempt.date });
    crate::tell::journal(engine, tx, task.id, "not_booked", data.clone()).await?;
    let told = Told { task: task.id, condition: TaskCondition::Watching, evidence: data, next_try_at: None };
    crate::tell::condition(engine, tx, &told).await?;
    Ok(Some(to))
}

/// No byte left, by the client's own count: the one case that needs no reading.
pub(crate) async fn nothing_sent(engine: &Arc<Engine>, task: &Task, id: AttemptId) -> Result<(), Fault> {
    let mut tx = engine.ctx.db.read().await?;
    let attempt = store::booking_attempt::get(&mut tx, id).await?.ok_or(Fault::Gone)?;
    tx.commit().await?;
    not_booked(engine, &attempt, task, &[]).await.map(|_| ())
}

async fn read_again(
    engine: &Arc<Engine>,
    attempt: &BookingAttempt,
    task: &Task,
    readings: &[Observation],
    (at, unknown, refused): (Instant, bool, bool),
) -> Result<bool, Fault> {
    let state = if unknown { AttemptState::Unknown } else { attempt.state };
    let Some(mut tx) = alone_and_leading(engine, task).await? else { return Ok(false) };
    store::booking_attempt::add_reading(&mut tx, attempt.id, readings, state, at).await?;
    if refused {
        // Nobody can have got it by this POST: the next in rank may try.
        store::booking_attempt::pass_on(&mut tx, attempt.id).await?;
    }
    let newly = unknown && attempt.state == AttemptState::Sending;
    if newly {
        crate::tell::journal(engine, &mut tx, task.id, "booking_unconfirmed", json!({ "read_again": at }))
            .await?;
    }
    let condition = if unknown { TaskCondition::BookingUnconfirmed } else { TaskCondition::Booking };
    let evidence = json!({ "facility": attempt.facility.name(), "date": attempt.date });
    let told = Told { task: task.id, condition, evidence, next_try_at: Some(at) };
    crate::tell::condition(engine, &mut tx, &told).await?;
    tx.commit().await?;
    if newly {
        crate::metrics::booking("unknown");
    }
    if let Some(live) = engine.state.lock().attempts.get_mut(&attempt.id) {
        live.next_read_at = Some(at);
        live.target = live.target.filter(|_| !refused);
    }
    Ok(true)
}

async fn manual(
    engine: &Arc<Engine>,
    attempt: &BookingAttempt,
    task: &Task,
    readings: &[Observation],
) -> Result<bool, Fault> {
    let now = engine.ctx.portal_time.now();
    let Some(mut tx) = alone_and_leading(engine, task).await? else { return Ok(false) };
    let from = attempt.state;
    if from == AttemptState::Sending {
        store::booking_attempt::add_reading(&mut tx, attempt.id, readings, AttemptState::Unknown, now)
            .await?;
    }
    let step = (AttemptState::Unknown, AttemptState::Manual);
    let moved = store::booking_attempt::settle(&mut tx, attempt.id, step, readings, now).await?;
    tx.commit().await?;
    if moved {
        crate::metrics::booking("manual");
        crate::react::stop_task(engine, task.id, TaskStatus::Error, Reason::BookingUnconfirmed).await?;
    }
    settled(engine, attempt, task).await?;
    Ok(true)
}

/// The outcome is known: the account is free again, and the task is matched afresh.
async fn settled(engine: &Arc<Engine>, attempt: &BookingAttempt, task: &Task) -> Result<(), Fault> {
    {
        let mut state = engine.state.lock();
        state.attempts.remove(&attempt.id);
        state.kept.remove(&attempt.id);
    }
    engine.refresh(task.id).await?;
    engine.nudge();
    Ok(())
}
