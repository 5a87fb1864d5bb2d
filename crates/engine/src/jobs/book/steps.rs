//! Steps of a booking try. Each step takes the result of the step before.

use std::sync::Arc;

use chrono::NaiveTime;
use domain::appointment::{Appointment, Slot};
use domain::booking;
use domain::booking::Stop;
use domain::booking::evidence::Printed;
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::AttemptId;
use domain::journal::{CityName, GoneReason, JournalEvent, PostEvent, Wrote};
use domain::task::{Reason, TaskStatus};
use portal::pages::appointment::AppointmentForm;
use portal::{BookingConnection, BookingForm, CannotFill, PortalError, PostEvidence, Session};
use store::task::Task;

use crate::JobError;
use crate::fail_point::fail_point;
use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;
use crate::gateway::fingerprints::{NoPair, POLLS_OF_A_PAIR, PairChoice};
use crate::gateway::form::knows_fingerprints_somewhere;
use crate::gateway::preflight::Preflight;
use crate::gateway::translate::{Details, translate_known};
use crate::model::attempts::Agreed;
use crate::model::group::GroupReading;
use crate::model::openings::{Opening, TryOutcome};
use crate::persist::commit::{Commit, Proof, mark_sending};
use crate::persist::not_booked::stopped;
use crate::persist::prepare::prepare;

/// An attempt whose row is committed, and the portal's pages that were read at the same time.
pub(super) struct Prepared {
    pub attempt: AttemptId,
    pub task: Task,
    pub pages: Result<Preflight, PortalError>,
}

/// An attempt whose pages agree with the task and permit the slot.
pub(super) struct Preflighted {
    target: Appointment,
    agreed: Agreed,
    form: BookingForm,
    connection: BookingConnection,
    session: Arc<Session>,
    /// Wall time from which nothing may be sent, because the pages are then too old.
    stale_at: Instant,
}

/// An attempt whose state *sending* is committed. The proof permits one POST.
pub(super) struct Sending {
    form: BookingForm,
    connection: BookingConnection,
    session: Arc<Session>,
    proof: Proof,
}

/// End of a try without a read-back.
pub(super) enum TryEnd {
    Outcome(TryOutcome),
    Failed(JobError),
}

impl From<JobError> for TryEnd {
    fn from(error: JobError) -> Self {
        Self::Failed(error)
    }
}

impl From<PortalError> for TryEnd {
    fn from(error: PortalError) -> Self {
        Self::Failed(error.into())
    }
}

/// Checks the known facts without a request. Then stores the attempt and reads the portal's pages
/// at the same time.
pub(super) async fn prepare_attempt(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    opening: &Opening,
) -> Result<Prepared, TryEnd> {
    let now = gateway.records.portal_time.now();
    let (waits, may) = gateway.records.memory.read(|state| {
        let waits = state.backoffs.start_not_before(task.id).is_some_and(|at| at > now);
        (waits, state.may_book(task, &Agreed::by_row(task), opening, now))
    });
    // If the task's pages contradicted each other, the engine will soon read them again, from the
    // groups page on. No request is spent either if the database could not record the attempt.
    if (waits && task.status == TaskStatus::Processing) || !gateway.records.db.confirms() {
        return Err(TryEnd::Outcome(TryOutcome::Hindered));
    }
    if let Err(stop) = may {
        stopped(&gateway.records, task, opening, stop).await?;
        return Err(TryEnd::Outcome(TryOutcome::NothingSent));
    }
    if crate::gateway::fingerprints::are_expected(task) {
        // Without all lists no appointment can be chosen, so none is read.
        lease.allowed_polls(POLLS_OF_A_PAIR, now)?;
        if crate::gateway::fingerprints::is_older_build_running(gateway, task).await? {
            return Err(TryEnd::Outcome(TryOutcome::Hindered));
        }
    } else {
        lease.allowed(Spend::BookingPoll, now)?;
    }
    let session = crate::gateway::session::ensure(gateway, lease, task, Spend::SignIn).await?;
    // Reading changes nothing at the portal, so the attempt is written while the portal answers.
    // The row is committed before the engine acts on the attempt.
    let (attempt, pages) = tokio::join!(
        prepare(&gateway.records, task, opening),
        crate::gateway::preflight::read(gateway, lease, task, opening, &session)
    );
    lease.settle_budget(gateway.records.portal_time.now());
    fail_point("preflight.read");
    let (attempt, task) = attempt?.ok_or(TryEnd::Outcome(TryOutcome::NothingSent))?;
    Ok(Prepared { attempt, task, pages })
}

