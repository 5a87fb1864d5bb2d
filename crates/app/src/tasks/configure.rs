//! Sets the criteria of a task that is not submitted yet.

use domain::criteria::SearchCriteria;
use domain::facility::{FacilityId, earliest_today};
use domain::ids::PortalScheduleId;
use domain::task::TaskStatus;
use store::Tx;
use store::task::Task;

use crate::{Ctx, Error, Refusal};

/// An appointment picked by a user, identified by the portal's numbers.
#[derive(Clone, Debug)]
pub struct PickedAppointment {
    /// Id of the group.
    pub group: PortalScheduleId,
    /// IVR account number, if known.
    pub ivr_account_number: Option<String>,
}

/// Configures a draft or a configured task in the caller's transaction, which has locked it.
///
/// # Errors
/// Returns [`Refusal::StatusChanged`] for a submitted task, [`Refusal::OtherAppointment`],
/// [`Refusal::CityOfOtherCountry`] or [`Refusal::NotMonitorable`]. Returns an error if the database
/// fails.
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
    require_own_country(task, &criteria.cities)?;
    let now = ctx.wall.now();
    if task.group.unfit(earliest_today(now)).is_some() {
        return Err(Refusal::NotMonitorable.into());
    }
    Ok(store::task::set_criteria(tx, task.id, criteria, now).await?)
}

/// Requires that all cities are in the country of a task.
///
/// # Errors
/// Returns [`Refusal::CityOfOtherCountry`].
pub fn require_own_country(task: &Task, cities: &[FacilityId]) -> Result<(), Refusal> {
    let own = cities.iter().all(|city| city.facility().country == task.country);
    own.then_some(()).ok_or(Refusal::CityOfOtherCountry)
}

/// Returns the reason why the appointment of a task cannot be picked, as an API code.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn obstacle(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<Option<&'static str>, Error> {
    let holders = store::task::of_group(tx, task.country, &task.portal_schedule_id).await?;
    if holders.iter().any(|t| t.user_id == task.user_id && t.status.holds_the_group()) {
        return Ok(Some("monitored_by_self"));
    }
    // A task that held the group with an older password was stopped when the portal accepted a
    // newer one.
    if holders.iter().any(|t| t.user_id != task.user_id && t.holds_the_group()) {
        return Ok(Some("monitored_by_other"));
    }
    Ok(task.group.unfit(earliest_today(ctx.wall.now())))
}
