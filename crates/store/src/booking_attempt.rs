//! Booking attempts: written before any request is sent, settled only by the pages of the portal.

use chrono::{DateTime, NaiveDate, Utc};
use domain::appointment::Appointment;
use domain::booking::{AttemptState, Observation};
use domain::clock::Instant;
use domain::country::CountryCode;
use domain::facility::FacilityId;
use domain::ids::{AttemptId, PortalAccountId, PortalScheduleId, TaskId, UserId};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::readable::{Stored, readable};
use crate::task::{fingerprint_slot, read, slot, time_text};
use crate::{Error, Tx, all, exec, one};

mod evidence;
pub mod late;
mod past;

pub use evidence::{assume_all_sent, learn_time, set_evidence};
pub use past::{give_up, is_open, lagging, late, replaced};

/// Booking attempt as stored.
#[derive(Clone, Debug)]
pub struct BookingAttempt {
    /// Id of the attempt.
    pub id: AttemptId,
    /// Task of the attempt.
    pub task_id: TaskId,
    /// User of the task.
    pub user_id: UserId,
    /// Portal account of the attempt.
    pub portal_account_id: PortalAccountId,
    /// Locale of the portal.
    pub country: CountryCode,
    /// Number of the group at the portal.
    pub portal_schedule_id: PortalScheduleId,
    /// Current state.
    pub state: AttemptState,
    /// Epoch of the engine lease under which the attempt was prepared.
    pub epoch: i64,
    /// Appointment that the group held according to the database.
    pub expected: Option<Appointment>,
    /// Facility of the wanted appointment.
    pub facility: FacilityId,
    /// Date of the wanted appointment.
    pub date: NaiveDate,
    /// Exact appointment, fixed before any byte is sent.
    pub target: Option<Appointment>,
    /// Number of attempts left before this one, if known.
    pub attempts_before: Option<u32>,
    /// Time at which the attempt was prepared.
    pub prepared_at: Instant,
    /// Time of the commit of the state *sending*.
    pub sending_at: Option<Instant>,
    /// End of the POST, or its deadline plus timeout.
    pub t0: Option<Instant>,
    /// Observations of fresh pages, in order.
    pub readings: Vec<Observation>,
    /// Description of the POST's response. It is evidence only and never decides the outcome.
    pub evidence: Value,
    /// Time of the next reading.
    pub next_read_at: Option<Instant>,
    /// Time at which the attempt was settled.
    pub settled_at: Option<Instant>,
    /// `true` if other tasks may try for its slot, because the portal explicitly refused this
    /// attempt.
    pub passed_on: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    task_id: Uuid,
    user_id: Uuid,
    portal_account_id: Uuid,
    country: String,
    portal_schedule_id: String,
    state: String,
    epoch: i64,
    expected_facility: Option<i32>,
    expected_date: Option<NaiveDate>,
    expected_time: Option<String>,
    expected_fingerprints_city: Option<String>,
    expected_fingerprints_date: Option<NaiveDate>,
    expected_fingerprints_time: Option<String>,
    target_facility: i32,
    target_date: NaiveDate,
    target_time: Option<String>,
    target_fingerprints_city: Option<String>,
    target_fingerprints_date: Option<NaiveDate>,
    target_fingerprints_time: Option<String>,
    attempts_before: Option<i32>,
    #[sqlx(rename = "armed_at")]
    prepared_at: DateTime<Utc>,
    #[sqlx(rename = "acting_at")]
    sending_at: Option<DateTime<Utc>>,
    t0: Option<DateTime<Utc>>,
    readings: Value,
    evidence: Value,
    next_read_at: Option<DateTime<Utc>>,
    settled_at: Option<DateTime<Utc>>,
    passed_on: bool,
}

