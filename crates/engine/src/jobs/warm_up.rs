//! Warm-up job of a submitted task: signs in, reads the group and the reschedules left, and does
//! the first polls.

use std::collections::VecDeque;

use chrono::TimeDelta;
use domain::booking::evidence::Printed;
use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use domain::task::TaskStatus;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::gateway::missing_group::missing;
use crate::gateway::pages::{attempts_left, groups, instructions};
use crate::gateway::translate::{Details, deadline, translate_known};
use crate::jobs::JobOutcome;
use crate::model::observe::PendingEffects;
use crate::model::state::kind_of;
use crate::persist::adopt::Adopted;
use crate::persist::group::unreadable_group;
use crate::persist::warm_up::{activate, begin_processing};

/// Maximum number of cities that a new task polls at once, within the hourly budget. The planner
/// polls the others in turn.
const FIRST_POLLS: usize = 5;
/// Maximum age of a shared list that replaces a new task's first poll.
const FRESH: TimeDelta = TimeDelta::minutes(2);

/// Remaining part of a warm-up: the cities that are still to be polled.
pub(crate) struct Rest {
    /// The task as of the start of the warm-up.
    task: Task,
    /// The task as read from its pages. Its cities are polled in the order of the criteria.
    fresh: Task,
    cities: VecDeque<FacilityId>,
    began: Instant,
}

/// Warms up a task and begins its first polls.
pub(crate) async fn start(
    gateway: &Gateway,
    task: TaskId,
    guard: LeaseGuard,
) -> Result<JobOutcome, JobError> {
    let began = async {
        let Some(task) = gateway.records.task(task).await? else { return Ok(None) };
        Ok(Some((task, AccountLease::begin(guard).await?)))
    };
    let (task, mut lease) = match began.await {
        Ok(Some(began)) => began,
        Ok(None) => return Ok(JobOutcome::Done),
        Err(error) => {
            delay_start(gateway, task);
            return Err(error);
        }
    };
    match warm_up(gateway, &mut lease, &task).await {
        Ok(Some(fresh)) => {
            let cities = first_cities(gateway, &fresh);
            let rest = Rest { task, fresh, cities, began: gateway.records.portal_time.now() };
            continue_with(gateway, lease, rest, Ok(())).await
        }
        Ok(None) => lease.finish().await.map(|()| JobOutcome::Done),
        Err(error) => failed(gateway, lease, &task, error).await,
    }
}

/// Continues with the next city, or activates the task after the last one. `written` is the result
/// of writing the previous list.
pub(crate) async fn continue_with(
    gateway: &Gateway,
    mut lease: AccountLease,
    mut rest: Rest,
    written: Result<(), JobError>,
) -> Result<JobOutcome, JobError> {
    match next_list(gateway, &mut lease, &mut rest, written).await {
        // The task's own booking waits for the other cities, because one of them may have an
        // earlier date.
        Ok(Some(noted)) => Ok(JobOutcome::Warming(lease, noted, Box::new(rest))),
        Ok(None) => lease.finish().await.map(|()| JobOutcome::Done),
        Err(error) => failed(gateway, lease, &rest.task, error).await,
    }
}

/// Delays the next start of a task after any failure, because a start costs several requests.
fn delay_start(gateway: &Gateway, task: TaskId) {
    let until = gateway.records.portal_time.now() + TimeDelta::minutes(1);
    gateway.records.memory.delay_start(task, until);
}

async fn failed(
    gateway: &Gateway,
    mut lease: AccountLease,
    task: &Task,
    error: JobError,
) -> Result<JobOutcome, JobError> {
    delay_start(gateway, task.id);
    crate::gateway::recovery::recover(gateway, &mut lease, task, error).await?;
    lease.finish().await.map(|()| JobOutcome::Done)
}

