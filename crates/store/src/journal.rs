//! Records of the work for a task and its results: journal, successes, alerts, entitlements.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::appointment::Appointment;
use domain::clock::Instant;
use domain::country::CountryCode;
use domain::facility::FacilityId;
use domain::ids::{AttemptId, EntitlementId, PortalScheduleId, TaskId, UserId};
use domain::journal::JournalEvent;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::task::{fingerprint_slot, slot, time_text};
use crate::{Error, Tx, all, exec, one, scalar};

/// Entry of a task's journal.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Id of the entry, ordered by time.
    pub id: Uuid,
    /// Time of the entry.
    pub at: DateTime<Utc>,
    /// Recorded event.
    pub event: JournalEvent,
}

#[derive(sqlx::FromRow)]
struct EntryRow {
    id: Uuid,
    at: DateTime<Utc>,
    kind: String,
    data: Value,
}

impl From<EntryRow> for Entry {
    fn from(row: EntryRow) -> Self {
        Self { id: row.id, at: row.at, event: JournalEvent::read(row.kind, row.data) }
    }
}

fn entries(rows: Vec<EntryRow>) -> Vec<Entry> {
    rows.into_iter().map(Entry::from).collect()
}

/// Inserts a journal entry.
pub async fn add(
    tx: &mut Tx,
    id: Uuid,
    task: TaskId,
    event: &JournalEvent,
    at: Instant,
) -> Result<(), Error> {
    let (kind, data) = event.columns();
    exec!(
        tx,
        "INSERT INTO journal (id, task_id, at, kind, data) VALUES ($1, $2, $3, $4, $5)",
        id,
        task.0,
        at,
        kind,
        data
    )?;
    Ok(())
}

/// Journal entry to insert.
#[derive(Clone, Debug)]
pub struct NewJournalEntry {
    /// Id of the entry.
    pub id: Uuid,
    /// Task of the entry.
    pub task: TaskId,
    /// Event to record.
    pub event: JournalEvent,
}

/// Inserts journal entries of one instant, in one statement.
pub async fn add_all(tx: &mut Tx, lines: &[NewJournalEntry], at: Instant) -> Result<(), Error> {
    if lines.is_empty() {
        return Ok(());
    }
    let hex = |id: Uuid| id.simple().to_string();
    let row = |line: &NewJournalEntry| {
        let (kind, data) = line.event.columns();
        json!([hex(line.id), hex(line.task.0), kind, data])
    };
    let rows: Vec<_> = lines.iter().map(row).collect();
    let sql = tx.pick(
        "INSERT INTO journal (id, task_id, at, kind, data)
         SELECT unhex(json_extract(value, '$[0]')), unhex(json_extract(value, '$[1]')), $2,
           json_extract(value, '$[2]'), json_extract(value, '$[3]') FROM json_each($1)",
        "INSERT INTO journal (id, task_id, at, kind, data)
         SELECT CAST(line ->> 0 AS UUID), CAST(line ->> 1 AS UUID), $2, line ->> 2, line -> 3
         FROM jsonb_array_elements($1) AS new (line)",
    );
    exec!(tx, sql, json!(rows), at)?;
    Ok(())
}

/// Returns a task's journal entries, newest first.
pub async fn of_task(tx: &mut Tx, task: TaskId, limit: i64) -> Result<Vec<Entry>, Error> {
    let rows = all!(
        tx,
        EntryRow,
        "SELECT id, at, kind, data FROM journal WHERE task_id = $1 ORDER BY at DESC, id DESC LIMIT $2",
        task.0,
        limit
    )?;
    Ok(entries(rows))
}

/// Returns a page of a task's journal entries before `(at, id)`, newest first.
pub async fn page(
    tx: &mut Tx,
    task: TaskId,
    (at, id): (Instant, Uuid),
    limit: i64,
) -> Result<Vec<Entry>, Error> {
    let rows = all!(
        tx,
        EntryRow,
        "SELECT id, at, kind, data FROM journal WHERE task_id = $1 AND (at < $2 OR (at = $2 AND id < $3))
         ORDER BY at DESC, id DESC LIMIT $4",
        task.0,
        at,
        id,
        limit
    )?;
    Ok(entries(rows))
}

/// Returns the time of a journal entry of this task. `None` if the task has no such entry.
pub async fn written_at(tx: &mut Tx, task: TaskId, id: Uuid) -> Result<Option<Instant>, Error> {
    let row =
        one!(tx, (DateTime<Utc>,), "SELECT at FROM journal WHERE id = $1 AND task_id = $2", id, task.0)?;
    Ok(row.map(|(at,)| at))
}

/// Returns a task's journal entries of these kinds (comma-separated) since `since`, oldest first.
pub async fn of_kinds(
    tx: &mut Tx,
    task: TaskId,
    kinds: &str,
    since: Instant,
    limit: i64,
) -> Result<Vec<Entry>, Error> {
    let rows = all!(
        tx,
        EntryRow,
        "SELECT id, at, kind, data FROM journal WHERE task_id = $1 AND at >= $2
           AND (',' || $3 || ',') LIKE ('%,' || kind || ',%') ORDER BY at, id LIMIT $4",
        task.0,
        since,
        kinds.to_owned(),
        limit
    )?;
    Ok(entries(rows))
}

