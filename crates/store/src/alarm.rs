//! Alarms for operators, and the figures that raise them.

use chrono::{DateTime, Utc};
use domain::channel::alarm::{Alarm, AlarmKind, Backlog, GIVEN_UP_WITHIN, Outgoing, URGENT_WAITS};
use domain::clock::Instant;
use uuid::Uuid;

use crate::task::parse_stored;
use crate::{Error, Tx, all, exec, scalar};

/// Lock key that lets one process at a time handle alarms.
pub const SUBJECT: Uuid = Uuid::from_u128(0x0199_a1a2_0000_7000_8000_0000_0000_0001);

/// Alarm with its kind and subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAlarm {
    /// Kind of the alarm.
    pub kind: AlarmKind,
    /// Subject, if the kind has several; otherwise empty.
    pub subject: String,
    /// Times of the alarm.
    pub alarm: Alarm,
}

#[derive(sqlx::FromRow)]
struct Row {
    kind: String,
    subject: String,
    began_at: DateTime<Utc>,
    told_at: Option<DateTime<Utc>>,
    gone_at: Option<DateTime<Utc>>,
}

/// Returns all stored alarms.
pub async fn list(tx: &mut Tx) -> Result<Vec<StoredAlarm>, Error> {
    let sql = "SELECT kind, subject, began_at, told_at, gone_at FROM operator_alarm ORDER BY kind, subject";
    let known = all!(tx, Row, sql)?.into_iter().map(|row| {
        let alarm = Alarm { began_at: row.began_at, told_at: row.told_at, gone_at: row.gone_at };
        Ok(StoredAlarm { kind: parse_stored("operator_alarm.kind", &row.kind)?, subject: row.subject, alarm })
    });
    known.collect()
}

/// Stores the current state of an alarm.
pub async fn save(tx: &mut Tx, known: &StoredAlarm) -> Result<(), Error> {
    let Alarm { began_at, told_at, gone_at } = known.alarm;
    exec!(
        tx,
        "INSERT INTO operator_alarm (kind, subject, began_at, told_at, gone_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (kind, subject) DO UPDATE SET began_at = excluded.began_at, told_at = excluded.told_at,
           gone_at = excluded.gone_at",
        <&str>::from(known.kind),
        known.subject.clone(),
        began_at,
        told_at,
        gone_at
    )?;
    Ok(())
}

/// Deletes an alarm.
pub async fn forget(tx: &mut Tx, kind: AlarmKind, subject: &str) -> Result<(), Error> {
    let sql = "DELETE FROM operator_alarm WHERE kind = $1 AND subject = $2";
    exec!(tx, sql, <&str>::from(kind), subject.to_owned())?;
    Ok(())
}

/// Counts urgent messages that have waited too long, and messages given up recently. Alarms do not
/// count, because an alarm that cannot be sent would never end.
pub async fn outgoing(tx: &mut Tx, now: Instant) -> Result<Outgoing, Error> {
    let rows = all!(
        tx,
        (String, i64, i64, i64),
        "SELECT channel_kind, COUNT(*), COUNT(DISTINCT user_id), COUNT(CASE WHEN attempts = 0 AND due_at < $1 THEN 1 END)
         FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL AND NOT fallback AND priority = 0 AND created_at < $1
           AND event <> 'operator_alarm' GROUP BY channel_kind",
        now - URGENT_WAITS
    )?;
    let given_up = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM outbox WHERE dead_at >= $1 AND not_sent IN ('gave_up', 'operator', 'not_configured')
           AND event <> 'operator_alarm'",
        now - GIVEN_UP_WITHIN
    )?;
    let backlog = rows.into_iter().filter_map(|(kind, waiting, people, untried)| {
        // A kind of a newer build, which this build never sends.
        let kind = parse_stored("outbox.channel_kind", &kind);
        kind.ok().map(|kind| Backlog { kind, waiting, people, untried })
    });
    Ok(Outgoing { backlog: backlog.collect(), given_up })
}

/// Counts the running tasks.
pub async fn running_tasks(tx: &mut Tx) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM task WHERE deleted_at IS NULL AND status IN ('submitted', 'processing', 'active')"
    )
}

/// Counts calendars whose poll was due before `late` and for which a usable account exists. Returns
/// zero if any calendar was polled since `late` (portal time).
pub async fn missed_polls(tx: &mut Tx, late: Instant) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM calendar WHERE next_look_at < $1
           AND key IN (SELECT w.calendar_key FROM watch w JOIN task t ON t.id = w.task_id
             JOIN portal_account a ON a.id = t.portal_account_id
             WHERE w.until IS NULL AND a.health = 'valid' AND (a.not_before IS NULL OR a.not_before < $1))
           AND NOT EXISTS (SELECT 1 FROM calendar WHERE last_look_at >= $1)",
        late
    )
}
