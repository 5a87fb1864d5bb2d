//! Tasks: one monitored group each, with its state, wish, price and latest verdict.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use domain::appointment::{Group, Slot};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, TransferId, UserId};
use domain::task::{Reason, TaskStatus};
use domain::verdict::Verdict;
use domain::wish::Wish;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::{Error, Tx, all, exec, one, scalar};

/// A task as it stands in the database.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its id (`schedule_id` on the wire).
    pub id: TaskId,
    /// Whose it is.
    pub user_id: UserId,
    /// The secret it signs in with; none once the secret was deleted.
    pub credential_id: Option<CredentialId>,
    /// The portal login it belongs to.
    pub portal_account_id: PortalAccountId,
    /// The portal's locale, e.g. `en-ca`.
    pub country: String,
    /// `niv` or `iv`.
    pub visa_type: String,
    /// The portal's number of the group.
    pub portal_schedule_id: PortalScheduleId,
    /// Where it stands.
    pub status: TaskStatus,
    /// Why it stands there.
    pub reason: Option<Reason>,
    /// Since when.
    pub status_since: Instant,
    /// The group as it was last read.
    pub group: Group,
    /// When it was last read.
    pub group_read_at: Instant,
    /// The appointment the group holds.
    pub booked: Option<Slot>,
    /// Reschedules the portal still allows, when it said so.
    pub attempts_left: Option<u32>,
    /// The portal's deadline for changes, when known.
    pub change_deadline: Option<Instant>,
    /// Reschedules this task has used, unknown outcomes included.
    pub reschedules_used: u32,
    /// What it accepts; none while a draft.
    pub wish: Option<Wish>,
    /// Grows with each change of the wish.
    pub wish_version: i32,
    /// The operator's priority; higher is served first.
    pub priority: i32,
    /// What was agreed at submit.
    pub price: Option<AgreedPrice>,
    /// The hold for it, if one was ever needed.
    pub hold_id: Option<TransferId>,
    /// When it was paid.
    pub captured_at: Option<Instant>,
    /// What was paid, in minor units.
    pub captured_amount: Option<i64>,
    /// When it was submitted.
    pub submitted_at: Option<Instant>,
    /// What its user is told.
    pub verdict: Verdict,
    /// Since when.
    pub verdict_since: Instant,
    /// What the verdict rests on: a JSON object.
    pub verdict_evidence: Value,
    /// When the engine will try next.
    pub next_try_at: Option<Instant>,
    /// Looks that answered this task.
    pub checks: i64,
    /// Acceptable or not, days seen in its cities.
    pub slots_seen: i64,
    /// The last look that answered it.
    pub last_check_at: Option<Instant>,
    /// When verify-credentials first found it.
    pub created_at: Instant,
    /// The last change; its version on the wire.
    pub updated_at: Instant,
    /// When its user deleted it.
    pub deleted_at: Option<Instant>,
}

/// The price a user agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgreedPrice {
    /// Final price per person, minor units.
    pub unit: i64,
    /// What discounts took off per person, minor units.
    pub discount: i64,
    /// People in the group when it was priced.
    pub applicants: u32,
    /// The whole price, minor units: those already paid for cost nothing.
    pub total: i64,
}

