//! Roles of each running server.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, all, exec, scalar};

/// Time without a report after which a server counts as stopped.
pub const SILENT: TimeDelta = TimeDelta::minutes(2);

/// Last report of a server.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Node {
    /// Unique name of the node.
    pub name: String,
    /// Roles, separated by commas.
    pub roles: String,
    /// Version of the build.
    pub version: String,
    /// Host of the portal, with the port if it is not the default one.
    pub host: String,
    /// Time of the report.
    pub seen_at: DateTime<Utc>,
}

/// Stores the report of a server.
pub async fn record(tx: &mut Tx, node: &Node) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO node (name, roles, version, host, seen_at, fingerprints_at) VALUES ($1, $2, $3, $4, $5, $5)
         ON CONFLICT (name) DO UPDATE SET roles = excluded.roles, version = excluded.version, host = excluded.host,
           seen_at = excluded.seen_at, fingerprints_at = excluded.fingerprints_at",
        node.name.clone(),
        node.roles.clone(),
        node.version.clone(),
        node.host.clone(),
        node.seen_at
    )?;
    Ok(())
}

/// Returns `true` if every server with a recent report runs a build that knows fingerprint
/// appointments. Another build could take a half-booked pair for a booking.
pub async fn all_know_fingerprints(tx: &mut Tx, now: Instant) -> Result<bool, Error> {
    let sql = "SELECT COUNT(*) FROM node WHERE seen_at > $1 AND (fingerprints_at IS NULL OR fingerprints_at <> seen_at)";
    Ok(scalar!(tx, i64, sql, now - SILENT)? == 0)
}

/// Deletes a server that is shutting down.
pub async fn delete(tx: &mut Tx, name: &str) -> Result<(), Error> {
    exec!(tx, "DELETE FROM node WHERE name = $1", name.to_owned())?;
    Ok(())
}

/// Returns the servers with a recent report, by name.
pub async fn running(tx: &mut Tx, now: Instant) -> Result<Vec<Node>, Error> {
    let sql = "SELECT name, roles, version, host, seen_at FROM node WHERE seen_at > $1 ORDER BY name";
    all!(tx, Node, sql, now - SILENT)
}
