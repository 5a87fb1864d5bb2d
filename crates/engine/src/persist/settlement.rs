//! Settlement of booking attempts. Only the state that the portal shows decides the charge, and
//! whether the task continues.

use app::tasks::Cause;
use domain::booking::{Allowance, AttemptState, Attempts, ExpectedOutcome, LAG, Observation, Sequel};
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::ids::AttemptId;
use domain::journal::{BookedEvent, CityName, JournalEvent, NamedSlot};
use domain::money::Money;
use domain::pricing::Billing;
use domain::question::YesOutcome;
use domain::task::{Reason, TaskStatus};
use serde_json::json;
use store::Tx;
use store::booking_attempt::BookingAttempt;
use store::journal::Success;
use store::task::Task;

use crate::JobError;
use crate::fail_point::fail_point;
use crate::model::attempts::Settled;
use crate::model::task_update::TaskUpdate;
use crate::persist::Records;
use crate::persist::leader::alone_and_leading;

impl Records {
    /// Resumes a task that stopped only because this attempt was not settled, unless another task
    /// holds its group. Returns the task's current row.
    pub(crate) async fn resumed(
        &self,
        tx: &mut Tx,
        attempt: &BookingAttempt,
        task: Task,
    ) -> Result<Task, JobError> {
        let waits = task.status == TaskStatus::Error && task.deleted_at.is_none();
        if !waits || !task.reason.is_some_and(Reason::waits_for_settlement) {
            return Ok(task);
        }
        let group = store::task::of_group(tx, attempt.country, &attempt.portal_schedule_id).await?;
        if group.iter().any(|other| other.id != task.id && other.holds_the_group()) {
            return Ok(task);
        }
        let step = (TaskStatus::Error, TaskStatus::Processing);
        store::task::set_status(tx, task.id, step, None, self.wall.now()).await?;
        Ok(store::task::get(tx, task.id).await?.unwrap_or(task))
    }
}

/// Confirms an attempt that the portal shows as booked: captures the hold, and notifies the user.
/// Writes nothing if the attempt was settled meanwhile.
pub(crate) async fn confirmed(
    records: &Records,
    attempt: &BookingAttempt,
    task: &Task,
    expected_outcome: &ExpectedOutcome,
    readings: &[Observation],
    deadline: Option<Instant>,
) -> Result<Settled, JobError> {
    let Some(mut tx) = alone_and_leading(records, task).await? else { return Ok(Settled::NotLeader) };
    if !confirm_in(records, &mut tx, (attempt, task), expected_outcome, readings, deadline).await? {
        return Ok(Settled::Recorded);
    }
    fail_point("settle.before_commit");
    tx.commit().await?;
    crate::metrics::booking("confirmed");
    fail_point("settle.committed");
    tracing::trace!("confirmed");
    settled(records, attempt, task).await;
    if let Err(error) = crate::persist::problem::booked(records, attempt).await {
        tracing::warn!(%error, "failed to count a booking as evidence against other accounts");
    }
    Ok(Settled::Confirmed)
}

/// Writes all effects of a confirmed booking, in the caller's transaction. Returns `false` if the
/// attempt was settled meanwhile.
pub(crate) async fn confirm_in(
    records: &Records,
    tx: &mut store::Tx,
    (attempt, task): (&BookingAttempt, &Task),
    expected_outcome: &ExpectedOutcome,
    readings: &[Observation],
    deadline: Option<Instant>,
) -> Result<bool, JobError> {
    let (wall, now) = (records.wall.now(), records.portal_time.now());
    let days = days_gained(expected_outcome);
    let step = (attempt.state, AttemptState::Confirmed);
    // The lock comes first, as in every change of a task. Otherwise two transactions can deadlock.
    store::lock::exclusive(tx, task.id.0).await?;
    if !store::booking_attempt::settle(tx, attempt.id, step, readings, now).await? {
        return Ok(false);
    }
    store::booking_attempt::learn_time(tx, attempt, expected_outcome.target).await?;
    store::question::shown(tx, attempt.id, YesOutcome::Booked).await?;
    if expected_outcome.expected.is_some() && !attempt.counts_as_used() {
        // The count was decreased when the attempt was settled as not booked.
        store::task::count_reschedule(tx, task.id, 1, wall).await?;
    }
    // The task's row may have changed while the portal was read.
    let task = &store::task::get(tx, task.id).await?.ok_or(JobError::Gone)?;
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
    let id = records.uuid(now);
    store::journal::add_success(tx, id, Some(attempt.id), &success).await?;
    // The booking is recorded even if the ledger is frozen. The capture then happens later.
    let charged = app::money::later_if_frozen(app::money::capture(&records.app(), tx, task).await)?;
    let booked = BookedEvent {
        from: expected_outcome.expected.as_ref().map(NamedSlot::from),
        to: NamedSlot::from(&expected_outcome.target),
        days,
        charged: Money::cad(charged).to_wire(),
    };
    let evidence = json!(booked);
    crate::persist::notify::journal(records, tx, task.id, &JournalEvent::Booked(booked)).await?;
    let update = TaskUpdate { task: task.id, condition: TaskCondition::Booked, evidence, next_try_at: None };
    crate::persist::notify::condition(records, tx, &update).await?;
    let auto_stop = store::user::auto_stop(tx, task.user_id).await?;
    let attempts = Attempts { left, used_here: task.reschedules_used };
    let allowance = task.criteria.as_ref().map(|criteria| Allowance {
        criteria,
        booked: Some(&expected_outcome.target.consular),
        change_deadline: deadline,
        attempts,
    });
    let spent = allowance.is_some_and(|allowance| allowance.is_used_up());
    let stop = if auto_stop {
        Some(Reason::AutoStop)
    } else {
        // No further booking is possible for the task, so it must not appear to be searching.
        spent.then_some(Reason::ReschedulesUsed)
    };
    let mut stands = (task.status, task.reason);
    if let Some(reason) = stop.filter(|_| task.status.is_running() && task.deleted_at.is_none()) {
        match app::tasks::stop(&records.app(), tx, task, Cause::Booked(reason)).await {
            // The task's status changed meanwhile. The booking has happened, so it is written
            // anyway.
            Err(app::Error::Refused(_)) => {}
            stopped => {
                stopped?;
                stands = (TaskStatus::Stopped, Some(reason));
            }
        }
    }
    let sequel =
        allowance.filter(|_| task.deleted_at.is_none()).map(|all| Sequel::of(stands.0, stands.1, &all, now));
    let mail = booked_mail(task, expected_outcome, charged, deadline, sequel, records.config.billing);
    crate::persist::notify::mail(records, tx, task.user_id, "booked", format!("booked:{}", attempt.id), mail)
        .await?;
    crate::persist::notify::notify_other_holders(records, tx, attempt, task, &expected_outcome.target)
        .await?;
    Ok(true)
}