/// Booked earlier slot.
#[derive(Clone, Debug)]
pub struct Success {
    /// Task of the success.
    pub task_id: TaskId,
    /// Time at which the slot was found and booked.
    pub found_at: Instant,
    /// Previous appointment. `None` for a first booking.
    pub old: Option<Appointment>,
    /// New appointment.
    pub new: Appointment,
    /// Number of days gained. `None` for a first booking.
    pub days_advanced: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct SuccessRow {
    task_id: Uuid,
    found_at: DateTime<Utc>,
    old_facility: Option<i32>,
    old_date: Option<NaiveDate>,
    old_time: Option<String>,
    old_fingerprints_city: Option<String>,
    old_fingerprints_date: Option<NaiveDate>,
    old_fingerprints_time: Option<String>,
    new_facility: i32,
    new_date: NaiveDate,
    new_time: String,
    new_fingerprints_city: Option<String>,
    new_fingerprints_date: Option<NaiveDate>,
    new_fingerprints_time: Option<String>,
    days_advanced: Option<i64>,
}

impl TryFrom<SuccessRow> for Success {
    type Error = Error;
    fn try_from(row: SuccessRow) -> Result<Self, Error> {
        let new = slot(Some(row.new_facility), Some(row.new_date), Some(&row.new_time))?;
        let new_fingerprints = fingerprint_slot(
            row.new_fingerprints_city.as_deref(),
            row.new_fingerprints_date,
            row.new_fingerprints_time.as_deref(),
        )?;
        let old = slot(row.old_facility, row.old_date, row.old_time.as_deref())?;
        let old_fingerprints = fingerprint_slot(
            row.old_fingerprints_city.as_deref(),
            row.old_fingerprints_date,
            row.old_fingerprints_time.as_deref(),
        )?;
        Ok(Self {
            task_id: TaskId(row.task_id),
            found_at: row.found_at,
            old: old.map(|consular| Appointment { consular, fingerprints: old_fingerprints }),
            new: Appointment {
                consular: new.ok_or(Error::Corrupt("success"))?,
                fingerprints: new_fingerprints,
            },
            days_advanced: row.days_advanced,
        })
    }
}

/// Inserts a success, at most one per attempt.
pub async fn add_success(
    tx: &mut Tx,
    id: Uuid,
    attempt: Option<AttemptId>,
    success: &Success,
) -> Result<(), Error> {
    let old = success.old.map(|old| old.consular);
    let old_fingerprints = success.old.and_then(|old| old.fingerprints);
    exec!(
        tx,
        "INSERT INTO success (id, task_id, intent_id, found_at, old_facility, old_date, old_time, new_facility,
           new_date, new_time, days_advanced, old_fingerprints_city, old_fingerprints_date, old_fingerprints_time,
           new_fingerprints_city, new_fingerprints_date, new_fingerprints_time)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
        id,
        success.task_id.0,
        attempt.map(|i| i.0),
        success.found_at,
        old.map(|s| i32::from(s.facility.number())),
        old.map(|s| s.date),
        old.map(|s| time_text(s.time)),
        i32::from(success.new.consular.facility.number()),
        success.new.consular.date,
        time_text(success.new.consular.time),
        success.days_advanced,
        old_fingerprints.map(|s| s.city.to_string()),
        old_fingerprints.map(|s| s.date),
        old_fingerprints.map(|s| time_text(s.time)),
        success.new.fingerprints.map(|s| s.city.to_string()),
        success.new.fingerprints.map(|s| s.date),
        success.new.fingerprints.map(|s| time_text(s.time))
    )?;
    Ok(())
}

/// Returns a task's successes, newest first.
pub async fn successes(tx: &mut Tx, task: TaskId) -> Result<Vec<Success>, Error> {
    all!(tx, SuccessRow, "SELECT * FROM success WHERE task_id = $1 ORDER BY found_at DESC", task.0)?
        .into_iter()
        .map(Success::try_from)
        .collect()
}

/// Returns the successes of these tasks, newest first.
pub async fn successes_of(tx: &mut Tx, tasks: &[TaskId]) -> Result<Vec<Success>, Error> {
    let sql = tx.pick(
        "SELECT * FROM success WHERE task_id IN (SELECT unhex(value) FROM json_each($1)) ORDER BY found_at DESC",
        "SELECT * FROM success WHERE task_id IN (SELECT CAST(jsonb_array_elements_text($1) AS UUID)) ORDER BY found_at DESC",
    );
    all!(tx, SuccessRow, sql, crate::task::ids_json(tasks.iter().copied()))?
        .into_iter()
        .map(Success::try_from)
        .collect()
}

/// Returns the total days gained by all successes of a user.
pub async fn days_saved(tx: &mut Tx, user: UserId) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT CAST(COALESCE(SUM(days_advanced), 0) AS BIGINT) FROM success
         WHERE task_id IN (SELECT id FROM task WHERE user_id = $1)",
        user.0
    )
}

