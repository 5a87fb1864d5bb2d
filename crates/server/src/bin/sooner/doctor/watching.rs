//! Whether the portal answers polls of the active tasks.

use domain::clock::Instant;
use domain::silence::{ALARM_AFTER, SILENT_AFTER, alarms};
use store::silence::share;
use store::{Error, Tx};

use super::Finding;

/// Counts the active tasks none of whose cities had an answered poll for a while.
pub async fn answers(tx: &mut Tx, now: Instant) -> Result<Finding, Error> {
    let late = share(tx, now - ALARM_AFTER).await?;
    let silent = share(tx, now - SILENT_AFTER).await?.silent;
    let text = format!(
        "{} active tasks: {} without an answered poll for {} h, {silent} for {} h",
        late.active,
        late.silent,
        ALARM_AFTER.num_hours(),
        SILENT_AFTER.num_hours()
    );
    let todo = "sooner tasks list --status active shows when each was polled, explain ID what it waits for";
    Ok(if silent > 0 || alarms(late.silent, late.active) {
        Finding::warn("watching", text, todo)
    } else {
        Finding::ok("watching", text)
    })
}
