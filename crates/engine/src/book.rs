//! One booking: arm, preflight, mark acting, act once.
//!
//! Nothing in here repeats a request. What the POST answers is evidence; `settle` reads what is true.

use std::sync::Arc;

use chrono::NaiveTime;
use domain::appointment::Slot;
use domain::booking::{self, Attempts, PreflightCheck, Stop};
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::{AttemptId, TaskId};
use domain::task::{Reason, TaskStatus};
use portal::{BookingConnection, CannotFill, PortalError, PostEvidence};
use serde_json::json;
use store::task::Task;

use crate::crash::{crash_point, sabotaged};
use crate::opening::{Opening, Tried};
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

mod gate;
mod preflight;
mod prepare;

use gate::mark_sending;
pub(crate) use preflight::visit;
use preflight::{Agreed, Preflight, contradicted};
use prepare::{give_up, prepare};

/// Tries for a day on behalf of one task.
pub(crate) async fn book(
    engine: &Arc<Engine>,
    task: TaskId,
    lent: Lent,
    opening: Opening,
) -> Result<(), Fault> {
    match Turn::begin(lent).await {
        Ok(mut turn) => {
            let tried = try_for(engine, &mut turn, task, &opening).await;
            turn.finish().await.and(tried)
        }
        Err(fault) => {
            let _ = engine.tried(task, &opening, &Ok(Tried::NothingSent));
            Err(fault)
        }
    }
}

/// Tries for a day within a turn, and says what that means for everybody else who wants it.
pub(crate) async fn try_for(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: TaskId,
    opening: &Opening,
) -> Result<(), Fault> {
    turn.stir();
    let outcome = match engine.known_task(task).await {
        Err(fault) => Err(fault),
        Ok(None) => Ok(Tried::NothingSent),
        Ok(Some(task)) => in_turn(engine, turn, &task, opening).await,
    };
    engine.tries_no_more(turn.account);
    let losers = engine.tried(task, opening, &outcome);
    tell_losers(engine, opening, &losers).await?;
    if matches!(outcome, Ok(Tried::NothingThere)) {
        crate::observe::rematch(engine, &opening.key).await?;
    }
    outcome.map(|_| ())
}