impl Task {
    /// The number that grows with each change.
    #[must_use]
    pub fn version(&self) -> i64 {
        self.updated_at.timestamp_micros()
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    user_id: Uuid,
    credential_id: Option<Uuid>,
    portal_account_id: Uuid,
    country: String,
    visa_type: String,
    portal_schedule_id: String,
    status: String,
    reason: Option<String>,
    status_since: DateTime<Utc>,
    applicant_group: Value,
    group_read_at: DateTime<Utc>,
    booked_facility: Option<i32>,
    booked_date: Option<NaiveDate>,
    booked_time: Option<String>,
    attempts_left: Option<i32>,
    change_deadline: Option<DateTime<Utc>>,
    reschedules_used: i32,
    wish: Option<Value>,
    wish_version: i32,
    priority: i32,
    unit_price: Option<i64>,
    unit_discount: Option<i64>,
    priced_for: Option<i32>,
    total_price: Option<i64>,
    hold_id: Option<Uuid>,
    captured_at: Option<DateTime<Utc>>,
    captured_amount: Option<i64>,
    submitted_at: Option<DateTime<Utc>>,
    verdict: String,
    verdict_since: DateTime<Utc>,
    verdict_evidence: Value,
    next_try_at: Option<DateTime<Utc>>,
    checks: i64,
    slots_seen: i64,
    last_check_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    deleted_at: Option<DateTime<Utc>>,
}

/// Reads a stored word or JSON object into its domain type.
pub(crate) fn read<T: DeserializeOwned>(what: &'static str, value: Value) -> Result<T, Error> {
    serde_json::from_value(value).map_err(|_| Error::Corrupt(what))
}

/// Reads a stored slot from its three columns.
pub(crate) fn slot(
    facility: Option<i32>,
    date: Option<NaiveDate>,
    time: Option<&str>,
) -> Result<Option<Slot>, Error> {
    let (Some(facility), Some(date), Some(time)) = (facility, date, time) else {
        return Ok(None);
    };
    let time = NaiveTime::parse_from_str(time, "%H:%M").map_err(|_| Error::Corrupt("time"))?;
    let facility = FacilityId(u16::try_from(facility).map_err(|_| Error::Corrupt("facility"))?);
    Ok(Some(Slot { facility, date, time }))
}

/// A time as it is stored, `HH:MM`.
pub(crate) fn time_text(time: NaiveTime) -> String {
    time.format("%H:%M").to_string()
}

fn count(value: i32) -> u32 {
    u32::try_from(value).unwrap_or_default()
}

impl TryFrom<Row> for Task {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let price = row.unit_price.zip(row.priced_for).map(|(unit, applicants)| AgreedPrice {
            unit,
            discount: row.unit_discount.unwrap_or(0),
            applicants: count(applicants),
            total: row.total_price.unwrap_or(0),
        });
        Ok(Self {
            id: TaskId(row.id),
            user_id: UserId(row.user_id),
            credential_id: row.credential_id.map(CredentialId),
            portal_account_id: PortalAccountId(row.portal_account_id),
            country: row.country,
            visa_type: row.visa_type,
            portal_schedule_id: PortalScheduleId(row.portal_schedule_id),
            status: TaskStatus::parse(&row.status).ok_or(Error::Corrupt("task.status"))?,
            reason: row.reason.map(|r| read("task.reason", Value::String(r))).transpose()?,
            status_since: row.status_since,
            group: read("task.applicant_group", row.applicant_group)?,
            group_read_at: row.group_read_at,
            booked: slot(row.booked_facility, row.booked_date, row.booked_time.as_deref())?,
            attempts_left: row.attempts_left.map(count),
            change_deadline: row.change_deadline,
            reschedules_used: count(row.reschedules_used),
            wish: row.wish.map(|w| read("task.wish", w)).transpose()?,
            wish_version: row.wish_version,
            priority: row.priority,
            price,
            hold_id: row.hold_id.map(TransferId),
            captured_at: row.captured_at,
            captured_amount: row.captured_amount,
            submitted_at: row.submitted_at,
            verdict: read("task.verdict", Value::String(row.verdict))?,
            verdict_since: row.verdict_since,
            verdict_evidence: row.verdict_evidence,
            next_try_at: row.next_try_at,
            checks: row.checks,
            slots_seen: row.slots_seen,
            last_check_at: row.last_check_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
            deleted_at: row.deleted_at,
        })
    }
}

fn tasks(rows: Vec<Row>) -> Result<Vec<Task>, Error> {
    rows.into_iter().map(Task::try_from).collect()
}

