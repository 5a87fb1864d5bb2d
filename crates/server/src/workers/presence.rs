//! Heartbeat of this server, with its roles and version, as long as it runs.

use std::time::Duration;

use domain::clock::Instant;
use store::Db;
use store::node::Node;
use tokio_util::sync::CancellationToken;

use crate::AppState;
use crate::config::roles;

const EVERY: Duration = Duration::from_secs(30);

/// Sends the heartbeat until `stop` is cancelled, then records that the server left.
pub async fn run(app: AppState, stop: CancellationToken) {
    engine::metrics::roles(&app.settings.role.iter().map(|role| role.name()).collect::<Vec<_>>());
    while !stop.is_cancelled() {
        if let Err(error) = speak(&app).await {
            tracing::debug!(%error, "failed to record that this server runs");
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

/// Records one heartbeat.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn speak(app: &AppState) -> Result<(), store::Error> {
    let node = Node {
        name: app.settings.node.clone(),
        roles: roles::names(&app.settings.role),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        host: app.engine.context().client.host(),
        seen_at: app.wall.now(),
    };
    let mut tx = app.db.begin().await?;
    store::node::speak(&mut tx, &node).await?;
    tx.commit().await
}
