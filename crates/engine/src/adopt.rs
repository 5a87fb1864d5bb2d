//! Taking over what the portal shows of a group: under the task's lock, with the lease, against the row as it stands.

use std::sync::Arc;

use domain::appointment::{PortalStatus, Slot};
use domain::booking::evidence::{Doubt, Other, Printed, Standing, judge_other, wait};
use domain::booking::{ExpectedOutcome, LAG, LATE_COUNTS_FOR, Observation, ObservedState};
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::task::{Reason, TaskStatus};
use serde_json::json;
use store::Tx;
use store::task::Task;

use crate::start::{Read, today_of};
use crate::tell::Told;
use crate::{Engine, Fault};

/// What became of a reading.
pub(crate) enum Adopted {
    /// The task holds what the portal shows.
    Known(Box<Task>),
    /// Pages contradict each other: nothing is booked, and they are read again later.
    Waits,
    /// The task does not go on, or it is not this node's to write.
    Over,
}

/// What the instructions page prints of the interview.
pub(crate) fn printed(page: &portal::pages::instructions::Instructions) -> Printed {
    match page.interview {
        Some(at) => Printed::Appointment { date: at.date, time: at.time },
        None if page.headed => Printed::None,
        None => Printed::Unreadable,
    }
}

impl Engine {
    /// Whether this node holds the lease; nobody takes it before the transaction ends.
    ///
    /// To be asked after the task's lock: whoever was paused for long may have been replaced, and what it read is old.
    pub(crate) async fn leads(&self, tx: &mut Tx) -> Result<bool, Fault> {
        let epoch = self.state.lock().epoch;
        let Some(epoch) = epoch else { return Ok(false) };
        Ok(store::lease::holds(tx, crate::driver::LEASE, &self.ctx.config.node, epoch).await?)
    }
}

/// Takes over what the portal shows now, if it is sure.
pub(crate) async fn adopt(
    engine: &Arc<Engine>,
    task: &Task,
    read: &Read,
    printed: Printed,
) -> Result<Adopted, Fault> {
    let now = engine.ctx.wall.now();
    let mut tx = engine.ctx.db.begin().await?;
    store::lock::exclusive(&mut tx, task.id.0).await?;
    if !engine.leads(&mut tx).await? {
        return Ok(Adopted::Over);
    }
    let current = store::task::get(&mut tx, task.id).await?;
    let Some(current) = current.filter(|t| t.deleted_at.is_none() && t.status.is_running()) else {
        return Ok(Adopted::Over);
    };
    if current.booked != read.booked
        && store::booking_attempt::is_open(&mut tx, &current.country, &current.portal_schedule_id).await?
    {
        // Its read-back decides what that means.
        tx.commit().await?;
        return Ok(Adopted::Known(Box::new(current)));
    }
    let known = store::task::doubt(&mut tx, current.id).await?;
    if let Some(until) = contradicted(engine, &mut tx, &current, read, (printed, known)).await? {
        tx.commit().await?;
        engine.refresh(current.id).await?;
        engine.state.lock().start_not_before.insert(current.id, until);
        return Ok(Adopted::Waits);
    }
    if known.is_some() {
        store::task::set_doubt(&mut tx, current.id, None).await?;
        if current.condition == TaskCondition::BookingUnconfirmed {
            let told = Told {
                task: current.id,
                condition: TaskCondition::Watching,
                evidence: json!({}),
                next_try_at: None,
            };
            crate::tell::condition(engine, &mut tx, &told).await?;
        }
    }
    if current.booked != read.booked
        && let Some(target) = read.booked
        && confirmed_late(engine, &mut tx, &current, target).await?
    {
        tx.commit().await?;
        crate::metrics::booking("confirmed_late");
        let task = engine.refresh(current.id).await?.filter(|task| task.status.is_running());
        return Ok(task.map_or(Adopted::Over, |task| Adopted::Known(Box::new(task))));
    }
    let stop = reason_to_stop(&current, read, engine.ctx.portal_time.now());
    store::task::set_group(&mut tx, current.id, &read.group, now).await?;
    store::task::set_booked(&mut tx, current.id, read.booked, now).await?;
    if current.booked != read.booked {
        changed_outside(engine, &mut tx, &current, read).await?;
    }
    tx.commit().await?;
    if let Some(reason) = stop {
        let to = if reason == Reason::CancelledOutside { TaskStatus::Stopped } else { TaskStatus::Error };
        crate::react::stop_task(engine, current.id, to, reason).await?;
        return Ok(Adopted::Over);
    }
    Ok(engine.refresh(current.id).await?.map_or(Adopted::Over, |task| Adopted::Known(Box::new(task))))
}

/// Until when a reading has to wait that contradicts the row or itself; it is remembered, and told once.
async fn contradicted(
    engine: &Engine,
    tx: &mut Tx,
    current: &Task,
    read: &Read,
    (printed, known): (Printed, Option<Doubt>),
) -> Result<Option<Instant>, Fault> {
    let now = engine.ctx.portal_time.now();
    let mut standing = Standing::Foreign;
    if current.booked == read.booked {
        if let Some(doubt) = known.filter(|doubt| doubt.shown == current.booked && now < doubt.since + LAG) {
            // All pages may still lag behind what made it doubtful.
            return Ok(Some(doubt.since + LAG));
        }
        // A fresh task begins, and each booking reads these pages anew.
        let fine = printed.agrees_with(read.booked.as_ref()) != Some(false)
            || current.status == TaskStatus::Submitted;
        if fine {
            return Ok(None);
        }
    } else {
        let ours =
            store::booking_attempt::replaced(tx, &current.country, &current.portal_schedule_id).await?;
        if ours.contains(&read.booked) {
            standing = Standing::BeforeOurs;
        }
    }
    match judge_other(read.booked.as_ref(), printed, standing, known, now) {
        Other::Adopt => Ok(None),
        Other::Wait { doubt, until } => {
            note(engine, tx, current, (doubt, standing, until)).await?;
            Ok(Some(until))
        }
    }
}

