//! One booking: arm, preflight, mark acting, act once.
//!
//! Nothing in here repeats a request. What the POST answers is evidence; `settle` reads what is true.

use chrono::NaiveTime;
use domain::appointment::Slot;
use domain::booking;
use domain::booking::evidence::Printed;
use domain::booking::{Attempts, PreflightCheck, Stop};
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::{AttemptId, TaskId};
use domain::task::{Reason, TaskStatus};
use portal::{BookingConnection, CannotFill, PortalError, PostEvidence};
use serde_json::json;
use store::task::Task;

use crate::Fault;
use crate::crash::{crash_point, sabotaged};
use crate::gateway::Gateway;
use crate::gateway::account_lease::{Lent, Turn};
use crate::gateway::preflight::Preflight;
use crate::jobs::JobOutcome;
use crate::model::attempts::{Agreed, Settled};
use crate::model::group::Read;
use crate::model::openings::{Opening, Tried};
use crate::persist::commit::{Commit, mark_sending};
use crate::persist::prepare::{give_up, prepare};

/// A try that has sent the POST, or may have: what is read back decides how it ends.
pub(crate) struct Sent {
    pub attempt: AttemptId,
    attempted: Attempted,
}

/// One task's try for a day.
struct Attempted {
    task: TaskId,
    /// As it was read first; none where it could not be read or does not run.
    row: Option<Task>,
    opening: Opening,
    had_session: bool,
}

/// How far an attempt came.
enum Step {
    /// It is over.
    Ended(Tried),
    /// The POST ended, and what it did is not known.
    Sent(AttemptId),
}

/// Tries for a day on behalf of one task.
pub(crate) async fn book(
    gateway: &Gateway,
    task: TaskId,
    lent: Lent,
    opening: Opening,
) -> Result<JobOutcome, Fault> {
    match Turn::begin(lent).await {
        Ok(turn) => over(gateway, turn, task, opening).await,
        Err(fault) => {
            let now = gateway.records.portal_time.now();
            let _ = gateway.records.memory.lock().tried(task, &opening, &Ok(Tried::NothingSent), now);
            Err(fault)
        }
    }
}

/// Tries for a day over the lease of a turn.
pub(crate) async fn over(
    gateway: &Gateway,
    mut turn: Turn,
    task: TaskId,
    opening: Opening,
) -> Result<JobOutcome, Fault> {
    turn.stir();
    let had_session = turn.session.is_some();
    let known = gateway.records.known_task(task).await;
    let step = match &known {
        Ok(Some(row)) => attempt(gateway, &mut turn, row, &opening).await,
        _ => Ok(Step::Ended(Tried::NothingSent)),
    };
    let (row, unread) = match known {
        Ok(row) => (row, None),
        Err(fault) => (None, Some(fault)),
    };
    let attempted = Attempted { task, row, opening, had_session };
    let result = match (unread, step) {
        (Some(fault), _) | (None, Err(fault)) => Err(fault),
        (None, Ok(Step::Ended(tried))) => Ok(tried),
        (None, Ok(Step::Sent(attempt))) => {
            return Ok(JobOutcome::Sent(turn, Box::new(Sent { attempt, attempted })));
        }
    };
    ended(gateway, turn, attempted, result).await.map(|()| JobOutcome::Done)
}

/// Ends a try whose POST was read back.
pub(crate) async fn conclude(
    gateway: &Gateway,
    turn: Turn,
    sent: Sent,
    settled: Result<Settled, Fault>,
) -> Result<(), Fault> {
    let tried = settled.map(|settled| match settled {
        Settled::Confirmed => Tried::Booked,
        Settled::Recorded | Settled::NotLeader => Tried::Acted,
    });
    ended(gateway, turn, sent.attempted, tried).await
}

/// Says what a try means for everybody else who wants the day, and ends its turn.
async fn ended(
    gateway: &Gateway,
    mut turn: Turn,
    attempted: Attempted,
    result: Result<Tried, Fault>,
) -> Result<(), Fault> {
    let Attempted { task, row, opening, had_session } = attempted;
    let outcome = match (result, &row) {
        (Err(fault), Some(row)) => recovered(gateway, &mut turn, row, had_session, fault).await,
        (result, _) => result,
    };
    gateway.records.memory.tries_no_more(turn.account);
    let now = gateway.records.portal_time.now();
    let losers = gateway.records.memory.lock().tried(task, &opening, &outcome, now);
    let told = async {
        tell_losers(gateway, &opening, &losers).await?;
        if matches!(outcome, Ok(Tried::NothingThere)) {
            crate::persist::observation::rematch(&gateway.records, &opening.key).await?;
        }
        outcome.map(|_| ())
    };
    let told = told.await;
    turn.finish().await.and(told)
}

