//! What time does to tasks: windows pass, drafts fade, unknown outcomes run out.

use std::collections::BTreeSet;
use std::sync::Arc;

use app::money::ReturnedAfter;
use chrono::TimeDelta;
use domain::booking::RELEASE_AFTER;
use domain::clock::Instant;
use domain::hold::ALERT_COUNTS_FOR;
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use store::booking_attempt::BookingAttempt;
use store::task::Task;

use crate::config::SWEEP_EVERY;
use crate::{Engine, JobError};

/// Drafts untouched for this long are deleted, with credentials that nothing else uses.
const DRAFTS_LIVE: TimeDelta = TimeDelta::hours(24);

/// Above [`MANY`] tasks, look for unused credentials once per [`SEARCH_EVERY`].
const MANY: usize = 20_000;

const SEARCH_EVERY: TimeDelta = TimeDelta::hours(1);

/// Maximum of tasks per sweep whose counts a crash left behind and that are settled.
const SETTLED_AT_ONCE: i64 = 50;

/// How often the groups page is read for a task that was told of a day.
const FOLLOW_UP: TimeDelta = TimeDelta::hours(6);

/// How often tasks that stand still with an open hold are looked through, and how many are read at once.
const STILL_EVERY: TimeDelta = TimeDelta::hours(1);

const STILL_AT_ONCE: i64 = 500;

/// Why a task that stands still is over, if it is, and what it becomes.
fn over(task: &Task, now: Instant) -> Option<(TaskStatus, Reason)> {
    let today = crate::model::group::today_of(task.booked.as_ref(), task, now);
    if task.booked.is_some_and(|booked| booked.date < today) {
        return Some((TaskStatus::Error, Reason::AppointmentPassed));
    }
    let criteria = task.criteria.as_ref()?;
    (criteria.end_date < today).then_some((TaskStatus::Stopped, Reason::RangeOver))
}

/// While money is frozen what moves it waits for a later sweep; all else goes on.
fn unless_frozen(outcome: Result<(), JobError>) -> Result<(), JobError> {
    match outcome {
        Err(JobError::Store(store::Error::Frozen(_))) => Ok(()),
        other => other,
    }
}

impl Engine {
    /// Once a minute: what the passing of time alone has decided.
    pub(crate) async fn sweep(self: &Arc<Self>) -> Result<(), JobError> {
        let now = self.ctx.portal_time.now();
        let (swept, sweeping) = {
            let mut state = self.memory().lock();
            let swept = state.swept_at.is_some_and(|at| now - at < SWEEP_EVERY);
            let sweeping = std::mem::replace(&mut state.sweeping, true);
            if swept {
                state.sweeping = sweeping;
            } else {
                state.swept_at = Some(now);
            }
            (swept, sweeping)
        };
        crate::persist::task_status::stop_all_used_up(self.records()).await?;
        if swept {
            return if sweeping { self.sweep_running(now).await } else { Ok(()) };
        }
        let wall = self.ctx.wall.now();
        if self.may_search_credentials(now) {
            store::credential::retention::sweep_unused(&self.ctx.db, wall - DRAFTS_LIVE).await?;
        }
        let mut tx = self.ctx.db.begin().await?;
        store::task::sweep_drafts(&mut tx, wall - DRAFTS_LIVE, wall).await?;
        store::task::settle_counts(&mut tx, &[], SETTLED_AT_ONCE, wall).await?;
        let late = crate::model::attempts::LateReadings::read(&mut tx, now).await?;
        tx.commit().await?;
        // What is only searched for keeps nobody who writes waiting.
        let mut tx = self.ctx.db.read().await?;
        let old = store::booking_attempt::manual_before(&mut tx, now - RELEASE_AFTER).await?;
        let last_reads = store::task::last_reads(&mut tx, now).await?;
        let leftover = store::task::deleted_with_hold(&mut tx).await?;
        tx.commit().await?;
        // Each in a transaction of its own: one with several people's money would wait in rings.
        for attempt in old {
            unless_frozen(self.give_up(&attempt, now).await)?;
        }
        for task in leftover {
            unless_frozen(self.settle_deleted(&task).await)?;
        }
        {
            let mut state = self.memory().lock();
            state.last_reads = last_reads;
            state.late = late;
        }
        self.capture_owed().await?;
        self.records().stop_rejected().await?;
        self.sweep_still(now).await?;
        self.sweep_running(now).await
    }

    /// Unused secrets are searched for at every sweep; among very many, which takes a second, once an hour.
    fn may_search_credentials(&self, now: Instant) -> bool {
        let mut state = self.memory().lock();
        let rests = state.tasks.len() > MANY && state.searched_at.is_some_and(|at| now - at < SEARCH_EVERY);
        if !rests {
            state.searched_at = Some(now);
        }
        !rests
    }

    /// Bookings confirmed while money was frozen are paid once it is not.
    async fn capture_owed(self: &Arc<Self>) -> Result<(), JobError> {
        let mut tx = self.ctx.db.read().await?;
        let owed = store::task::owed(&mut tx).await?;
        drop(tx);
        for task in owed {
            let mut tx = self.ctx.db.begin().await?;
            match app::money::capture(&self.records().app(), &mut tx, &task).await {
                Err(app::Error::Store(store::Error::Frozen(_))) => return Ok(()),
                captured => captured?,
            };
            tx.commit().await?;
        }
        Ok(())
    }

