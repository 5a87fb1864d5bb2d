//! One day of rows for growth benchmarks, created by SQLite itself at chosen rates.

use chrono::NaiveDate;
use domain::ids::{TaskId, UserId};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::TABLES;
use crate::{Db, Error, Tx, all, exec};

/// Numbers of rows per day.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// Appearances of days on lists.
    pub sightings: i64,
    /// Changes of lists.
    pub observations: i64,
    /// Journal entries.
    pub journal: i64,
    /// Ended watches of calendars by tasks.
    pub watches: i64,
    /// Booking attempts, most of them never sent.
    pub attempts: i64,
    /// Mails and messages.
    pub outbox: i64,
    /// Alerts to users.
    pub alerts: i64,
    /// Deleted drafts.
    pub drafts: i64,
    /// Token refreshes of each session.
    pub refreshes: i64,
}

/// Statement, and a function for the number of rows that it inserts.
type Seed = (&'static str, fn(&Rates) -> i64);

/// `$1` is the day and `$2` the number of rows. Rows are spread over calendars, tasks and the day.
/// Times have the program's own format.
const ROWS: [Seed; 12] = [
    (
        "WITH RECURSIVE n(i) AS (SELECT 0 WHERE $2 > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $2)
         INSERT INTO sighting (calendar_key, facility, day, seen_at, gone_at)
         SELECT c.key, c.facility, date($1, '+' || (20 + i * 31 % 300) || ' days'),
           strftime('%Y-%m-%dT%H:%M:%f', $1, '+' || (i * 86000.0 / $2) || ' seconds') || '000+00:00',
           strftime('%Y-%m-%dT%H:%M:%f', $1, '+' || (i * 86000.0 / $2 + 150) || ' seconds') || '000+00:00'
         FROM n JOIN calendar c ON c.rowid = 1 + i % (SELECT COUNT(*) FROM calendar)",
        |rates| rates.sightings,
    ),
    (
        "INSERT INTO seen_day (calendar_key, day, first_seen_at, last_seen_at, times)
         SELECT calendar_key, day, MIN(seen_at), MAX(seen_at), COUNT(*) FROM sighting WHERE seen_at >= $1 AND $2 > 0
         GROUP BY calendar_key, day
         ON CONFLICT (calendar_key, day) DO UPDATE SET last_seen_at = excluded.last_seen_at, times = seen_day.times + 1",
        |rates| rates.sightings,
    ),
    (
        "WITH RECURSIVE n(i) AS (SELECT 0 WHERE $2 > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $2)
         INSERT INTO observation (id, calendar_key, seen_at, change, earliest, days)
         SELECT randomblob(16), c.key,
           strftime('%Y-%m-%dT%H:%M:%f', $1, '+' || (i * 86000.0 / $2) || ' seconds') || '000+00:00',
           '{\"appeared\":[\"2027-05-11\",\"2027-06-02\"],\"vanished\":[\"2027-04-09\"]}', date($1, '+40 days'), 12
         FROM n JOIN calendar c ON c.rowid = 1 + i % (SELECT COUNT(*) FROM calendar)",
        |rates| rates.observations,
    ),
    (
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 24)
         INSERT INTO look_hour (calendar_key, hour, counted_before, looks, alone, failures, slots, took_ms, earliest)
         SELECT key, strftime('%Y-%m-%dT%H:00:00', $1, '+' || i || ' hours') || '+00:00', 0, 10, 0, 0, 4, 2100,
           date($1, '+40 days') FROM n, calendar WHERE $2 > 0",
        |_| 1,
    ),
    (
        "WITH RECURSIVE n(i) AS (SELECT 0 WHERE $2 > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $2)
         INSERT INTO journal (id, task_id, at, kind, data)
         SELECT randomblob(16), t.id,
           strftime('%Y-%m-%dT%H:%M:%f', $1, '+' || (i * 86000.0 / $2) || ' seconds') || '000+00:00',
           CASE WHEN i % 50 = 0 THEN 'attempted' WHEN i % 10 = 1 THEN 'signed_in' ELSE 'slot_gone' END,
           CASE WHEN i % 50 = 0 THEN '{\"wrote\":\"All\",\"status\":302,\"location\":\"/x\",\"flash\":null,\"error\":null}'
             WHEN i % 10 = 1 THEN '{}' ELSE '{\"facility\":\"Toronto\",\"date\":\"2027-05-11\",\"why\":\"taken_for_another\"}' END
         FROM n JOIN task t ON t.rowid = 1 + i * 7919 % (SELECT COUNT(*) FROM credential)",
        |rates| rates.journal,
    ),
    (
        "WITH RECURSIVE n(i) AS (SELECT 0 WHERE $2 > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $2)
         INSERT INTO watch (task_id, calendar_key, since, until, looks_from, looks_to)
         SELECT t.id, c.key, date($1, '-20 days') || 'T00:00:00+00:00',
           strftime('%Y-%m-%dT%H:%M:%f', $1, '+' || (i * 86000.0 / $2) || ' seconds') || '000+00:00', 0, 900
         FROM n JOIN task t ON t.rowid = 1 + i * 7919 % (SELECT COUNT(*) FROM credential)
           JOIN calendar c ON c.rowid = 1 + i % (SELECT COUNT(*) FROM calendar)",
        |rates| rates.watches,
    ),
    (
        "WITH RECURSIVE n(i) AS (SELECT 0 WHERE $2 > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $2)
         INSERT INTO intent (id, task_id, user_id, portal_account_id, country, portal_schedule_id, state, epoch,
           target_facility, target_date, target_time, armed_at, acting_at, t0, readings, evidence, settled_at)
         SELECT randomblob(16), t.id, t.user_id, t.portal_account_id, t.country, t.portal_schedule_id,
           CASE WHEN i % 50 = 0 THEN 'confirmed' WHEN i % 50 = 1 THEN 'not_booked' ELSE 'released' END, 7, 94,
           date($1, '+40 days'), '09:15', at, CASE WHEN i % 50 < 2 THEN at END, CASE WHEN i % 50 < 2 THEN at END,
           '{\"readings\":[]}', '{}', at
         FROM (SELECT i, strftime('%Y-%m-%dT%H:%M:%f', $1, '+' || (i * 86000.0 / $2) || ' seconds') || '000+00:00' AS at FROM n)
           JOIN task t ON t.rowid = 1 + i * 7919 % (SELECT COUNT(*) FROM credential)",
        |rates| rates.attempts,
    ),
    (
        "WITH RECURSIVE n(i) AS (SELECT 0 WHERE $2 > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $2)
         INSERT INTO outbox (id, dedup_key, user_id, recipient, language, template, data, created_at, due_at, attempts, epoch,
           delivered_at, event, priority, task_id, notice_id)
         SELECT randomblob(16), $1 || i, t.user_id, 'someone@users.example.com', 'zh', 'booked',
           '{\"name\":\"someone\",\"city\":\"Toronto\",\"date\":\"2027-05-11\",\"time\":\"09:15\",\"days\":120,\"charged\":\"38.00 CAD\"}',
           at, at, 1, 1, at, 'booked', 0, t.id, randomblob(16)
         FROM (SELECT i, strftime('%Y-%m-%dT%H:%M:%f', $1, '+' || (i * 86000.0 / $2) || ' seconds') || '000+00:00' AS at FROM n)
           JOIN task t ON t.rowid = 1 + i * 7919 % (SELECT COUNT(*) FROM credential)",
        |rates| rates.outbox,
    ),
    (
        "WITH RECURSIVE n(i) AS (SELECT 0 WHERE $2 > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $2)
         INSERT INTO alert (id, task_id, facility, day, alerted_at, gone_at)
         SELECT randomblob(16), t.id, 94, date($1, '+' || (20 + i % 300) || ' days'), at, at
         FROM (SELECT i, strftime('%Y-%m-%dT%H:%M:%f', $1, '+' || (i * 86000.0 / $2) || ' seconds') || '000+00:00' AS at FROM n)
           JOIN task t ON t.rowid = 1 + i * 7919 % (SELECT COUNT(*) FROM credential)",
        |rates| rates.alerts,
    ),
    (
        "WITH RECURSIVE n(i) AS (SELECT 0 WHERE $2 > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $2)
         INSERT INTO task (id, user_id, portal_account_id, country, visa_type, portal_schedule_id, status, status_since,
           applicant_group, group_read_at, verdict, verdict_since, verdict_evidence, created_at, updated_at, deleted_at)
         SELECT randomblob(16), t.user_id, t.portal_account_id, t.country, t.visa_type, 'd' || $1 || i, 'draft', at,
           t.applicant_group, at, t.verdict, at, t.verdict_evidence, at, at, at
         FROM (SELECT i, strftime('%Y-%m-%dT%H:%M:%f', $1, '+' || (i * 86000.0 / $2) || ' seconds') || '000+00:00' AS at FROM n)
           JOIN task t ON t.rowid = 1 + i * 7919 % (SELECT COUNT(*) FROM credential)",
        |rates| rates.drafts,
    ),
    // Every user signs in again every thirty days.
    (
        "INSERT INTO session (id, user_id, remembered, created_at, expires_at)
         SELECT randomblob(16), id, TRUE, $1 || 'T00:00:00+00:00', date($1, '+30 days') || 'T00:00:00+00:00' FROM users
         WHERE $2 > 0 AND rowid % 30 = CAST(julianday($1) AS INTEGER) % 30",
        |rates| rates.refreshes,
    ),
    (
        "WITH RECURSIVE n(i) AS (SELECT 0 WHERE $2 > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $2)
         INSERT INTO refresh_token (token_hash, session_id, generation, created_at, rotated_at)
         SELECT randomblob(32), s.id, CAST(julianday($1) AS INTEGER) * $2 + i, at, at
         FROM (SELECT i, strftime('%Y-%m-%dT%H:%M:%f', $1, '+' || (i * 86000.0 / $2) || ' seconds') || '000+00:00' AS at FROM n),
           session s WHERE s.expires_at > $1",
        |rates| rates.refreshes,
    ),
];

