//! The sweep: changes that depend on time alone, such as passed date ranges, stale drafts and
//! expired unknown outcomes.

use std::sync::Arc;

use app::money::ReturnedAfter;
use chrono::TimeDelta;
use domain::booking::RELEASE_AFTER;
use domain::clock::Instant;
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use store::booking_attempt::BookingAttempt;
use store::task::Task;
use uuid::Uuid;

use crate::model::backoff::Work;
use crate::model::housekeeping::SweepStep;
use crate::{Engine, JobError};

/// Age after which untouched drafts are deleted, with credentials that no other task uses.
const DRAFTS_LIVE: TimeDelta = TimeDelta::hours(24);

/// Maximum number of tasks whose counts one sweep settles after a crash.
const SETTLED_AT_ONCE: i64 = 50;

/// Number of tasks with an open hold that one query reads.
const HELD_AT_ONCE: i64 = 500;

/// Returns the final status of a stopped task and its reason, if its appointment or its date range
/// has passed.
fn final_status(task: &Task, now: Instant) -> Option<(TaskStatus, Reason)> {
    let today = crate::model::group::today_of(task.booked.as_ref(), task, now);
    if task.interview().is_some_and(|held| held.date < today) {
        return Some((TaskStatus::Error, Reason::AppointmentPassed));
    }
    let criteria = task.criteria.as_ref()?;
    (criteria.end_date < today).then_some((TaskStatus::Stopped, Reason::RangeOver))
}

/// Replaces the error of a frozen ledger with `Ok`, because work that moves money waits for a later
/// sweep.
fn unless_frozen(outcome: Result<(), JobError>) -> Result<(), JobError> {
    match outcome {
        Err(JobError::Store(store::Error::Frozen(_))) => Ok(()),
        other => other,
    }
}

/// Kinds of tasks whose hold must be captured or released.
#[derive(Clone, Copy)]
enum HeldTasks {
    /// Deleted tasks whose bookings are settled.
    Deleted,
    /// Stopped or failed tasks.
    Still,
    /// Tasks booked while the ledger was frozen, so that their hold is not captured yet.
    Owed,
}

impl Engine {
    /// Applies the changes that depend on time alone, once a minute. A subject whose work fails
    /// backs off; the sweep continues.
    pub(crate) async fn sweep(self: &Arc<Self>) -> Result<(), JobError> {
        let now = self.ctx.portal_time.now();
        let (step, used_up) =
            self.memory().update(|state| (state.housekeeping.begin_sweep(now), state.tasks.take_used_up()));
        for task in used_up {
            self.stop_one(task, Reason::ReschedulesUsed).await?;
        }
        match step {
            SweepStep::Begin => {}
            SweepStep::Continue => return self.sweep_running(now).await,
            SweepStep::None => return Ok(()),
        }
        let wall = self.ctx.wall.now();
        if self.may_search_credentials(now) {
            let unused = async {
                store::credential::retention::sweep_unused(&self.ctx.db, wall - DRAFTS_LIVE).await?;
                Ok(())
            };
            self.isolate(Work::SweepCredentials, Uuid::nil(), unused).await?;
        }
        self.isolate(Work::SweepDrafts, Uuid::nil(), self.sweep_drafts(wall)).await?;
        self.isolate(Work::FindDue, Uuid::nil(), self.find_due_readings(now)).await?;
        self.sweep_manual(now).await?;
        self.sweep_held(HeldTasks::Owed, now).await?;
        self.sweep_held(HeldTasks::Deleted, now).await?;
        self.isolate(Work::StopRejected, Uuid::nil(), self.records().stop_rejected()).await?;
        let lasting = crate::persist::problem::notify_lasting(self.records());
        self.isolate(Work::NotifyProblems, Uuid::nil(), lasting).await?;
        self.sweep_still(now).await?;
        self.sweep_running(now).await
    }

