//! Writes the effects of a poll's list: the changed list, alerts, questions, and conditions.

use chrono::NaiveDate;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::TaskId;
use domain::journal::{AgreementEvent, CityName, JournalEvent};
use store::journal::NewJournalEntry;

use crate::JobError;
use crate::fail_point::fail_point;
use crate::model::availability::ListChange;
use crate::model::availability::list_agreement::ModeChange;
use crate::model::observe::{Effects, MOST_NOTIFIED, PendingEffects, is_booking};
use crate::model::task_update::TaskUpdate;
use crate::persist::Records;

/// Maximum number of alerts, with their mails, in one transaction.
const ALERTS_AT_ONCE: usize = 4;

/// Maximum number of conditions in one transaction.
const CONDITIONS_AT_ONCE: usize = 32;

impl PendingEffects {
    /// Writes the effects.
    pub async fn write(self, records: &Records) -> Result<(), JobError> {
        write(records, &self.key, &self.effects, self.at).await
    }
}

/// Handles the poll of one task with the list that another account just fetched, without a request.
pub(crate) async fn answer_from_shared(
    records: &Records,
    key: &CalendarKey,
    task: TaskId,
) -> Result<(), JobError> {
    let now = records.portal_time.now();
    let mut effects = Effects::default();
    records.memory.update(|state| {
        let Some(calendar) = state.availability.calendar(key) else { return };
        let (days, last_poll) = (calendar.days.clone(), calendar.last_poll);
        state.tasks.count_earlier(task, key, days.len(), last_poll);
        state.housekeeping.begin_flush_interval(now);
        state.queue_openings(key, &days, &records.config.limits, now, &mut effects);
    });
    write(records, key, &effects, now).await
}

/// Matches the current list with the tasks again. After a try without a result, the next best date
/// can be tried.
pub(crate) async fn rematch(records: &Records, key: &CalendarKey) -> Result<(), JobError> {
    let now = records.portal_time.now();
    let mut effects = Effects::default();
    records.memory.update(|state| {
        let days = state.availability.calendar_mut(key).usable(now);
        state.queue_openings(key, &days, &records.config.limits, now, &mut effects);
    });
    write(records, key, &effects, now).await
}

async fn write(
    records: &Records,
    key: &CalendarKey,
    effects: &Effects,
    now: Instant,
) -> Result<(), JobError> {
    if effects.is_nothing() {
        return Ok(());
    }
    if let Some((days, change)) = effects.change_alone() {
        // The change concerns no task, so the next flush writes it. After a crash, the next poll
        // finds it again.
        let (days, change) = (days.clone(), change.clone());
        let changed = ListChange { id: records.uuid(now), key: key.clone(), days, change, at: now };
        records.memory.update(|state| state.availability.add_unrecorded(changed));
        return Ok(());
    }
    let _turn = records.memory.notify_turn().await;
    let mut notified = 0;
    let written = Box::pin(write_in_turn(records, key, effects, &mut notified, now)).await;
    if written.is_err() {
        // The next poll notifies the tasks whose notifications were not written.
        let all = effects.alerts.iter().chain(&effects.questions);
        forget_alerts(records, key, all.skip(notified));
    }
    written
}

/// Writes the effects, during the caller's turn to notify. Adds to `notified` the number of written
/// alerts, and then of written questions, also before an error.
async fn write_in_turn(
    records: &Records,
    key: &CalendarKey,
    effects: &Effects,
    notified: &mut usize,
    now: Instant,
) -> Result<(), JobError> {
    // Postponed changes of this calendar are written before the current one.
    let put_off: Vec<ListChange> = records.memory.update(|state| state.availability.take_unrecorded_of(key));
    let mut tx = records.begin_leading().await?;
    for ListChange { id, key, days, change, at } in &put_off {
        store::observation::record(&mut tx, *id, key, days, change, *at).await?;
    }
    if let Some((days, change)) = &effects.change {
        let id = records.uuid(now);
        store::observation::record(&mut tx, id, key, days, change, now).await?;
    }
    store::journal::close_alerts(&mut tx, key.facility, &effects.gone, now).await?;
    store::question::close(&mut tx, key.facility, &effects.gone, records.wall.now()).await?;
    crate::persist::account_health::write(&mut tx, &effects.inferred, now).await?;
    if let Some(turned) = effects.turned {
        notify_mode_change(records, &mut tx, key, turned, now).await?;
    }
    tx.commit().await?;
    crate::persist::problem::inferred(records, &effects.inferred).await?;
    forget_alerts(records, key, effects.gone.iter());
    notify_all(records, key, effects, notified, now).await
}

