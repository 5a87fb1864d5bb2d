//! Creates digests, in the morning of each reader's time zone.

use domain::channel::digest::Period;
use store::channel::digest::DigestWanted;

use crate::AppState;
use crate::http::error::ApiError;

/// Creates every due digest. A failure does not stop the creation of the others.
///
/// # Errors
/// Returns the last error, if a digest failed.
pub async fn round(app: &AppState) -> Result<(), ApiError> {
    let now = app.wall.now();
    let mut tx = app.db.read().await?;
    let mut wanted = store::channel::digest::wanted(&mut tx).await?;
    drop(tx);
    wanted.retain(|one| one.setting.digest_due(one.last, now).is_some());
    let mut made = Ok(());
    for one in &wanted {
        let Some(period) = one.setting.digest_due(one.last, now) else { continue };
        if let Err(error) = make(app, one, period).await {
            tracing::error!(?error, user = %one.user, "failed to prepare a digest");
            made = Err(error);
        }
    }
    made
}

async fn make(app: &AppState, one: &DigestWanted, period: Period) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    app::digests::make(&app.accounts(), &mut tx, one, period).await?;
    Ok(tx.commit().await?)
}
