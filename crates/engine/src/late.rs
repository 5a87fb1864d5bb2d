//! Late readings: an attempt that counted as not booked, or was left to a person, may be applied after all. A few times
//! within a week its group's page is read for no other reason, also where the task polls no more.
//!
//! By GET only, within the account's own shares and the host's budget, and never while either rests: nobody waits for it.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::booking::evidence::Printed;
use domain::booking::{
    ExpectedOutcome, LATE_COUNTS_FOR, Observation, ObservedState, counts_late, next_late_reading,
};
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::{AttemptId, PortalAccountId};
use domain::task::TaskStatus;
use portal::{PortalError, Purpose};
use store::Tx;
use store::booking_attempt::BookingAttempt;
use store::task::Task;

use crate::driver::{Job, Round, is_free};
use crate::state::State;
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

/// Readings of one group that are due within so long of each other are one.
const TOGETHER: TimeDelta = TimeDelta::minutes(10);

/// Late readings that are due, as the last sweep found them.
#[derive(Debug, Default)]
pub(crate) struct Late {
    due: Vec<(AttemptId, PortalAccountId)>,
    next: Option<Instant>,
}

impl Late {
    /// What is due by now.
    pub async fn read(tx: &mut Tx, now: Instant) -> Result<Self, Fault> {
        let due = store::booking_attempt::late::due(tx, (now, now - LATE_COUNTS_FOR)).await?;
        Ok(Self { due, next: store::booking_attempt::late::next(tx).await? })
    }
}

impl Engine {
    /// Those whose time has come, as far as their accounts are free and rested and the host's budget reaches.
    pub(crate) fn take_late_reads(&self, state: &mut State, round: &mut Round, now: Instant) {
        for (attempt, account) in std::mem::take(&mut state.late.due) {
            let rests = state.accounts.get(&account).and_then(|a| a.not_before).is_some_and(|at| at > now);
            // What cannot be read now is found again by the next sweep.
            let may = !rests && is_free(state, round, account);
            if may && self.ctx.client.pacer().prepay(Purpose::LastRead, 1) {
                round.jobs.push(Job::LateRead { attempt, account });
            }
        }
        let sweep = state.swept_at.map(|at| at + crate::sweep::EVERY);
        round.later(state.late.next.map(|next| sweep.map_or(next, |sweep| next.max(sweep))));
    }
}

/// What the instructions page of a group said.
struct Seen {
    at: Instant,
    printed: Printed,
    /// Until when the appointment may be changed, as the city's clock shows it.
    deadline: Option<chrono::NaiveDateTime>,
}

impl Seen {
    /// As a reading of this attempt: the page names no city, date and time tell whose appointment it is.
    fn reading_of(&self, attempt: &BookingAttempt) -> Observation {
        let shown = match self.printed {
            Printed::Appointment { date, time } => {
                ObservedState::Appointment { slot: Slot { facility: attempt.facility, date, time } }
            }
            Printed::None => ObservedState::None,
            Printed::Unreadable => ObservedState::Unreadable,
        };
        Observation { at: self.at, shown, attempts_left: None }
    }

    /// The slot that this attempt was sent for, where the page prints it.
    fn target_of(&self, attempt: &BookingAttempt) -> Option<Slot> {
        let shown = self.reading_of(attempt).shown;
        let target = attempt.expected_target(attempt.target?, &shown);
        (shown == ObservedState::Appointment { slot: target }).then_some(target)
    }
}

/// Reads what a group's instructions page prints, and confirms the attempt whose target that is.
pub(crate) async fn late_read(engine: &Arc<Engine>, id: AttemptId, lent: Lent) -> Result<(), Fault> {
    let mut tx = engine.ctx.db.read().await?;
    let found =
        store::booking_attempt::get(&mut tx, id).await?.filter(|attempt| attempt.next_read_at.is_some());
    let Some(attempt) = found else { return Ok(()) };
    let task = store::task::get(&mut tx, attempt.task_id).await?;
    tx.commit().await?;
    // A password that left took the right to read with it.
    let Some(task) = task.filter(|task| task.credential_id.is_some()) else {
        return reschedule(engine, &attempt, None, |_| None).await;
    };
    let mut turn = Turn::begin(lent).await?;
    let seen = poll(engine, &mut turn, &attempt, &task).await;
    turn.finish().await?;
    let now = engine.ctx.portal_time.now();
    match seen {
        Ok(seen) => {
            let confirmed = confirm(engine, &attempt, &seen).await;
            // Whatever failed on our side must not become a stream of requests on theirs.
            reschedule(engine, &attempt, Some(&seen), |t0| next_late_reading(t0, now)).await.and(confirmed)
        }
        // Nothing was asked of the portal.
        Err(Fault::Rest(until)) => {
            let until = until.max(now + crate::sweep::EVERY);
            reschedule(engine, &attempt, None, |t0| Some(until).filter(|at| counts_late(t0, *at))).await
        }
        Err(fault) => {
            tracing::info!(%fault, task = %task.id, "a late reading could not be read");
            if let Fault::Portal(portal_error) = &fault {
                engine.ctx.outward.failed(attempt.portal_account_id.0.as_u128(), portal_error, now);
            }
            reschedule(engine, &attempt, None, |t0| next_late_reading(t0, now)).await
        }
    }
}