/// Who stood in line when the last of the day was booked reads that somebody who asked first got it.
async fn tell_losers(gateway: &Gateway, opening: &Opening, losers: &[TaskId]) -> Result<(), Fault> {
    if losers.is_empty() {
        return Ok(());
    }
    let data =
        json!({ "facility": opening.key.facility.name(), "date": opening.date, "why": "taken_for_another" });
    let mut tx = gateway.records.db.begin().await?;
    for task in losers {
        crate::persist::notify::journal(&gateway.records, &mut tx, *task, "slot_gone", data.clone()).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Acts on what stopped an attempt, and finds whether it may be made again.
async fn recovered(
    gateway: &Gateway,
    turn: &mut Turn,
    task: &Task,
    had_session: bool,
    fault: Fault,
) -> Result<Tried, Fault> {
    let ended = matches!(fault, Fault::Portal(PortalError::SignedOut));
    crate::gateway::recovery::react(gateway, turn, task, fault).await?;
    let signs_in = turn.allowed(Spend::SignIn, gateway.records.portal_time.now()).is_ok();
    let may = turn.session.is_some() || signs_in;
    Ok(if ended && had_session && may { Tried::Again } else { Tried::Hindered })
}

/// Asked of the row before anything is read, and of what was read before anything is sent.
fn may_book(task: &Task, agreed: &Agreed, opening: &Opening, now: Instant) -> Result<(), Stop> {
    let Some(criteria) = &task.criteria else {
        return Err(Stop::NotifyOnly);
    };
    let mut check = PreflightCheck {
        expected: task.booked.as_ref(),
        shown: agreed.shown.as_ref(),
        target: (opening.key.facility, opening.date),
        criteria,
        today: opening.key.facility.today(now),
        change_deadline: agreed.deadline,
        attempts: agreed.attempts,
    };
    if sabotaged("ignore_quota") {
        check.attempts = Attempts { left: None, used_here: 0 };
    }
    if sabotaged("later_date") {
        return Ok(());
    }
    booking::may_book(&check, now)
}

async fn attempt(gateway: &Gateway, turn: &mut Turn, task: &Task, opening: &Opening) -> Result<Step, Fault> {
    let now = gateway.records.portal_time.now();
    let waits = task.status == TaskStatus::Processing
        && gateway.records.memory.lock().start_not_before.get(&task.id).is_some_and(|at| *at > now);
    if waits {
        // Its pages contradicted each other: they are read again from the groups page on, soon.
        return Ok(Step::Ended(Tried::Hindered));
    }
    if let Err(stop) = may_book(task, &Agreed::by_row(task), opening, now) {
        stopped(gateway, task, opening, stop).await?;
        return Ok(Step::Ended(Tried::NothingSent));
    }
    turn.allowed(Spend::BookingLook, now)?;
    let session = crate::gateway::session::ensure(gateway, turn, task, Spend::SignIn).await?;
    // Reading changes nothing, so the attempt is written while the portal answers; it stands before it is acted upon.
    let (attempt, seen) = tokio::join!(
        prepare(&gateway.records, task, opening),
        crate::gateway::preflight::read(gateway, turn, task, opening, &session)
    );
    turn.settle_budget(gateway.records.portal_time.now());
    crash_point("preflight.read");
    let Some((attempt, task)) = attempt? else {
        return Ok(Step::Ended(Tried::NothingSent));
    };
    let outcome = match seen {
        Ok(seen) => prepared(gateway, turn, &task, opening, attempt, seen).await,
        Err(portal_error) => Err(portal_error.into()),
    };
    if !matches!(outcome, Ok(Step::Sent(_) | Step::Ended(Tried::Acted))) {
        give_up(&gateway.records, task.id, attempt).await?;
    }
    outcome
}

/// Goes on with an armed attempt: only if everything still is as it should be, the slot is marked and acted upon.
async fn prepared(
    gateway: &Gateway,
    turn: &mut Turn,
    task: &Task,
    opening: &Opening,
    attempt: AttemptId,
    seen: Preflight,
) -> Result<Step, Fault> {
    let session = turn.session.clone().ok_or(PortalError::SignedOut)?;
    let group = task.portal_schedule_id.clone();
    let facility = opening.key.facility;
    let client = gateway.client.clone();
    let Some(time) = pick_time(gateway, task, opening, &seen.times).await? else {
        return Ok(Step::Ended(Tried::NothingThere));
    };
    let page = seen.groups.iter().find(|g| g.portal_schedule_id == group);
    let Some(page) = page else {
        return Err(PortalError::NoPermission.into());
    };
    let Some(read) = crate::gateway::translate::translate(page, task.group.fee_paid_on) else {
        crate::persist::group::one_group_is_odd(&gateway.records, task, page).await?;
        return Ok(Step::Ended(Tried::NothingSent));
    };
    let now = gateway.records.portal_time.now();
    let printed = seen.printed();
    let cleared = seen.agreed(task, &read).and_then(|a| may_book(task, &a, opening, now).map(|()| a));
    let agreed = match cleared {
        Ok(agreed) => agreed,
        Err(stop) => {
            stopped(gateway, task, opening, stop).await?;
            contradicted(gateway, task, (&read, printed), stop).await?;
            return Ok(Step::Ended(Tried::NothingSent));
        }
    };
    if people(&read.group) != people(&task.group) {
        // Somebody joined or left the group since it was priced.
        crate::persist::adopt::adopt(&gateway.records, task, &read, printed).await?;
        return Ok(Step::Ended(Tried::NothingSent));
    }
    let Preflight { form, mut connection, stale_at, .. } = seen;
    if !connection.is_usable().await {
        connection = BookingConnection::open(&client).await?;
    }
    let form = match form.fill(facility, opening.date, time) {
        Ok(form) => form,
        Err(why) => {
            cannot_fill(gateway, task, opening, why).await?;
            return Ok(Step::Ended(Tried::NothingSent));
        }
    };
    let slot = Slot { facility: opening.key.facility, date: opening.date, time };
    if gateway.records.wall.now() >= stale_at {
        stopped(gateway, task, opening, Stop::TooOld).await?;
        return Ok(Step::Ended(Tried::Hindered));
    }
    let proof = match mark_sending(&gateway.records, task, attempt, (slot, &agreed), stale_at).await? {
        Commit::Done(proof) => proof,
        Commit::Refused => return Ok(Step::Ended(Tried::NothingSent)),
        Commit::Paused(pause) => {
            gateway.outward.met_pause(pause);
            return Ok(Step::Ended(Tried::Hindered));
        }
    };
    crash_point("acting.committed");
    gateway.records.memory.tries_no_more(turn.account);
    let evidence = connection.post(&turn.meter, &session, &group, form, proof).await;
    crash_point("post.ended");
    turn.settle_budget(gateway.records.portal_time.now());
    acted(gateway, task, attempt, &evidence).await
}

/// A form that is no form for this slot: the task stops and says why, for the next try would meet the same form.
async fn cannot_fill(
    gateway: &Gateway,
    task: &Task,
    opening: &Opening,
    why: CannotFill,
) -> Result<(), Fault> {
    let reason = match why {
        CannotFill::AsksAsc => Reason::FormAsksFingerprints,
        CannotFill::FacilityNotOffered => Reason::CityNotOffered,
    };
    tracing::warn!(task = %task.id, %why, facility = opening.key.facility.name(), "the form cannot be filled");
    crate::persist::task_status::stop_task(&gateway.records, task.id, TaskStatus::Error, reason).await
}

/// Who is in a group: their numbers where the page links them, else their names.
fn people(group: &domain::appointment::Group) -> Vec<&str> {
    let mut people: Vec<&str> = group.applicants.iter().map(|a| a.id.as_deref().unwrap_or(&a.name)).collect();
    people.sort_unstable();
    people
}

/// The time to take, or `None` when the day turned out empty: two empty answers make it a phantom.
async fn pick_time(
    gateway: &Gateway,
    task: &Task,
    opening: &Opening,
    times: &[NaiveTime],
) -> Result<Option<NaiveTime>, Fault> {
    let taken: Vec<NaiveTime> = {
        let state = gateway.records.memory.lock();
        let others = state.attempts.values().filter(|i| i.task != task.id).filter_map(|i| i.target);
        others
            .filter(|t| t.facility == opening.key.facility && t.date == opening.date)
            .map(|t| t.time)
            .collect()
    };
    let skip = opening.place.saturating_sub(taken.iter().filter(|t| times.contains(t)).count());
    let time = booking::choose_time(times, &taken, skip);
    let now = gateway.records.portal_time.now();
    gateway.records.memory.lock().times_known(opening, task.portal_account_id, times.len(), now);
    gateway.records.memory.wake();
    if time.is_none() {
        let why = if times.is_empty() { "no_times" } else { "taken_for_another" };
        let data = json!({ "facility": opening.key.facility.name(), "date": opening.date, "why": why });
        let mut tx = gateway.records.db.begin().await?;
        crate::persist::notify::journal(&gateway.records, &mut tx, task.id, "slot_gone", data).await?;
        tx.commit().await?;
    }
    Ok(time)
}

/// Records how the POST ended. Unless no byte left it is read back at once.
async fn acted(
    gateway: &Gateway,
    task: &Task,
    attempt: AttemptId,
    evidence: &PostEvidence,
) -> Result<Step, Fault> {
    let now = gateway.records.portal_time.now();
    let data = json!({
        "wrote": format!("{:?}", evidence.wrote),
        "status": evidence.status,
        "location": evidence.location.as_deref().map(|l| l.split('?').next().unwrap_or_default()),
        "flash": evidence.flash,
        "error": evidence.error.as_ref().map(PortalError::code),
    });
    crash_point("evidence.before_commit");
    if sabotaged("charge_at_post") {
        let mut tx = gateway.records.db.begin().await?;
        let records = &gateway.records;
        store::task_hold::capture(&mut tx, &records.random, task, records.wall.now()).await?;
        tx.commit().await?;
    }
    gateway.records.keep_evidence(attempt, &data);
    match gateway.records.write_evidence(attempt).await {
        Ok(()) if evidence.wrote == portal::Wrote::Nothing => {
            crate::persist::settlement::nothing_sent(&gateway.records, task, attempt).await?;
            return Ok(Step::Ended(Tried::Acted));
        }
        Ok(()) => {}
        // It is read back all the same, and written with what that shows.
        Err(Fault::Store(error)) => tracing::warn!(%error, "how a POST ended is not written yet"),
        Err(fault) => return Err(fault),
    }
    crash_point("evidence.committed");
    if let Some(live) = gateway.records.memory.lock().attempts.get_mut(&attempt) {
        live.next_read_at = Some(now);
    }
    Ok(Step::Sent(attempt))
}

/// What a rule that stops a booking means for the task.
async fn stopped(gateway: &Gateway, task: &Task, opening: &Opening, stop: Stop) -> Result<(), Fault> {
    let now = gateway.records.portal_time.now();
    let mut tx = gateway.records.db.begin().await?;
    let data = json!({ "facility": opening.key.facility.name(), "date": opening.date, "stop": stop });
    crate::persist::notify::journal(&gateway.records, &mut tx, task.id, "not_booked_because", data).await?;
    if stop == Stop::LastAttempt {
        crate::persist::notify::alert(
            &gateway.records,
            &mut tx,
            task.id,
            (opening.key.facility, opening.date),
            now,
        )
        .await?;
    }
    tx.commit().await?;
    if stop == Stop::ReschedulesUsed {
        crate::persist::task_status::stop_task(
            &gateway.records,
            task.id,
            TaskStatus::Stopped,
            Reason::ReschedulesUsed,
        )
        .await?;
    }
    Ok(())
}

/// What a contradiction means for the task: what is sure is taken over, anything else is read again later.
pub(crate) async fn contradicted(
    gateway: &Gateway,
    task: &Task,
    (read, printed): (&Read, Printed),
    stop: Stop,
) -> Result<(), Fault> {
    match stop {
        Stop::Changed | Stop::PagesDiffer => {
            crate::persist::adopt::adopt(&gateway.records, task, read, printed).await?;
        }
        Stop::AttemptsDiffer => crate::persist::adopt::read_again_later(&gateway.records, task).await?,
        _ => {}
    }
    Ok(())
}