/// Inserts the rows of `day`.
///
/// # Errors
/// Returns an error on PostgreSQL, which lacks the SQL functions used here.
pub async fn day(tx: &mut Tx, day: NaiveDate, rates: &Rates) -> Result<(), Error> {
    for (sql, count) in ROWS {
        exec!(tx, sql, day.to_string(), count(rates))?;
    }
    Ok(())
}

/// Spreads the tasks over the first `users` users, and deletes the other users.
///
/// # Errors
/// Returns a database error.
pub async fn share_out(tx: &mut Tx, users: i64) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET user_id = (SELECT id FROM users u WHERE u.rowid = 1 + task.rowid % $1)",
        users
    )?;
    exec!(
        tx,
        "UPDATE credential SET user_id = (SELECT id FROM users u WHERE u.rowid = 1 + credential.rowid % $1)",
        users
    )?;
    exec!(tx, "DELETE FROM users WHERE rowid > $1", users)?;
    Ok(())
}

/// Size of a table.
#[derive(Clone, Debug)]
pub struct Size {
    /// Name of the table.
    pub table: &'static str,
    /// Number of rows.
    pub rows: i64,
    /// Bytes of its pages and its indexes' pages.
    pub bytes: i64,
}

/// Returns every table's size, largest first.
///
/// # Errors
/// Returns an error on PostgreSQL, or a database error.
pub async fn sizes(db: &Db) -> Result<Vec<Size>, Error> {
    let mut tx = db.read().await?;
    let bytes = all!(
        &mut tx,
        (String, i64),
        "SELECT m.tbl_name, SUM(s.pgsize) FROM dbstat s JOIN sqlite_master m ON m.name = s.name GROUP BY m.tbl_name"
    )?;
    let mut sizes = Vec::new();
    for table in TABLES {
        let Tx::Sqlite(t) = &mut tx else { return Err(Error::Refused("only SQLite tells".to_owned())) };
        let sql = AssertSqlSafe(format!("SELECT COUNT(*) FROM {}", table.name));
        let rows = sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut **t).await?;
        let bytes = bytes.iter().find(|(name, _)| name == table.name).map_or(0, |(_, bytes)| *bytes);
        sizes.push(Size { table: table.name, rows, bytes });
    }
    sizes.sort_by_key(|size| std::cmp::Reverse(size.bytes));
    Ok(sizes)
}

/// Returns some task that is not deleted, and its user.
///
/// # Errors
/// Returns a database error.
pub async fn a_task(tx: &mut Tx) -> Result<Option<(TaskId, UserId)>, Error> {
    let sql = "SELECT id, user_id FROM task WHERE deleted_at IS NULL ORDER BY id LIMIT 1";
    Ok(crate::one!(tx, (Uuid, Uuid), sql)?.map(|(task, user)| (TaskId(task), UserId(user))))
}
