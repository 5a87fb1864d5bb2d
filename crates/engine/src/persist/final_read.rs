//! Result of a task's final reading. The reading shows if the user of an ended task booked a date
//! from one of its alerts.

use app::money::ReturnedAfter;
use domain::appointment::Appointment;
use domain::clock::Instant;
use domain::ids::TaskId;

use crate::JobError;
use crate::persist::Records;

/// Captures the task's hold if an alert before `due` announced the appointment `booked`. Otherwise
/// releases the hold of a task that is deleted or can never succeed.
///
/// # Errors
/// [`JobError::NotLeading`] if another node leads.
pub(crate) async fn resolve(
    records: &Records,
    task: TaskId,
    booked: Option<Appointment>,
    due: Instant,
) -> Result<(), JobError> {
    let now = records.wall.now();
    let mut tx = records.db.begin().await?;
    store::lock::exclusive(&mut tx, task.0).await?;
    if !records.leads(&mut tx).await? {
        return Err(JobError::NotLeading);
    }
    let Some(task) = store::task::get(&mut tx, task).await?.filter(|task| task.last_read_at.is_some()) else {
        return Ok(());
    };
    app::money::capture_if_alerted(&records.app(), &mut tx, &task, booked, due).await?;
    let over = !task.status.is_running()
        && task.reason.is_some_and(|reason| app::tasks::never_succeeds(&task, reason));
    if task.deleted_at.is_some() || over {
        let released = app::money::release(&records.app(), &mut tx, &task).await;
        // A later sweep releases the hold, when the ledger is no longer frozen.
        let released = app::money::later_if_frozen(released)?;
        let after = if task.deleted_at.is_some() { ReturnedAfter::Deletion } else { ReturnedAfter::LastRead };
        app::money::tell_returned(&records.app(), &mut tx, &task, released, after).await?;
    }
    store::task::set_last_read(&mut tx, task.id, None).await?;
    store::credential::retention::remove_unneeded_of(&mut tx, &task, now).await?;
    tx.commit().await?;
    Ok(())
}