/// One task by id, deleted ones included.
pub async fn get(tx: &mut Tx, id: TaskId) -> Result<Option<Task>, Error> {
    one!(tx, Row, "SELECT * FROM task WHERE id = $1", id.0)?.map(Task::try_from).transpose()
}

/// One task by id if `user` owns it and has not deleted it.
pub async fn of_user(tx: &mut Tx, user: UserId, id: TaskId) -> Result<Option<Task>, Error> {
    one!(tx, Row, "SELECT * FROM task WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL", id.0, user.0)?
        .map(Task::try_from)
        .transpose()
}

/// A page of a user's tasks in the given statuses (comma-separated), newest first, and how many there are.
pub async fn list(
    tx: &mut Tx,
    user: UserId,
    statuses: &str,
    page: i64,
    page_size: i64,
) -> Result<(Vec<Task>, i64), Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT * FROM task WHERE user_id = $1 AND deleted_at IS NULL
           AND (',' || $2 || ',') LIKE ('%,' || status || ',%')
         ORDER BY COALESCE(submitted_at, created_at) DESC, created_at DESC, id DESC LIMIT $3 OFFSET $4",
        user.0,
        statuses.to_owned(),
        page_size,
        (page - 1).max(0) * page_size
    )?;
    let total = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM task WHERE user_id = $1 AND deleted_at IS NULL
           AND (',' || $2 || ',') LIKE ('%,' || status || ',%')",
        user.0,
        statuses.to_owned()
    )?;
    Ok((tasks(rows)?, total))
}

/// Every task of a user changed after `after`, deleted ones included, oldest change first.
pub async fn changed_of_user(tx: &mut Tx, user: UserId, after: Instant) -> Result<Vec<Task>, Error> {
    tasks(all!(
        tx,
        Row,
        "SELECT * FROM task WHERE user_id = $1 AND updated_at > $2 AND status NOT IN ('draft', 'configured')
         ORDER BY updated_at LIMIT 200",
        user.0,
        after
    )?)
}

/// Every task changed after `after`: what the engine must look at again.
pub async fn changed(tx: &mut Tx, after: Instant) -> Result<Vec<Task>, Error> {
    tasks(all!(
        tx,
        Row,
        "SELECT * FROM task WHERE updated_at > $1 AND status NOT IN ('draft', 'configured') ORDER BY updated_at",
        after
    )?)
}

/// Every task the engine works for.
pub async fn running(tx: &mut Tx) -> Result<Vec<Task>, Error> {
    tasks(all!(
        tx,
        Row,
        "SELECT * FROM task WHERE deleted_at IS NULL AND status IN ('submitted', 'processing', 'active')"
    )?)
}

/// The tasks of one portal group that nobody has deleted, any user.
pub async fn of_group(tx: &mut Tx, country: &str, group: &PortalScheduleId) -> Result<Vec<Task>, Error> {
    tasks(all!(
        tx,
        Row,
        "SELECT * FROM task WHERE country = $1 AND portal_schedule_id = $2 AND deleted_at IS NULL ORDER BY created_at",
        country.to_owned(),
        group.0.clone()
    )?)
}

/// The tasks that use a credential and are not deleted.
pub async fn of_credential(tx: &mut Tx, credential: CredentialId) -> Result<Vec<Task>, Error> {
    tasks(all!(tx, Row, "SELECT * FROM task WHERE credential_id = $1 AND deleted_at IS NULL", credential.0)?)
}

/// What verify-credentials found of one group.
#[derive(Clone, Debug)]
pub struct Found {
    /// A fresh id, used when the group is new for this user.
    pub id: TaskId,
    /// The verifying user.
    pub user_id: UserId,
    /// The secret just tested.
    pub credential_id: CredentialId,
    /// The login it belongs to.
    pub portal_account_id: PortalAccountId,
    /// The portal's locale.
    pub country: String,
    /// `niv` or `iv`.
    pub visa_type: String,
    /// The portal's number.
    pub portal_schedule_id: PortalScheduleId,
    /// The people and classes.
    pub group: Group,
    /// The appointment it holds.
    pub booked: Option<Slot>,
}

