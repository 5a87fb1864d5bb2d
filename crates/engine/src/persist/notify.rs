//! Records that users see: conditions, journal entries, mails. Their texts are in templates and
//! locale files.

use chrono::NaiveDate;
use domain::appointment::Appointment;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{TaskId, UserId};
use domain::journal::{CityName, JournalEvent, NamedSlot};
use serde_json::{Value, json};
use store::Tx;
use store::task::Task;

use crate::JobError;
use crate::model::task_update::TaskUpdate;
use crate::persist::Records;

/// Writes a task's condition, and updates its copy in memory.
pub(crate) async fn condition(records: &Records, tx: &mut Tx, update: &TaskUpdate) -> Result<(), JobError> {
    let now = records.wall.now();
    let TaskUpdate { task, condition, evidence, next_try_at } = update;
    crate::metrics::condition(*condition);
    store::task::set_condition(tx, *task, *condition, evidence, *next_try_at, now).await?;
    records.memory.set_condition(*task, *condition);
    Ok(())
}

/// Writes one entry into a task's journal.
pub(crate) async fn journal(
    records: &Records,
    tx: &mut Tx,
    task: TaskId,
    event: &JournalEvent,
) -> Result<(), JobError> {
    let now = records.portal_time.now();
    store::journal::add(tx, records.uuid(now), task, event, now).await?;
    Ok(())
}

/// Writes the same journal entry for each of these tasks, in one transaction.
pub(crate) async fn journal_now(
    records: &Records,
    tasks: &[TaskId],
    event: &JournalEvent,
) -> Result<(), JobError> {
    if tasks.is_empty() {
        return Ok(());
    }
    let mut tx = records.begin_leading().await?;
    for task in tasks {
        journal(records, &mut tx, *task, event).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Queues a mail to the user, in the same transaction as the event that it reports. Queues nothing
/// if a mail with the same `dedup_key` exists.
pub(crate) async fn mail(
    records: &Records,
    tx: &mut Tx,
    user: UserId,
    template: &str,
    dedup_key: String,
    data: Value,
) -> Result<(), JobError> {
    let now = records.wall.now();
    store::outbox::enqueue_mail(tx, &records.random, user, template, &dedup_key, &data, now).await?;
    Ok(())
}

/// Notifies the other users who stored a valid password of the account that an appointment was
/// booked in it.
pub(crate) async fn notify_other_holders(
    records: &Records,
    tx: &mut Tx,
    attempt: &store::booking_attempt::BookingAttempt,
    task: &Task,
    booked: &Appointment,
) -> Result<(), JobError> {
    let holders = store::credential::binding::holders(tx, attempt.portal_account_id).await?;
    for user in holders.into_iter().filter(|user| *user != task.user_id) {
        let data = json!({
            "names": task.group.names(),
            "old": attempt.expected.as_ref().map(NamedSlot::from),
            "new": NamedSlot::from(booked),
        });
        let key = format!("booked_in_your_account:{}:{user}", attempt.id);
        mail(records, tx, user, "booked_in_your_account", key, data).await?;
    }
    Ok(())
}

/// Alerts the task's user to a free date by mail, and journals it. Alerts again only after the date
/// has vanished and returned.
pub(crate) async fn alert(
    records: &Records,
    tx: &mut Tx,
    task: TaskId,
    (facility, day): (FacilityId, NaiveDate),
    now: Instant,
) -> Result<(), JobError> {
    let id = records.uuid(now);
    if !store::journal::add_alert(tx, id, task, (facility, day), now).await? {
        return Ok(());
    }
    let Some(task) = store::task::get(tx, task).await? else {
        return Ok(());
    };
    crate::metrics::opening("alerted");
    let event = JournalEvent::Alerted { facility: CityName(facility), date: day, seen_at: now };
    journal(records, tx, task.id, &event).await?;
    // The user pays the held fee after booking the date manually, so the alert states the price.
    let held = match task.hold_id.filter(|_| task.captured_at.is_none()) {
        Some(hold) => store::ledger::hold_state(tx, hold).await?.map(|(amount, _)| amount.to_string()),
        None => None,
    };
    let data = json!({
        "facility": facility.name(),
        "facility_zh": facility.facility().name_zh,
        "date": day.to_string(),
        "names": task.group.names(),
        "held": held,
        "task_id": task.id.to_string(),
    });
    mail(records, tx, task.user_id, "appointment_alert", format!("alert:{id}"), data).await
}