/// Returns the task as its pages show it; `None` if the warm-up does not continue.
async fn warm_up(gateway: &Gateway, lease: &mut AccountLease, task: &Task) -> Result<Option<Task>, JobError> {
    let session = crate::gateway::session::ensure(gateway, lease, task, Spend::SignIn).await?;
    let page = groups(gateway, lease, &session).await?;
    let Some(group) = page.group(&task.portal_schedule_id) else {
        return missing(gateway, lease, task, &page).await.map(|()| None);
    };
    gateway.parsed_groups(task.country, &page);
    gateway.records.memory.update(|state| state.backoffs.end_missing_group(task.id));
    let Some(read) = translate_known(group, task.country, Details::of(&task.group)) else {
        return unreadable_group(&gateway.records, task, group).await.map(|()| None);
    };
    let was_read = task.status != TaskStatus::Submitted;
    let instructions = if read.booked.is_some() || task.booked.is_some() || was_read {
        instructions(gateway, lease, task, &session).await?
    } else {
        None
    };
    let printed = instructions.as_ref().map_or(Printed::Unreadable, crate::gateway::translate::printed);
    let Adopted::Known(task) = crate::persist::adopt::adopt(&gateway.records, task, &read, printed).await?
    else {
        return Ok(None);
    };
    let walks = !gateway.records.memory.is_walked(task.country);
    if read.booked.is_some() || was_read || walks {
        let deadline = instructions.and_then(|page| deadline(&task, &page));
        read_allowance(gateway, lease, &task, deadline).await?;
    }
    let Some(task) = crate::persist::task_status::still_able(&gateway.records, &task).await? else {
        return Ok(None);
    };
    begin_processing(&gateway.records, &task).await?;
    // The page also shows the other groups of the account, so this counts as a visit.
    if let Err(error) = crate::gateway::take_over::take_over(gateway, lease, &page, Some(task.id)).await {
        tracing::warn!(%error, account = %lease.account, "failed to update the other groups of an account");
    }
    Ok(Some(task))
}

/// Reads the pages up to the booking form, and stores the reschedules left. The form and its token
/// are kept for a later booking.
async fn read_allowance(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    deadline: Option<Instant>,
) -> Result<(), JobError> {
    let Some(left) = attempts_left(gateway, lease, task).await? else { return Ok(()) };
    crate::persist::warm_up::keep_allowance(&gateway.records, task, left, deadline).await
}

/// Returns the cities that a new task polls first. Returns none if nothing can be booked for the
/// task.
fn first_cities(gateway: &Gateway, task: &Task) -> VecDeque<FacilityId> {
    let watches =
        crate::persist::task_status::default_condition_of(&gateway.records, task) == TaskCondition::Watching;
    let cities = task.criteria.iter().filter(|_| watches).flat_map(|criteria| criteria.cities.iter());
    cities.take(FIRST_POLLS).copied().collect()
}

/// Polls the next city whose list no other task has just polled. Activates the task and returns
/// `None` after the last city.
async fn next_list(
    gateway: &Gateway,
    lease: &mut AccountLease,
    rest: &mut Rest,
    written: Result<(), JobError>,
) -> Result<Option<PendingEffects>, JobError> {
    written?;
    let task = &rest.fresh;
    while let Some(facility) = rest.cities.pop_front() {
        let key = CalendarKey { kind: kind_of(task), facility };
        let fresh = gateway.records.memory.update(|state| {
            let split = state.availability.agreement_mut(&key).is_split();
            let last = state.availability.last_poll(&key);
            !split && last.is_some_and(|at| rest.began - at < FRESH)
        });
        if fresh {
            // Another task has just polled: the shared list counts as this task's first poll.
            crate::persist::observation::answer_from_shared(&gateway.records, &key, task.id).await?;
            continue;
        }
        match crate::gateway::lists::fetch(gateway, lease, task, &key, "warm_up").await {
            Err(JobError::Rest(_)) => break,
            seen => {
                if let Some(noted) = seen? {
                    return Ok(Some(noted));
                }
            }
        }
    }
    rest.cities.clear();
    activate(&gateway.records, task).await?;
    Ok(None)
}
