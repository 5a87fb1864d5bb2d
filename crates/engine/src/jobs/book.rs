//! One booking: prepare, preflight, mark as sending, send once.
//!
//! Nothing in this module repeats a request. The answer to the POST is only evidence;
//! `jobs/read_back.rs` reads the actual result.

use chrono::NaiveTime;
use domain::account_problem::ProblemKind;
use domain::appointment::Slot;
use domain::booking;
use domain::booking::Stop;
use domain::booking::evidence::Printed;
use domain::budget::Spend;
use domain::ids::{AttemptId, TaskId};
use domain::journal::{CityName, GoneReason, JournalEvent, PostEvent, Wrote};
use domain::task::{Reason, TaskStatus};
use portal::{CannotFill, PortalError, PostEvidence};
use store::task::Task;

use crate::JobError;
use crate::fail_point::fail_point;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::gateway::preflight::Preflight;
use crate::gateway::translate::{Details, translate_known};
use crate::jobs::JobOutcome;
use crate::model::attempts::{Agreed, Settled};
use crate::model::group::GroupReading;
use crate::model::openings::{Opening, TryOutcome};
use crate::persist::commit::{Commit, mark_sending};
use crate::persist::not_booked::stopped;
use crate::persist::prepare::{give_up, prepare};

/// A try that has sent the POST, or may have sent it. The read-back decides its outcome.
pub(crate) struct Sent {
    pub attempt: AttemptId,
    attempted: Attempted,
}

/// One task's try for a date.
struct Attempted {
    task: TaskId,
    /// The task as it was read first; `None` if it could not be read or does not run.
    row: Option<Task>,
    opening: Opening,
    had_session: bool,
}

/// Progress of an attempt.
enum Step {
    /// The attempt has ended.
    Ended(TryOutcome),
    /// The POST ended, and its effect is not known.
    Sent(AttemptId),
}

/// Tries to book a date for one task.
pub(crate) async fn book(
    gateway: &Gateway,
    task: TaskId,
    guard: LeaseGuard,
    opening: Opening,
) -> Result<JobOutcome, JobError> {
    match AccountLease::begin(guard).await {
        Ok(lease) => over(gateway, lease, task, opening).await,
        Err(error) => {
            let now = gateway.records.portal_time.now();
            gateway.records.memory.tried(task, &opening, &Ok(TryOutcome::NothingSent), now);
            Err(error)
        }
    }
}

/// Tries to book a date over a lease.
pub(crate) async fn over(
    gateway: &Gateway,
    mut lease: AccountLease,
    task: TaskId,
    opening: Opening,
) -> Result<JobOutcome, JobError> {
    lease.mark_dirty();
    let had_session = lease.session.is_some();
    let known = gateway.records.known_task(task).await;
    let step = match &known {
        Ok(Some(row)) => attempt(gateway, &mut lease, row, &opening).await,
        _ => Ok(Step::Ended(TryOutcome::NothingSent)),
    };
    let (row, unread) = match known {
        Ok(row) => (row, None),
        Err(error) => (None, Some(error)),
    };
    let attempted = Attempted { task, row, opening, had_session };
    let result = match (unread, step) {
        (Some(error), _) | (None, Err(error)) => Err(error),
        (None, Ok(Step::Ended(tried))) => Ok(tried),
        (None, Ok(Step::Sent(attempt))) => {
            return Ok(JobOutcome::Sent(lease, Box::new(Sent { attempt, attempted })));
        }
    };
    ended(gateway, lease, attempted, result).await.map(|()| JobOutcome::Done)
}

/// Ends a try whose POST was read back.
pub(crate) async fn conclude(
    gateway: &Gateway,
    lease: AccountLease,
    sent: Sent,
    settled: Result<Settled, JobError>,
) -> Result<(), JobError> {
    let tried = settled.map(|settled| match settled {
        Settled::Confirmed => TryOutcome::Booked,
        Settled::Recorded | Settled::NotLeader => TryOutcome::Acted,
    });
    ended(gateway, lease, sent.attempted, tried).await
}

