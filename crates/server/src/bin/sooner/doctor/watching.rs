//! Check that the portal answers polls for the active tasks.

use app::silence::{LateTasks, late_tasks};
use domain::clock::Instant;
use domain::silence::SILENT_AFTER;
use store::{Error, Tx};

use super::Finding;

/// Reports the number of active tasks without an answered poll in any of their cities: for the
/// duration at which the operator is alarmed, and for [`SILENT_AFTER`].
pub async fn answers(tx: &mut Tx, now: Instant) -> Result<Finding, Error> {
    let LateTasks { active, late, hours, alarms } = late_tasks(tx, now).await?;
    let silent = store::silence::count(tx, now - SILENT_AFTER).await?;
    let text = format!(
        "{active} active tasks: {late} without an answered poll for {hours} h, {silent} for {} h",
        SILENT_AFTER.num_hours()
    );
    let todo = "run: sooner tasks list --status active (last poll of each), sooner tasks explain ID (reason for the wait)";
    Ok(if silent > 0 || alarms {
        Finding::warn("watching", text, todo)
    } else {
        Finding::ok("watching", text)
    })
}