    /// Deletes stale drafts, closes questions about dates that have passed in every time zone, and
    /// settles counts after a crash.
    async fn sweep_drafts(&self, wall: Instant) -> Result<(), JobError> {
        let mut tx = self.ctx.db.begin().await?;
        let passed = (self.ctx.portal_time.now() - TimeDelta::days(1)).date_naive();
        store::question::close_past(&mut tx, passed, wall).await?;
        store::task::sweep_drafts(&mut tx, wall - DRAFTS_LIVE, wall).await?;
        store::task::settle_counts(&mut tx, &[], SETTLED_AT_ONCE, wall).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Finds the final and late readings that are due.
    async fn find_due_readings(&self, now: Instant) -> Result<(), JobError> {
        let mut tx = self.ctx.db.begin().await?;
        let late = crate::model::attempts::LateReadings::read(&mut tx, now).await?;
        tx.commit().await?;
        let mut tx = self.ctx.db.read().await?;
        let last_reads = store::task::last_reads(&mut tx, now).await?;
        tx.commit().await?;
        self.memory().update(|state| {
            state.housekeeping.set_last_reads(last_reads);
            state.attempts.set_late(late);
        });
        Ok(())
    }

    /// Stops tasks that still run although their attempt was left to the operator. Gives up
    /// attempts that the operator has not settled within [`RELEASE_AFTER`].
    async fn sweep_manual(self: &Arc<Self>, now: Instant) -> Result<(), JobError> {
        let mut tx = self.ctx.db.read().await?;
        let running = store::booking_attempt::manual_and_running(&mut tx).await?;
        let old = store::booking_attempt::manual_before(&mut tx, now - RELEASE_AFTER).await?;
        tx.commit().await?;
        for task in running {
            self.stop_one(task, Reason::BookingUnconfirmed).await?;
        }
        // Each attempt has its own transaction, because a transaction with the money of several
        // users could deadlock.
        for attempt in old {
            let given_up = async { unless_frozen(self.give_up(&attempt, now).await) };
            self.isolate(Work::GiveUpAttempt, attempt.id.0, given_up).await?;
        }
        Ok(())
    }

    /// Returns `true` if this sweep must search for unused credentials. Every sweep does. If there
    /// are very many tasks, only one sweep an hour does, because the search is then slow.
    fn may_search_credentials(&self, now: Instant) -> bool {
        self.memory().update(|state| state.housekeeping.begin_search_for_secrets(state.tasks.len(), now))
    }

    /// Captures or releases the holds of one kind of tasks, each in its own transaction. Does
    /// nothing while the ledger is frozen.
    async fn sweep_held(self: &Arc<Self>, list: HeldTasks, now: Instant) -> Result<(), JobError> {
        let mut after = TaskId(Uuid::nil());
        loop {
            let mut tx = self.ctx.db.read().await?;
            let chunk = match list {
                HeldTasks::Deleted => store::task::deleted_with_hold(&mut tx, after, HELD_AT_ONCE).await?,
                HeldTasks::Still => store::task::still_with_hold(&mut tx, after, HELD_AT_ONCE).await?,
                HeldTasks::Owed => store::task::owed(&mut tx, after, HELD_AT_ONCE).await?,
            };
            tx.commit().await?;
            let Some(last) = chunk.last() else { return Ok(()) };
            after = last.id;
            for task in &chunk {
                let (work, resolved): (_, BoxFuture<'_, _>) = match list {
                    HeldTasks::Deleted => (Work::ReleaseHold, self.settle_deleted(task).boxed()),
                    HeldTasks::Still => (Work::ReleaseHold, self.end_still(task, now).boxed()),
                    HeldTasks::Owed => (Work::CaptureHold, self.capture_owed(task).boxed()),
                };
                self.isolate(work, task.id.0, async { unless_frozen(resolved.await) }).await?;
            }
        }
    }

    /// Captures the hold of a task that succeeded while the ledger was frozen.
    async fn capture_owed(&self, task: &Task) -> Result<(), JobError> {
        let mut tx = self.ctx.db.begin().await?;
        app::money::capture(&self.records().app(), &mut tx, task).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Ends stopped tasks whose date range or appointment has passed, and releases holds that can
    /// never be captured.
    async fn sweep_still(self: &Arc<Self>, now: Instant) -> Result<(), JobError> {
        if !self.memory().update(|state| state.housekeeping.begin_check_of_stopped(now)) {
            return Ok(());
        }
        self.sweep_held(HeldTasks::Still, now).await
    }

    /// Ends a stopped task whose date range or appointment has passed. If the task can never
    /// succeed, releases its hold instead.
    async fn end_still(&self, task: &Task, now: Instant) -> Result<(), JobError> {
        let ended = final_status(task, now);
        let never = task.reason.is_some_and(|reason| app::tasks::never_succeeds(task, reason));
        if ended.is_none() && !never {
            return Ok(());
        }
        let mut tx = self.ctx.db.begin().await?;
        store::lock::exclusive(&mut tx, task.id.0).await?;
        let stopped = |task: &Task| {
            task.deleted_at.is_none() && matches!(task.status, TaskStatus::Stopped | TaskStatus::Error)
        };
        let Some(task) = store::task::get(&mut tx, task.id).await?.filter(stopped) else { return Ok(()) };
        match ended.filter(|_| !never) {
            Some((to, reason)) => {
                crate::persist::task_status::stop_in(self.records(), &mut tx, &task, to, reason).await?;
            }
            None => {
                app::tasks::release_if_never(&self.records().app(), &mut tx, &task).await?;
            }
        }
        tx.commit().await?;
        Ok(())
    }

    /// Stops a running task for a reason that depends on time or a count.
    async fn stop_one(&self, task: TaskId, reason: Reason) -> Result<(), JobError> {
        let stopped = async {
            match reason {
                Reason::ReschedulesUsed => {
                    crate::persist::task_status::stop_used_up(self.records(), task).await
                }
                _ => {
                    let to =
                        if reason == Reason::RangeOver { TaskStatus::Stopped } else { TaskStatus::Error };
                    crate::persist::task_status::stop_task(self.records(), task, to, reason).await
                }
            }
        };
        self.isolate(Work::StopTask, task.0, stopped).await
    }

    /// Stops running tasks whose time has ended, and notifies the users of tasks whose deadline has
    /// passed.
    async fn sweep_running(self: &Arc<Self>, now: Instant) -> Result<(), JobError> {
        let found = self.memory().update(|state| state.check_overdue(now));
        for (task, reason) in found.over {
            self.stop_one(task, reason).await?;
        }
        for task in found.late {
            let notified = crate::persist::task_status::notify_deadline(self.records(), task);
            self.isolate(Work::NotifyDeadlines, task.0, notified).await?;
        }
        Ok(())
    }

    /// Gives up an attempt whose outcome has been unknown for [`RELEASE_AFTER`], and releases its
    /// hold. A later hold of the task is not affected.
    async fn give_up(self: &Arc<Self>, attempt: &BookingAttempt, now: Instant) -> Result<(), JobError> {
        let mut tx = self.ctx.db.begin().await?;
        store::lock::exclusive(&mut tx, attempt.task_id.0).await?;
        if !self.records().leads(&mut tx).await?
            || !store::booking_attempt::give_up(&mut tx, attempt, now).await?
        {
            // Another engine or an operator settled it meanwhile. A hold that is open now belongs
            // to another search.
            return Ok(());
        }
        self.release_in_favour(&mut tx, attempt.task_id).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Releases the hold in the user's favour, because the outcome has been unknown for
    /// [`RELEASE_AFTER`], and notifies the user.
    async fn release_in_favour(self: &Arc<Self>, tx: &mut store::Tx, task: TaskId) -> Result<(), JobError> {
        let Some(task) = store::task::get(tx, task).await? else {
            return Ok(());
        };
        let released = app::money::release(&self.records().app(), tx, &task).await?;
        let after = ReturnedAfter::UnknownOutcome;
        app::money::tell_returned(&self.records().app(), tx, &task, released, after).await?;
        Ok(())
    }

    /// Releases the hold of a deleted task whose last booking is settled, and notifies its user.
    ///
    /// If the task notified its user of a slot, the hold stays until the final reading
    /// (`jobs/final_read.rs`).
    async fn settle_deleted(&self, task: &Task) -> Result<(), JobError> {
        let mut tx = self.ctx.db.begin().await?;
        let ctx = self.records().app();
        let released = app::money::release_unless_alerted(&ctx, &mut tx, task).await?;
        app::money::tell_returned(&ctx, &mut tx, task, released, ReturnedAfter::Deletion).await?;
        tx.commit().await?;
        Ok(())
    }
}
