//! What each running server does.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, all, exec};

/// A server that said nothing for so long does not run.
pub const SILENT: TimeDelta = TimeDelta::minutes(2);

/// A server as it spoke last.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Node {
    /// Its name; differs between nodes.
    pub name: String,
    /// What it does, with commas between.
    pub roles: String,
    /// Which build it is.
    pub version: String,
    /// The portal's host, with the port where it is not the usual one.
    pub host: String,
    /// When it spoke.
    pub seen_at: DateTime<Utc>,
}

/// A server says what it does.
pub async fn speak(tx: &mut Tx, node: &Node) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO node (name, roles, version, host, seen_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (name) DO UPDATE SET roles = excluded.roles, version = excluded.version, host = excluded.host,
           seen_at = excluded.seen_at",
        node.name.clone(),
        node.roles.clone(),
        node.version.clone(),
        node.host.clone(),
        node.seen_at
    )?;
    Ok(())
}

/// A server ends.
pub async fn leave(tx: &mut Tx, name: &str) -> Result<(), Error> {
    exec!(tx, "DELETE FROM node WHERE name = $1", name.to_owned())?;
    Ok(())
}

/// Servers that spoke lately, by name.
pub async fn running(tx: &mut Tx, now: Instant) -> Result<Vec<Node>, Error> {
    let sql = "SELECT name, roles, version, host, seen_at FROM node WHERE seen_at > $1 ORDER BY name";
    all!(tx, Node, sql, now - SILENT)
}