/// Writes a draft for a found group, or refreshes the user's task of it; never resets a status.
pub async fn upsert_found(tx: &mut Tx, found: &Found, now: Instant) -> Result<TaskId, Error> {
    let group = serde_json::to_value(&found.group).map_err(|_| Error::Corrupt("group"))?;
    let existing = scalar!(
        tx,
        Option<Uuid>,
        "SELECT (SELECT id FROM task WHERE user_id = $1 AND country = $2 AND portal_schedule_id = $3
           AND deleted_at IS NULL)",
        found.user_id.0,
        found.country.clone(),
        found.portal_schedule_id.0.clone()
    )?;
    if let Some(id) = existing {
        // The appointment and group of a submitted task are the engine's to compare: a change seen here only
        // would go unnoticed there.
        exec!(
            tx,
            "UPDATE task SET credential_id = $2, portal_account_id = $3, updated_at = $4,
               applicant_group = CASE WHEN status IN ('draft', 'configured') THEN $5 ELSE applicant_group END
             WHERE id = $1",
            id,
            found.credential_id.0,
            found.portal_account_id.0,
            now,
            group
        )?;
        let editable = scalar!(
            tx,
            i64,
            "SELECT COUNT(*) FROM task WHERE id = $1 AND status IN ('draft', 'configured')",
            id
        )?;
        if editable == 1 {
            set_booked(tx, TaskId(id), found.booked, now).await?;
        }
        return Ok(TaskId(id));
    }
    exec!(
        tx,
        "INSERT INTO task (id, user_id, credential_id, portal_account_id, country, visa_type, portal_schedule_id,
           status, status_since, applicant_group, group_read_at, verdict, verdict_since, verdict_evidence,
           created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'draft', $8, $9, $8, 'waiting_first_look', $8, $10, $8, $8)",
        found.id.0,
        found.user_id.0,
        found.credential_id.0,
        found.portal_account_id.0,
        found.country.clone(),
        found.visa_type.clone(),
        found.portal_schedule_id.0.clone(),
        now,
        group,
        serde_json::json!({})
    )?;
    set_booked(tx, found.id, found.booked, now).await?;
    Ok(found.id)
}

/// Records the appointment the portal shows for the group.
pub async fn set_booked(tx: &mut Tx, id: TaskId, booked: Option<Slot>, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET booked_facility = $2, booked_date = $3, booked_time = $4, group_read_at = $5, updated_at = $5
         WHERE id = $1",
        id.0,
        booked.map(|b| i32::from(b.facility.0)),
        booked.map(|b| b.date),
        booked.map(|b| time_text(b.time)),
        now
    )?;
    Ok(())
}

/// Records the group as it was just read.
pub async fn set_group(tx: &mut Tx, id: TaskId, group: &Group, now: Instant) -> Result<(), Error> {
    let group = serde_json::to_value(group).map_err(|_| Error::Corrupt("group"))?;
    exec!(
        tx,
        "UPDATE task SET applicant_group = $2, group_read_at = $3, updated_at = $3 WHERE id = $1",
        id.0,
        group,
        now
    )?;
    Ok(())
}

/// Records what the limit page and the instructions page said; unknown values leave the old ones.
pub async fn set_allowance(
    tx: &mut Tx,
    id: TaskId,
    attempts_left: Option<u32>,
    change_deadline: Option<Instant>,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET attempts_left = COALESCE($2, attempts_left),
           change_deadline = COALESCE($3, change_deadline), updated_at = $4 WHERE id = $1",
        id.0,
        attempts_left.map(|a| i32::try_from(a).unwrap_or(i32::MAX)),
        change_deadline,
        now
    )?;
    Ok(())
}

/// Forgets reschedules left and deadline: the appointment they were read for is no longer the one held.
pub async fn forget_allowance(tx: &mut Tx, id: TaskId, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET attempts_left = NULL, change_deadline = NULL, updated_at = $2 WHERE id = $1",
        id.0,
        now
    )?;
    Ok(())
}

