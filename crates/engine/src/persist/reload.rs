//! Loads rows into memory: all at the start, and then only the changes.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use chrono::TimeDelta;
use domain::booking::AttemptState;
use domain::clock::Instant;
use domain::ids::{AttemptId, PortalAccountId, TaskId};
use store::task::{Outline, Task};
use uuid::Uuid;

use crate::JobError;
use crate::model::attempts::LiveAttempt;
use crate::model::first_walk::FirstWalks;
use crate::model::questions::AskedDays;
use crate::model::reload::{RescanCursor, nobody};
use crate::persist::Records;

/// Overlap of two reloads, because a commit may land a little after its timestamp.
const LATE_COMMITS: TimeDelta = TimeDelta::seconds(5);

/// Interval of queries for changes without a nudge (wall time). It limits the wait of a task
/// submitted through another process.
pub(crate) const ASK_EVERY: TimeDelta = TimeDelta::milliseconds(1_900);

/// Number of tasks read at once.
const CHUNK: i64 = 4_000;

/// Number of chunks after which the lease is renewed, because loading very many tasks takes longer
/// than the lease lasts. An expired lease would return under another epoch, and the whole load
/// would repeat endlessly.
const RENEW_AFTER: usize = 10;

/// Number of whole rows cached for the tasks that are polling or booking.
const ROWS_KEPT: usize = 10_000;

/// Interval between second readings of all rows, and then the pause between two chunks of one.
const REREAD_EVERY: TimeDelta = TimeDelta::seconds(60);

const BETWEEN_SLICES: TimeDelta = TimeDelta::seconds(2);

/// More tasks than a small installation has.
const MANY: usize = 20_000;

/// Number of tasks in one slice.
const SLICE: i64 = 128;

impl Records {
    /// Loads everything: at the start, and after the lease was lost.
    ///
    /// A previous holder may have died while jobs used its accounts. Those accounts are charged
    /// with the requests of their jobs.
    pub(crate) async fn load_all(&self, epoch: i64) -> Result<(), JobError> {
        let mut tx = self.db.begin_first().await?;
        if !self.leads_by(&mut tx, epoch).await? {
            return Err(JobError::NotLeading);
        }
        let now = self.portal_time.now();
        store::account_lease::settle_left_over(&mut tx, now).await?;
        let guard = store::timeline::guard(&mut tx, crate::LEASE).await?;
        {
            let mut state = self.memory.lock();
            state.written_leases.clear();
            state.guard = guard;
        }
        // In a prepared attempt nothing was sent, and the node that prepared it is gone. If the
        // server lost commits, no attempt is in this state.
        for attempt in store::booking_attempt::live(&mut tx).await? {
            if attempt.state == AttemptState::Prepared {
                store::booking_attempt::release(&mut tx, attempt.id, now).await?;
            }
        }
        tx.commit().await?;
        let mut tx = self.db.read().await?;
        let newest = store::task::newest_change(&mut tx).await?;
        let attempts = store::booking_attempt::live(&mut tx).await?;
        let calendars = store::observation::calendars(&mut tx).await?;
        let alerts = store::journal::open_alerts(&mut tx).await?;
        let asked = store::question::open(&mut tx).await?;
        let answered = store::question::answered(&mut tx).await?;
        let learned = store::learned::everything(&mut tx).await?;
        let walked = store::learned::walked(&mut tx, &self.host).await?;
        let problems = store::account_problem::list(&mut tx).await?;
        {
            let mut state = self.memory.lock();
            state.tasks.clear();
            state.forget_plans();
            state.problems = problems.iter().map(|problem| (problem.account, problem.kind)).collect();
            // The node that held the lease meanwhile saw later lists.
            state.unrecorded.clear();
            calendars.iter().for_each(|stored| state.tasks.restore(stored));
        }
        let mut from = nobody();
        let mut chunks = 0;
        while let Some(to) = self.take_chunk(&mut tx, from, CHUNK).await?.last() {
            from = *to;
            chunks += 1;
            if chunks % RENEW_AFTER == 0 {
                self.keep_lease().await?;
            }
        }
        tx.commit().await?;

        let mut state = self.memory.lock();
        state.reloaded = newest;
        state.rescan = RescanCursor { from: nobody(), at: Some(now) };
        state.alerted.clear();
        state.answers.clear();
        state.take_answers(answered);
        state.asked = AskedDays::default();
        for store::question::OpenQuestion { task, facility, day, seen_at } in asked {
            let (open_until, look_at) = self.stands(seen_at);
            state.asked.ask((task, facility, day), open_until, look_at);
            state.alerted.entry((facility, day)).or_default().insert(task);
        }
        for (task, facility, day) in alerts {
            state.alerted.entry((facility, day)).or_default().insert(task);
        }
        state.attempts.clear();
        for attempt in attempts {
            let live = LiveAttempt {
                task: attempt.task_id,
                account: attempt.portal_account_id,
                target: attempt.target.filter(|_| !attempt.passed_on),
                next_read_at: attempt.next_read_at,
            };
            state.attempts.insert(attempt.id, live);
        }
        state.forget_settled();
        state.first_walks = match self.config.walks_first {
            true => FirstWalks::needed_except(walked),
            false => FirstWalks::default(),
        };
        for stored in calendars {
            let calendar = state.calendar(&stored.key);
            calendar.days = stored.days;
            calendar.last_poll = stored.last_poll_at;
        }
        state.restore(learned);
        Ok(())
    }

