//! Processing of mail requests of users who are not signed in.
//!
//! The request itself only stores a row, the same for every address. Its result is decided here,
//! once, in the transaction that claims the row. The time is independent of the request, so a
//! client cannot measure the result.

use std::time::Duration;

use app::accounts;
use chrono::TimeDelta;
use domain::clock::Instant;
use tokio_util::sync::CancellationToken;

use crate::AppState;
use crate::http::error::{ApiError, Code};

/// Time between two rounds. A request never wakes this loop, because the response times of later
/// requests could then reveal the result of the last one.
const TICK: Duration = Duration::from_millis(500);
/// Pause before a failed request is tried again.
const LATER: TimeDelta = TimeDelta::minutes(1);

/// Processes requests until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Err(error) = resolve_due(&app).await {
            tracing::warn!(%error, "failed to read requests for mail");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(TICK) => {}
        }
    }
}

/// Processes all waiting requests and returns their number.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn resolve_due(app: &AppState) -> Result<usize, ApiError> {
    let now = app.wall.now();
    let mut tx = app.db.read().await?;
    let any = store::mail_request::any_due(&mut tx, now).await?;
    drop(tx);
    let mut count = 0;
    while any && resolve_next(app, now).await? {
        count += 1;
    }
    Ok(count)
}

async fn resolve_next(app: &AppState, now: Instant) -> Result<bool, ApiError> {
    let mut tx = app.db.begin().await?;
    let Some(request) = store::mail_request::claim(&mut tx, now).await? else { return Ok(false) };
    let id = request.id;
    match accounts::resolve(&app.accounts(), &mut tx, request).await.map_err(ApiError::from) {
        Ok(()) => tx.commit().await?,
        Err(error) if error.code == Code::Unavailable => return Err(error),
        Err(error) => {
            tracing::error!(%id, %error, "failed to process a request for mail; trying again later");
            tx.rollback().await?;
            let mut tx = app.db.begin().await?;
            store::mail_request::postpone(&mut tx, id, now + LATER).await?;
            tx.commit().await?;
        }
    }
    Ok(true)
}
