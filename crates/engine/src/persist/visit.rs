//! Records visits: readings of an account's appointments.

use domain::clock::Instant;
use domain::ids::PortalAccountId;

use crate::JobError;
use crate::persist::Records;

/// Records that an account's groups page was read and adopted. If `again` is set, the page is read
/// once more at that time.
pub(crate) async fn visited(
    records: &Records,
    account: PortalAccountId,
    again: Option<Instant>,
) -> Result<(), JobError> {
    let now = records.portal_time.now();
    let mut tx = records.begin_leading().await?;
    store::portal_account::set_visited(&mut tx, account, now).await?;
    tx.commit().await?;
    records.memory.update(|state| {
        state.visits.answered(account, now);
        if let Some(at) = again {
            state.visits.again(account, at);
        }
    });
    Ok(())
}
