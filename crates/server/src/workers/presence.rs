//! Heartbeat of this server: a row with its roles and version, updated while the server runs.

use std::time::Duration;

use domain::clock::Instant;
use store::Db;
use store::node::Node;
use tokio_util::sync::CancellationToken;

use crate::AppState;
use crate::config::roles;

const EVERY: Duration = Duration::from_secs(30);

/// Stores the heartbeat until `stop` is cancelled, then deletes the row. Logs an error, once, if
/// another running server has the same name.
pub async fn run(app: AppState, stop: CancellationToken) {
    engine::metrics::roles(&app.settings.role.iter().map(|role| role.name()).collect::<Vec<_>>());
    let mut heartbeat = Heartbeat::default();
    let mut is_reported = false;
    while !stop.is_cancelled() {
        match heartbeat.beat(&app).await {
            Ok(Beat::NameShared) if !is_reported => {
                let node = &app.settings.node;
                tracing::error!(%node, "another running server has this name; name each server with --node");
                is_reported = true;
            }
            Ok(_) => {}
            Err(error) => tracing::debug!(%error, "failed to store the heartbeat of this server"),
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(EVERY) => {}
        }
    }
    let left = async {
        let mut tx = app.db.begin().await?;
        store::node::delete(&mut tx, &app.settings.node).await?;
        tx.commit().await
    };
    if let Err(error) = left.await {
        tracing::debug!(%error, "failed to delete the heartbeat of this server");
    }
}

/// Stored heartbeats of one server.
#[derive(Default)]
pub struct Heartbeat {
    /// Time of the last stored heartbeat.
    last: Option<Instant>,
}

/// Result of a heartbeat.
#[derive(Debug, PartialEq, Eq)]
pub enum Beat {
    /// The heartbeat was stored.
    Recorded,
    /// The heartbeat was stored, but another server stores heartbeats under the same name.
    NameShared,
}

impl Heartbeat {
    /// Stores one heartbeat, and detects if another server changed the previous one. The first
    /// heartbeat replaces the row of a killed predecessor, so it detects nothing.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub async fn beat(&mut self, app: &AppState) -> Result<Beat, store::Error> {
        let mut is_shared = false;
        if let Some(last) = self.last {
            let mut tx = app.db.read().await?;
            let running = store::node::running(&mut tx, app.wall.now()).await?;
            let stored = running.iter().find(|node| node.name == app.settings.node);
            is_shared = stored.is_some_and(|node| node.seen_at.timestamp_micros() != last.timestamp_micros());
        }
        self.last = Some(report(app).await?);
        Ok(if is_shared { Beat::NameShared } else { Beat::Recorded })
    }
}

/// Returns the reason for which this server may not start beside the running ones, if there is one.
/// All servers of a database must use one portal host: tasks do not store the host, so the server
/// with the lease books for all of them (ADR 36).
///
/// # Errors
/// Returns an error if the database fails.
pub async fn disagrees_on_host(db: &Db, host: &str, now: Instant) -> Result<Option<String>, store::Error> {
    if !db.is_postgres() {
        // A SQLite file is used by one server at a time.
        return Ok(None);
    }
    let mut tx = db.read().await?;
    let running = store::node::running(&mut tx, now).await?;
    Ok(running.iter().find(|node| node.host != host).map(|other| {
        format!(
            "the server {} uses the portal {}, and all servers of a database must use one portal; stop it first (a killed \
             server counts for two more minutes)",
            other.name, other.host
        )
    }))
}

/// Stores the heartbeat row of this server, and returns its time. Also loads the numbers of cities
/// that other servers have discovered.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn report(app: &AppState) -> Result<Instant, store::Error> {
    let now = app.wall.now();
    let node = Node {
        name: app.settings.node.clone(),
        roles: roles::names(&app.settings.role),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        host: app.engine.context().client.host(),
        seen_at: now,
    };
    let mut tx = app.db.begin().await?;
    store::node::record(&mut tx, &node).await?;
    store::facility::load(&mut tx).await?;
    tx.commit().await?;
    Ok(now)
}
