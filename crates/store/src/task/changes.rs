//! Changes of a user's tasks, with the facts that a listener needs to request them again.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{TaskId, UserId};
use uuid::Uuid;

use crate::{Error, Tx, all};

/// Task that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Id of the task.
    pub id: TaskId,
    /// Time of the change, which is the version on the wire, as in [`super::shown`].
    pub at: Instant,
    /// `true` if its user deleted it.
    pub deleted: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    updated_at: DateTime<Utc>,
    moved_at: Option<DateTime<Utc>>,
    deleted: bool,
}

/// User with changed tasks, availability lists or balance: time of the last change, and number of
/// changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ChangedUser {
    user_id: Uuid,
    at: DateTime<Utc>,
    changes: i64,
}

impl ChangedUser {
    /// Returns the user.
    #[must_use]
    pub const fn user(&self) -> UserId {
        UserId(self.user_id)
    }
}

/// Returns all users with changes after `after`: of a task, of a calendar that covers a task, or of
/// their balance.
pub async fn moved_users(tx: &mut Tx, after: Instant) -> Result<Vec<ChangedUser>, Error> {
    all!(
        tx,
        ChangedUser,
        "SELECT user_id, MAX(at) AS at, COUNT(*) AS changes FROM (
           SELECT user_id, updated_at AS at FROM task WHERE updated_at > $1
           UNION ALL
           SELECT task.user_id, calendar.moved_at AS at FROM calendar
             JOIN watch ON watch.calendar_key = calendar.key AND watch.until IS NULL
             JOIN task ON task.id = watch.task_id
           WHERE calendar.moved_at > $1
           UNION ALL
           SELECT account.owner AS user_id, transfer.created_at AS at FROM ledger_transfer AS transfer
             JOIN ledger_account AS account ON account.id = transfer.user_account
           WHERE transfer.created_at > $1) AS moved GROUP BY user_id",
        after
    )
}

/// Returns every task of a user that was changed or polled after `after`, oldest change first,
/// deleted tasks included. There is no page limit: a listener would never learn of tasks left out
/// of a first page.
pub async fn changed_of_user(tx: &mut Tx, user: UserId, after: Instant) -> Result<Vec<Change>, Error> {
    let sql = tx.pick(
        "SELECT id, updated_at, moved_at, deleted FROM (
           SELECT task.id, task.updated_at, task.deleted_at IS NOT NULL AS deleted,
             (SELECT MAX(calendar.moved_at) FROM json_each(task.counted) AS had
               JOIN calendar ON calendar.key = had.key) AS moved_at
           FROM task WHERE task.user_id = $1 AND task.status NOT IN ('draft', 'configured')) AS seen
         WHERE updated_at > $2 OR moved_at > $2",
        "SELECT id, updated_at, moved_at, deleted FROM (
           SELECT task.id, task.updated_at, task.deleted_at IS NOT NULL AS deleted,
             (SELECT MAX(calendar.moved_at) FROM jsonb_object_keys(task.counted) AS had (key)
               JOIN calendar ON calendar.key = had.key) AS moved_at
           FROM task WHERE task.user_id = $1 AND task.status NOT IN ('draft', 'configured')) AS seen
         WHERE updated_at > $2 OR moved_at > $2",
    );
    let change = |row: Row| {
        let at = row.moved_at.map_or(row.updated_at, |moved| moved.max(row.updated_at));
        Change { id: TaskId(row.id), at, deleted: row.deleted }
    };
    let mut changes: Vec<Change> = all!(tx, Row, sql, user.0, after)?.into_iter().map(change).collect();
    changes.sort_by_key(|change| (change.at, change.id));
    Ok(changes)
}