/// Who stood in line when the last of the day was booked reads that somebody who asked first got it.
async fn tell_losers(engine: &Arc<Engine>, opening: &Opening, losers: &[TaskId]) -> Result<(), Fault> {
    if losers.is_empty() {
        return Ok(());
    }
    let data =
        json!({ "facility": opening.key.facility.name(), "date": opening.date, "why": "taken_for_another" });
    let mut tx = engine.ctx.db.begin().await?;
    for task in losers {
        crate::tell::journal(engine, &mut tx, *task, "slot_gone", data.clone()).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn in_turn(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    opening: &Opening,
) -> Result<Tried, Fault> {
    let had_session = turn.session.is_some();
    match attempt(engine, turn, task, opening).await {
        Ok(tried) => Ok(tried),
        Err(fault) => {
            let ended = matches!(fault, Fault::Portal(PortalError::SignedOut));
            crate::react::react(engine, turn, task, fault).await?;
            let signs_in = turn.allowed(Spend::SignIn, engine.ctx.portal_time.now()).is_ok();
            let may = turn.session.is_some() || signs_in;
            Ok(if ended && had_session && may { Tried::Again } else { Tried::Hindered })
        }
    }
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

async fn attempt(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    opening: &Opening,
) -> Result<Tried, Fault> {
    let now = engine.ctx.portal_time.now();
    let waits = task.status == TaskStatus::Processing
        && engine.state.lock().start_not_before.get(&task.id).is_some_and(|at| *at > now);
    if waits {
        // Its pages contradicted each other: they are read again from the groups page on, soon.
        return Ok(Tried::Hindered);
    }
    if let Err(stop) = may_book(task, &Agreed::by_row(task), opening, now) {
        stopped(engine, task, opening, stop).await?;
        return Ok(Tried::NothingSent);
    }
    turn.allowed(Spend::BookingLook, now)?;
    let session = crate::session::ensure(engine, turn, task, Spend::SignIn).await?;
    // Reading changes nothing, so the attempt is written while the portal answers; it stands before it is acted upon.
    let (attempt, seen) =
        tokio::join!(prepare(engine, task, opening), preflight::read(engine, turn, task, opening, &session));
    turn.settle_budget(engine.ctx.portal_time.now());
    crash_point("preflight.read");
    let Some((attempt, task)) = attempt? else {
        return Ok(Tried::NothingSent);
    };
    let outcome = match seen {
        Ok(seen) => prepared(engine, turn, &task, opening, attempt, seen).await,
        Err(portal_error) => Err(portal_error.into()),
    };
    if !matches!(outcome, Ok(Tried::Acted | Tried::Booked)) {
        give_up(engine, task.id, attempt).await?;
    }
    outcome
}

/// Goes on with an armed attempt: only if everything still is as it should be, the slot is marked and acted upon.
async fn prepared(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    opening: &Opening,
    attempt: AttemptId,
    seen: Preflight,
) -> Result<Tried, Fault> {
    let session = turn.session.clone().ok_or(PortalError::SignedOut)?;
    let group = task.portal_schedule_id.clone();
    let facility = opening.key.facility;
    let client = engine.ctx.client.clone();
    let Some(time) = pick_time(engine, task, opening, &seen.times).await? else {
        return Ok(Tried::NothingThere);
    };
    let page = seen.groups.iter().find(|g| g.portal_schedule_id == group);
    let Some(page) = page else {
        return Err(PortalError::NoPermission.into());
    };
    let Some(read) = crate::start::translate(page, task.group.fee_paid_on) else {
        crate::start::one_group_is_odd(engine, task, page).await?;
        return Ok(Tried::NothingSent);
    };
    let now = engine.ctx.portal_time.now();
    let printed = seen.printed();
    let cleared = seen.agreed(task, &read).and_then(|a| may_book(task, &a, opening, now).map(|()| a));
    let agreed = match cleared {
        Ok(agreed) => agreed,
        Err(stop) => {
            stopped(engine, task, opening, stop).await?;
            contradicted(engine, task, (&read, printed), stop).await?;
            return Ok(Tried::NothingSent);
        }
    };
    if people(&read.group) != people(&task.group) {
        // Somebody joined or left the group since it was priced.
        crate::adopt::adopt(engine, task, &read, printed).await?;
        return Ok(Tried::NothingSent);
    }
    let Preflight { form, mut connection, stale_at, .. } = seen;
    if !connection.is_usable().await {
        connection = BookingConnection::open(&client).await?;
    }
    let form = match form.fill(facility, opening.date, time) {
        Ok(form) => form,
        Err(why) => {
            cannot_fill(engine, task, opening, why).await?;
            return Ok(Tried::NothingSent);
        }
    };
    let slot = Slot { facility: opening.key.facility, date: opening.date, time };
    if engine.ctx.wall.now() >= stale_at {
        stopped(engine, task, opening, Stop::TooOld).await?;
        return Ok(Tried::Hindered);
    }
    let proof = match mark_sending(engine, task, attempt, (slot, &agreed), stale_at).await? {
        Ok(proof) => proof,
        Err(tried) => return Ok(tried),
    };
    crash_point("acting.committed");
    engine.tries_no_more(turn.account);
    let evidence = connection.post(&turn.meter, &session, &group, form, proof).await;
    crash_point("post.ended");
    turn.settle_budget(engine.ctx.portal_time.now());
    acted(engine, turn, task, attempt, &evidence).await?;
    let state = engine.state.lock();
    let ours = state.tasks.get(&task.id).and_then(|t| t.booked).is_some_and(|b| b.date == opening.date);
    Ok(if ours && !state.attempts.contains_key(&attempt) { Tried::Booked } else { Tried::Acted })
}

/// A form that is no form for this slot: the task stops and says why, for the next try would meet the same form.
async fn cannot_fill(
    engine: &Arc<Engine>,
    task: &Task,
    opening: &Opening,
    why: CannotFill,
) -> Result<(), Fault> {
    let reason = match why {
        CannotFill::AsksAsc => Reason::FormAsksFingerprints,
        CannotFill::FacilityNotOffered => Reason::CityNotOffered,
    };
    tracing::warn!(task = %task.id, %why, facility = opening.key.facility.name(), "the form cannot be filled");
    crate::react::stop_task(engine, task.id, TaskStatus::Error, reason).await
}

/// Who is in a group: their numbers where the page links them, else their names.
fn people(group: &domain::appointment::Group) -> Vec<&str> {
    let mut people: Vec<&str> = group.applicants.iter().map(|a| a.id.as_deref().unwrap_or(&a.name)).collect();
    people.sort_unstable();
    people
}

/// The time to take, or `None` when the day turned out empty: two empty answers make it a phantom.
async fn pick_time(
    engine: &Arc<Engine>,
    task: &Task,
    opening: &Opening,
    times: &[NaiveTime],
) -> Result<Option<NaiveTime>, Fault> {
    let taken: Vec<NaiveTime> = {
        let state = engine.state.lock();
        let others = state.attempts.values().filter(|i| i.task != task.id).filter_map(|i| i.target);
        others
            .filter(|t| t.facility == opening.key.facility && t.date == opening.date)
            .map(|t| t.time)
            .collect()
    };
    let skip = opening.place.saturating_sub(taken.iter().filter(|t| times.contains(t)).count());
    let time = booking::choose_time(times, &taken, skip);
    engine.times_known(opening, task.portal_account_id, times.len());
    if time.is_none() {
        let why = if times.is_empty() { "no_times" } else { "taken_for_another" };
        let data = json!({ "facility": opening.key.facility.name(), "date": opening.date, "why": why });
        let mut tx = engine.ctx.db.begin().await?;
        crate::tell::journal(engine, &mut tx, task.id, "slot_gone", data).await?;
        tx.commit().await?;
    }
    Ok(time)
}

/// Records how the POST ended and reads back at once.
async fn acted(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    attempt: AttemptId,
    evidence: &PostEvidence,
) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let data = json!({
        "wrote": format!("{:?}", evidence.wrote),
        "status": evidence.status,
        "location": evidence.location.as_deref().map(|l| l.split('?').next().unwrap_or_default()),
        "flash": evidence.flash,
        "error": evidence.error.as_ref().map(PortalError::code),
    });
    crash_point("evidence.before_commit");
    if sabotaged("charge_at_post") {
        let mut tx = engine.ctx.db.begin().await?;
        store::task_hold::capture(&mut tx, &engine.ctx.random, task, engine.ctx.wall.now()).await?;
        tx.commit().await?;
    }
    engine.keep_evidence(attempt, &data);
    match engine.write_evidence(attempt).await {
        Ok(()) if evidence.wrote == portal::Wrote::Nothing => {
            return crate::settle::nothing_sent(engine, task, attempt).await;
        }
        Ok(()) => {}
        // It is read back all the same, and written with what that shows.
        Err(Fault::Store(error)) => tracing::warn!(%error, "how a POST ended is not written yet"),
        Err(fault) => return Err(fault),
    }
    crash_point("evidence.committed");
    if let Some(live) = engine.state.lock().attempts.get_mut(&attempt) {
        live.next_read_at = Some(now);
    }
    crate::settle::read_now(engine, turn, attempt).await
}

/// What a rule that stops a booking means for the task.
async fn stopped(engine: &Arc<Engine>, task: &Task, opening: &Opening, stop: Stop) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let mut tx = engine.ctx.db.begin().await?;
    let data = json!({ "facility": opening.key.facility.name(), "date": opening.date, "stop": stop });
    crate::tell::journal(engine, &mut tx, task.id, "not_booked_because", data).await?;
    if stop == Stop::LastAttempt {
        crate::tell::alert(engine, &mut tx, task.id, (opening.key.facility, opening.date), now).await?;
    }
    tx.commit().await?;
    if stop == Stop::ReschedulesUsed {
        crate::react::stop_task(engine, task.id, TaskStatus::Stopped, Reason::ReschedulesUsed).await?;
    }
    Ok(())
}
