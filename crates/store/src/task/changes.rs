//! What changed of a person's tasks, as far as a listener must know to ask again.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{TaskId, UserId};
use uuid::Uuid;

use crate::{Error, Tx, all};

/// A task that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub id: TaskId,
    /// When; its version on the wire, as [`super::shown`] has it.
    pub at: Instant,
    /// Whether its user deleted it.
    pub deleted: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    updated_at: DateTime<Utc>,
    moved_at: Option<DateTime<Utc>>,
    deleted: bool,
}

/// Somebody whose tasks, whose availability lists or whose money changed: when last, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Moved {
    user_id: Uuid,
    at: DateTime<Utc>,
    changes: i64,
}

impl Moved {
    /// Who.
    #[must_use]
    pub const fn user(&self) -> UserId {
        UserId(self.user_id)
    }
}

/// Everybody with changes after `after`: to a task, to a list that answers one, to their money.
pub async fn moved_users(tx: &mut Tx, after: Instant) -> Result<Vec<Moved>, Error> {
    all!(
        tx,
        Moved,
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

/// Every task of a user changed or looked at after `after`, deleted ones included, the oldest change first: all of them,
/// for who is left out of a first page would never be told.
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