    /// Tasks that stand still: their windows and appointments pass as everybody's do, and nobody's money waits for them.
    async fn sweep_still(self: &Arc<Self>, now: Instant) -> Result<(), JobError> {
        {
            let mut state = self.memory().lock();
            if state.still_swept_at.is_some_and(|at| now - at < STILL_EVERY) {
                return Ok(());
            }
            state.still_swept_at = Some(now);
        }
        let mut after = TaskId(uuid::Uuid::nil());
        loop {
            let mut tx = self.ctx.db.read().await?;
            let chunk = store::task::still_with_hold(&mut tx, after, STILL_AT_ONCE).await?;
            drop(tx);
            let Some(last) = chunk.last() else { return Ok(()) };
            after = last.id;
            for task in &chunk {
                if let Some((to, reason)) = over(task, now) {
                    unless_frozen(self.end_still(task.id, to, reason).await)?;
                }
            }
        }
    }

    /// Ends a task that stands still, if it still does.
    async fn end_still(self: &Arc<Self>, id: TaskId, to: TaskStatus, reason: Reason) -> Result<(), JobError> {
        let mut tx = self.ctx.db.begin().await?;
        store::lock::exclusive(&mut tx, id.0).await?;
        let task = store::task::get(&mut tx, id).await?;
        let stands = |task: &Task| {
            task.deleted_at.is_none() && matches!(task.status, TaskStatus::Stopped | TaskStatus::Error)
        };
        if let Some(task) = task.filter(stands) {
            crate::persist::task_status::stop_in(self.records(), &mut tx, &task, to, reason).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    async fn sweep_running(self: &Arc<Self>, now: Instant) -> Result<(), JobError> {
        let found = {
            let mut state = self.memory().lock();
            let found = state.tasks.overdue(now, self.ctx.wall.now() - FOLLOW_UP);
            state.sweeping = !found.is_last;
            found
        };
        for (task, reason) in found.over {
            match reason {
                Reason::ReschedulesUsed => {
                    crate::persist::task_status::stop_used_up(self.records(), task).await?
                }
                Reason::RangeOver => {
                    crate::persist::task_status::stop_task(self.records(), task, TaskStatus::Stopped, reason)
                        .await?;
                }
                _ => {
                    crate::persist::task_status::stop_task(self.records(), task, TaskStatus::Error, reason)
                        .await?
                }
            }
        }
        crate::persist::task_status::notify_deadlines(self.records(), &found.late).await?;
        if found.unread.is_empty() {
            return Ok(());
        }
        self.follow_up(&found.unread, now).await
    }

    /// Notify-only tasks that were told of a day: their groups are read again now and then.
    async fn follow_up(self: &Arc<Self>, unread: &BTreeSet<TaskId>, now: Instant) -> Result<(), JobError> {
        let mut tx = self.ctx.db.begin().await?;
        let mut told = store::journal::alerted_tasks(&mut tx, now - ALERT_COUNTS_FOR).await?;
        told.retain(|id| unread.contains(id));
        for task in &told {
            crate::persist::task_status::warm_up_anew(self.records(), &mut tx, *task).await?;
        }
        tx.commit().await?;
        for task in told {
            self.records().refresh(task).await?;
        }
        Ok(())
    }

    /// Three days without an answer, and settled for good: a later hold of this task is another matter.
    async fn give_up(self: &Arc<Self>, attempt: &BookingAttempt, now: Instant) -> Result<(), JobError> {
        let mut tx = self.ctx.db.begin().await?;
        store::lock::exclusive(&mut tx, attempt.task_id.0).await?;
        if !self.records().leads(&mut tx).await?
            || !store::booking_attempt::give_up(&mut tx, attempt, now).await?
        {
            // Another engine, or a person, settled it meanwhile: a hold that is open now is of another search.
            return Ok(());
        }
        self.release_in_favour(&mut tx, attempt.task_id).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Three days without an answer: the money goes back, whatever happened.
    async fn release_in_favour(self: &Arc<Self>, tx: &mut store::Tx, task: TaskId) -> Result<(), JobError> {
        let Some(task) = store::task::get(tx, task).await? else {
            return Ok(());
        };
        let released = app::money::release(&self.records().app(), tx, &task).await?;
        let after = ReturnedAfter::UnknownOutcome;
        app::money::tell_returned(&self.records().app(), tx, &task, released, after).await?;
        Ok(())
    }

    /// A task deleted while its booking was open: once that is settled, the hold goes back.
    ///
    /// After an alert the hold is kept until its last read (`last_read`).
    async fn settle_deleted(self: &Arc<Self>, task: &Task) -> Result<(), JobError> {
        let mut tx = self.ctx.db.begin().await?;
        let ctx = self.records().app();
        let released = app::money::release_unless_alerted(&ctx, &mut tx, task).await?;
        app::money::tell_returned(&ctx, &mut tx, task, released, ReturnedAfter::Deletion).await?;
        tx.commit().await?;
        Ok(())
    }
}