/// Checks that the pages agree with the task and permit the slot, and fills the form.
pub(super) async fn preflight(
    gateway: &Gateway,
    lease: &AccountLease,
    task: &Task,
    opening: &Opening,
    pages: Preflight,
) -> Result<Preflighted, TryEnd> {
    let session = lease.session.clone().ok_or(PortalError::SignedOut)?;
    let times = choose_times(gateway, task, opening, &pages.times).await?;
    let group = pages.groups.group(&task.portal_schedule_id).ok_or(PortalError::NoPermission)?;
    let Some(read) = translate_known(group, task.country, Details::of(&task.group)) else {
        crate::persist::group::unreadable_group(&gateway.records, task, group).await?;
        return Err(TryEnd::Outcome(TryOutcome::NothingSent));
    };
    let now = gateway.records.portal_time.now();
    let printed = pages.printed();
    let cleared = pages.agreed(task, &read).and_then(|agreed| {
        gateway.records.memory.read(|state| state.may_book(task, &agreed, opening, now)).map(|()| agreed)
    });
    let agreed = match cleared {
        Ok(agreed) => agreed,
        Err(stop) => {
            stopped(&gateway.records, task, opening, stop).await?;
            adopt_contradiction(gateway, task, (&read, printed), stop).await?;
            return Err(TryEnd::Outcome(TryOutcome::NothingSent));
        }
    };
    if people(&read.group) != people(&task.group) {
        // An applicant joined or left the group since it was priced.
        crate::persist::adopt::adopt(&gateway.records, task, &read, printed).await?;
        return Err(TryEnd::Outcome(TryOutcome::NothingSent));
    }
    let choice = PairChoice {
        gateway,
        lease,
        session: &session,
        task,
        held: agreed.shown.as_ref(),
        form: &pages.form,
        stale_at: pages.stale_at,
    };
    let facility = opening.key.facility;
    let interviews = times.into_iter().map(|time| Slot { facility, date: opening.date, time });
    let target = match choice.choose(&interviews.collect::<Vec<_>>()).await {
        Ok(target) => target,
        Err(NoPair::CannotFill(why)) => {
            return Err(cannot_fill(gateway, task, opening, &pages.form, why).await);
        }
        Err(NoPair::Gone(why, outcome)) => return Err(gone(gateway, task, opening, why, outcome).await),
        Err(NoPair::OlderBuild) => return Err(TryEnd::Outcome(TryOutcome::Hindered)),
        Err(NoPair::Failed(error)) => return Err(error.into()),
    };
    let Preflight { form: offered, connection, stale_at, .. } = pages;
    let connection = crate::gateway::connections::still_usable(gateway, connection).await?;
    let form = match offered.fill(&target) {
        Ok(form) => form,
        Err(why) => return Err(cannot_fill(gateway, task, opening, &offered, why).await),
    };
    Ok(Preflighted { target, agreed, form, connection, session, stale_at })
}

/// Commits the state *sending*, if the pages are not too old.
pub(super) async fn commit(
    gateway: &Gateway,
    task: &Task,
    attempt: AttemptId,
    opening: &Opening,
    preflighted: Preflighted,
) -> Result<Sending, TryEnd> {
    let Preflighted { target, agreed, form, connection, session, stale_at } = preflighted;
    if gateway.records.wall.now() >= stale_at {
        stopped(&gateway.records, task, opening, Stop::TooOld).await?;
        return Err(TryEnd::Outcome(TryOutcome::Hindered));
    }
    let outcome = match mark_sending(&gateway.records, task, attempt, (target, &agreed), stale_at).await? {
        Commit::Done(proof) => return Ok(Sending { form, connection, session, proof }),
        Commit::Refused => TryOutcome::NothingSent,
        Commit::Paused(pause) => {
            gateway.outward.met_pause(pause);
            TryOutcome::Hindered
        }
        Commit::Hindered => TryOutcome::Hindered,
        Commit::Unsure => TryOutcome::Acted,
    };
    Err(TryEnd::Outcome(outcome))
}

/// Sends the attempt's only POST and records its result. The attempt is then read back at once,
/// unless no byte was sent.
pub(super) async fn send(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    attempt: AttemptId,
    sending: Sending,
) -> Result<(), TryEnd> {
    let Sending { form, connection, session, proof } = sending;
    fail_point("acting.committed");
    gateway.records.memory.end_try(lease.account);
    let place = (&*session, &task.portal_schedule_id);
    let evidence = crate::gateway::connections::post(lease, connection, place, form, proof).await;
    fail_point("post.ended");
    lease.settle_budget(gateway.records.portal_time.now());
    record_post(gateway, task, attempt, &evidence).await
}

/// Records the result of the POST. Ends the try if no byte was sent.
async fn record_post(
    gateway: &Gateway,
    task: &Task,
    attempt: AttemptId,
    evidence: &PostEvidence,
) -> Result<(), TryEnd> {
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
            return Err(TryEnd::Outcome(TryOutcome::Acted));
        }
        Ok(()) => {}
        // The attempt is read back nevertheless. The evidence is then written together with the
        // reading.
        Err(JobError::Store(error)) => {
            tracing::warn!(%error, "failed to store the result of a booking POST; trying again with its read-back")
        }
        Err(error) => return Err(error.into()),
    }
    fail_point("evidence.committed");
    gateway.records.memory.update(|state| state.attempts.read_at(attempt, now));
    Ok(())
}

