//! Audit of changes that operators made at the command line. Each change is one row, written in the
//! transaction of the change and never edited.
//!
//! Each row has a number and a hash over itself and the previous hash. Triggers prevent edits. An
//! attacker without the triggers still cannot change a row, or remove one from the middle, without
//! changing every later hash. An operator with a copy of the newest hash also detects removed rows
//! at the end. Each row is copied to the system's log for that.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{Error, Random, Tx, all, exec, one, scalar};

/// Change to be recorded.
#[derive(Clone, Debug)]
pub struct NewAuditEntry<'a> {
    /// System user who ran the command.
    pub actor: &'a str,
    /// Subcommand, e.g. `tasks release`.
    pub command: &'static str,
    /// Subject of the change: an id, or a text that identifies it.
    pub subject: &'a str,
    /// Arguments and outcome: a JSON object without secrets.
    pub data: Value,
}

/// Recorded change.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Entry {
    /// Id of the row, ordered by time.
    pub id: Uuid,
    /// Time of the change.
    pub at: DateTime<Utc>,
    /// System user who ran the command.
    pub actor: String,
    /// Subcommand.
    pub command: String,
    /// Subject of the change.
    pub subject: String,
    /// Arguments and outcome.
    pub data: Value,
}

/// Lock key: writers of the audit wait for each other on it.
const CHAIN: Uuid = Uuid::from_u128(0x5ead_0000_0000_4000_8000_0000_0000_a0d1);

/// Columns of a row that its hash covers.
#[derive(sqlx::FromRow)]
struct Link {
    id: Uuid,
    at: DateTime<Utc>,
    actor: String,
    command: String,
    subject: String,
    data: Value,
    written_at: Option<DateTime<Utc>>,
    written_by: Option<String>,
    number: i64,
}

impl Link {
    fn hash(&self, before: &[u8]) -> [u8; 32] {
        let written_at = self.written_at.map(|at| at.timestamp_micros());
        let fields = json!([
            self.number,
            self.id,
            self.at.timestamp_micros(),
            self.actor,
            self.command,
            self.subject,
            sorted(&self.data),
            written_at,
            self.written_by,
        ]);
        Sha256::new().chain_update(before).chain_update(fields.to_string()).finalize().into()
    }
}

/// Returns the value with its keys in order, because no database guarantees key order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<_> = map.iter().collect();
            keys.sort_unstable_by(|a, b| a.0.cmp(b.0));
            Value::Array(keys.into_iter().map(|(key, value)| json!([key, sorted(value)])).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

/// Inserts a change. Returns the row's number and hash.
pub async fn add(
    tx: &mut Tx,
    random: &Random,
    act: &NewAuditEntry<'_>,
    now: Instant,
) -> Result<(i64, String), Error> {
    crate::lock::exclusive(tx, CHAIN).await?;
    let (number, before) = head(tx).await?.unwrap_or_default();
    let sql = tx.pick(
        "SELECT strftime('%Y-%m-%d %H:%M:%f+00:00', 'now'), NULL",
        "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') || '+00:00', CAST(current_user AS TEXT)",
    );
    let own = one!(tx, (String, Option<String>), sql)?;
    let (written_at, written_by) = own.unwrap_or_default();
    let written_at = written_at.parse::<DateTime<Utc>>().map_err(|_| Error::Corrupt("audit.written_at"))?;
    let micros = |at: Instant| DateTime::from_timestamp_micros(at.timestamp_micros()).unwrap_or(at);
    let link = Link {
        id: domain::ids::uuid_v7(now, random.bytes()),
        at: micros(now),
        actor: act.actor.to_owned(),
        command: act.command.to_owned(),
        subject: act.subject.to_owned(),
        data: act.data.clone(),
        written_at: Some(written_at),
        written_by,
        number: number + 1,
    };
    let hash = link.hash(&before);
    exec!(
        tx,
        "INSERT INTO audit (id, at, actor, command, subject, data, written_at, written_by, number, hash)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        link.id,
        link.at,
        link.actor,
        link.command,
        link.subject,
        link.data,
        link.written_at,
        link.written_by,
        link.number,
        hash.to_vec()
    )?;
    Ok((link.number, hex::encode(hash)))
}

/// Returns the number and hash of the newest row.
async fn head(tx: &mut Tx) -> Result<Option<(i64, Vec<u8>)>, Error> {
    one!(
        tx,
        (i64, Vec<u8>),
        "SELECT number, hash FROM audit WHERE number IS NOT NULL ORDER BY number DESC LIMIT 1"
    )
}

/// Result of a check of the whole audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Number of rows with a hash.
    pub rows: i64,
    /// Number of rows from old builds, which wrote no hash.
    pub without: i64,
    /// Newest hash; empty if there are no rows.
    pub newest: String,
    /// Number of the first row that was changed or is missing.
    pub broken_at: Option<i64>,
    /// Number of rows outside the chain that no build wrote: rows without a number although newer
    /// than the chain, or numbered below 1.
    pub foreign: i64,
}

