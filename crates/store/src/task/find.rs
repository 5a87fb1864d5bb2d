//! Task queries: one task, a page, the tasks of a group, and tasks with work left to do.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use domain::clock::Instant;
use domain::country::CountryCode;
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, UserId};
use domain::task::TaskStatus;
use domain::task::listing::{self, ListedTask, TaskFilter, TaskOrder};
use serde_json::Value;
use uuid::Uuid;

use super::{Row, Task, ids_json, read, shown, tasks, watches};
use crate::readable::{Stored, readable};
use crate::{Error, Tx, all, one};

/// Returns one task by id, deleted tasks included.
pub async fn get(tx: &mut Tx, id: TaskId) -> Result<Option<Task>, Error> {
    one!(tx, Row, "SELECT * FROM task WHERE id = $1", id.0)?.map(Task::try_from).transpose()
}

/// Returns one task by id, as shown to users, if `user` owns it and has not deleted it.
pub async fn of_user(tx: &mut Tx, user: UserId, id: TaskId) -> Result<Option<Task>, Error> {
    let row = one!(
        tx,
        Row,
        "SELECT * FROM task WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL",
        id.0,
        user.0
    )?;
    let tasks = row.map(Task::try_from).transpose()?;
    Ok(shown(tx, tasks.into_iter().collect()).await?.pop())
}

/// Returns every task of a user in the order of their ids, deleted tasks included.
pub async fn all_of_user(tx: &mut Tx, user: UserId) -> Result<Vec<Task>, Error> {
    tasks(all!(tx, Row, "SELECT * FROM task WHERE user_id = $1 ORDER BY id", user.0)?)
}

/// Columns that a user's tasks are filtered and sorted by.
#[derive(sqlx::FromRow)]
struct ListedRow {
    id: Uuid,
    status: String,
    reason: Option<String>,
    bookings: i64,
    submitted_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    booked_date: Option<NaiveDate>,
}

impl TryFrom<ListedRow> for ListedTask {
    type Error = Error;
    fn try_from(row: ListedRow) -> Result<Self, Error> {
        Ok(Self {
            id: TaskId(row.id),
            status: TaskStatus::parse(&row.status).ok_or(Error::Corrupt("task.status"))?,
            reason: row.reason.map(|word| read("task.reason", Value::String(word))).transpose()?,
            bookings: usize::try_from(row.bookings).unwrap_or(0),
            submitted_at: row.submitted_at.unwrap_or(row.created_at),
            created_at: row.created_at,
            appointment: row.booked_date,
            next_check: None,
            question_open: false,
        })
    }
}

/// Page request for a user's tasks.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    /// Filters: a task is listed if it matches at least one. An empty list matches all tasks.
    pub filters: &'a [TaskFilter],
    /// Sort order.
    pub order: TaskOrder,
    /// Page number, from 1.
    pub page: usize,
    /// Maximum number of tasks on the page.
    pub size: usize,
    /// Current portal time, for which the next check is derived.
    pub now: Instant,
    /// Tasks with a question that can be answered now.
    pub asking: &'a [TaskId],
}

/// Returns a page of a user's tasks, as shown to users, and the number of tasks on all pages.
pub async fn list(tx: &mut Tx, user: UserId, wanted: Listing<'_>) -> Result<(Vec<Task>, usize), Error> {
    let rows = all!(
        tx,
        ListedRow,
        "SELECT id, status, reason, submitted_at, created_at, booked_date,
           (SELECT COUNT(*) FROM success WHERE success.task_id = task.id) AS bookings
         FROM task WHERE user_id = $1 AND deleted_at IS NULL",
        user.0
    )?;
    let mut listed = rows.into_iter().map(ListedTask::try_from).collect::<Result<Vec<_>, _>>()?;
    for task in &mut listed {
        task.question_open = wanted.asking.contains(&task.id);
    }
    let filters = wanted.filters;
    listed.retain(|task| filters.is_empty() || filters.iter().any(|filter| task.matches(*filter)));
    let mut read = HashMap::new();
    if wanted.order == TaskOrder::NextCheck {
        let running = listed.iter().filter(|task| task.status.is_running());
        read = shown_by_id(tx, &running.map(|task| task.id).collect::<Vec<_>>()).await?;
        let shown: Vec<Task> = read.values().cloned().collect();
        let watches = watches(tx, &shown, wanted.now).await?;
        for task in &mut listed {
            task.next_check = watches.get(&task.id).and_then(|watch| watch.row.next_poll_at);
        }
    }
    listing::sort(&mut listed, wanted.order);
    let first = wanted.page.saturating_sub(1).saturating_mul(wanted.size);
    let page = listed.iter().skip(first).take(wanted.size).map(|task| task.id).collect::<Vec<_>>();
    let unread = page.iter().copied().filter(|id| !read.contains_key(id)).collect::<Vec<_>>();
    read.extend(shown_by_id(tx, &unread).await?);
    Ok((page.iter().filter_map(|id| read.remove(id)).collect(), listed.len()))
}

