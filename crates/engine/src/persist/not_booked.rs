//! Effects on a task when a rule prevents its booking.

use domain::booking::Stop;
use domain::journal::{CityName, JournalEvent};
use domain::task::{Reason, TaskStatus};
use store::task::Task;

use crate::JobError;
use crate::model::openings::Opening;
use crate::persist::Records;

/// Journals the reason why the date was not booked. Notifies the user if the change needs a consent
/// that is missing. Stops a task that has used all its reschedules.
pub(crate) async fn stopped(
    records: &Records,
    task: &Task,
    opening: &Opening,
    stop: Stop,
) -> Result<(), JobError> {
    let facility = opening.key.facility;
    let mut tx = records.begin_leading().await?;
    let event = JournalEvent::NotBookedBecause { facility: CityName(facility), date: opening.date, stop };
    crate::persist::notify::journal(records, &mut tx, task.id, &event).await?;
    if stop == Stop::LastAttempt {
        let now = records.portal_time.now();
        crate::persist::notify::alert(records, &mut tx, task.id, (facility, opening.date), now).await?;
    }
    tx.commit().await?;
    if stop == Stop::ReschedulesUsed {
        crate::persist::task_status::stop_task(
            records,
            task.id,
            TaskStatus::Stopped,
            Reason::ReschedulesUsed,
        )
        .await?;
    }
    Ok(())
}
