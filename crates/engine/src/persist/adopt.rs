//! Adoption of the state that the portal shows for a group. The leader compares it with the task's
//! current row, under the task's lock.

use domain::appointment::{Appointment, PortalStatus};
use domain::booking::evidence::{Doubt, Origin, OtherAppointment, Printed, evaluate_other, wait};
use domain::booking::{ExpectedOutcome, LAG, LATE_COUNTS_FOR, Observation, ObservedState};
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::journal::{JournalEvent, NamedSlot, PortalErrorEvent};
use domain::task::{Reason, TaskStatus};
use serde_json::json;
use store::Tx;
use store::task::Task;

use crate::JobError;
use crate::model::group::{GroupReading, today_of};
use crate::model::task_update::TaskUpdate;
use crate::persist::Records;
use crate::persist::task_status::warm_up_anew;

/// Result of [`adopt`].
pub(crate) enum Adopted {
    /// The task's row has the state that the portal shows, or an open attempt still decides it.
    Known(Box<Task>),
    /// Pages contradict each other. Nothing is booked before they are read again.
    Waits,
    /// The task does not continue, or this node does not lead.
    Over,
}

/// Stores the state that the portal shows for the task's group, if that state is certain. Stops the
/// task if it cannot continue. `printed` is the appointment on the instructions page.
pub(crate) async fn adopt(
    records: &Records,
    task: &Task,
    read: &GroupReading,
    printed: Printed,
) -> Result<Adopted, JobError> {
    let now = records.wall.now();
    let mut tx = records.db.begin().await?;
    store::lock::exclusive(&mut tx, task.id.0).await?;
    if !records.leads(&mut tx).await? {
        return Ok(Adopted::Over);
    }
    let current = store::task::get(&mut tx, task.id).await?;
    let Some(current) = current.filter(|t| t.deleted_at.is_none() && t.status.is_running()) else {
        return Ok(Adopted::Over);
    };
    if current.booked != read.booked
        && store::booking_attempt::is_open(&mut tx, current.country, &current.portal_schedule_id).await?
    {
        // The read-back of the open attempt decides what the difference means.
        tx.commit().await?;
        return Ok(Adopted::Known(Box::new(current)));
    }
    let known = store::task::doubt(&mut tx, current.id).await?;
    if let Some(until) = contradicted(records, &mut tx, &current, read, (printed, known)).await? {
        tx.commit().await?;
        records.refresh(current.id).await?;
        records.memory.delay_start(current.id, until);
        return Ok(Adopted::Waits);
    }
    if known.is_some() {
        store::task::set_doubt(&mut tx, current.id, None).await?;
        if current.condition == TaskCondition::BookingUnconfirmed {
            let update = TaskUpdate {
                task: current.id,
                condition: TaskCondition::Watching,
                evidence: json!({}),
                next_try_at: None,
            };
            crate::persist::notify::condition(records, &mut tx, &update).await?;
        }
    }
    if current.booked != read.booked
        && let Some(target) = read.booked
        && confirmed_late(records, &mut tx, &current, target).await?
    {
        tx.commit().await?;
        crate::metrics::booking("confirmed_late");
        let task = records.refresh(current.id).await?.filter(|task| task.status.is_running());
        return Ok(task.map_or(Adopted::Over, |task| Adopted::Known(Box::new(task))));
    }
    let stop = reason_to_stop(&current, read, records.portal_time.now());
    store::task::set_group(&mut tx, current.id, &read.group, now).await?;
    store::task::set_booked(&mut tx, current.id, read.booked, now).await?;
    if current.booked != read.booked {
        changed_outside(records, &mut tx, &current, read).await?;
        if stop.is_none() {
            // The stop sends its own notification.
            notify_changed(records, &mut tx, &current, read).await?;
        }
    }
    if let Some(reason) = stop {
        let to = if reason == Reason::CancelledOutside { TaskStatus::Stopped } else { TaskStatus::Error };
        // The stop needs the same transaction. In a second one it could be lost: the next reading
        // would equal the row, and nothing would stop the task.
        if let Some(current) = store::task::get(&mut tx, current.id).await? {
            crate::persist::task_status::stop_in(records, &mut tx, &current, to, reason).await?;
        }
        tx.commit().await?;
        records.refresh(current.id).await?;
        return Ok(Adopted::Over);
    }
    tx.commit().await?;
    Ok(records.refresh(current.id).await?.map_or(Adopted::Over, |task| Adopted::Known(Box::new(task))))
}

