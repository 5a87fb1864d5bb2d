//! Notifies users whose tasks had no answered poll for a long time. Every process does so, because
//! a stalled engine is one of the causes.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::AppState;

/// Interval of rounds; each round reads every running task.
const TICK: Duration = Duration::from_secs(120);

/// Notifies users until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    let host = app.engine.context().client.host();
    while !stop.is_cancelled() {
        if let Err(error) = app::silence::notify(&app.accounts().ctx, &app.db, &host).await {
            tracing::error!(%error, "failed to notify users of silent tasks; trying again");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(TICK) => {}
        }
    }
}
