//! What operators changed at the command line: one row each, in the change's own transaction, never edited.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use serde_json::Value;
use uuid::Uuid;

use crate::{Error, Random, Tx, all, exec};

/// A change as it is written down.
#[derive(Clone, Debug)]
pub struct Act<'a> {
    /// The system user who ran the command.
    pub actor: &'a str,
    /// The subcommand, e.g. `tasks release`.
    pub command: &'static str,
    /// What it changed: an id, or what stands for one.
    pub subject: &'a str,
    /// Arguments and outcome: a JSON object without secrets.
    pub data: Value,
}

/// A change that was written down.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Entry {
    /// Its id, in order of time.
    pub id: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// The system user.
    pub actor: String,
    /// The subcommand.
    pub command: String,
    /// What was changed.
    pub subject: String,
    /// Arguments and outcome.
    pub data: Value,
}

/// Writes a change down.
pub async fn add(tx: &mut Tx, random: &Random, act: &Act<'_>, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO audit (id, at, actor, command, subject, data) VALUES ($1, $2, $3, $4, $5, $6)",
        domain::ids::uuid_v7(now, random.bytes()),
        now,
        act.actor.to_owned(),
        act.command,
        act.subject.to_owned(),
        act.data.clone()
    )?;
    Ok(())
}

/// The changes of one subject, the newest first.
pub async fn of_subject(tx: &mut Tx, subject: &str, limit: i64) -> Result<Vec<Entry>, Error> {
    all!(
        tx,
        Entry,
        "SELECT id, at, actor, command, subject, data FROM audit WHERE subject = $1
         ORDER BY at DESC, id DESC LIMIT $2",
        subject.to_owned(),
        limit
    )
}

/// The newest changes first, of one subcommand's beginning when it is given (`codes`, `codes mint`).
pub async fn newest(tx: &mut Tx, command: &str, limit: i64) -> Result<Vec<Entry>, Error> {
    all!(
        tx,
        Entry,
        "SELECT id, at, actor, command, subject, data FROM audit WHERE SUBSTR(command, 1, LENGTH($1)) = $1
         ORDER BY at DESC, id DESC LIMIT $2",
        command.to_owned(),
        limit
    )
}