/// Returns tasks by their ids, as shown to users. Leaves out a task that this build cannot read,
/// such as one with a city of a newer build, because it must not hide the user's other tasks.
async fn shown_by_id(tx: &mut Tx, ids: &[TaskId]) -> Result<HashMap<TaskId, Task>, Error> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = tx.pick(
        "SELECT * FROM task WHERE id IN (SELECT unhex(value) FROM json_each($1))",
        "SELECT * FROM task WHERE id IN (SELECT CAST(jsonb_array_elements_text($1) AS uuid))",
    );
    let rows = all!(tx, Stored<Row>, sql, ids_json(ids.iter().copied()))?;
    Ok(shown(tx, readable(rows, "task")).await?.into_iter().map(|task| (task.id, task)).collect())
}

/// Returns the tasks of one portal group, of any user, that are not deleted.
pub async fn of_group(
    tx: &mut Tx,
    country: CountryCode,
    group: &PortalScheduleId,
) -> Result<Vec<Task>, Error> {
    tasks(all!(
        tx,
        Row,
        "SELECT * FROM task WHERE country = $1 AND portal_schedule_id = $2 AND deleted_at IS NULL ORDER BY created_at",
        country.as_str(),
        group.0.clone()
    )?)
}

/// Returns the tasks that use a credential and are not deleted.
pub async fn of_credential(tx: &mut Tx, credential: CredentialId) -> Result<Vec<Task>, Error> {
    tasks(all!(tx, Row, "SELECT * FROM task WHERE credential_id = $1 AND deleted_at IS NULL", credential.0)?)
}

/// Returns the next deleted tasks after `after` with an open hold, in the order of their ids.
/// Leaves out tasks whose booking is not settled, whose success is not paid yet, or whose portal
/// must be read once more first.
pub async fn deleted_with_hold(tx: &mut Tx, after: TaskId, limit: i64) -> Result<Vec<Task>, Error> {
    let rows = all!(
        tx,
        Stored<Row>,
        "SELECT * FROM task WHERE id > $1 AND deleted_at IS NOT NULL AND hold_id IS NOT NULL AND captured_at IS NULL
           AND last_read_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM intent WHERE intent.task_id = task.id
             AND state IN ('armed', 'acting', 'unknown', 'manual'))
           AND (captured_amount IS NOT NULL OR NOT EXISTS (SELECT 1 FROM success WHERE success.task_id = task.id))
         ORDER BY id LIMIT $2",
        after.0,
        limit
    )?;
    Ok(readable(rows, "task"))
}

/// Returns the next stopped or failed tasks after `after` with an open hold, in the order of their
/// ids. Leaves out tasks whose booking is not settled, whose success is not paid yet, or whose
/// portal must be read once more first.
pub async fn still_with_hold(tx: &mut Tx, after: TaskId, limit: i64) -> Result<Vec<Task>, Error> {
    let rows = all!(
        tx,
        Stored<Row>,
        "SELECT * FROM task WHERE id > $1 AND hold_id IS NOT NULL AND captured_at IS NULL AND deleted_at IS NULL
           AND status IN ('stopped', 'error') AND last_read_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM intent WHERE intent.task_id = task.id
             AND state IN ('armed', 'acting', 'unknown', 'manual'))
           AND (captured_amount IS NOT NULL OR NOT EXISTS (SELECT 1 FROM success WHERE success.task_id = task.id))
         ORDER BY id LIMIT $2",
        after.0,
        limit
    )?;
    Ok(readable(rows, "task"))
}

