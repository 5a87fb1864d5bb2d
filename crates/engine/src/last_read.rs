//! One last look at the portal for a task that told its user of a slot and is not followed any more: did they take it?

use std::sync::Arc;

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::TaskId;
use portal::{PortalError, Purpose};
use store::task::Task;
use store::task_hold::ALERT_COUNTS_FOR;

use crate::driver::{Job, Round, is_free};
use crate::state::State;
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

/// How long a read waits for its account's budget before it counts as impossible.
const PATIENCE: TimeDelta = TimeDelta::hours(12);

impl Engine {
    /// Those whose time has come, as far as their accounts are free and the host's budget reaches.
    pub(crate) fn take_last_reads(&self, state: &mut State, round: &mut Round) {
        let waiting = std::mem::take(&mut state.last_reads);
        for (task, account) in waiting {
            if is_free(state, round, account) && self.ctx.client.pacer().prepay(Purpose::LastRead, 1) {
                round.jobs.push(Job::LastRead { task, account });
            } else {
                state.last_reads.push((task, account));
            }
        }
    }
}

/// Reads the groups page once; what it shows decides whether the hold is captured or, where the task is over, goes back.
/// Unreadable is as if nothing had been taken.
pub(crate) async fn last_read(engine: &Arc<Engine>, task: TaskId, lent: Lent) -> Result<(), Fault> {
    let mut tx = engine.ctx.db.read().await?;
    let found = store::task::get(&mut tx, task).await?;
    tx.commit().await?;
    let Some((task, due)) = found.and_then(|task| task.last_read_at.map(|at| (task, at))) else {
        return Ok(());
    };
    let mut turn = Turn::begin(lent).await?;
    let mut read = read(engine, &mut turn, &task).await;
    if matches!(read, Err(Fault::Portal(PortalError::SignedOut))) {
        // The session of three days ago is over; the password still is there.
        crate::session::forget(engine, &mut turn).await?;
        read = self::read(engine, &mut turn, &task).await;
    }
    turn.finish().await?;
    if matches!(read, Err(Fault::Rest(_))) && engine.ctx.portal_time.now() < due + PATIENCE {
        // Nothing was asked of the portal: the next sweep tries again.
        return Ok(());
    }
    let booked = read.unwrap_or_else(|fault| {
        tracing::warn!(%fault, task = %task.id, "a task that told of a slot could not be read once more");
        None
    });
    resolve(engine, task.id, booked, due).await
}

async fn read(engine: &Arc<Engine>, turn: &mut Turn, task: &Task) -> Result<Option<Slot>, Fault> {
    let session = crate::session::ensure(engine, turn, task, Spend::SignIn).await?;
    turn.allowed(Spend::Other, engine.ctx.portal_time.now())?;
    let groups = engine.ctx.client.groups(&turn.meter, &session).await?;
    turn.settle_budget(engine.ctx.portal_time.now());
    engine.host_answered(turn.account);
    let page = groups.iter().find(|g| g.portal_schedule_id == task.portal_schedule_id);
    Ok(page
        .and_then(|page| crate::start::translate(page, task.group.fee_paid_on))
        .and_then(|read| read.booked))
}

async fn resolve(
    engine: &Arc<Engine>,
    task: TaskId,
    booked: Option<Slot>,
    due: Instant,
) -> Result<(), Fault> {
    let now = engine.ctx.wall.now();
    let mut tx = engine.ctx.db.begin().await?;
    store::lock::exclusive(&mut tx, task.0).await?;
    let Some(task) = store::task::get(&mut tx, task).await?.filter(|task| task.last_read_at.is_some()) else {
        return Ok(());
    };
    app::money::capture_if_alerted(&engine.ctx.app(), &mut tx, &task, booked, due - ALERT_COUNTS_FOR).await?;
    let over = !task.status.is_running()
        && task.reason.is_some_and(|reason| app::tasks::never_succeeds(&task, reason));
    if task.deleted_at.is_some() || over {
        store::task_hold::release(&mut tx, &engine.ctx.random, &task, engine.ctx.wall.now()).await?;
    }
    store::task::set_last_read(&mut tx, task.id, None).await?;
    store::credential::retention::remove_unneeded_of(&mut tx, &task, now).await?;
    tx.commit().await?;
    Ok(())
}