/// Tasks whose booking is confirmed and whose hold is still open: money was frozen meanwhile.
pub async fn owed(tx: &mut Tx) -> Result<Vec<Task>, Error> {
    tasks(all!(
        tx,
        Row,
        "SELECT * FROM task WHERE captured_at IS NULL AND hold_id IS NOT NULL AND EXISTS
           (SELECT 1 FROM intent WHERE intent.task_id = task.id AND state = 'confirmed') LIMIT 100"
    )?)
}

/// Counts one reschedule as used.
pub async fn count_reschedule(tx: &mut Tx, id: TaskId, by: i32, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET reschedules_used = reschedules_used + $2, updated_at = $3 WHERE id = $1",
        id.0,
        by,
        now
    )?;
    Ok(())
}

/// Sets the wish; a draft becomes configured.
pub async fn set_wish(tx: &mut Tx, id: TaskId, wish: &Wish, now: Instant) -> Result<(), Error> {
    let wish = serde_json::to_value(wish).map_err(|_| Error::Corrupt("wish"))?;
    exec!(
        tx,
        "UPDATE task SET wish = $2, wish_version = wish_version + 1, updated_at = $3,
           status_since = CASE WHEN status = 'draft' THEN $3 ELSE status_since END,
           status = CASE WHEN status = 'draft' THEN 'configured' ELSE status END WHERE id = $1",
        id.0,
        wish,
        now
    )?;
    Ok(())
}

/// Submits a configured task: price, hold and rank are fixed here.
///
/// # Errors
/// A conflict when somebody else's task already holds the group.
pub async fn submit(
    tx: &mut Tx,
    id: TaskId,
    price: AgreedPrice,
    hold: Option<TransferId>,
    captured: bool,
    now: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE task SET status = 'submitted', reason = NULL, status_since = $2, submitted_at = $2, updated_at = $2,
           unit_price = $3, unit_discount = $4, priced_for = $5, hold_id = $6, total_price = $8,
           captured_at = CASE WHEN $7 THEN $2 ELSE captured_at END,
           captured_amount = CASE WHEN $7 THEN 0 ELSE captured_amount END,
           verdict = 'waiting_first_look', verdict_since = $2
         WHERE id = $1 AND status = 'configured' AND deleted_at IS NULL",
        id.0,
        now,
        price.unit,
        price.discount,
        i32::try_from(price.applicants).unwrap_or(i32::MAX),
        hold.map(|h| h.0),
        captured,
        price.total
    )?;
    Ok(rows == 1)
}

/// Replaces the hold of a task, when it is started again after its hold was released.
pub async fn set_hold(tx: &mut Tx, id: TaskId, hold: Option<TransferId>, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE task SET hold_id = $2, updated_at = $3 WHERE id = $1", id.0, hold.map(|h| h.0), now)?;
    Ok(())
}

/// Records that the task was paid.
pub async fn set_captured(tx: &mut Tx, id: TaskId, amount: i64, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET captured_at = $2, captured_amount = $3, updated_at = $2
         WHERE id = $1 AND captured_at IS NULL",
        id.0,
        now,
        amount
    )?;
    Ok(())
}

/// Moves a task from one status to another; `false` when it was no longer there.
///
/// # Errors
/// [`Error::Illegal`] when the move is not one of the product's.
pub async fn set_status(
    tx: &mut Tx,
    id: TaskId,
    (from, to): (TaskStatus, TaskStatus),
    reason: Option<Reason>,
    now: Instant,
) -> Result<bool, Error> {
    if from != to && !from.may_become(to) {
        return Err(Error::Illegal(from.as_str(), to.as_str()));
    }
    let rows = exec!(
        tx,
        "UPDATE task SET status = $3, reason = $4, status_since = $5, updated_at = $5
         WHERE id = $1 AND status = $2",
        id.0,
        from.as_str(),
        to.as_str(),
        reason.map(Reason::as_str),
        now
    )?;
    Ok(rows == 1)
}