/// Checks that every row is as it was written.
pub async fn check(tx: &mut Tx) -> Result<Checked, Error> {
    let (mut before, mut rows, mut broken_at) = (Vec::new(), 0, None);
    loop {
        let page = all!(
            tx,
            Link,
            "SELECT id, at, actor, command, subject, data, written_at, written_by, number FROM audit
             WHERE number > $1 ORDER BY number LIMIT 500",
            rows
        )?;
        if page.is_empty() {
            break;
        }
        for link in page {
            let kept = scalar!(tx, Vec<u8>, "SELECT hash FROM audit WHERE number = $1", link.number)?;
            if broken_at.is_none() && (link.number != rows + 1 || link.hash(&before).as_slice() != kept) {
                broken_at = Some(rows + 1);
            }
            (rows, before) = (link.number, kept);
        }
    }
    let without = scalar!(tx, i64, "SELECT COUNT(*) FROM audit WHERE number IS NULL")?;
    let foreign = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM audit WHERE number <= 0 OR (number IS NULL AND (hash IS NOT NULL
           OR written_at IS NOT NULL OR written_by IS NOT NULL
           OR at >= (SELECT MIN(at) FROM audit WHERE number IS NOT NULL)))"
    )?;
    Ok(Checked { rows, without, newest: hex::encode(before), broken_at, foreign })
}

/// Scaled portal time of a demo. It runs `speed` times faster than wall time, and both are equal at
/// `anchor`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaledTime {
    /// Instant at which both clocks are equal.
    pub anchor: Instant,
    /// Speed of portal time relative to wall time.
    pub speed: f64,
}

/// Marks a database as using simulated time, for a demo or a test, and stores its scale.
pub async fn make_up_time(tx: &mut Tx, scaled: Option<ScaledTime>) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO made_up_time (id, anchor, speed) VALUES (1, $1, $2)
         ON CONFLICT (id) DO UPDATE SET anchor = $1, speed = $2",
        scaled.map(|scaled| scaled.anchor),
        scaled.map(|scaled| scaled.speed)
    )?;
    Ok(())
}

/// Returns the scale of this database's portal time. `None` if portal time equals wall time.
pub async fn scaled_time(tx: &mut Tx) -> Result<Option<ScaledTime>, Error> {
    let row = one!(tx, (Option<DateTime<Utc>>, Option<f64>), "SELECT anchor, speed FROM made_up_time")?;
    let (anchor, speed) = row.unwrap_or_default();
    Ok(anchor.zip(speed).map(|(anchor, speed)| ScaledTime { anchor, speed }))
}

/// Returns `true` if the database uses simulated time, so that a command may name another instant
/// than now.
pub async fn is_time_made_up(tx: &mut Tx) -> Result<bool, Error> {
    Ok(scalar!(tx, i64, "SELECT COUNT(*) FROM made_up_time")? > 0)
}

/// Returns the changes of one subject, newest first.
pub async fn of_subject(tx: &mut Tx, subject: &str, limit: i64) -> Result<Vec<Entry>, Error> {
    all!(
        tx,
        Entry,
        "SELECT id, at, actor, command, subject, data FROM audit WHERE subject = $1
         ORDER BY at DESC, COALESCE(number, 0) DESC, id DESC LIMIT $2",
        subject.to_owned(),
        limit
    )
}

/// Returns changes, newest first. A nonempty `command` keeps subcommands that begin with it
/// (`codes`, `codes mint`).
pub async fn newest(tx: &mut Tx, command: &str, limit: i64) -> Result<Vec<Entry>, Error> {
    all!(
        tx,
        Entry,
        "SELECT id, at, actor, command, subject, data FROM audit WHERE SUBSTR(command, 1, LENGTH($1)) = $1
         ORDER BY at DESC, COALESCE(number, 0) DESC, id DESC LIMIT $2",
        command.to_owned(),
        limit
    )
}