async fn poll(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    attempt: &BookingAttempt,
    task: &Task,
) -> Result<Seen, Fault> {
    let mut seen = ask(engine, turn, attempt, task).await;
    if matches!(seen, Err(Fault::Portal(PortalError::SignedOut))) {
        crate::session::forget(engine, turn).await?;
        seen = ask(engine, turn, attempt, task).await;
    }
    turn.settle_budget(engine.ctx.portal_time.now());
    seen
}

/// One request: the instructions page, which does not lag as the groups page does.
async fn ask(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    attempt: &BookingAttempt,
    task: &Task,
) -> Result<Seen, Fault> {
    let at = engine.ctx.portal_time.now();
    turn.allowed(Spend::Other, at)?;
    let session = crate::session::ensure_to_read_back(engine, turn, task, Spend::SignIn).await?;
    let group = attempt.portal_schedule_id.clone();
    let page = engine.ctx.client.instructions(&turn.meter, &session, &group).await?;
    engine.host_answered(turn.account);
    let deadline = page.deadline.map(|at| at.date.and_time(at.time));
    Ok(Seen { at, printed: crate::adopt::printed(&page), deadline })
}

/// Confirms the attempt whose target the page prints, where that can be its doing.
async fn confirm(engine: &Arc<Engine>, read: &BookingAttempt, seen: &Seen) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let mut tx = engine.ctx.db.begin_first().await?;
    store::lock::exclusive(&mut tx, read.task_id.0).await?;
    if !engine.leads(&mut tx).await? {
        return Ok(());
    }
    let late =
        store::booking_attempt::late::of_group(&mut tx, &read.country, &read.portal_schedule_id).await?;
    let own = late.iter().filter(|attempt| attempt.task_id == read.task_id);
    let mut timely = own.filter(|attempt| attempt.t0.is_some_and(|t0| counts_late(t0, now)));
    let printed = timely.find_map(|attempt| seen.target_of(attempt).map(|target| (attempt, target)));
    let Some((attempt, target)) = printed else { return Ok(()) };
    let Some(task) = store::task::get(&mut tx, attempt.task_id).await? else { return Ok(()) };
    let explained = task.booked == Some(target)
        || store::booking_attempt::late::is_overtaken(&mut tx, attempt).await?
        || store::booking_attempt::is_open(&mut tx, &attempt.country, &attempt.portal_schedule_id).await?;
    if explained || !confirm_in(engine, &mut tx, (attempt, task), target, seen).await? {
        return Ok(());
    }
    tx.commit().await?;
    crate::metrics::booking("confirmed_late");
    tracing::info!(task = %attempt.task_id, "an attempt shows up late, and is confirmed");
    engine.refresh(attempt.task_id).await?;
    engine.nudge();
    Ok(())
}

async fn confirm_in(
    engine: &Engine,
    tx: &mut Tx,
    (attempt, task): (&BookingAttempt, Task),
    target: Slot,
    seen: &Seen,
) -> Result<bool, Fault> {
    let wall = engine.ctx.wall.now();
    let expected_outcome = ExpectedOutcome {
        expected: attempt.expected,
        target,
        t0: attempt.t0.unwrap_or(seen.at),
        attempts_before: attempt.attempts_before,
    };
    let mut readings = attempt.readings.clone();
    readings.push(seen.reading_of(attempt));
    let deadline = seen.deadline.and_then(|at| target.facility.instant(at));
    // A task that stood still only because nobody knew goes on.
    let task = engine.resumed(tx, attempt, task).await?;
    if !crate::settle::confirm_in(engine, tx, (attempt, &task), &expected_outcome, &readings, deadline)
        .await?
    {
        return Ok(false);
    }
    // What was counted meanwhile is not what the portal counts.
    store::task::forget_allowance(tx, task.id, wall).await?;
    let step = (TaskStatus::Active, TaskStatus::Processing);
    store::task::set_status(tx, task.id, step, None, wall).await?;
    Ok(true)
}

/// Records what was seen with every attempt of the group that was due by now, and when each is read next.
async fn reschedule(
    engine: &Arc<Engine>,
    read: &BookingAttempt,
    seen: Option<&Seen>,
    next: impl Fn(Instant) -> Option<Instant>,
) -> Result<(), Fault> {
    let due = engine.ctx.portal_time.now() + TOGETHER;
    let mut tx = engine.ctx.db.begin().await?;
    for attempt in
        store::booking_attempt::late::of_group(&mut tx, &read.country, &read.portal_schedule_id).await?
    {
        let (Some(at), Some(t0)) = (attempt.next_read_at, attempt.t0) else { continue };
        if at <= due {
            let reading = seen.map(|seen| seen.reading_of(&attempt));
            store::booking_attempt::late::read(&mut tx, &attempt, reading, next(t0)).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}