/// What the user is told, and when the engine tries next.
pub async fn set_verdict(
    tx: &mut Tx,
    id: TaskId,
    verdict: Verdict,
    evidence: &Value,
    next_try_at: Option<Instant>,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET verdict_since = CASE WHEN verdict = $2 THEN verdict_since ELSE $5 END, verdict = $2,
           verdict_evidence = $3, next_try_at = $4, updated_at = $5 WHERE id = $1",
        id.0,
        verdict.as_str(),
        evidence.clone(),
        next_try_at,
        now
    )?;
    Ok(())
}

/// Counts looks that answered the task; written in batches.
pub async fn add_checks(
    tx: &mut Tx,
    id: TaskId,
    (checks, slots): (i64, i64),
    last_check_at: Instant,
    next_try_at: Option<Instant>,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET checks = checks + $2, slots_seen = slots_seen + $3, last_check_at = $4, next_try_at = $5,
           updated_at = $6 WHERE id = $1",
        id.0,
        checks,
        slots,
        last_check_at,
        next_try_at,
        now
    )?;
    Ok(())
}

/// Hides a task for good.
pub async fn delete(tx: &mut Tx, id: TaskId, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE task SET deleted_at = $2, updated_at = $2 WHERE id = $1 AND deleted_at IS NULL",
        id.0,
        now
    )?;
    Ok(rows == 1)
}

/// Deletes drafts and configured tasks untouched since `before`; answers how many.
pub async fn sweep_drafts(tx: &mut Tx, before: Instant, now: Instant) -> Result<u64, Error> {
    exec!(
        tx,
        "UPDATE task SET deleted_at = $2, updated_at = $2 WHERE deleted_at IS NULL AND updated_at < $1
           AND status IN ('draft', 'configured')",
        before,
        now
    )
}

/// Deleted tasks whose hold is still open and whose bookings are all settled.
pub async fn deleted_with_hold(tx: &mut Tx) -> Result<Vec<Task>, Error> {
    tasks(all!(
        tx,
        Row,
        "SELECT * FROM task WHERE deleted_at IS NOT NULL AND hold_id IS NOT NULL AND captured_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM intent WHERE intent.task_id = task.id
             AND state IN ('armed', 'acting', 'unknown', 'confirmed')) LIMIT 100"
    )?)
}

/// A user's figures over all tasks ever submitted.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub struct Figures {
    /// Looks that answered any of them.
    pub checks: i64,
    /// Ever submitted, deleted ones included.
    pub submitted: i64,
    /// With at least one success.
    pub succeeded: i64,
    /// Being watched.
    pub active: i64,
}

/// Sums a user's tasks up.
pub async fn figures(tx: &mut Tx, user: UserId, active: &str) -> Result<Figures, Error> {
    let row = one!(
        tx,
        Figures,
        "SELECT CAST(COALESCE(SUM(checks), 0) AS BIGINT) AS checks, COUNT(*) AS submitted,
           CAST(COALESCE(SUM(CASE WHEN EXISTS (SELECT 1 FROM success WHERE success.task_id = task.id)
             THEN 1 ELSE 0 END), 0) AS BIGINT) AS succeeded,
           CAST(COALESCE(SUM(CASE WHEN status = $2 AND deleted_at IS NULL THEN 1 ELSE 0 END), 0) AS BIGINT) AS active
         FROM task WHERE user_id = $1 AND submitted_at IS NOT NULL",
        user.0,
        active.to_owned()
    )?;
    row.ok_or(Error::Corrupt("figures"))
}

/// How many running tasks are told `verdict`.
pub async fn running_with_verdict(tx: &mut Tx, verdict: Verdict) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM task WHERE deleted_at IS NULL AND status IN ('submitted', 'processing', 'active')
           AND verdict = $1",
        verdict.as_str()
    )
}
