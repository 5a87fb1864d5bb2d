//! Records of portal pages that could not be parsed.

use portal::PortalError;

use crate::metrics;
use crate::persist::Records;

/// Counts and stores a page with an unknown layout. Ignores any other error.
///
/// A failed write is only logged, because the error's effects on the task must still be handled.
pub(crate) async fn record_parse_failure(records: &Records, portal_error: &PortalError) {
    let Some(changed) = portal_error.unread() else { return };
    metrics::parse_failure(changed.page.as_str());
    let written = async {
        let mut tx = records.db.begin().await?;
        let now = records.wall.now();
        store::parse_failure::record(&mut tx, changed.page.as_str(), changed.what, changed.shape, now)
            .await?;
        tx.commit().await
    };
    if let Err(error) = written.await {
        tracing::warn!(%error, %changed, "failed to store an unreadable portal page");
    }
}
