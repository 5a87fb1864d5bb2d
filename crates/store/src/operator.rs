//! Queries for operators: rows by prefix, counts over all rows, stalled work, and discounts.

pub mod groups;
pub mod promos;
pub mod referrals;
pub mod users;

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::health::AccountHealth;
use domain::ids::{AttemptId, PortalAccountId, TaskId, UserId};
use domain::matching::Rank;
use domain::task::Reason;
use uuid::Uuid;

use crate::booking_attempt::BookingAttempt;
use crate::task::Task;
use crate::task::parse_stored;
use crate::{Error, Tx, all, one, scalar};

impl Task {
    /// Returns `true` if the task keeps other tasks from monitoring its group. A task released by
    /// support does not.
    #[must_use]
    pub fn holds_the_group(&self) -> bool {
        self.status.holds_the_group() && self.reason != Some(Reason::ReleasedByOperator)
    }
}

/// Returns at most three tasks whose id begins with `prefix` (hexadecimal; dashes are ignored).
pub async fn tasks_by_prefix(tx: &mut Tx, prefix: &str) -> Result<Vec<TaskId>, Error> {
    let Some((from, to)) = range(prefix) else { return Ok(Vec::new()) };
    let rows =
        all!(tx, (Uuid,), "SELECT id FROM task WHERE id >= $1 AND id <= $2 ORDER BY id LIMIT 3", from, to)?;
    Ok(rows.into_iter().map(|(id,)| TaskId(id)).collect())
}

/// Returns the first and the last id with this prefix.
fn range(prefix: &str) -> Option<(Uuid, Uuid)> {
    let digits: String = prefix.chars().filter(|c| *c != '-').collect();
    if digits.is_empty() || digits.len() > 32 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let fill = |with: &str| Uuid::try_parse(&format!("{digits}{}", with.repeat(32 - digits.len()))).ok();
    Some((fill("0")?, fill("f")?))
}

/// Filter for tasks.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Status of the tasks; `None` matches all.
    pub status: Option<String>,
    /// User of the tasks; `None` matches all.
    pub user: Option<UserId>,
    /// Maximum number of tasks.
    pub limit: i64,
}

/// Returns tasks that are not deleted, newest first.
pub async fn tasks(tx: &mut Tx, filter: &Filter) -> Result<Vec<Task>, Error> {
    let rows = all!(
        tx,
        (Uuid,),
        "SELECT id FROM task WHERE deleted_at IS NULL AND status = COALESCE($1, status)
           AND user_id = COALESCE($2, user_id)
         ORDER BY COALESCE(submitted_at, created_at) DESC, id DESC LIMIT $3",
        filter.status.clone(),
        filter.user.map(|id| id.0),
        filter.limit
    )?;
    whole(tx, rows).await
}

/// Returns other watched tasks of the same portal, visa type and booked state, in the order of
/// service, at most `limit`.
pub async fn peers(tx: &mut Tx, task: &Task, limit: i64) -> Result<Vec<Task>, Error> {
    let rows = all!(
        tx,
        (Uuid,),
        "SELECT id FROM task WHERE deleted_at IS NULL AND status IN ('processing', 'active') AND id <> $1
           AND country = $2 AND visa_type = $3 AND (booked_date IS NOT NULL) = $4
         ORDER BY (captured_at IS NOT NULL), priority DESC, submitted_at, id LIMIT $5",
        task.id.0,
        task.country.as_str(),
        task.visa_type.as_str(),
        task.booked.is_some(),
        limit
    )?;
    whole(tx, rows).await
}

/// Returns a task's rank in the allocation order.
#[must_use]
pub fn rank(task: &Task) -> Rank {
    let submitted = task.submitted_at.unwrap_or(task.created_at);
    Rank::new(task.captured_at.is_some(), task.priority, submitted, task.id)
}

async fn whole(tx: &mut Tx, ids: Vec<(Uuid,)>) -> Result<Vec<Task>, Error> {
    let mut tasks = Vec::with_capacity(ids.len());
    for (id,) in ids {
        tasks.extend(crate::task::get(tx, TaskId(id)).await?);
    }
    crate::task::shown(tx, tasks).await
}

/// Returns every attempt that is open or in state *manual*, oldest first.
pub async fn open_attempts(tx: &mut Tx) -> Result<Vec<BookingAttempt>, Error> {
    let rows = all!(
        tx,
        (Uuid,),
        "SELECT id FROM intent WHERE state IN ('armed', 'acting', 'unknown', 'manual') ORDER BY armed_at LIMIT 1000"
    )?;
    let mut attempts = Vec::with_capacity(rows.len());
    for (id,) in rows {
        attempts.extend(crate::booking_attempt::get(tx, AttemptId(id)).await?);
    }
    Ok(attempts)
}

/// Counts the tasks in each status. Deleted tasks are not counted.
pub async fn tasks_by_status(tx: &mut Tx) -> Result<Vec<(String, i64)>, Error> {
    all!(tx, (String, i64), "SELECT status, COUNT(*) FROM task WHERE deleted_at IS NULL GROUP BY status")
}

/// Counts the attempts in each state.
pub async fn attempts_by_state(tx: &mut Tx) -> Result<Vec<(String, i64)>, Error> {
    all!(tx, (String, i64), "SELECT state, COUNT(*) FROM intent GROUP BY state")
}

