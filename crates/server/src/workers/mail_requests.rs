//! Processing of mail requests, for example password resets, of callers who are not signed in.
//!
//! The endpoint only stores a row, in the same way for every address. This loop decides the result
//! in the transaction that claims the row. Since it runs at a time that is independent of the
//! request, the caller cannot measure the result.

use std::time::Duration;

use app::accounts;
use chrono::TimeDelta;
use domain::clock::Instant;
use tokio_util::sync::CancellationToken;

use crate::AppState;
use crate::http::error::{ApiError, Code};

/// Interval of rounds. A request never wakes this loop, because response times of later requests
/// could then reveal its result.
const TICK: Duration = Duration::from_millis(500);
/// Pause before a failed request is processed again.
const LATER: TimeDelta = TimeDelta::minutes(1);

/// Processes mail requests until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Err(error) = resolve_due(&app).await {
            tracing::warn!(%error, "failed to process mail requests; trying again");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(TICK) => {}
        }
    }
}

/// Processes all due requests, and returns their number.
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
            tracing::error!(%id, %error, "failed to process a mail request; trying again later");
            tx.rollback().await?;
            let mut tx = app.db.begin().await?;
            store::mail_request::postpone(&mut tx, id, now + LATER).await?;
            tx.commit().await?;
        }
    }
    Ok(true)
}