/// Returns the tasks whose final reading is due by `now` (portal time), with their portal accounts.
pub async fn last_reads(tx: &mut Tx, now: Instant) -> Result<Vec<(TaskId, PortalAccountId)>, Error> {
    let rows = all!(
        tx,
        (Uuid, Uuid),
        "SELECT id, portal_account_id FROM task WHERE last_read_at <= $1 ORDER BY last_read_at",
        now
    )?;
    Ok(rows.into_iter().map(|(task, account)| (TaskId(task), PortalAccountId(account))).collect())
}

/// Totals over all tasks that a user ever submitted.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub struct TaskStats {
    /// Number of polls that covered any of the tasks.
    pub checks: i64,
    /// Number of tasks ever submitted, deleted tasks included.
    pub submitted: i64,
    /// Number of tasks with at least one success.
    pub succeeded: i64,
    /// Number of running tasks: submitted, processing or active.
    pub active: i64,
}

/// Computes the totals of a user's tasks.
pub async fn task_stats(tx: &mut Tx, user: UserId) -> Result<TaskStats, Error> {
    let row = one!(
        tx,
        TaskStats,
        "SELECT CAST(COALESCE(SUM(checks), 0) AS BIGINT) AS checks, COUNT(*) AS submitted,
           CAST(COALESCE(SUM(CASE WHEN EXISTS (SELECT 1 FROM success WHERE success.task_id = task.id)
             THEN 1 ELSE 0 END), 0) AS BIGINT) AS succeeded,
           CAST(COALESCE(SUM(CASE WHEN status IN ('submitted', 'processing', 'active') AND deleted_at IS NULL THEN 1 ELSE 0 END), 0) AS BIGINT) AS active
         FROM task WHERE user_id = $1 AND submitted_at IS NOT NULL",
        user.0
    )?;
    let mut figures = row.ok_or(Error::Corrupt("figures"))?;
    let watched =
        all!(tx, Stored<Row>, "SELECT * FROM task WHERE user_id = $1 AND counted IS NOT NULL", user.0)?;
    let watched: Vec<Task> = readable(watched, "task");
    let written: i64 = watched.iter().map(|task| task.checks).sum();
    let counted: i64 = shown(tx, watched).await?.iter().map(|task| task.checks).sum();
    figures.checks += counted - written;
    Ok(figures)
}

/// Numbers of running tasks with a portal that does not respond or is overloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct TroubledTasks {
    /// Tasks with a portal that does not respond.
    pub down: i64,
    /// Tasks with a portal that responds, but is overloaded.
    pub overloaded: i64,
}

/// Counts running tasks with a portal that does not respond or is overloaded.
pub async fn troubled(tx: &mut Tx) -> Result<TroubledTasks, Error> {
    let row = one!(
        tx,
        TroubledTasks,
        "SELECT COUNT(CASE WHEN verdict = 'portal_down' THEN 1 END) AS down,
           COUNT(CASE WHEN verdict = 'overloaded' THEN 1 END) AS overloaded
         FROM task WHERE deleted_at IS NULL AND verdict IN ('portal_down', 'overloaded')
           AND status IN ('submitted', 'processing', 'active')"
    )?;
    row.ok_or(Error::Corrupt("task"))
}

/// Returns the next tasks after `after` with a success and a hold still open, in the order of their
/// ids. Such tasks exist if the ledger was frozen at the success. Leaves out tasks that were paid
/// once and have a hold for applicants who joined since.
pub async fn owed(tx: &mut Tx, after: TaskId, limit: i64) -> Result<Vec<Task>, Error> {
    let rows = all!(
        tx,
        Stored<Row>,
        "SELECT * FROM task WHERE id > $1 AND captured_at IS NULL AND captured_amount IS NULL AND hold_id IS NOT NULL
           AND EXISTS (SELECT 1 FROM success WHERE success.task_id = task.id)
         ORDER BY id LIMIT $2",
        after.0,
        limit
    )?;
    Ok(readable(rows, "task"))
}