/// Returns the days by which the interview became earlier; `None` for a first booking.
fn days_gained(expected_outcome: &ExpectedOutcome) -> Option<i64> {
    expected_outcome.expected.map(|old| expected_outcome.target.consular.days_before(&old.consular))
}

/// Returns the template data of the mail about a booking.
fn booked_mail(
    task: &Task,
    expected_outcome: &ExpectedOutcome,
    charged: i64,
    deadline: Option<Instant>,
    sequel: Option<Sequel>,
    billing: Billing,
) -> serde_json::Value {
    let zone = expected_outcome.target.consular.facility.zone();
    let days = days_gained(expected_outcome);
    json!({
        "names": task.group.names(),
        "old": expected_outcome.expected.as_ref().map(NamedSlot::from),
        "new": NamedSlot::from(&expected_outcome.target),
        "days_advanced": days,
        "charged": (charged > 0).then(|| Money::cad(charged).to_string()),
        "billing": billing.is_on(),
        "change_deadline": deadline.map(|d| d.with_timezone(&zone).format("%Y-%m-%d %H:%M").to_string()),
        "search": sequel,
        "task_id": task.id.to_string(),
    })
}

/// Settles an attempt that booked nothing. Its task continues to search, and other tasks may try
/// the date.
pub(crate) async fn not_booked(
    records: &Records,
    attempt: &BookingAttempt,
    task: &Task,
    readings: &[Observation],
) -> Result<Settled, JobError> {
    let Some(mut tx) = alone_and_leading(records, task).await? else { return Ok(Settled::NotLeader) };
    let Some(to) = not_booked_in(records, &mut tx, (attempt, task), readings).await? else {
        return Ok(Settled::Recorded);
    };
    tx.commit().await?;
    crate::metrics::booking(to.as_str());
    records.memory.update(|state| state.openings.add_tried_in_vain(attempt.facility, attempt.date));
    settled(records, attempt, task).await;
    Ok(Settled::Recorded)
}

/// Writes all effects of an attempt that booked nothing, in the caller's transaction. Returns
/// `None` if the attempt was settled meanwhile.
pub(crate) async fn not_booked_in(
    records: &Records,
    tx: &mut store::Tx,
    (attempt, task): (&BookingAttempt, &Task),
    readings: &[Observation],
) -> Result<Option<AttemptState>, JobError> {
    let (wall, now) = (records.wall.now(), records.portal_time.now());
    let to =
        if attempt.state == AttemptState::Sending { AttemptState::Refused } else { AttemptState::NotBooked };
    if !store::booking_attempt::settle(tx, attempt.id, (attempt.state, to), readings, now).await? {
        return Ok(None);
    }
    if let Some(question) = store::question::shown(tx, attempt.id, YesOutcome::NotBooked).await? {
        let asked = (task.id, attempt.facility, attempt.date);
        crate::persist::questions::notify_ended(records, tx, asked, question, YesOutcome::NotBooked).await?;
    }
    if attempt.expected.is_some() {
        store::task::count_reschedule(tx, task.id, -1, wall).await?;
    }
    let data = json!({ "facility": attempt.facility.name(), "date": attempt.date });
    let event = JournalEvent::NotBooked { facility: CityName(attempt.facility), date: attempt.date };
    crate::persist::notify::journal(records, tx, task.id, &event).await?;
    let update =
        TaskUpdate { task: task.id, condition: TaskCondition::Watching, evidence: data, next_try_at: None };
    crate::persist::notify::condition(records, tx, &update).await?;
    Ok(Some(to))
}