/// Counts the card payments, refunds, disputes and unmatched payments in each state: `(what, state,
/// count)`.
pub async fn cards_by_state(tx: &mut Tx) -> Result<Vec<(String, String, i64)>, Error> {
    all!(
        tx,
        (String, String, i64),
        "SELECT 'payment', state, COUNT(*) FROM card_payment GROUP BY state
         UNION ALL SELECT 'refund', state, COUNT(*) FROM card_refund GROUP BY state
         UNION ALL SELECT 'dispute', state, COUNT(*) FROM card_dispute GROUP BY state
         UNION ALL SELECT 'stray', COALESCE(outcome, 'waiting'), COUNT(*) FROM card_stray GROUP BY outcome"
    )
}

/// Returns the time of the oldest pending refund.
pub async fn oldest_refund(tx: &mut Tx) -> Result<Option<Instant>, Error> {
    let found = one!(
        tx,
        (chrono::DateTime<chrono::Utc>,),
        "SELECT created_at FROM card_refund WHERE state = 'pending' ORDER BY created_at LIMIT 1"
    )?;
    Ok(found.map(|(at,)| at))
}

/// Figures of the outbox.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// Number of waiting mails.
    pub waiting: i64,
    /// Number of mails that were given up.
    pub given_up: i64,
    /// Time at which the oldest waiting row was queued.
    pub oldest: Option<Instant>,
    /// Largest number of tries of an undelivered row, and its last error.
    pub worst: Option<(i32, Option<String>)>,
}

/// Reads the figures of the outbox.
pub async fn outbox(tx: &mut Tx) -> Result<Outbox, Error> {
    let (waiting, given_up) = crate::outbox::counts(tx).await?;
    let oldest = scalar!(
        tx,
        Option<DateTime<Utc>>,
        "SELECT MIN(created_at) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL"
    )?;
    let worst = one!(
        tx,
        (i32, Option<String>),
        "SELECT attempts, last_error FROM outbox WHERE delivered_at IS NULL ORDER BY attempts DESC, id LIMIT 1"
    )?;
    Ok(Outbox { waiting, given_up, oldest, worst })
}

/// Lease as stored.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Lease {
    /// Name of the lease.
    pub name: String,
    /// Last holder.
    pub holder: String,
    /// Epoch of the lease.
    pub epoch: i64,
    /// Seconds until the lease ends by the database's clock; negative once it has ended.
    pub seconds_left: i64,
}

/// Returns every lease that was ever acquired.
pub async fn leases(tx: &mut Tx) -> Result<Vec<Lease>, Error> {
    let sql = tx.pick(
        "SELECT name, holder, epoch,
           (expires_us - CAST(unixepoch('now', 'subsec') * 1000000 AS BIGINT)) / 1000000 AS seconds_left
         FROM lease ORDER BY name",
        "SELECT name, holder, epoch,
           (expires_us - CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)) / 1000000 AS seconds_left
         FROM lease ORDER BY name",
    );
    all!(tx, Lease, sql)
}

/// Counts credentials that the portal rejected and that a task still needs.
pub async fn rejected_credentials(tx: &mut Tx) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM credential WHERE health = 'rejected' AND EXISTS
           (SELECT 1 FROM task WHERE task.credential_id = credential.id AND task.deleted_at IS NULL)"
    )
}

/// Returns the unhealthy portal accounts of running or failed tasks: id, health, its start, and the
/// time before which they make no request.
pub async fn unhealthy_accounts(
    tx: &mut Tx,
) -> Result<Vec<(PortalAccountId, AccountHealth, Instant, Option<Instant>)>, Error> {
    let rows = all!(
        tx,
        (Uuid, String, DateTime<Utc>, Option<DateTime<Utc>>),
        "SELECT id, health, health_since, not_before FROM portal_account WHERE health <> 'valid'
           AND id IN (SELECT portal_account_id FROM task WHERE deleted_at IS NULL
             AND status IN ('submitted', 'processing', 'active', 'error'))
         ORDER BY health_since LIMIT 1000"
    )?;
    rows.into_iter()
        .map(|(id, health, since, until)| {
            Ok((PortalAccountId(id), parse_stored("portal_account.health", &health)?, since, until))
        })
        .collect()
}

/// Returns `true` if a session is stored for a portal account.
pub async fn has_session(tx: &mut Tx, id: PortalAccountId) -> Result<bool, Error> {
    let count = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM portal_account WHERE id = $1 AND session_blob IS NOT NULL",
        id.0
    )?;
    Ok(count > 0)
}

/// Returns the holds of a task: id, amount in minor units, state (`open`, `capture` or `release`),
/// and time.
pub async fn holds(tx: &mut Tx, task: TaskId) -> Result<Vec<(Uuid, i64, String, Instant)>, Error> {
    all!(
        tx,
        (Uuid, i64, String, DateTime<Utc>),
        "SELECT h.id, h.amount, COALESCE(r.kind, 'open'), h.created_at FROM ledger_transfer h
           LEFT JOIN ledger_transfer r ON r.resolves_id = h.id
         WHERE h.kind = 'hold' AND h.source_kind = 'task' AND h.source_id = $1 ORDER BY h.created_at",
        task.0
    )
}

/// Returns the number of connections that PostgreSQL allows ordinary roles. `None` on SQLite.
pub async fn connections(tx: &mut Tx) -> Result<Option<i64>, Error> {
    if matches!(tx, Tx::Sqlite(_)) {
        return Ok(None);
    }
    let sql = "SELECT CAST(current_setting('max_connections') AS BIGINT)
                 - CAST(current_setting('superuser_reserved_connections') AS BIGINT)";
    scalar!(tx, i64, sql).map(Some)
}
