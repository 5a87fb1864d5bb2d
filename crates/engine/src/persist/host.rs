//! Writes the row of the portal's host, which all nodes share.

use domain::clock::Instant;

use crate::JobError;
use crate::persist::Records;

/// Writes the end of the back-off from the host if `not_before` is `Some`; an inner `None` ends it
/// now. Also adds `aside`, the number of request tokens that this node reserves for other nodes.
pub(crate) async fn write(
    records: &Records,
    not_before: Option<Option<Instant>>,
    aside: u32,
) -> Result<(), JobError> {
    let mut tx = records.db.begin().await?;
    if let Some(until) = not_before {
        store::outward::hold_off(&mut tx, &records.host, until, records.portal_time.now()).await?;
    }
    store::outward::set_aside(&mut tx, &records.host, i64::from(aside)).await?;
    tx.commit().await?;
    Ok(())
}