/// Settles an attempt as not booked because the client sent no byte of its request. This is the
/// only case that needs no read-back.
pub(crate) async fn nothing_sent(records: &Records, task: &Task, id: AttemptId) -> Result<(), JobError> {
    let mut tx = records.db.read().await?;
    let attempt = store::booking_attempt::get(&mut tx, id).await?.ok_or(JobError::Gone)?;
    tx.commit().await?;
    not_booked(records, &attempt, task, &[]).await.map(|_| ())
}

/// Records readings that decide nothing yet, and the time `at` of the next one. If the outcome is
/// `unknown`, the task shows that its booking is unconfirmed, and books nothing else. If the portal
/// `refused` the POST, the next candidate may try the slot.
pub(crate) async fn read_again(
    records: &Records,
    attempt: &BookingAttempt,
    task: &Task,
    readings: &[Observation],
    (at, unknown, refused): (Instant, bool, bool),
) -> Result<Settled, JobError> {
    let state = if unknown { AttemptState::Unknown } else { attempt.state };
    let Some(mut tx) = alone_and_leading(records, task).await? else { return Ok(Settled::NotLeader) };
    store::booking_attempt::add_reading(&mut tx, attempt.id, readings, state, at).await?;
    if refused {
        // The refused POST cannot have booked the slot, so the next candidate may try it.
        store::booking_attempt::pass_on(&mut tx, attempt.id).await?;
    }
    let newly = unknown && attempt.state == AttemptState::Sending;
    if newly {
        let event = JournalEvent::BookingUnconfirmed { read_again: at };
        crate::persist::notify::journal(records, &mut tx, task.id, &event).await?;
    }
    let condition = if unknown { TaskCondition::BookingUnconfirmed } else { TaskCondition::Booking };
    let evidence = json!({ "facility": attempt.facility.name(), "date": attempt.date });
    let update = TaskUpdate { task: task.id, condition, evidence, next_try_at: Some(at) };
    crate::persist::notify::condition(records, &mut tx, &update).await?;
    tx.commit().await?;
    if newly {
        crate::metrics::booking("unknown");
    }
    records.memory.update(|state| {
        state.attempts.read_at(attempt.id, at);
        if refused {
            state.attempts.release_slot(attempt.id);
        }
    });
    Ok(Settled::Recorded)
}

/// Passes an attempt to the operator, because no reading decided its outcome in time, or because
/// only the interview was booked. Stops the task, since a second booking could undo the first.
pub(crate) async fn manual(
    records: &Records,
    attempt: &BookingAttempt,
    task: &Task,
    readings: &[Observation],
    cause: Cause,
) -> Result<Settled, JobError> {
    let now = records.portal_time.now();
    let Some(mut tx) = alone_and_leading(records, task).await? else { return Ok(Settled::NotLeader) };
    let from = attempt.state;
    if from == AttemptState::Sending {
        store::booking_attempt::add_reading(&mut tx, attempt.id, readings, AttemptState::Unknown, now)
            .await?;
    }
    let step = (AttemptState::Unknown, AttemptState::Manual);
    let moved = store::booking_attempt::settle(&mut tx, attempt.id, step, readings, now).await?;
    if let (true, Cause::HalfBooked { shown, .. }) = (moved, cause) {
        // The readings prove what the group holds now.
        store::task::set_booked(&mut tx, task.id, Some(shown), records.wall.now()).await?;
    }
    let current = store::task::get(&mut tx, task.id).await?;
    if let Some(current) = current.filter(|_| moved) {
        if current.status.is_running() && current.deleted_at.is_none() {
            // The stop needs the same transaction. A task that continued to search could book a
            // second time.
            crate::persist::task_status::stop_because(records, &mut tx, &current, cause).await?;
        } else if let Cause::HalfBooked { wanted, shown } = cause {
            app::tasks::notify_half_booked(&records.app(), &mut tx, &current, &wanted, &shown).await?;
        }
    }
    tx.commit().await?;
    if moved {
        crate::metrics::booking("manual");
    }
    settled(records, attempt, task).await;
    Ok(Settled::Recorded)
}

/// Removes a settled attempt from memory, which frees its account, and reloads its task.
///
/// A failed reload is only logged. The outcome is committed, and the next round reloads the task.
async fn settled(records: &Records, attempt: &BookingAttempt, task: &Task) {
    records.memory.update(|state| {
        state.attempts.forget(attempt.id);
        // The portal's pages lag behind a booking.
        state.visits.postpone(attempt.portal_account_id, records.portal_time.now() + LAG * 2);
    });
    if let Err(error) = records.refresh(task.id).await {
        tracing::warn!(%error, task = %task.id, "failed to reload a task after its attempt was settled");
    }
    records.memory.nudge();
}