    /// Renews the lease during loading. The next round detects a lost lease.
    async fn keep_lease(&self) -> Result<(), JobError> {
        let config = &self.config;
        let mut tx = self.db.begin().await?;
        store::lease::acquire(&mut tx, crate::LEASE, &config.node, config.lease_seconds).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Loads the next running tasks after `from`, with their logins; returns their ids in order.
    async fn take_chunk(&self, tx: &mut store::Tx, from: TaskId, most: i64) -> Result<Vec<TaskId>, JobError> {
        let tasks = store::task::running(tx, from, most).await?;
        let ids: Vec<_> = tasks.iter().map(|task| task.id).collect();
        let Some(last) = ids.last().copied() else {
            return Ok(ids);
        };
        let accounts = store::portal_account::of_running(tx, (from, last)).await?;
        let now = self.portal_time.now();
        let mut state = self.memory.lock();
        for row in accounts {
            state.visits.restore(row.id, row.visited_at, now);
            state.accounts.take(row, now);
        }
        for task in tasks {
            state.take_over(task);
        }
        Ok(ids)
    }

    /// Loads changes after a nudge, and otherwise at intervals, because another process writes
    /// without a nudge.
    pub(crate) async fn reload_if_asked(&self) -> Result<(), JobError> {
        let now = self.wall.now();
        let rested = {
            let state = self.memory.lock();
            state.reloaded_at.is_none_or(|at| now - at >= ASK_EVERY || now < at)
        };
        // The flag is cleared before the rows are read, so that a later nudge causes another read.
        let asked = self.memory.asked.swap(false, Ordering::AcqRel);
        if !asked && !rested {
            return Ok(());
        }
        if !asked && self.nothing_changed().await? {
            self.memory.lock().reloaded_at = Some(now);
            return Ok(());
        }
        let reloaded = self.reload_changed().await;
        match reloaded {
            Ok(()) => self.memory.lock().reloaded_at = Some(now),
            Err(_) => self.memory.asked.store(true, Ordering::Release),
        }
        reloaded
    }

    /// Returns the start of the range in which changed rows are read. After a clock was set back,
    /// rows have earlier timestamps.
    fn rows_since(&self) -> Option<Instant> {
        let now = self.wall.now();
        let state = self.memory.lock();
        let since = state.reloaded?.min(state.reloaded_at.unwrap_or(now)).min(now);
        Some(since - LATE_COMMITS)
    }

    /// Returns `true` if the change marker is the same as before the last read, and no booking is
    /// in progress.
    async fn nothing_changed(&self) -> Result<bool, JobError> {
        let Some(since) = self.rows_since() else { return Ok(false) };
        let marker = store::task::change_marker(&self.db, since).await?;
        let mut state = self.memory.lock();
        let before = state.change_marker.replace((since, marker));
        Ok(before == Some((since, marker)) && marker.attempts == 0 && state.attempts.is_empty())
    }

    /// Loads the rows that changed since the last read.
    async fn reload_changed(&self) -> Result<(), JobError> {
        let Some(since) = self.rows_since() else {
            let epoch = self.memory.lock().epoch.ok_or(JobError::NotLeading)?;
            return self.load_all(epoch).await;
        };
        let mut tx = self.db.read().await?;
        let live = store::booking_attempt::live(&mut tx).await?;
        let answered = store::question::answered(&mut tx).await?;
        let mut from = (since, TaskId(Uuid::max()));
        loop {
            let changed = store::task::changed(&mut tx, from, CHUNK).await?;
            let Some(last) = changed.last().map(|t| (t.updated_at, t.id)) else {
                break;
            };
            from = last;
            self.take_changed(&mut tx, changed).await?;
        }
        tx.commit().await?;
        let left_over = {
            let mut state = self.memory.lock();
            state.take_answers(answered);
            state.take_over_attempts(live)
        };
        self.release_left_over(left_over).await
    }

    /// Loads changed tasks, and the logins that had no task in memory.
    async fn take_changed(&self, tx: &mut store::Tx, changed: Vec<Outline>) -> Result<(), JobError> {
        let fresh: BTreeSet<PortalAccountId> = {
            let state = self.memory.lock();
            let unknown = |id: &PortalAccountId| state.tasks.of_account(*id).next().is_none();
            changed.iter().map(|t| t.portal_account_id).filter(unknown).collect()
        };
        let mut rows = Vec::new();
        for id in fresh {
            rows.extend(store::portal_account::outline(tx, id).await?);
        }
        let now = self.portal_time.now();
        let mut state = self.memory.lock();
        for row in rows {
            state.visits.restore(row.id, row.visited_at, now);
            state.accounts.take(row, now);
        }
        for task in changed {
            state.reloaded = state.reloaded.max(Some(task.updated_at));
            state.take_over(task);
        }
        Ok(())
    }

    /// Releases attempts that were prepared and then abandoned, because no job works on them. If
    /// the server lost commits, one of them may have been sent. The check of the lease detects that
    /// case.
    async fn release_left_over(&self, left_over: Vec<AttemptId>) -> Result<(), JobError> {
        if left_over.is_empty() {
            return Ok(());
        }
        let mut tx = self.begin_leading().await?;
        for id in left_over {
            store::booking_attempt::release(&mut tx, id, self.portal_time.now()).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Reads every running task again periodically, so that a row with the timestamp of a slow
    /// clock is not missed. A small installation is read once a minute, a large one in slices.
    pub(crate) async fn reload_slice(&self) -> Result<(), JobError> {
        let now = self.portal_time.now();
        let from = {
            let mut state = self.memory.lock();
            // A single process stamps all rows of an SQLite database, and it detects changes of its
            // own clock.
            if !self.db.is_postgres() && state.tasks.len() > MANY {
                return Ok(());
            }
            let pause = if state.rescan.from == nobody() { REREAD_EVERY } else { BETWEEN_SLICES };
            if state.rescan.at.is_some_and(|at| now - at < pause) {
                return Ok(());
            }
            state.rescan.at = Some(now);
            state.rescan.from
        };
        let mut tx = self.db.read().await?;
        let found = self.take_chunk(&mut tx, from, SLICE).await?;
        tx.commit().await?;
        self.drop_ended(from, &found).await?;
        self.memory.lock().rescan.from = found.last().copied().unwrap_or_else(nobody);
        Ok(())
    }

    /// Refreshes known tasks that a slice did not return. Such a task has ended with the timestamp
    /// of a slow clock, or began after the slice was read. Each is read separately, so that its row
    /// decides.
    async fn drop_ended(&self, from: TaskId, found: &[TaskId]) -> Result<(), JobError> {
        let unseen = {
            let state = self.memory.lock();
            let within = |id: &TaskId| *id > from && found.last().is_none_or(|last| id <= last);
            let known = state.tasks.values().map(|task| task.id).filter(within);
            known.filter(|id| found.binary_search(id).is_err()).collect::<Vec<_>>()
        };
        for id in unseen {
            self.refresh(id).await?;
        }
        Ok(())
    }

    /// Reads the whole row of a running task from the database.
    pub(crate) async fn task(&self, id: TaskId) -> Result<Option<Task>, JobError> {
        let mut tx = self.db.read().await?;
        let task = store::task::get(&mut tx, id).await?;
        tx.commit().await?;
        Ok(task.filter(|t| t.deleted_at.is_none() && t.status.is_running()))
    }

    /// Returns the whole row of a running task as last read. A change by another node is seen
    /// within two seconds.
    ///
    /// Only use this for data that is checked again before it counts: polls, and the first step of
    /// a booking.
    pub(crate) async fn known_task(&self, id: TaskId) -> Result<Option<Task>, JobError> {
        let known = self.memory.lock().rows.get(&id).map(|row| Task::clone(row));
        if known.is_some() {
            return Ok(known);
        }
        let task = self.task(id).await?;
        if let Some(task) = &task {
            let mut state = self.memory.lock();
            if state.rows.len() >= ROWS_KEPT {
                state.rows.clear();
            }
            state.rows.insert(id, Box::new(task.clone()));
        }
        Ok(task)
    }

    /// Reads one task again after this engine changed it.
    pub(crate) async fn refresh(&self, id: TaskId) -> Result<Option<Task>, JobError> {
        let mut tx = self.db.read().await?;
        let task = store::task::get(&mut tx, id).await?;
        tx.commit().await?;
        if let Some(task) = &task {
            let mut state = self.memory.lock();
            state.take_over(Outline::from(task));
            if let Some(row) = state.rows.get_mut(&id) {
                **row = task.clone();
            }
        }
        Ok(task)
    }
}