impl TryFrom<Row> for BookingAttempt {
    type Error = Error;
    fn try_from(mut row: Row) -> Result<Self, Error> {
        let target = slot(Some(row.target_facility), Some(row.target_date), row.target_time.as_deref())?;
        let facility = crate::task::facility(row.target_facility)?;
        let target_fingerprints = fingerprint_slot(
            row.target_fingerprints_city.as_deref(),
            row.target_fingerprints_date,
            row.target_fingerprints_time.as_deref(),
        )?;
        let expected = slot(row.expected_facility, row.expected_date, row.expected_time.as_deref())?;
        let expected_fingerprints = fingerprint_slot(
            row.expected_fingerprints_city.as_deref(),
            row.expected_fingerprints_date,
            row.expected_fingerprints_time.as_deref(),
        )?;
        Ok(Self {
            id: AttemptId(row.id),
            task_id: TaskId(row.task_id),
            user_id: UserId(row.user_id),
            portal_account_id: PortalAccountId(row.portal_account_id),
            country: crate::task::parse_stored("intent.country", &row.country)?,
            portal_schedule_id: PortalScheduleId(row.portal_schedule_id),
            state: AttemptState::parse(&row.state).ok_or(Error::Corrupt("intent.state"))?,
            epoch: row.epoch,
            expected: expected.map(|consular| Appointment { consular, fingerprints: expected_fingerprints }),
            facility,
            date: row.target_date,
            target: target.map(|consular| Appointment { consular, fingerprints: target_fingerprints }),
            attempts_before: row.attempts_before.and_then(|a| u32::try_from(a).ok()),
            prepared_at: row.prepared_at,
            sending_at: row.sending_at,
            t0: row.t0,
            readings: read("intent.readings", row.readings["readings"].take())?,
            evidence: row.evidence,
            next_read_at: row.next_read_at,
            settled_at: row.settled_at,
            passed_on: row.passed_on,
        })
    }
}

/// Attempt to prepare.
#[derive(Clone, Debug)]
pub struct NewAttempt {
    /// New id.
    pub id: AttemptId,
    /// Task of the attempt.
    pub task_id: TaskId,
    /// User of the task.
    pub user_id: UserId,
    /// Portal account of the attempt.
    pub portal_account_id: PortalAccountId,
    /// Locale of the portal.
    pub country: CountryCode,
    /// Number of the group at the portal.
    pub portal_schedule_id: PortalScheduleId,
    /// Epoch of the engine lease.
    pub epoch: i64,
    /// Appointment that the group holds according to the database.
    pub expected: Option<Appointment>,
    /// Wanted facility and date.
    pub target: (FacilityId, NaiveDate),
    /// Number of attempts left, if known.
    pub attempts_before: Option<u32>,
}

/// Inserts a prepared attempt.
///
/// # Errors
/// Returns a conflict if the group or the account already has a live attempt.
pub async fn prepare(tx: &mut Tx, new: &NewAttempt, now: Instant) -> Result<(), Error> {
    let expected = new.expected.map(|expected| expected.consular);
    let fingerprints = new.expected.and_then(|expected| expected.fingerprints);
    exec!(
        tx,
        "INSERT INTO intent (id, task_id, user_id, portal_account_id, country, portal_schedule_id, state, epoch,
           expected_facility, expected_date, expected_time, target_facility, target_date, attempts_before,
           armed_at, readings, evidence, expected_fingerprints_city, expected_fingerprints_date,
           expected_fingerprints_time)
         VALUES ($1, $2, $3, $4, $5, $6, 'armed', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)",
        new.id.0,
        new.task_id.0,
        new.user_id.0,
        new.portal_account_id.0,
        new.country.as_str(),
        new.portal_schedule_id.0.clone(),
        new.epoch,
        expected.map(|s| i32::from(s.facility.number())),
        expected.map(|s| s.date),
        expected.map(|s| time_text(s.time)),
        i32::from(new.target.0.number()),
        new.target.1,
        new.attempts_before.map(|a| i32::try_from(a).unwrap_or(i32::MAX)),
        now,
        json!({ "readings": [] }),
        json!({}),
        fingerprints.map(|s| s.city.to_string()),
        fingerprints.map(|s| s.date),
        fingerprints.map(|s| time_text(s.time))
    )?;
    Ok(())
}

/// Returns `true` if a task still runs with the criteria for which an attempt was prepared.
pub async fn is_wanted(tx: &mut Tx, task: TaskId, criteria_version: i32) -> Result<bool, Error> {
    let found = one!(
        tx,
        (i64,),
        "SELECT CAST(1 AS BIGINT) FROM task WHERE id = $1 AND wish_version = $2 AND deleted_at IS NULL
           AND status IN ('submitted', 'processing', 'active')",
        task.0,
        criteria_version
    )?;
    Ok(found.is_some())
}

/// Portal state right before a booking. The replaced appointment, the charge and the notifications
/// follow from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PreflightReading {
    /// Appointment that the group held.
    pub shown: Option<Appointment>,
    /// Number of attempts left, if known.
    pub attempts: Option<u32>,
}