/// Checks if a reading contradicts the task's row or the instructions page. If so, stores the doubt
/// and returns the time of the next reading. Returns `None` if the reading may be adopted.
async fn contradicted(
    records: &Records,
    tx: &mut Tx,
    current: &Task,
    read: &GroupReading,
    (printed, known): (Printed, Option<Doubt>),
) -> Result<Option<Instant>, JobError> {
    let now = records.portal_time.now();
    let mut standing = Origin::Foreign;
    if current.booked == read.booked {
        if let Some(doubt) = known.filter(|doubt| doubt.shown == current.booked && now < doubt.since + LAG) {
            // All pages may still lag behind the change that caused the doubt.
            return Ok(Some(doubt.since + LAG));
        }
        // A submitted task begins despite a contradiction, because each booking reads these pages
        // again.
        let fine = printed.agrees_with(read.booked.as_ref()) != Some(false)
            || current.status == TaskStatus::Submitted;
        if fine {
            return Ok(None);
        }
    } else {
        let ours = store::booking_attempt::replaced(tx, current.country, &current.portal_schedule_id).await?;
        if ours.iter().any(|before| may_lag(before.as_ref(), current, read)) {
            standing = Origin::BeforeOurs;
        }
    }
    match evaluate_other(read.booked.as_ref(), printed, standing, known, now) {
        OtherAppointment::Adopt => Ok(None),
        OtherAppointment::Wait { doubt, until } => {
            store_doubt(records, tx, current, (doubt, standing, until)).await?;
            Ok(Some(until))
        }
    }
}

/// Returns `true` if the page may still show a part of the appointment `before` that a booking
/// replaced. Either of the two appointments of a pair may lag alone.
fn may_lag(before: Option<&Appointment>, current: &Task, read: &GroupReading) -> bool {
    let interview = |held: Option<&Appointment>| held.map(|held| held.consular);
    let fingerprints = |held: Option<&Appointment>| held.and_then(|held| held.fingerprints);
    let shown = read.booked.as_ref();
    let has_same_interview = interview(shown) == current.interview().copied();
    interview(shown) == interview(before) || has_same_interview && fingerprints(shown) == fingerprints(before)
}

/// Stores a doubt, and journals it at its first reading. Sends an active task back to warm-up.
/// Marks the booking as unconfirmed if the page shows an appointment that the engine replaced.
async fn store_doubt(
    records: &Records,
    tx: &mut Tx,
    task: &Task,
    (doubt, standing, until): (Doubt, Origin, Instant),
) -> Result<(), JobError> {
    store::task::set_doubt(tx, task.id, Some(&doubt)).await?;
    warm_up_anew(records, tx, task.id).await?;
    let differ = PortalErrorEvent {
        code: "pages_differ".to_owned(),
        shown: doubt.shown.as_ref().map(NamedSlot::from),
        since: Some(doubt.since),
        read_again: Some(until),
        ..PortalErrorEvent::default()
    };
    let evidence = json!(differ);
    if doubt.readings <= 1 {
        crate::persist::notify::journal(records, tx, task.id, &JournalEvent::PortalError(differ)).await?;
    }
    if standing == Origin::BeforeOurs {
        let update = TaskUpdate {
            task: task.id,
            condition: TaskCondition::BookingUnconfirmed,
            evidence,
            next_try_at: Some(until),
        };
        crate::persist::notify::condition(records, tx, &update).await?;
    }
    Ok(())
}

/// Stores a doubt about the task's appointment. Nothing is booked for the task before its pages are
/// read again.
pub(crate) async fn read_again_later(records: &Records, task: &Task) -> Result<(), JobError> {
    let now = records.portal_time.now();
    let mut tx = records.db.begin().await?;
    store::lock::exclusive(&mut tx, task.id.0).await?;
    let known = store::task::doubt(&mut tx, task.id).await?.filter(|doubt| doubt.shown == task.booked);
    let mut doubt = known.unwrap_or(Doubt { shown: task.booked, since: now, printed_at: None, readings: 0 });
    doubt.readings += 1;
    let until = now + wait(doubt.readings);
    store_doubt(records, &mut tx, task, (doubt, Origin::Foreign, until)).await?;
    tx.commit().await?;
    records.refresh(task.id).await?;
    records.memory.delay_start(task.id, until);
    Ok(())
}