/// Records the outcome of a try for the other candidates for the date, and ends its lease.
async fn ended(
    gateway: &Gateway,
    mut lease: AccountLease,
    attempted: Attempted,
    result: Result<TryOutcome, JobError>,
) -> Result<(), JobError> {
    let Attempted { task, row, opening, had_session } = attempted;
    let outcome = match (result, &row) {
        (Err(error), Some(row)) => recovered(gateway, &mut lease, row, had_session, error).await,
        (result, _) => result,
    };
    gateway.records.memory.end_try(lease.account);
    let asked = (task, opening.key.facility, opening.date);
    let answer = gateway.records.answer_tried(asked, outcome.as_ref()).await;
    let now = gateway.records.portal_time.now();
    let losers = gateway.records.memory.tried(task, &opening, &outcome, now);
    let told = async {
        notify_losers(gateway, &opening, &losers).await?;
        if matches!(outcome, Ok(TryOutcome::NothingThere | TryOutcome::NoTimeFits)) {
            crate::persist::observation::rematch(&gateway.records, &opening.key).await?;
        }
        outcome.map(|_| ())
    };
    let told = told.await;
    lease.finish().await.and(told).and(answer)
}

/// Journals that the date is gone, for the tasks still queued when its last time was booked. The
/// reason is that a task ahead of them in the queue took it.
async fn notify_losers(gateway: &Gateway, opening: &Opening, losers: &[TaskId]) -> Result<(), JobError> {
    let event = gone(opening, GoneReason::TakenForAnother);
    crate::persist::notify::journal_now(&gateway.records, losers, &event).await
}

/// Acts on the error that stopped an attempt, and determines if the attempt may be made again.
async fn recovered(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    had_session: bool,
    error: JobError,
) -> Result<TryOutcome, JobError> {
    let ended = matches!(error, JobError::Portal(PortalError::SignedOut));
    if matches!(error, JobError::Rest(_)) {
        crate::persist::problem::record(&gateway.records, lease.account, ProblemKind::BudgetSpent).await?;
    }
    crate::gateway::recovery::recover(gateway, lease, task, error).await?;
    let signs_in = lease.allowed(Spend::SignIn, gateway.records.portal_time.now()).is_ok();
    let may = lease.session.is_some() || signs_in;
    Ok(if ended && had_session && may { TryOutcome::Again } else { TryOutcome::Hindered })
}

async fn attempt(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    opening: &Opening,
) -> Result<Step, JobError> {
    let now = gateway.records.portal_time.now();
    let (waits, may) = gateway.records.memory.read(|state| {
        let waits = state.backoffs.start_not_before(task.id).is_some_and(|at| at > now);
        (waits, state.may_book(task, &Agreed::by_row(task), opening, now))
    });
    if waits && task.status == TaskStatus::Processing {
        // The task's pages contradicted each other: the engine soon reads them again, from the
        // groups page on.
        return Ok(Step::Ended(TryOutcome::Hindered));
    }
    if !gateway.records.db.confirms() {
        // The database could not record the attempt: no request is spent.
        return Ok(Step::Ended(TryOutcome::Hindered));
    }
    if let Err(stop) = may {
        stopped(&gateway.records, task, opening, stop).await?;
        return Ok(Step::Ended(TryOutcome::NothingSent));
    }
    lease.allowed(Spend::BookingPoll, now)?;
    let session = crate::gateway::session::ensure(gateway, lease, task, Spend::SignIn).await?;
    // Reading changes nothing, so the attempt is written while the portal answers. The row is
    // committed before the engine acts on the attempt.
    let (attempt, seen) = tokio::join!(
        prepare(&gateway.records, task, opening),
        crate::gateway::preflight::read(gateway, lease, task, opening, &session)
    );
    lease.settle_budget(gateway.records.portal_time.now());
    fail_point("preflight.read");
    let Some((attempt, task)) = attempt? else {
        return Ok(Step::Ended(TryOutcome::NothingSent));
    };
    let outcome = match seen {
        Ok(seen) => prepared(gateway, lease, &task, opening, attempt, seen).await,
        Err(portal_error) => Err(portal_error.into()),
    };
    if !matches!(outcome, Ok(Step::Sent(_) | Step::Ended(TryOutcome::Acted))) {
        give_up(&gateway.records, task.id, attempt).await?;
    }
    outcome
}