/// Changes a prepared attempt to the state *sending*. The caller commits this before any byte is
/// sent. Returns `false` if the attempt is no longer *prepared*, or if another task booked the slot
/// since it was prepared.
///
/// `t0` is the latest instant at which the POST can end. It is moved back if the POST ends earlier.
///
/// # Errors
/// Returns a conflict if another attempt already targets the same slot.
pub async fn mark_sending(
    tx: &mut Tx,
    id: AttemptId,
    target: &Appointment,
    read: PreflightReading,
    (now, t0): (Instant, Instant),
) -> Result<bool, Error> {
    let shown = read.shown.map(|shown| shown.consular);
    let shown_fingerprints = read.shown.and_then(|shown| shown.fingerprints);
    let fingerprints = target.fingerprints;
    let rows = exec!(
        tx,
        "UPDATE intent SET state = 'acting', target_time = $2, acting_at = $3, t0 = $4, next_read_at = $4,
           attempts_before = COALESCE($5, attempts_before), expected_facility = $6, expected_date = $7, expected_time = $8,
           expected_fingerprints_city = $9, expected_fingerprints_date = $10, expected_fingerprints_time = $11,
           target_fingerprints_city = $12, target_fingerprints_date = $13, target_fingerprints_time = $14
         WHERE id = $1 AND state = 'armed' AND NOT EXISTS (
           SELECT 1 FROM intent AS other WHERE other.state = 'confirmed' AND other.country = intent.country
             AND other.target_facility = intent.target_facility AND other.target_date = intent.target_date
             AND other.target_time = $2 AND other.settled_at >= intent.armed_at)",
        id.0,
        time_text(target.consular.time),
        now,
        t0,
        read.attempts.map(|a| i32::try_from(a).unwrap_or(i32::MAX)),
        shown.map(|s| i32::from(s.facility.number())),
        shown.map(|s| s.date),
        shown.map(|s| time_text(s.time)),
        shown_fingerprints.map(|s| s.city.to_string()),
        shown_fingerprints.map(|s| s.date),
        shown_fingerprints.map(|s| time_text(s.time)),
        fingerprints.map(|s| s.city.to_string()),
        fingerprints.map(|s| s.date),
        fingerprints.map(|s| time_text(s.time))
    )?;
    Ok(rows == 1)
}

/// Releases the slot of an explicitly refused attempt for other tasks, while its own outcome is
/// still being read.
pub async fn pass_on(tx: &mut Tx, id: AttemptId) -> Result<(), Error> {
    exec!(tx, "UPDATE intent SET passed_on = TRUE WHERE id = $1 AND state IN ('acting', 'unknown')", id.0)?;
    Ok(())
}

/// Records the readings and the time of the next one. `state` is *sending* or *unknown*.
pub async fn add_reading(
    tx: &mut Tx,
    id: AttemptId,
    readings: &[Observation],
    state: AttemptState,
    next_read_at: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE intent SET readings = $2, state = $3, next_read_at = $4
         WHERE id = $1 AND state IN ('acting', 'unknown')",
        id.0,
        json!({ "readings": readings }),
        state.as_str(),
        next_read_at
    )?;
    Ok(())
}

/// Settles an attempt. Returns `false` if it was settled meanwhile. Schedules a late reading if it
/// was sent and seems not to have booked.
///
/// # Errors
/// Returns [`Error::Illegal`] if the protocol has no such transition.
pub async fn settle(
    tx: &mut Tx,
    id: AttemptId,
    (from, to): (AttemptState, AttemptState),
    readings: &[Observation],
    now: Instant,
) -> Result<bool, Error> {
    if !from.may_become(to) {
        return Err(Error::Illegal(from.as_str(), to.as_str()));
    }
    let late = late::first(tx, id, to, now).await?;
    let rows = exec!(
        tx,
        "UPDATE intent SET state = $3, readings = $4, settled_at = $5, next_read_at = $6
         WHERE id = $1 AND state = $2",
        id.0,
        from.as_str(),
        to.as_str(),
        json!({ "readings": readings }),
        now,
        late
    )?;
    Ok(rows == 1)
}

/// Releases an attempt of which nothing was sent. Returns `false` if it is no longer *prepared*.
pub async fn release(tx: &mut Tx, id: AttemptId, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE intent SET state = 'released', settled_at = $2 WHERE id = $1 AND state = 'armed'",
        id.0,
        now
    )?;
    Ok(rows == 1)
}

