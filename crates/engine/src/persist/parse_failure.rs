//! Remembers pages that could not be parsed.

use portal::PortalError;

use crate::metrics;
use crate::persist::Records;

/// Counts and remembers a page that was not as known; any other trouble is nothing to it.
///
/// A row that cannot be written is a line in the log: what the trouble means for the task comes first.
pub(crate) async fn note_parse_failure(records: &Records, portal_error: &PortalError) {
    let Some(changed) = portal_error.unread() else { return };
    metrics::parse_failure(changed.page.as_str());
    let written = async {
        let mut tx = records.db.begin().await?;
        let now = records.wall.now();
        store::parse_failure::note(&mut tx, changed.page.as_str(), changed.what, changed.shape, now).await?;
        tx.commit().await
    };
    if let Err(error) = written.await {
        tracing::warn!(%error, %changed, "an unreadable page was not remembered");
    }
}
