//! Whether the tasks are polled, as the portal answered.

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::task::watch::SILENT_AFTER;
use store::stats::Answered;
use store::{Error, Tx};

use super::Finding;

/// A tenth of the tasks without an answer for this long is a warning.
const LATE: TimeDelta = TimeDelta::hours(1);

/// Counts the active tasks none of whose cities had an answered poll for a while.
pub async fn answers(tx: &mut Tx, now: Instant) -> Result<Finding, Error> {
    let tasks = store::stats::last_answers(tx).await?.tasks;
    let older = |age: TimeDelta| -> i64 {
        tasks.iter().filter(|answered| now - answered.at >= age).map(|answered| answered.count).sum()
    };
    let active: i64 = tasks.iter().map(|Answered { count, .. }| count).sum();
    let (late, silent) = (older(LATE), older(SILENT_AFTER));
    let says = format!(
        "{active} active tasks: {late} without an answered poll for an hour, {silent} for {} hours",
        SILENT_AFTER.num_hours()
    );
    let todo = "sooner tasks list --status active shows when each was polled, explain ID what it waits for";
    Ok(if silent > 0 || late * 10 > active {
        Finding::warn("watching", says, todo)
    } else {
        Finding::ok("watching", says)
    })
}
