//! Bulk tasks for benchmarks, created by the database itself.

use crate::{Error, Tx, exec};

/// Copies the only task of an SQLite database until there are `count` tasks. The copies have
/// separate users, logins and secrets. They cover several kinds of applicants and all cities, with
/// different windows and appointments.
///
/// # Errors
/// Returns an error on PostgreSQL, which lacks the SQL functions used here.
pub async fn multiply(tx: &mut Tx, count: u32) -> Result<(), Error> {
    for copies in COPIES {
        exec!(tx, copies, i64::from(count))?;
    }
    Ok(())
}

/// One statement per table. `$1` is the number of tasks, including the original.
const COPIES: [&str; 4] = [
    "WITH RECURSIVE n(i) AS (SELECT 1 WHERE $1 > 1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1)
     INSERT INTO users (id, email, email_normalised, language, email_verified_at, auto_stop, referral_code, created_at,
       updated_at)
     SELECT unhex(printf('01930000%04x70008001000000%06x', i / 1000000, i % 1000000)), 'c' || i || '@users.example.com',
       'c' || i || '@users.example.com', u.language, u.email_verified_at, u.auto_stop, 'C' || i, u.created_at, u.updated_at
     FROM n, (SELECT * FROM users LIMIT 1) u",
    "WITH RECURSIVE n(i) AS (SELECT 1 WHERE $1 > 1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1)
     INSERT INTO portal_account (id, login_fp, country, visa_type, health_since, budget, created_at)
     SELECT unhex(printf('01930000%04x70008002000000%06x', i / 1000000, i % 1000000)), randomblob(32), a.country, a.visa_type,
       a.health_since, a.budget, a.created_at
     FROM n, (SELECT * FROM portal_account LIMIT 1) a",
    "WITH RECURSIVE n(i) AS (SELECT 1 WHERE $1 > 1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1)
     INSERT INTO credential (id, user_id, portal_account_id, username, secret_kid, secret_blob, secret_version, health,
       health_since, created_at)
     SELECT unhex(printf('01930000%04x70008003000000%06x', i / 1000000, i % 1000000)),
       unhex(printf('01930000%04x70008001000000%06x', i / 1000000, i % 1000000)),
       unhex(printf('01930000%04x70008002000000%06x', i / 1000000, i % 1000000)), 'c' || i || '@example.com', c.secret_kid,
       c.secret_blob, c.secret_version, c.health, c.health_since, c.created_at
     FROM n, (SELECT * FROM credential LIMIT 1) c",
    "WITH RECURSIVE n(i) AS (SELECT 1 WHERE $1 > 1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1)
     INSERT INTO task (id, user_id, credential_id, portal_account_id, country, visa_type, portal_schedule_id, status,
       status_since, applicant_group, group_read_at, booked_facility, booked_date, booked_time, wish, wish_version,
       priority, unit_price, unit_discount, priced_for, total_price, captured_at, captured_amount, submitted_at, verdict,
       verdict_since, verdict_evidence, created_at, updated_at)
     SELECT unhex(printf('01930000%04x70008004000000%06x', i / 1000000, i % 1000000)),
       unhex(printf('01930000%04x70008001000000%06x', i / 1000000, i % 1000000)),
       unhex(printf('01930000%04x70008003000000%06x', i / 1000000, i % 1000000)),
       unhex(printf('01930000%04x70008002000000%06x', i / 1000000, i % 1000000)), t.country, t.visa_type, '8' || i,
       t.status, t.status_since, json_set(t.applicant_group, '$.classes[0]', 'CLASS ' || (i % 3)), t.group_read_at,
       t.booked_facility, date(t.booked_date, '-' || (i * 11 % 400) || ' days'), t.booked_time,
       json_set(t.wish, '$.cities', json_array(89 + i % 7, 89 + (i + 1 + i / 7 % 6) % 7),
         '$.start_date', date('now', '+' || (i * 37 % 200) || ' days'),
         '$.end_date', date('now', '+' || (i * 37 % 200 + 30 + i * 53 % 200) || ' days'),
         '$.minimum_days_from_current', CASE WHEN i % 5 = 0 THEN 14 ELSE 0 END,
         '$.notify_only', json(CASE WHEN i % 10 = 0 THEN 'true' ELSE 'false' END),
         '$.excluded', CASE WHEN i % 4 = 0 THEN json_array(json_array(date('now', '+60 days'), date('now', '+70 days')))
           ELSE json_array() END),
       t.wish_version, t.priority, t.unit_price, t.unit_discount, t.priced_for, t.total_price,
       CASE WHEN i % 3 = 0 THEN t.captured_at END, CASE WHEN i % 3 = 0 THEN t.captured_amount END, t.submitted_at,
       'watching', t.verdict_since, t.verdict_evidence, t.created_at,
       strftime('%Y-%m-%dT%H:%M:%f', julianday(t.updated_at) - ($1 - i) * 0.1 / 86400) || '000+00:00'
     FROM n, (SELECT * FROM task LIMIT 1) t",
];
