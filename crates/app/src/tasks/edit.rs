//! Changes of a task's search criteria.

use domain::criteria::{RequestedMode, SearchCriteria};
use domain::facility::FacilityId;
use domain::journal::JournalEvent;
use domain::task::TaskStatus;
use domain::task::actions::Action;
use store::task::Task;
use store::{Tx, booking_attempt};

use super::configure::require_own_country;
use super::demand;
use crate::money::keep_if_alerted;
use crate::{Ctx, Error, Refusal};

/// A change of search criteria.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Replaces all criteria.
    Criteria {
        /// New criteria.
        criteria: SearchCriteria,
        /// New booking mode, or `None` to keep the present one.
        mode: Option<RequestedMode>,
        /// `true` to keep the present conditions for the fingerprint appointment.
        keeps_fingerprints: bool,
    },
    /// Replaces the cities only, in order of preference.
    Cities(Vec<FacilityId>),
}

impl Edit {
    /// Returns `true` if the task may book more after the edit than before. A task that is not
    /// submitted books nothing.
    #[must_use]
    pub fn widens(&self, task: &Task) -> bool {
        let Some(old) = task.criteria.as_ref() else { return false };
        let submitted = !matches!(task.status, TaskStatus::Draft | TaskStatus::Configured);
        submitted && self.clone().apply(Some(old)).is_ok_and(|new| new.widens(old))
    }

    fn apply(self, old: Option<&SearchCriteria>) -> Result<SearchCriteria, Refusal> {
        match self {
            Self::Criteria { mut criteria, mode, keeps_fingerprints } => {
                if keeps_fingerprints {
                    criteria.fingerprints = old.and_then(|old| old.fingerprints.clone());
                }
                let before = old.map(|old| old.mode).unwrap_or_default();
                Ok(SearchCriteria { mode: mode.map_or(before, |mode| mode.after(before)), ..criteria })
            }
            Self::Cities(cities) => {
                old.map(|old| SearchCriteria { cities, ..old.clone() }).ok_or(Refusal::StatusChanged)
            }
        }
    }
}

/// Edits a task in the caller's transaction, which has locked it. A prepared booking is released; a
/// booking that is being sent completes under the old criteria. `based_on` is the version of the
/// criteria that the edit started from.
///
/// # Errors
/// Returns [`Refusal::Action`], [`Refusal::CriteriaChanged`] if the version is outdated,
/// [`Refusal::StatusChanged`] for cities of a task without criteria, or
/// [`Refusal::CityOfOtherCountry`]. Returns an error if the database fails.
pub async fn edit(
    ctx: &Ctx,
    tx: &mut Tx,
    task: &Task,
    based_on: Option<i32>,
    edit: Edit,
) -> Result<(), Error> {
    demand(ctx, tx, task, Action::Edit).await?;
    if based_on.is_some_and(|version| version != task.criteria_version) {
        return Err(Refusal::CriteriaChanged.into());
    }
    let portal = ctx.portal_time.now();
    // A user who was notified of a slot owes its price on taking it, whatever happens to the task.
    keep_if_alerted(ctx, tx, task).await?;
    let criteria = edit.apply(task.criteria.as_ref())?;
    require_own_country(task, &criteria.cities)?;
    booking_attempt::release_prepared(tx, task.id, portal).await?;
    store::question::close_of_task(tx, task.id, ctx.wall.now()).await?;
    store::task::set_criteria(tx, task.id, &criteria, ctx.wall.now()).await?;
    Ok(ctx.journal(tx, task.id, &edited(task.criteria.as_ref(), &criteria)).await?)
}

/// Returns the journal entry of an edit: the changed fields and the old criteria. Reasons shown for
/// earlier dates are based on the old criteria.
fn edited(was: Option<&SearchCriteria>, now: &SearchCriteria) -> JournalEvent {
    let Some(was) = was else { return JournalEvent::Edited { changed: Vec::new(), was: None } };
    let changed = [
        ("required_cities", was.cities != now.cities),
        ("start_date", was.start_date != now.start_date),
        ("end_date", was.end_date != now.end_date),
        ("excluded_dates", was.excluded != now.excluded),
        ("weekdays", was.weekdays != now.weekdays),
        ("earliest_time", was.times.earliest != now.times.earliest),
        ("latest_time", was.times.latest != now.times.latest),
        ("minimum_days_from_current", was.minimum_days_from_current != now.minimum_days_from_current),
        ("min_improvement_days", was.min_improvement_days != now.min_improvement_days),
        ("max_reschedules", was.max_reschedules != now.max_reschedules),
        ("last_attempt_until", was.last_attempt_until != now.last_attempt_until),
        ("fingerprints", was.fingerprints != now.fingerprints),
        ("keep_current_appointment", was.mode.changes() != now.mode.changes()),
        ("booking_mode", was.mode != now.mode && was.mode.changes() && now.mode.changes()),
    ];
    let changed = changed.into_iter().filter(|(_, is)| *is).map(|(name, _)| name.to_owned()).collect();
    JournalEvent::Edited { changed, was: Some(was.clone()) }
}
