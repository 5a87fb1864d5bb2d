//! Says what a task that is not submitted yet accepts.

use domain::criteria::SearchCriteria;
use domain::facility::earliest_today;
use domain::ids::PortalScheduleId;
use domain::task::TaskStatus;
use store::Tx;
use store::task::Task;

use crate::{Ctx, Error, Refusal};

/// An appointment that a user picked, by the portal's numbers.
#[derive(Clone, Debug)]
pub struct PickedAppointment {
    /// The group.
    pub group: PortalScheduleId,
    /// The IVR account number, where it is known.
    pub ivr_account_number: Option<String>,
}

/// Configures a draft or a configured task in the caller's transaction, which has locked it.
///
/// # Errors
/// [`Refusal::StatusChanged`] for a task that was submitted; [`Refusal::OtherAppointment`], [`Refusal::NotMonitorable`];
/// when the database fails.
pub async fn configure(
    ctx: &Ctx,
    tx: &mut Tx,
    task: &Task,
    picked: &[PickedAppointment],
    criteria: &SearchCriteria,
) -> Result<(), Error> {
    if !matches!(task.status, TaskStatus::Draft | TaskStatus::Configured) {
        return Err(Refusal::StatusChanged.into());
    }
    let ivr = &task.group.ivr_account_number;
    let belongs = |picked: &PickedAppointment| {
        picked.group == task.portal_schedule_id
            && (picked.ivr_account_number.is_none() || picked.ivr_account_number == *ivr)
    };
    if picked.is_empty() || !picked.iter().all(belongs) {
        return Err(Refusal::OtherAppointment.into());
    }
    let now = ctx.wall.now();
    if task.group.unfit(earliest_today(now)).is_some() {
        return Err(Refusal::NotMonitorable.into());
    }
    Ok(store::task::set_criteria(tx, task.id, criteria, now).await?)
}

/// Why the appointment of a task cannot be picked, as the API says it.
///
/// # Errors
/// When the database fails.
pub async fn obstacle(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<Option<&'static str>, Error> {
    let holders = store::task::of_group(tx, task.country, &task.portal_schedule_id).await?;
    if holders.iter().any(|t| t.user_id == task.user_id && t.status.holds_the_group()) {
        return Ok(Some("monitored_by_self"));
    }
    // A task that held it with an older password stopped when the portal accepted a newer one.
    if holders.iter().any(|t| t.user_id != task.user_id && t.holds_the_group()) {
        return Ok(Some("monitored_by_other"));
    }
    Ok(task.group.unfit(earliest_today(ctx.wall.now())))
}
