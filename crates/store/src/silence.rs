//! Running tasks without an answered poll for long, and the notifications of their users.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::TaskId;
use uuid::Uuid;

use crate::{Error, Tx, all, exec, one, scalar};

/// Builds a statement over `answers`: the last answered poll of each running task's calendars, or
/// the start of the watch if there was none.
macro_rules! over_answers {
    ($what:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $what,
            " FROM (SELECT t.id AS task_id, t.status, COALESCE(
                 (SELECT MAX(CASE WHEN COALESCE(c.answered_at, c.last_look_at) > w.since
                     THEN COALESCE(c.answered_at, c.last_look_at) ELSE w.since END)
                    FROM watch w LEFT JOIN calendar c ON c.key = w.calendar_key
                    WHERE w.task_id = t.id AND w.until IS NULL),
                 t.status_since) AS since
               FROM task t
               WHERE t.deleted_at IS NULL AND t.status IN ('submitted', 'processing', 'active')
                 AND t.verdict <> 'deadline_passed') AS answers ",
            $rest
        )
    };
}

/// Task with the time of the last answered poll of its calendars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silence {
    /// Task without answers.
    pub task: TaskId,
    /// Time of its last answered poll.
    pub since: Instant,
}

fn silences(rows: Vec<(Uuid, DateTime<Utc>)>) -> Vec<Silence> {
    rows.into_iter().map(|(task, since)| Silence { task: TaskId(task), since }).collect()
}

/// Returns up to `limit` running tasks after `after` without an answered poll since `late`, whose
/// users were not notified, in the order of their ids.
pub async fn found(tx: &mut Tx, late: Instant, after: TaskId, limit: i64) -> Result<Vec<Silence>, Error> {
    let sql = over_answers!(
        "task_id, since",
        "WHERE since < $1 AND task_id > $2 AND task_id NOT IN (SELECT task_id FROM task_silence)
           ORDER BY task_id LIMIT $3"
    );
    Ok(silences(all!(tx, (Uuid, DateTime<Utc>), sql, late, after.0, limit)?))
}

/// Returns the last answered poll of every watched task whose user was notified, if there was one
/// since. A city that was added meanwhile has no answer yet.
pub async fn notified(tx: &mut Tx) -> Result<Vec<Silence>, Error> {
    let sql = "SELECT s.task_id, MAX(COALESCE(c.answered_at, c.last_look_at)) FROM task_silence s
         JOIN watch w ON w.task_id = s.task_id AND w.until IS NULL JOIN calendar c ON c.key = w.calendar_key
         WHERE COALESCE(c.answered_at, c.last_look_at) > s.since GROUP BY s.task_id ORDER BY s.task_id";
    Ok(silences(all!(tx, (Uuid, DateTime<Utc>), sql)?))
}

/// Returns the start of the silence that a task's user was notified of.
pub async fn of_task(tx: &mut Tx, task: TaskId) -> Result<Option<Instant>, Error> {
    let row = one!(tx, (DateTime<Utc>,), "SELECT since FROM task_silence WHERE task_id = $1", task.0)?;
    Ok(row.map(|(since,)| since))
}

/// Records that a task's user is notified. Returns `false` if another process was first.
pub async fn insert(tx: &mut Tx, silence: &Silence, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "INSERT INTO task_silence (task_id, since, notified_at) VALUES ($1, $2, $3) ON CONFLICT (task_id) DO NOTHING",
        silence.task.0,
        silence.since,
        now
    )?;
    Ok(rows == 1)
}

/// Deletes the record of a silence that has ended. Returns `false` if another process was first.
pub async fn delete(tx: &mut Tx, task: TaskId) -> Result<bool, Error> {
    Ok(exec!(tx, "DELETE FROM task_silence WHERE task_id = $1", task.0)? == 1)
}

/// Deletes the records of tasks that no longer run.
pub async fn delete_ended(tx: &mut Tx) -> Result<(), Error> {
    exec!(
        tx,
        "DELETE FROM task_silence WHERE task_id IN (SELECT id FROM task
           WHERE deleted_at IS NOT NULL OR status NOT IN ('submitted', 'processing', 'active')
             OR verdict = 'deadline_passed')"
    )?;
    Ok(())
}

/// Counts the active tasks.
pub async fn active(tx: &mut Tx) -> Result<i64, Error> {
    scalar!(tx, i64, "SELECT COUNT(*) FROM task WHERE deleted_at IS NULL AND status = 'active'")
}

/// Counts the active tasks without an answered poll since `late`.
pub async fn count(tx: &mut Tx, late: Instant) -> Result<i64, Error> {
    let sql = over_answers!("COUNT(*)", "WHERE status = 'active' AND since < $1");
    scalar!(tx, i64, sql, late)
}
