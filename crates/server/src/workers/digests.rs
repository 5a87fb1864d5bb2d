//! Digests: made in their readers' mornings.

use crate::AppState;
use crate::http::error::ApiError;

/// Makes every digest that is due.
///
/// # Errors
/// When the database fails.
pub async fn round(app: &AppState) -> Result<(), ApiError> {
    let now = app.wall.now();
    let mut tx = app.db.read().await?;
    let mut wanted = store::channel::digest::wanted(&mut tx).await?;
    drop(tx);
    wanted.retain(|one| one.setting.digest_due(one.last, now).is_some());
    for one in &wanted {
        let Some(period) = one.setting.digest_due(one.last, now) else { continue };
        let mut tx = app.db.begin().await?;
        app::digests::make(&app.accounts(), &mut tx, one, period).await?;
        tx.commit().await?;
    }
    Ok(())
}
