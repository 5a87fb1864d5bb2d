//! Late readings: an attempt that counted as not booked, or was left to a person, may be applied after all. A few times
//! within a week its group's page is read for no other reason, also where the task polls no more.
//!
//! By GET only, within the account's own shares and the host's budget, and never while either rests: nobody waits for it.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::booking::evidence::Printed;
use domain::booking::{LATE_COUNTS_FOR, Meant, Reading, Shown, counts_late, next_late_reading};
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::{IntentId, PortalAccountId};
use domain::task::TaskStatus;
use portal::{Purpose, Trouble};
use store::Tx;
use store::intent::Intent;
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
    due: Vec<(IntentId, PortalAccountId)>,
    next: Option<Instant>,
}

impl Late {
    /// What is due by now.
    pub async fn read(tx: &mut Tx, now: Instant) -> Result<Self, Fault> {
        let due = store::intent::late::due(tx, (now, now - LATE_COUNTS_FOR)).await?;
        Ok(Self { due, next: store::intent::late::next(tx).await? })
    }
}

impl Engine {
    /// Those whose time has come, as far as their accounts are free and rested and the host's budget reaches.
    pub(crate) fn take_late_reads(&self, state: &mut State, round: &mut Round, now: Instant) {
        for (intent, account) in std::mem::take(&mut state.late.due) {
            let rests = state.accounts.get(&account).and_then(|a| a.not_before).is_some_and(|at| at > now);
            // What cannot be read now is found again by the next sweep.
            let may = !rests && is_free(state, round, account);
            if may && self.ctx.client.pacer().prepay(Purpose::LastRead, 1) {
                round.jobs.push(Job::LateRead { intent, account });
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
    fn reading_of(&self, intent: &Intent) -> Reading {
        let shown = match self.printed {
            Printed::Appointment { date, time } => {
                Shown::Appointment { slot: Slot { facility: intent.facility, date, time } }
            }
            Printed::None => Shown::None,
            Printed::Unreadable => Shown::Unreadable,
        };
        Reading { at: self.at, shown, attempts_left: None }
    }

    /// The slot that this attempt was sent for, where the page prints it.
    fn target_of(&self, intent: &Intent) -> Option<Slot> {
        let shown = self.reading_of(intent).shown;
        let target = intent.meant_target(intent.target?, &shown);
        (shown == Shown::Appointment { slot: target }).then_some(target)
    }
}

/// Reads what a group's instructions page prints, and confirms the attempt whose target that is.
pub(crate) async fn late_read(engine: &Arc<Engine>, id: IntentId, lent: Lent) -> Result<(), Fault> {
    let mut tx = engine.ctx.db.read().await?;
    let found = store::intent::get(&mut tx, id).await?.filter(|intent| intent.next_read_at.is_some());
    let Some(intent) = found else { return Ok(()) };
    let task = store::task::get(&mut tx, intent.task_id).await?;
    tx.commit().await?;
    // A password that left took the right to read with it.
    let Some(task) = task.filter(|task| task.credential_id.is_some()) else {
        return reschedule(engine, &intent, None, |_| None).await;
    };
    let mut turn = Turn::begin(lent).await?;
    let seen = look(engine, &mut turn, &intent, &task).await;
    turn.finish().await?;
    let now = engine.ctx.portal_time.now();
    match seen {
        Ok(seen) => {
            let confirmed = confirm(engine, &intent, &seen).await;
            // Whatever failed on our side must not become a stream of requests on theirs.
            reschedule(engine, &intent, Some(&seen), |t0| next_late_reading(t0, now)).await.and(confirmed)
        }
        // Nothing was asked of the portal.
        Err(Fault::Rest(until)) => {
            let until = until.max(now + crate::sweep::EVERY);
            reschedule(engine, &intent, None, |t0| Some(until).filter(|at| counts_late(t0, *at))).await
        }
        Err(fault) => {
            tracing::info!(%fault, task = %task.id, "a late reading could not be read");
            if let Fault::Portal(trouble) = &fault {
                engine.ctx.outward.failed(intent.portal_account_id.0.as_u128(), trouble, now);
            }
            reschedule(engine, &intent, None, |t0| next_late_reading(t0, now)).await
        }
    }
}

async fn look(engine: &Arc<Engine>, turn: &mut Turn, intent: &Intent, task: &Task) -> Result<Seen, Fault> {
    let mut seen = ask(engine, turn, intent, task).await;
    if matches!(seen, Err(Fault::Portal(Trouble::SignedOut))) {
        crate::session::forget(engine, turn).await?;
        seen = ask(engine, turn, intent, task).await;
    }
    turn.settle_budget(engine.ctx.portal_time.now());
    seen
}

/// One request: the instructions page, which does not lag as the groups page does.
async fn ask(engine: &Arc<Engine>, turn: &mut Turn, intent: &Intent, task: &Task) -> Result<Seen, Fault> {
    let at = engine.ctx.portal_time.now();
    turn.allowed(Spend::Other, at)?;
    let session = crate::session::ensure_to_read_back(engine, turn, task, Spend::SignIn).await?;
    let group = intent.portal_schedule_id.clone();
    let page = engine.ctx.client.instructions(&turn.meter, &session, &group).await?;
    engine.host_answered(turn.account);
    let deadline = page.deadline.map(|at| at.date.and_time(at.time));
    Ok(Seen { at, printed: crate::adopt::printed(&page), deadline })
}

/// Confirms the attempt whose target the page prints, where that can be its doing.
async fn confirm(engine: &Arc<Engine>, read: &Intent, seen: &Seen) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let mut tx = engine.ctx.db.begin_first().await?;
    store::lease::alone(&mut tx, read.task_id.0).await?;
    if !engine.leads(&mut tx).await? {
        return Ok(());
    }
    let late = store::intent::late::of_group(&mut tx, &read.country, &read.portal_schedule_id).await?;
    let own = late.iter().filter(|intent| intent.task_id == read.task_id);
    let mut timely = own.filter(|intent| intent.t0.is_some_and(|t0| counts_late(t0, now)));
    let printed = timely.find_map(|intent| seen.target_of(intent).map(|target| (intent, target)));
    let Some((intent, target)) = printed else { return Ok(()) };
    let Some(task) = store::task::get(&mut tx, intent.task_id).await? else { return Ok(()) };
    let explained = task.booked == Some(target)
        || store::intent::late::is_overtaken(&mut tx, intent).await?
        || store::intent::is_open(&mut tx, &intent.country, &intent.portal_schedule_id).await?;
    if explained || !confirm_in(engine, &mut tx, (intent, task), target, seen).await? {
        return Ok(());
    }
    tx.commit().await?;
    crate::metrics::booking("confirmed_late");
    tracing::info!(task = %intent.task_id, "an attempt shows up late, and is confirmed");
    engine.refresh(intent.task_id).await?;
    engine.nudge();
    Ok(())
}

async fn confirm_in(
    engine: &Engine,
    tx: &mut Tx,
    (intent, task): (&Intent, Task),
    target: Slot,
    seen: &Seen,
) -> Result<bool, Fault> {
    let wall = engine.ctx.wall.now();
    let meant = Meant {
        expected: intent.expected,
        target,
        t0: intent.t0.unwrap_or(seen.at),
        attempts_before: intent.attempts_before,
    };
    let mut readings = intent.readings.clone();
    readings.push(seen.reading_of(intent));
    let deadline = seen.deadline.and_then(|at| target.facility.instant(at));
    // A task that stood still only because nobody knew goes on.
    let task = engine.resumed(tx, intent, task).await?;
    if !crate::settle::confirm_in(engine, tx, (intent, &task), &meant, &readings, deadline).await? {
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
    read: &Intent,
    seen: Option<&Seen>,
    next: impl Fn(Instant) -> Option<Instant>,
) -> Result<(), Fault> {
    let due = engine.ctx.portal_time.now() + TOGETHER;
    let mut tx = engine.ctx.db.begin().await?;
    for intent in store::intent::late::of_group(&mut tx, &read.country, &read.portal_schedule_id).await? {
        let (Some(at), Some(t0)) = (intent.next_read_at, intent.t0) else { continue };
        if at <= due {
            let reading = seen.map(|seen| seen.reading_of(&intent));
            store::intent::late::read(&mut tx, &intent, reading, next(t0)).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}
