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
