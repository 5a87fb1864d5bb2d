//! Handling of a group that cannot be read on the groups page.

use chrono::TimeDelta;
use domain::account_problem::ProblemKind;
use domain::condition::TaskCondition;
use domain::journal::{JournalEvent, PortalErrorEvent};
use portal::pages::groups::{Group as PageGroup, GroupStatus};
use serde_json::json;
use store::task::Task;

use crate::JobError;
use crate::model::task_update::TaskUpdate;
use crate::persist::Records;

/// Delay before an unreadable group on a readable page is read again.
pub(crate) const UNREADABLE_GROUP: TimeDelta = TimeDelta::minutes(30);

/// Records that one group on a readable page cannot be read. Its task waits and shows the reason.
/// The account's other tasks continue.
pub(crate) async fn unreadable_group(
    records: &Records,
    task: &Task,
    page: &PageGroup,
) -> Result<(), JobError> {
    let what = match page.status {
        GroupStatus::FingerprintsOnly => "only_fingerprints",
        GroupStatus::Unreadable => "unreadable",
        GroupStatus::Other => "unknown_status",
        _ => "unknown_city",
    };
    tracing::warn!(task = %task.id, what, because = page.unreadable_because, status = page.status_text, "cannot read a group of the account");
    wait_for_group(records, task, what).await
}

/// Makes one task wait until its group is read again. The task shows the reason `what`. The
/// account's other tasks continue.
pub(crate) async fn wait_for_group(
    records: &Records,
    task: &Task,
    what: &'static str,
) -> Result<(), JobError> {
    let until = records.portal_time.now() + UNREADABLE_GROUP;
    records.memory.delay_start(task.id, until);
    let unreadable = PortalErrorEvent {
        code: "layout_changed".to_owned(),
        page: Some("groups".to_owned()),
        group: Some(what.to_owned()),
        until: Some(until),
        ..PortalErrorEvent::default()
    };
    let evidence = json!(unreadable);
    let mut tx = records.db.begin().await?;
    if task.condition != TaskCondition::LayoutChanged {
        crate::persist::notify::journal(records, &mut tx, task.id, &JournalEvent::PortalError(unreadable))
            .await?;
    }
    let update = TaskUpdate {
        task: task.id,
        condition: TaskCondition::LayoutChanged,
        evidence,
        next_try_at: Some(until),
    };
    crate::persist::notify::condition(records, &mut tx, &update).await?;
    crate::persist::problem::record_in(records, &mut tx, task.portal_account_id, ProblemKind::CardUnreadable)
        .await?;
    tx.commit().await?;
    records.refresh(task.id).await?;
    Ok(())
}
