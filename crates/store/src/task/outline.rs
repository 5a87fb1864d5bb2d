//! Part of a running task that the engine keeps in memory: a few columns, read in chunks.

use chrono::{DateTime, NaiveDate, Utc};
use domain::appointment::Slot;
use domain::booking::Attempts;
use domain::calendar::Kind;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::criteria::SearchCriteria;
use domain::ids::{PortalAccountId, TaskId};
use domain::task::TaskStatus;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

use super::{Task, read, slot};
use crate::readable::{Stored, readable};
use crate::{Db, Error, Tx, all, one, scalar};

/// Running task as the engine watches it.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Id of the task.
    pub id: TaskId,
    /// Portal account of the task.
    pub portal_account_id: PortalAccountId,
    /// Kind of applicant of the group.
    pub kind: Kind,
    /// Current status.
    pub status: TaskStatus,
    /// Time at which the group was last read.
    pub group_read_at: Instant,
    /// Interview that the group holds.
    pub booked: Option<Slot>,
    /// Accepted cities and dates. `None` while the task is a draft.
    pub criteria: Option<SearchCriteria>,
    /// Portal's deadline for changing the appointment, if known.
    pub change_deadline: Option<Instant>,
    /// Numbers of reschedules left and used.
    pub attempts: Attempts,
    /// Priority set by the operator. Higher values are served first.
    pub priority: i32,
    /// `true` if the task was paid.
    pub captured: bool,
    /// Time of the submit; for a draft, the time it was found.
    pub submitted_at: Instant,
    /// Condition shown to the user.
    pub condition: TaskCondition,
    /// Time of the engine's next try.
    pub next_try_at: Option<Instant>,
    /// Time of the last poll that covered the task, as stored in its row.
    pub last_check_at: Option<Instant>,
    /// Counts of the task's calendars when its row was written.
    pub counted: Option<super::CountsByCalendar>,
    /// Time of the last change.
    pub updated_at: Instant,
    /// `true` if its user deleted it.
    pub deleted: bool,
}

impl From<&Task> for Outline {
    fn from(task: &Task) -> Self {
        Self {
            id: task.id,
            portal_account_id: task.portal_account_id,
            kind: Kind::of(task.country, task.visa_type, &task.group, task.booked.is_some()),
            status: task.status,
            group_read_at: task.group_read_at,
            booked: task.interview().copied(),
            criteria: task.criteria.clone(),
            change_deadline: task.change_deadline,
            attempts: task.attempts(),
            priority: task.priority,
            captured: task.captured_at.is_some(),
            submitted_at: task.submitted_at.unwrap_or(task.created_at),
            condition: task.condition,
            next_try_at: task.next_try_at,
            last_check_at: task.last_check_at,
            counted: task.counted.clone(),
            updated_at: task.updated_at,
            deleted: task.deleted_at.is_some(),
        }
    }
}

/// Part of a stored group that its kind is derived from.
#[derive(Deserialize)]
struct GroupKind {
    applicants: Vec<IgnoredAny>,
    classes: Vec<String>,
    is_tcn: Option<bool>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    portal_account_id: Uuid,
    country: String,
    visa_type: String,
    status: String,
    applicant_group: Json<GroupKind>,
    group_read_at: DateTime<Utc>,
    booked_facility: Option<i32>,
    booked_date: Option<NaiveDate>,
    booked_time: Option<String>,
    #[sqlx(rename = "wish")]
    criteria: Option<Json<SearchCriteria>>,
    change_deadline: Option<DateTime<Utc>>,
    attempts_left: Option<i32>,
    reschedules_used: i32,
    priority: i32,
    captured_at: Option<DateTime<Utc>>,
    submitted_at: Option<DateTime<Utc>>,
    #[sqlx(rename = "verdict")]
    condition: String,
    next_try_at: Option<DateTime<Utc>>,
    last_check_at: Option<DateTime<Utc>>,
    counted: Option<Json<super::CountsByCalendar>>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    deleted_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for Outline {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let booked = slot(row.booked_facility, row.booked_date, row.booked_time.as_deref())?;
        let GroupKind { applicants, mut classes, is_tcn } = row.applicant_group.0;
        classes.sort_unstable();
        classes.dedup();
        let kind = Kind {
            country: super::parse_stored("task.country", &row.country)?,
            visa_type: super::parse_stored("task.visa_type", &row.visa_type)?,
            classes: classes.join("+"),
            party: u32::try_from(applicants.len()).unwrap_or(u32::MAX).max(1),
            booked: booked.is_some(),
            tcn: is_tcn.unwrap_or(false),
        };
        Ok(Self {
            id: TaskId(row.id),
            portal_account_id: PortalAccountId(row.portal_account_id),
            kind,
            status: TaskStatus::parse(&row.status).ok_or(Error::Corrupt("task.status"))?,
            group_read_at: row.group_read_at,
            booked,
            criteria: row.criteria.map(|w| w.0),
            change_deadline: row.change_deadline,
            attempts: Attempts {
                left: row.attempts_left.and_then(|left| u32::try_from(left).ok()),
                used_here: u32::try_from(row.reschedules_used).unwrap_or(0),
            },
            priority: row.priority,
            captured: row.captured_at.is_some(),
            submitted_at: row.submitted_at.unwrap_or(row.created_at),
            condition: read("task.verdict", Value::String(row.condition))?,
            next_try_at: row.next_try_at,
            last_check_at: row.last_check_at,
            counted: row.counted.map(|counted| counted.0),
            updated_at: row.updated_at,
            deleted: row.deleted_at.is_some(),
        })
    }
}

