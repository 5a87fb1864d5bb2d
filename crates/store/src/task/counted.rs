//! Polls counted per calendar, and the part of them that each task's row already includes.
//!
//! A poll updates the row of its calendar once, however many tasks it covers. A task's row stores
//! the counts of its calendars at its last write. Readers add the difference. It is written to the
//! row when the calendars no longer count for the task.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::TaskId;
use serde_json::json;
use sqlx::types::Json;

use super::{Row, Task};
use crate::readable::{Stored, readable};
use crate::{Error, Tx, all, exec};

/// Numbers of polls, and of days that appeared in them.
pub type Counts = (i64, i64);

/// Counts of each of a task's calendars (by the text of its key) when the task's row was written.
pub type CountsByCalendar = BTreeMap<String, Counts>;

/// Counts that a task's row does not include yet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Difference {
    /// Number of polls that covered the task.
    pub checks: i64,
    /// Number of days that appeared in those polls.
    pub slots: i64,
    /// Time of the last of those polls.
    pub last_check_at: Option<Instant>,
    /// Time of the write, in portal time. `None` uses the clock of `updated_at`.
    pub at: Option<Instant>,
}

/// Adds polls to a task's row and stores `counted`, the current counts of its calendars.
///
/// Does nothing if the row has stored counts already.
pub async fn count_from(
    tx: &mut Tx,
    id: TaskId,
    missing: &Difference,
    counted: &CountsByCalendar,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET checks = checks + $2, slots_seen = slots_seen + $3,
           last_check_at = COALESCE($4, last_check_at), counted = $5, counted_at = COALESCE($7, $6),
           updated_at = CASE WHEN $2 > 0 THEN $6 ELSE updated_at END
         WHERE id = $1 AND counted IS NULL",
        id.0,
        missing.checks,
        missing.slots,
        missing.last_check_at,
        Json(counted.clone()),
        now,
        missing.at
    )?;
    Ok(())
}

/// Adds a task's last polls to its row and clears the stored counts: its calendars no longer count
/// for it.
///
/// If the calendars did count for it (`counted`), does nothing to a row that was settled meanwhile.
pub async fn count_up(
    tx: &mut Tx,
    id: TaskId,
    missing: &Difference,
    counted: bool,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET checks = checks + $2, slots_seen = slots_seen + $3,
           last_check_at = COALESCE($4, last_check_at), counted = NULL, counted_at = COALESCE($7, $6),
           updated_at = $6
         WHERE id = $1 AND (NOT $5 OR counted IS NOT NULL)",
        id.0,
        missing.checks,
        missing.slots,
        missing.last_check_at,
        counted,
        now,
        missing.at
    )?;
    Ok(())
}

/// Settles counts that no other caller settled. Covers at most `most` tasks that no poll covers any
/// more, and the tasks `ids`, whose rows name calendars of other tasks. The counts of the named
/// calendars are the best known figures for the meantime.
pub async fn settle_counts(tx: &mut Tx, ids: &[TaskId], most: i64, now: Instant) -> Result<(), Error> {
    let mut left = all!(
        tx,
        Stored<Row>,
        "SELECT * FROM task WHERE counted IS NOT NULL
           AND (deleted_at IS NOT NULL OR status NOT IN ('processing', 'active')) LIMIT $1",
        most
    )?;
    for id in ids {
        left.extend(all!(tx, Stored<Row>, "SELECT * FROM task WHERE id = $1 AND counted IS NOT NULL", id.0)?);
    }
    let left: Vec<Task> = readable(left, "task");
    let written: HashMap<TaskId, Counts> = left.iter().map(|t| (t.id, (t.checks, t.slots_seen))).collect();
    for task in shown(tx, left).await? {
        let (checks, slots) = written[&task.id];
        let (checks, slots) = (task.checks - checks, task.slots_seen - slots);
        let missing = Difference { checks, slots, last_check_at: task.last_check_at, at: None };
        count_up(tx, task.id, &missing, true, now).await?;
    }
    Ok(())
}

#[derive(sqlx::FromRow)]
struct CalendarRow {
    key: String,
    #[sqlx(rename = "looks")]
    polls: i64,
    slots: i64,
    #[sqlx(rename = "last_look_at")]
    last_poll_at: Option<DateTime<Utc>>,
    moved_at: Option<DateTime<Utc>>,
}

/// Returns the tasks as shown to users: with the counts of their calendars since their rows were
/// written.
///
/// Their `updated_at`, the version on the wire, also grows with their calendars. Never compare it
/// with the value in a row.
pub async fn shown(tx: &mut Tx, mut tasks: Vec<Task>) -> Result<Vec<Task>, Error> {
    let keys: BTreeSet<&String> =
        tasks.iter().filter_map(|t| t.counted.as_ref()).flat_map(BTreeMap::keys).collect();
    if keys.is_empty() {
        return Ok(tasks);
    }
    let sql = tx.pick(
        "SELECT key, looks, slots, last_look_at, moved_at FROM calendar
         WHERE key IN (SELECT value FROM json_each($1))",
        "SELECT key, looks, slots, last_look_at, moved_at FROM calendar
         WHERE key IN (SELECT jsonb_array_elements_text($1))",
    );
    let rows = all!(tx, CalendarRow, sql, json!(keys))?;
    let rows: HashMap<String, CalendarRow> = rows.into_iter().map(|row| (row.key.clone(), row)).collect();
    for task in &mut tasks {
        show(task, &rows);
    }
    Ok(tasks)
}

fn show(task: &mut Task, rows: &HashMap<String, CalendarRow>) {
    let Some(counted) = &task.counted else { return };
    let of_it: Vec<_> = counted.iter().filter_map(|(key, had)| Some((rows.get(key)?, *had))).collect();
    let mut moved = None;
    for (row, (polls, slots)) in of_it {
        if row.polls > polls {
            task.last_check_at = task.last_check_at.max(row.last_poll_at);
        }
        task.checks += (row.polls - polls).max(0);
        task.slots_seen += (row.slots - slots).max(0);
        moved = moved.max(row.moved_at);
    }
    if let Some(moved) = moved.filter(|moved| *moved > task.updated_at) {
        task.updated_at = moved;
    }
}