/// Remembers a doubt, and says so the first time; an active task is warmed up anew when it is read again.
async fn note(
    engine: &Engine,
    tx: &mut Tx,
    task: &Task,
    (doubt, standing, until): (Doubt, Standing, Instant),
) -> Result<(), Fault> {
    store::task::set_doubt(tx, task.id, Some(&doubt)).await?;
    let step = (TaskStatus::Active, TaskStatus::Processing);
    store::task::set_status(tx, task.id, step, None, engine.ctx.wall.now()).await?;
    let evidence = json!({
        "code": "pages_differ",
        "shown": doubt.shown.as_ref().map(app::slot),
        "since": doubt.since,
        "read_again": until,
    });
    if doubt.readings <= 1 {
        crate::tell::journal(engine, tx, task.id, "trouble", evidence.clone()).await?;
    }
    if standing == Standing::BeforeOurs {
        let told = Told {
            task: task.id,
            condition: TaskCondition::BookingUnconfirmed,
            evidence,
            next_try_at: Some(until),
        };
        crate::tell::condition(engine, tx, &told).await?;
    }
    Ok(())
}

/// Nothing is tried for the task before its pages were read again, from the groups page on.
pub(crate) async fn read_again_later(engine: &Arc<Engine>, task: &Task) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let mut tx = engine.ctx.db.begin().await?;
    store::lock::exclusive(&mut tx, task.id.0).await?;
    let known = store::task::doubt(&mut tx, task.id).await?.filter(|doubt| doubt.shown == task.booked);
    let mut doubt = known.unwrap_or(Doubt { shown: task.booked, since: now, printed_at: None, readings: 0 });
    doubt.readings += 1;
    let until = now + wait(doubt.readings);
    note(engine, &mut tx, task, (doubt, Standing::Foreign, until)).await?;
    tx.commit().await?;
    engine.refresh(task.id).await?;
    engine.state.lock().start_not_before.insert(task.id, until);
    Ok(())
}

/// What the portal shows is the target of a booking of ours that nobody saw in time: it is confirmed after all, told, and
/// charged where the money still is on hold.
async fn confirmed_late(engine: &Engine, tx: &mut Tx, task: &Task, target: Slot) -> Result<bool, Fault> {
    let now = engine.ctx.portal_time.now();
    let Some(attempt) = store::booking_attempt::late(tx, task.id, target, now - LATE_COUNTS_FOR).await?
    else {
        return Ok(false);
    };
    let expected_outcome = ExpectedOutcome {
        expected: attempt.expected,
        target,
        t0: attempt.t0.unwrap_or(now),
        attempts_before: attempt.attempts_before,
    };
    let mut readings = attempt.readings.clone();
    readings.push(Observation { at: now, shown: ObservedState::of(Some(target)), attempts_left: None });
    if !crate::settle::confirm_in(engine, tx, (&attempt, task), &expected_outcome, &readings, None).await? {
        return Ok(false);
    }
    // What was counted meanwhile is not what the portal counts.
    let wall = engine.ctx.wall.now();
    store::task::forget_allowance(tx, task.id, wall).await?;
    let step = (TaskStatus::Active, TaskStatus::Processing);
    store::task::set_status(tx, task.id, step, None, wall).await?;
    Ok(true)
}

/// Why the task cannot go on with what was read, if it cannot.
fn reason_to_stop(current: &Task, read: &Read, now: Instant) -> Option<Reason> {
    let today = today_of(read.booked.as_ref(), current, now);
    if !read.group.status.can_be_monitored() {
        return Some(if read.group.status == PortalStatus::PayVisaFee {
            Reason::FeeExpired
        } else {
            Reason::GroupGone
        });
    }
    if read.group.fee_expired(today) {
        return Some(Reason::FeeExpired);
    }
    if read.booked.is_some_and(|b| b.date < today) {
        return Some(Reason::AppointmentPassed);
    }
    if current.booked.is_some() && read.booked.is_none() {
        return Some(Reason::CancelledOutside);
    }
    let regrouped = current.price.is_some_and(|p| {
        let people = read.group.party_size();
        // Who has paid for more people than there are has nothing to decide.
        people > p.applicants || (people < p.applicants && current.captured_at.is_none())
    });
    regrouped.then_some(Reason::GroupChanged)
}

/// Somebody else changed the appointment: what was read for the old one is read afresh.
async fn changed_outside(engine: &Arc<Engine>, tx: &mut Tx, task: &Task, read: &Read) -> Result<(), Fault> {
    let data = json!({
        "from": task.booked.as_ref().map(app::slot),
        "to": read.booked.as_ref().map(app::slot),
    });
    crate::tell::journal(engine, tx, task.id, "changed_outside", data).await?;
    // Also of a task that books by itself by now: it was told of the slot before that.
    let since = engine.ctx.portal_time.now() - store::task_hold::ALERT_COUNTS_FOR;
    app::money::capture_if_alerted(&engine.ctx.app(), tx, task, read.booked, since).await?;
    let now = engine.ctx.wall.now();
    store::task::forget_allowance(tx, task.id, now).await?;
    if task.status == TaskStatus::Active {
        let step = (TaskStatus::Active, TaskStatus::Processing);
        store::task::set_status(tx, task.id, step, None, now).await?;
    }
    Ok(())
}