/// Continues a prepared attempt: re-checks all preconditions, marks the slot as sending, and sends
/// the POST.
async fn prepared(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    opening: &Opening,
    attempt: AttemptId,
    seen: Preflight,
) -> Result<Step, JobError> {
    let session = lease.session.clone().ok_or(PortalError::SignedOut)?;
    let group = task.portal_schedule_id.clone();
    let facility = opening.key.facility;
    let time = match pick_time(gateway, task, opening, &seen.times).await? {
        Ok(time) => time,
        Err(none) => return Ok(Step::Ended(none)),
    };
    let Some(page) = seen.groups.group(&group) else {
        return Err(PortalError::NoPermission.into());
    };
    let Some(read) = translate_known(page, Details::of(&task.group)) else {
        crate::persist::group::unreadable_group(&gateway.records, task, page).await?;
        return Ok(Step::Ended(TryOutcome::NothingSent));
    };
    let now = gateway.records.portal_time.now();
    let printed = seen.printed();
    let cleared = seen.agreed(task, &read).and_then(|agreed| {
        gateway.records.memory.read(|state| state.may_book(task, &agreed, opening, now)).map(|()| agreed)
    });
    let agreed = match cleared {
        Ok(agreed) => agreed,
        Err(stop) => {
            stopped(&gateway.records, task, opening, stop).await?;
            contradicted(gateway, task, (&read, printed), stop).await?;
            return Ok(Step::Ended(TryOutcome::NothingSent));
        }
    };
    if people(&read.group) != people(&task.group) {
        // An applicant joined or left the group since it was priced.
        crate::persist::adopt::adopt(&gateway.records, task, &read, printed).await?;
        return Ok(Step::Ended(TryOutcome::NothingSent));
    }
    let Preflight { form, mut connection, stale_at, .. } = seen;
    connection = crate::gateway::connections::still_usable(gateway, connection).await?;
    let form = match form.fill(facility, opening.date, time) {
        Ok(form) => form,
        Err(why) => {
            cannot_fill(gateway, task, opening, why).await?;
            return Ok(Step::Ended(TryOutcome::NothingSent));
        }
    };
    let slot = Slot { facility: opening.key.facility, date: opening.date, time };
    if gateway.records.wall.now() >= stale_at {
        stopped(&gateway.records, task, opening, Stop::TooOld).await?;
        return Ok(Step::Ended(TryOutcome::Hindered));
    }
    let proof = match mark_sending(&gateway.records, task, attempt, (slot, &agreed), stale_at).await? {
        Commit::Done(proof) => proof,
        Commit::Refused => return Ok(Step::Ended(TryOutcome::NothingSent)),
        Commit::Paused(pause) => {
            gateway.outward.met_pause(pause);
            return Ok(Step::Ended(TryOutcome::Hindered));
        }
        Commit::Hindered => return Ok(Step::Ended(TryOutcome::Hindered)),
        Commit::Unsure => return Ok(Step::Ended(TryOutcome::Acted)),
    };
    fail_point("acting.committed");
    gateway.records.memory.end_try(lease.account);
    let evidence =
        crate::gateway::connections::post(lease, connection, (&session, &group), form, proof).await;
    fail_point("post.ended");
    lease.settle_budget(gateway.records.portal_time.now());
    acted(gateway, task, attempt, &evidence).await
}

/// Stops the task, with the reason, because the form cannot be filled for this slot. The next try
/// would meet the same form.
async fn cannot_fill(
    gateway: &Gateway,
    task: &Task,
    opening: &Opening,
    why: CannotFill,
) -> Result<(), JobError> {
    let reason = match why {
        CannotFill::AsksAsc => Reason::FormAsksFingerprints,
        CannotFill::FacilityNotOffered => Reason::CityNotOffered,
    };
    tracing::warn!(task = %task.id, %why, facility = opening.key.facility.name(), "cannot fill the booking form");
    crate::persist::task_status::stop_task(&gateway.records, task.id, TaskStatus::Error, reason).await
}