/// Chooses the time to book and, if there is one, the second best. Ends the try if no time is
/// suitable. Never chooses a time that has passed in the city. A date whose list of times is empty
/// twice counts as a phantom date.
async fn choose_times(
    gateway: &Gateway,
    task: &Task,
    opening: &Opening,
    times: &[NaiveTime],
) -> Result<Vec<NaiveTime>, TryEnd> {
    let wanted = task.criteria.as_ref().map(|criteria| criteria.times).unwrap_or_default();
    let now = gateway.records.portal_time.now();
    let city = opening.key.facility;
    let ahead = booking::times_ahead(times, city.zone(), opening.date, now);
    let (mut taken, skip) = gateway.records.memory.update(|state| {
        let left = state.openings.left_to_others(opening, task, &state.attempts);
        state.set_times(opening, task.portal_account_id, times.len(), now);
        left
    });
    let time = booking::choose_time(&ahead, &taken, skip, wanted);
    gateway.records.memory.wake();
    if let Some(time) = time {
        taken.push(time);
        let second = booking::choose_time(&ahead, &taken, skip, wanted);
        return Ok([time].into_iter().chain(second).collect());
    }
    let (why, outcome) = match times {
        [] => (GoneReason::NoTimes, TryOutcome::NothingThere),
        _ if ahead.iter().any(|time| wanted.contains(*time)) => {
            (GoneReason::TakenForAnother, TryOutcome::NothingThere)
        }
        _ => (GoneReason::TimeOfDay, TryOutcome::NoTimeFits),
    };
    crate::persist::notify::journal_now(&gateway.records, &[task.id], &slot_gone(opening, why)).await?;
    Err(TryEnd::Outcome(outcome))
}

/// Ends a try with this outcome because the date cannot be booked, with a journal entry.
async fn gone(
    gateway: &Gateway,
    task: &Task,
    opening: &Opening,
    why: GoneReason,
    outcome: TryOutcome,
) -> TryEnd {
    let event = slot_gone(opening, why);
    match crate::persist::notify::journal_now(&gateway.records, &[task.id], &event).await {
        Ok(()) => TryEnd::Outcome(outcome),
        Err(error) => error.into(),
    }
}

/// Ends a try because the form cannot be filled for this slot. Stops the task, with the reason,
/// because the next try would meet the same form. If another city of the task has no such obstacle,
/// the search continues there.
async fn cannot_fill(
    gateway: &Gateway,
    task: &Task,
    opening: &Opening,
    form: &AppointmentForm,
    why: CannotFill,
) -> TryEnd {
    tracing::warn!(task = %task.id, %why, facility = opening.key.facility.name(), "cannot fill the booking form");
    let reason = match why {
        CannotFill::FacilityNotOffered | CannotFill::OtherCity => Reason::CityNotOffered,
        CannotFill::FingerprintsAtConsulate if knows_fingerprints_somewhere(form, task) => {
            let (why, outcome) = (GoneReason::FingerprintsAtConsulate, TryOutcome::NoFingerprintsFit);
            return gone(gateway, task, opening, why, outcome).await;
        }
        CannotFill::FingerprintsAtConsulate
        | CannotFill::UnknownFingerprintFields
        | CannotFill::FingerprintsMissing
        | CannotFill::FingerprintsNotOffered => Reason::FormAsksFingerprints,
    };
    match crate::persist::task_status::stop_task(&gateway.records, task.id, TaskStatus::Error, reason).await {
        Ok(()) => TryEnd::Outcome(TryOutcome::NothingSent),
        Err(error) => error.into(),
    }
}

/// Returns the sorted applicants of a group: the portal's id of each if the page shows it, else the
/// name.
fn people(group: &domain::appointment::Group) -> Vec<&str> {
    let mut people: Vec<&str> = group.applicants.iter().map(|a| a.id.as_deref().unwrap_or(&a.name)).collect();
    people.sort_unstable();
    people
}

/// Handles pages that contradict the task or each other. Adopts facts that are certain. Otherwise
/// schedules another reading.
async fn adopt_contradiction(
    gateway: &Gateway,
    task: &Task,
    (read, printed): (&GroupReading, Printed),
    stop: Stop,
) -> Result<(), JobError> {
    match stop {
        Stop::Changed | Stop::PagesDiffer => {
            crate::persist::adopt::adopt(&gateway.records, task, read, printed).await?;
        }
        // The wait grows each time. Without it, each opening would read the same pages again until
        // the budget is spent.
        Stop::AttemptsDiffer | Stop::Unreadable => {
            crate::persist::adopt::read_again_later(&gateway.records, task).await?
        }
        _ => {}
    }
    Ok(())
}

/// Returns the journal entry of a date that cannot be booked.
pub(super) fn slot_gone(opening: &Opening, why: GoneReason) -> JournalEvent {
    JournalEvent::SlotGone { facility: CityName(opening.key.facility), date: opening.date, why }
}