/// Removes alerts from memory, so that their tasks are notified if the dates are listed again.
fn forget_alerts<'a>(
    records: &Records,
    key: &CalendarKey,
    alerts: impl Iterator<Item = &'a (TaskId, NaiveDate)>,
) {
    records.memory.update(|state| {
        alerts.for_each(|(task, day)| state.forget_alert(*task, key.facility, *day));
    });
}

/// Writes the notifications of tasks in short transactions, because a booking may be waiting for
/// the only database writer.
async fn notify_all(
    records: &Records,
    key: &CalendarKey,
    effects: &Effects,
    alerted: &mut usize,
    now: Instant,
) -> Result<(), JobError> {
    for alerts in effects.alerts.chunks(ALERTS_AT_ONCE) {
        match write_alerts(records, key, alerts, now).await {
            Err(JobError::Store(error)) if error.is_retry() => {
                write_alerts(records, key, alerts, now).await?
            }
            written => written?,
        }
        *alerted += alerts.len();
    }
    for (task, day) in &effects.questions {
        crate::persist::questions::send(records, (*task, key.facility, *day), now).await?;
        *alerted += 1;
    }
    let mut conditions: Vec<TaskUpdate> = records.memory.read(|state| {
        // Another poll may have set the condition meanwhile, or the task may now be booking.
        let still = |update: &&TaskUpdate| {
            let task = state.tasks.get(&update.task);
            task.is_none_or(|task| task.condition != update.condition && !is_booking(task))
        };
        effects.inferred.conditions.iter().chain(effects.conditions.iter().filter(still)).cloned().collect()
    });
    conditions.sort_by_key(|update| update.task);
    for updates in conditions.chunks(CONDITIONS_AT_ONCE) {
        match write_conditions(records, updates).await {
            Err(JobError::Store(error)) if error.is_retry() => write_conditions(records, updates).await?,
            written => written?,
        }
    }
    Ok(())
}

/// Writes the alerts of several tasks in one transaction. Sorts them by task id, so that two
/// transactions never deadlock.
async fn write_alerts(
    records: &Records,
    key: &CalendarKey,
    alerts: &[(TaskId, NaiveDate)],
    now: Instant,
) -> Result<(), JobError> {
    let mut alerts = alerts.to_vec();
    alerts.sort_unstable();
    let mut tx = records.begin_leading().await?;
    for (task, day) in alerts {
        crate::persist::notify::alert(records, &mut tx, task, (key.facility, day), now).await?;
    }
    fail_point("alerts.before_commit");
    tx.commit().await?;
    Ok(())
}

/// Writes conditions in one transaction. `updates` must be sorted by task id.
async fn write_conditions(records: &Records, updates: &[TaskUpdate]) -> Result<(), JobError> {
    let mut tx = records.begin_leading().await?;
    for update in updates {
        crate::persist::notify::condition(records, &mut tx, update).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Journals, for the tasks of a calendar, that its accounts see different lists or share one again.
/// Stores the learned values in the same transaction.
async fn notify_mode_change(
    records: &Records,
    tx: &mut store::Tx,
    key: &CalendarKey,
    turned: ModeChange,
    now: Instant,
) -> Result<(), JobError> {
    let (learned, concerned, (percent, tries)) = records.memory.update(|state| {
        let learned = state.availability.take_learned_agreements();
        let concerned: Vec<TaskId> = state.tasks.of_calendar(key).take(MOST_NOTIFIED).map(|t| t.id).collect();
        (learned, concerned, state.availability.agreement_mut(key).in_stats())
    });
    tracing::info!(calendar = %key, ?turned, percent, tries, "list agreement of calendar changed");
    for (subject, data) in learned {
        store::learned::save(tx, &subject, &data, now).await?;
    }
    let agreement = AgreementEvent { facility: CityName(key.facility), agreed_percent: percent, tries };
    let event = match turned {
        ModeChange::Split => JournalEvent::ListsDiffer(agreement),
        ModeChange::TriedAgain => JournalEvent::ListsSharedAgain(agreement),
    };
    let lines: Vec<_> = concerned
        .into_iter()
        .map(|task| NewJournalEntry { id: records.uuid(now), task, event: event.clone() })
        .collect();
    store::journal::add_all(tx, &lines, now).await?;
    Ok(())
}