/// Returns the applicants of a group, sorted: their numbers if the page links them, else their
/// names.
fn people(group: &domain::appointment::Group) -> Vec<&str> {
    let mut people: Vec<&str> = group.applicants.iter().map(|a| a.id.as_deref().unwrap_or(&a.name)).collect();
    people.sort_unstable();
    people
}

/// Picks the time to book, or returns the outcome of a try without one. Two empty answers make the
/// date a phantom. A time that has passed in the city is never picked.
async fn pick_time(
    gateway: &Gateway,
    task: &Task,
    opening: &Opening,
    times: &[NaiveTime],
) -> Result<Result<NaiveTime, TryOutcome>, JobError> {
    let wanted = task.criteria.as_ref().map(|criteria| criteria.times).unwrap_or_default();
    let now = gateway.records.portal_time.now();
    let city = opening.key.facility;
    let ahead = booking::times_ahead(times, city, opening.date, now);
    let (taken, skip) = gateway.records.memory.update(|state| {
        let left = state.openings.left_to_others(opening, task, &state.attempts);
        state.set_times(opening, task.portal_account_id, times.len(), now);
        left
    });
    let time = booking::choose_time(&ahead, &taken, skip, wanted);
    gateway.records.memory.wake();
    if let Some(time) = time {
        return Ok(Ok(time));
    }
    let (why, outcome) = match times {
        [] => (GoneReason::NoTimes, TryOutcome::NothingThere),
        _ if ahead.iter().any(|time| wanted.contains(*time)) => {
            (GoneReason::TakenForAnother, TryOutcome::NothingThere)
        }
        _ => (GoneReason::TimeOfDay, TryOutcome::NoTimeFits),
    };
    crate::persist::notify::journal_now(&gateway.records, &[task.id], &gone(opening, why)).await?;
    Ok(Err(outcome))
}

fn gone(opening: &Opening, why: GoneReason) -> JournalEvent {
    JournalEvent::SlotGone { facility: CityName(opening.key.facility), date: opening.date, why }
}

/// Records the outcome of the POST. The attempt is read back at once, unless no byte left.
async fn acted(
    gateway: &Gateway,
    task: &Task,
    attempt: AttemptId,
    evidence: &PostEvidence,
) -> Result<Step, JobError> {
    let now = gateway.records.portal_time.now();
    let post = PostEvent {
        wrote: evidence.wrote,
        status: evidence.status,
        location: evidence.location.as_deref().map(|l| l.split('?').next().unwrap_or_default().to_owned()),
        flash: evidence.flash.clone(),
        error: evidence.error.as_ref().map(|error| error.code().to_owned()),
    };
    fail_point("evidence.before_commit");
    gateway.records.remember_evidence(attempt, &post);
    match gateway.records.write_evidence(attempt).await {
        Ok(()) if evidence.wrote == Wrote::Nothing => {
            crate::persist::settlement::nothing_sent(&gateway.records, task, attempt).await?;
            return Ok(Step::Ended(TryOutcome::Acted));
        }
        Ok(()) => {}
        // The attempt is read back nevertheless, and the evidence is written together with the
        // reading.
        Err(JobError::Store(error)) => {
            tracing::warn!(%error, "failed to store the result of a booking POST; trying again with its read-back")
        }
        Err(error) => return Err(error),
    }
    fail_point("evidence.committed");
    gateway.records.memory.update(|state| state.attempts.read_at(attempt, now));
    Ok(Step::Sent(attempt))
}

/// Handles a contradiction between pages: adopts the facts that are certain; anything else is read
/// again later.
pub(crate) async fn contradicted(
    gateway: &Gateway,
    task: &Task,
    (read, printed): (&GroupReading, Printed),
    stop: Stop,
) -> Result<(), JobError> {
    match stop {
        Stop::Changed | Stop::PagesDiffer => {
            crate::persist::adopt::adopt(&gateway.records, task, read, printed).await?;
        }
        // Without a growing wait, each opening would read the same pages again until the budget is
        // spent.
        Stop::AttemptsDiffer | Stop::Unreadable => {
            crate::persist::adopt::read_again_later(&gateway.records, task).await?
        }
        _ => {}
    }
    Ok(())
}