/// Inserts an alert, unless this task has an open alert about the date. Returns `true` if it is
/// new.
pub async fn add_alert(
    tx: &mut Tx,
    id: Uuid,
    task: TaskId,
    (facility, day): (FacilityId, NaiveDate),
    at: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "INSERT INTO alert (id, task_id, facility, day, alerted_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING",
        id,
        task.0,
        i32::from(facility.number()),
        day,
        at
    )?;
    Ok(rows == 1)
}

/// Returns the open alerts: tasks and the dates they were notified of that are still listed.
pub async fn open_alerts(tx: &mut Tx) -> Result<Vec<(TaskId, FacilityId, NaiveDate)>, Error> {
    let rows =
        all!(tx, (Uuid, i32, NaiveDate), "SELECT task_id, facility, day FROM alert WHERE gone_at IS NULL")?;
    rows.into_iter()
        .map(|(task, number, day)| Ok((TaskId(task), crate::task::facility(number)?, day)))
        .collect()
}

/// Closes alerts about dates that are no longer listed in a city. Each of these tasks is notified
/// again if a date returns.
pub async fn close_alerts(
    tx: &mut Tx,
    facility: FacilityId,
    gone: &[(TaskId, NaiveDate)],
    at: Instant,
) -> Result<(), Error> {
    if gone.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = gone.iter().map(|(task, day)| (task.0.simple().to_string(), day)).collect();
    let sql = tx.pick(
        "UPDATE alert SET gone_at = $3 WHERE facility = $2 AND gone_at IS NULL AND (task_id, day) IN
           (SELECT unhex(json_extract(value, '$[0]')), json_extract(value, '$[1]') FROM json_each($1))",
        "UPDATE alert SET gone_at = $3 WHERE facility = $2 AND gone_at IS NULL AND (task_id, day) IN
           (SELECT CAST(value ->> 0 AS UUID), CAST(value ->> 1 AS DATE) FROM jsonb_array_elements($1))",
    );
    exec!(tx, sql, json!(rows), i32::from(facility.number()), at)?;
    Ok(())
}

/// Returns `true` if a task was notified of this date at this facility since `since`.
pub async fn alerted_since(
    tx: &mut Tx,
    task: TaskId,
    (facility, day): (FacilityId, NaiveDate),
    since: Instant,
) -> Result<bool, Error> {
    let count = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM alert WHERE task_id = $1 AND facility = $2 AND day = $3 AND alerted_at >= $4",
        task.0,
        i32::from(facility.number()),
        day,
        since
    )?;
    Ok(count > 0)
}

/// Closes the open alerts of a task that stops. A date that is listed when the task starts again is
/// new to its user.
pub async fn close_alerts_of_task(tx: &mut Tx, task: TaskId, at: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE alert SET gone_at = $2 WHERE task_id = $1 AND gone_at IS NULL", task.0, at)?;
    Ok(())
}

/// Returns the time of a task's last alert.
pub async fn last_alert(tx: &mut Tx, task: TaskId) -> Result<Option<Instant>, Error> {
    let found = one!(
        tx,
        (DateTime<Utc>,),
        "SELECT alerted_at FROM alert WHERE task_id = $1 ORDER BY alerted_at DESC LIMIT 1",
        task.0
    )?;
    Ok(found.map(|(at,)| at))
}

/// Length of the entitlement that a capture buys, in days.
pub const ENTITLEMENT_DAYS: i64 = 365;

/// Inserts the entitlement that a capture buys, once per `paid_by`. That is the id of the captured
/// hold, or of the task if its price was zero.
pub async fn add_entitlement(
    tx: &mut Tx,
    id: EntitlementId,
    (user, task, paid_by): (UserId, TaskId, Uuid),
    (country, group): (CountryCode, &PortalScheduleId),
    applicants: u32,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO entitlement (id, user_id, country, portal_schedule_id, applicants, starts_at, ends_at, task_id,
           paid_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (paid_by) DO NOTHING",
        id.0,
        user.0,
        country.as_str(),
        group.0.clone(),
        i32::try_from(applicants).unwrap_or(i32::MAX),
        now,
        now + TimeDelta::days(ENTITLEMENT_DAYS),
        task.0,
        paid_by
    )?;
    Ok(())
}

/// Returns the number of applicants of a group that the user has already paid for, over all
/// captures that are still valid.
pub async fn entitled(
    tx: &mut Tx,
    user: UserId,
    (country, group): (CountryCode, &PortalScheduleId),
    now: Instant,
) -> Result<u32, Error> {
    let people = scalar!(
        tx,
        i64,
        "SELECT CAST(COALESCE(SUM(applicants), 0) AS BIGINT) FROM entitlement
         WHERE user_id = $1 AND country = $2 AND portal_schedule_id = $3 AND ends_at > $4",
        user.0,
        country.as_str(),
        group.0.clone(),
        now
    )?;
    Ok(u32::try_from(people).unwrap_or_default())
}