/// Releases the prepared attempts of a task that its user stopped, edited or deleted.
///
/// # Errors
/// Returns [`Error::Unavailable`] while the database may have lost the record of a send. The caller
/// retries after an engine has noticed the failover.
pub async fn release_prepared(tx: &mut Tx, task: TaskId, now: Instant) -> Result<(), Error> {
    let released = exec!(
        tx,
        "UPDATE intent SET state = 'released', settled_at = $2 WHERE task_id = $1 AND state = 'armed'",
        task.0,
        now
    )?;
    if released > 0 && crate::timeline::is_unnoticed(tx).await? {
        let why = "an engine must first check the sent bookings after a failover";
        return Err(Error::Unavailable(sqlx::Error::Protocol(why.to_owned())));
    }
    Ok(())
}

/// Makes the first reading of every attempt in state *sending* due at `now`, because the process
/// that sent it has ended.
pub async fn read_at_once(tx: &mut Tx, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE intent SET next_read_at = $1 WHERE state = 'acting' AND next_read_at > $1", now)?;
    Ok(())
}

/// Returns one attempt by id.
pub async fn get(tx: &mut Tx, id: AttemptId) -> Result<Option<BookingAttempt>, Error> {
    one!(tx, Row, "SELECT * FROM intent WHERE id = $1", id.0)?.map(BookingAttempt::try_from).transpose()
}

/// Returns every live attempt: *prepared*, *sending* or *unknown*.
pub async fn live(tx: &mut Tx) -> Result<Vec<BookingAttempt>, Error> {
    let sql = "SELECT * FROM intent WHERE state IN ('armed', 'acting', 'unknown') ORDER BY armed_at";
    Ok(readable(all!(tx, Stored<Row>, sql)?, "intent"))
}

/// Returns a task's attempts, newest first.
pub async fn of_task(tx: &mut Tx, task: TaskId) -> Result<Vec<BookingAttempt>, Error> {
    all!(tx, Row, "SELECT * FROM intent WHERE task_id = $1 ORDER BY armed_at DESC LIMIT 200", task.0)?
        .into_iter()
        .map(BookingAttempt::try_from)
        .collect()
}

/// Finds the task's attempt that was sent and whose outcome is not known yet. Returns the newest of
/// several.
pub async fn under_way(tx: &mut Tx, task: TaskId) -> Result<Option<BookingAttempt>, Error> {
    let sql = "SELECT * FROM intent WHERE task_id = $1 AND state IN ('acting', 'unknown', 'manual')
         ORDER BY armed_at DESC LIMIT 1";
    one!(tx, Row, sql, task.0)?.map(BookingAttempt::try_from).transpose()
}

/// Returns `true` if any of the task's attempts was sent and its outcome is not known yet.
pub async fn has_open(tx: &mut Tx, task: TaskId) -> Result<bool, Error> {
    Ok(under_way(tx, task).await?.is_some())
}

/// Returns the bookings of other tasks in this country that were prepared since `since`: facility,
/// date and time of the preparation.
pub async fn booked_by_others(
    tx: &mut Tx,
    task: TaskId,
    country: CountryCode,
    since: Instant,
) -> Result<Vec<(FacilityId, NaiveDate, Instant)>, Error> {
    let rows = all!(
        tx,
        (i32, NaiveDate, DateTime<Utc>),
        "SELECT target_facility, target_date, armed_at FROM intent
         WHERE state = 'confirmed' AND country = $1 AND task_id <> $2 AND armed_at >= $3
         ORDER BY armed_at DESC LIMIT 2000",
        country.as_str(),
        task.0,
        since
    )?;
    rows.into_iter().map(|(number, day, at)| Ok((crate::task::facility(number)?, day, at))).collect()
}

/// Returns attempts in state *manual* whose POST ended before `t0`, of tasks that still hold money.
pub async fn manual_before(tx: &mut Tx, t0: Instant) -> Result<Vec<BookingAttempt>, Error> {
    let rows = all!(
        tx,
        Stored<Row>,
        "SELECT * FROM intent WHERE state = 'manual' AND t0 < $1 AND task_id IN
           (SELECT id FROM task WHERE hold_id IS NOT NULL AND captured_at IS NULL) ORDER BY id",
        t0
    )?;
    Ok(readable(rows, "intent"))
}

/// Returns running tasks with an attempt in state *manual*. Their stop was lost.
pub async fn manual_and_running(tx: &mut Tx) -> Result<Vec<TaskId>, Error> {
    let rows = all!(
        tx,
        (Uuid,),
        "SELECT DISTINCT task.id FROM task JOIN intent ON intent.task_id = task.id
         WHERE intent.state = 'manual' AND task.deleted_at IS NULL
           AND task.status IN ('submitted', 'processing', 'active')"
    )?;
    Ok(rows.into_iter().map(|(id,)| TaskId(id)).collect())
}