/// Returns the next tasks changed after `after`, oldest change first, at most `limit`. The engine
/// must process these again.
pub async fn changed(tx: &mut Tx, (after, id): (Instant, TaskId), limit: i64) -> Result<Vec<Outline>, Error> {
    let rows = all!(
        tx,
        Stored<Row>,
        "SELECT id, portal_account_id, country, visa_type, status, applicant_group, group_read_at, booked_facility,
           booked_date, booked_time, wish, change_deadline, attempts_left, reschedules_used, priority, captured_at,
           submitted_at, verdict, next_try_at, last_check_at, counted, created_at, updated_at, deleted_at
         FROM task WHERE updated_at >= $1 AND (updated_at > $1 OR id > $2) AND status NOT IN ('draft', 'configured')
         ORDER BY updated_at, id LIMIT $3",
        after,
        id.0,
        limit
    )?;
    Ok(readable(rows, "task"))
}

/// Returns the next tasks after `after` that the engine works for, in the order of their ids, at
/// most `limit`.
pub async fn running(tx: &mut Tx, after: TaskId, limit: i64) -> Result<Vec<Outline>, Error> {
    let rows = all!(
        tx,
        Stored<Row>,
        "SELECT id, portal_account_id, country, visa_type, status, applicant_group, group_read_at, booked_facility,
           booked_date, booked_time, wish, change_deadline, attempts_left, reschedules_used, priority, captured_at,
           submitted_at, verdict, next_try_at, last_check_at, counted, created_at, updated_at, deleted_at
         FROM task WHERE id > $1 AND deleted_at IS NULL AND status IN ('submitted', 'processing', 'active')
         ORDER BY id LIMIT $2",
        after.0,
        limit
    )?;
    Ok(readable(rows, "task"))
}

/// Summary that differs if any task changed since rows were last read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ChangeMarker {
    /// Number of tasks changed since then.
    pub changed: i64,
    /// Time of the newest change.
    pub newest: Option<DateTime<Utc>>,
    /// Number of open booking attempts.
    #[sqlx(rename = "intents")]
    pub attempts: i64,
}

/// Returns the change marker since `since`, in one statement. On SQLite it uses no transaction.
pub async fn change_marker(db: &Db, since: Instant) -> Result<ChangeMarker, Error> {
    const SQL: &str = "SELECT COUNT(*) AS changed, MAX(updated_at) AS newest,
        (SELECT COUNT(*) FROM intent WHERE state IN ('armed', 'acting', 'unknown')) AS intents
        FROM task WHERE updated_at >= $1";
    crate::sent();
    Ok(match db {
        Db::Sqlite { readers, .. } => sqlx::query_as(SQL).bind(since).fetch_one(readers).await?,
        // In a transaction: a pooler may split statements outside one over two connections.
        Db::Postgres { .. } => {
            let mut tx = db.read().await?;
            let sql: &'static str = SQL;
            let found = one!(&mut tx, ChangeMarker, sql, since)?;
            tx.commit().await?;
            found.ok_or(Error::Corrupt("change marker"))?
        }
    })
}

/// Returns the time of the newest change of any task.
pub async fn newest_change(tx: &mut Tx) -> Result<Option<Instant>, Error> {
    scalar!(
        tx,
        Option<DateTime<Utc>>,
        "SELECT (SELECT updated_at FROM task ORDER BY updated_at DESC LIMIT 1)"
    )
}
