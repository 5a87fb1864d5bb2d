//! Heartbeat of this server, with its roles and version, as long as it runs.

use std::time::Duration;

use domain::clock::Instant;
use store::Db;
use store::node::Node;
use tokio_util::sync::CancellationToken;

use crate::AppState;
use crate::config::roles;

const EVERY: Duration = Duration::from_secs(30);

/// Sends the heartbeat until `stop` is cancelled, then records that the server left. Logs an error,
/// once, if another running server has the same name.
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
            Err(error) => tracing::debug!(%error, "failed to record that this server runs"),
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
        tracing::debug!(%error, "failed to record that this server ends");
    }
}

/// Heartbeats of one server.
#[derive(Default)]
pub struct Heartbeat {
    /// Time of the last report.
    last: Option<Instant>,
}

/// Result of a heartbeat.
#[derive(Debug, PartialEq, Eq)]
pub enum Beat {
    /// The report was stored.
    Recorded,
    /// The report was stored, and another server reports under the same name.
    NameShared,
}

impl Heartbeat {
    /// Records one heartbeat, and finds out whether another server changed the last one. The first
    /// heartbeat replaces the report of a predecessor that was killed, so it finds nothing.
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
/// Tasks do not store the host of their portal. So the next server with the lease would book for
/// all of them at its own host (ADR 36).
///
/// # Errors
/// Returns an error if the database fails.
pub async fn disagrees_on_host(db: &Db, host: &str, now: Instant) -> Result<Option<String>, store::Error> {
    if !db.is_postgres() {
        // A SQLite file has only one server at a time.
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

/// Stores the report of this server. Returns its time.
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
    tx.commit().await?;
    Ok(now)
}