/// Confirms an earlier attempt whose target slot the portal shows only now. Notifies the user, and
/// charges the fee if the hold still exists. Returns `false` if there is no such attempt.
async fn confirmed_late(
    records: &Records,
    tx: &mut Tx,
    task: &Task,
    target: Appointment,
) -> Result<bool, JobError> {
    let now = records.portal_time.now();
    let Some(attempt) = store::booking_attempt::late(tx, task.id, target, now - LATE_COUNTS_FOR).await?
    else {
        return Ok(false);
    };
    let expected_outcome = ExpectedOutcome {
        expected: attempt.expected,
        target,
        t0: attempt.t0.unwrap_or(now),
        attempts_before: attempt.attempts_before,
    };
    let mut readings = attempt.readings.clone();
    readings.push(Observation { at: now, shown: ObservedState::of(Some(target)), attempts_left: None });
    if !crate::persist::settlement::confirm_in(
        records,
        tx,
        (&attempt, task),
        &expected_outcome,
        &readings,
        None,
    )
    .await?
    {
        return Ok(false);
    }
    // The stored number of attempts left may no longer equal the portal's.
    store::task::forget_allowance(tx, task.id, records.wall.now()).await?;
    warm_up_anew(records, tx, task.id).await?;
    Ok(true)
}

/// Returns the reason why the task cannot continue with the state that was read; `None` if it can.
fn reason_to_stop(current: &Task, read: &GroupReading, now: Instant) -> Option<Reason> {
    let today = today_of(read.booked.as_ref(), current, now);
    if !read.group.status.can_be_monitored() {
        return Some(if read.group.status == PortalStatus::PayVisaFee {
            Reason::FeeExpired
        } else {
            Reason::GroupGone
        });
    }
    if read.group.fee_expired(today) {
        return Some(Reason::FeeExpired);
    }
    if read.booked.is_some_and(|held| held.consular.date < today) {
        return Some(Reason::AppointmentPassed);
    }
    if current.booked.is_some() && read.booked.is_none() {
        return Some(Reason::CancelledOutside);
    }
    let regrouped = current.price.is_some_and(|p| {
        let people = read.group.party_size();
        // If the user already paid for more applicants than the group has, the task continues.
        people > p.applicants || (people < p.applicants && current.captured_at.is_none())
    });
    regrouped.then_some(Reason::GroupChanged)
}

/// Queues a mail that reports a change of the appointment outside this service. For a later date it
/// also has the number of days, and the last date that the search accepts from now on.
async fn notify_changed(
    records: &Records,
    tx: &mut Tx,
    task: &Task,
    read: &GroupReading,
) -> Result<(), JobError> {
    let new = read.booked.as_ref().map(|held| &held.consular);
    let later_by = new.zip(task.interview()).map(|(new, old)| (new.date - old.date).num_days());
    let accepts = task.criteria.as_ref().map(|criteria| (criteria.start_date, criteria.latest_useful(new)));
    let data = json!({
        "names": task.group.names(),
        "old": task.booked.as_ref().map(NamedSlot::from),
        "new": read.booked.as_ref().map(NamedSlot::from),
        "later_by": later_by.filter(|days| *days > 0),
        "until": accepts.filter(|(first, last)| first <= last).map(|(_, last)| last),
        "task_id": task.id.to_string(),
    });
    let key = format!("changed_outside:{}:{}", task.id, records.wall.now().timestamp_micros());
    crate::persist::notify::mail(records, tx, task.user_id, "changed_outside", key, data).await
}

/// Handles a change of the appointment that this engine did not make. Journals it, charges the hold
/// if the task alerted its user of the new slot, and forgets the old allowance.
async fn changed_outside(
    records: &Records,
    tx: &mut Tx,
    task: &Task,
    read: &GroupReading,
) -> Result<(), JobError> {
    let event = JournalEvent::ChangedOutside {
        from: task.booked.as_ref().map(NamedSlot::from),
        to: read.booked.as_ref().map(NamedSlot::from),
    };
    crate::persist::notify::journal(records, tx, task.id, &event).await?;
    // A task that books automatically now may have sent the alert before its mode changed.
    app::money::capture_if_alerted(&records.app(), tx, task, read.booked, records.portal_time.now()).await?;
    store::task::forget_allowance(tx, task.id, records.wall.now()).await?;
    if task.status == TaskStatus::Active {
        warm_up_anew(records, tx, task.id).await?;
    }
    Ok(())
}
