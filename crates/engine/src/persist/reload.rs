//! Loads rows into memory: all rows at the start, and then only the changed ones.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use domain::booking::AttemptState;
use domain::clock::Instant;
use domain::ids::{AttemptId, PortalAccountId, TaskId};
use store::portal_account::AccountOutline;
use store::task::{Outline, Task};
use uuid::Uuid;

use crate::JobError;
use crate::model::first_walk::FirstWalks;
use crate::model::questions::{Answers, AskedDates};
use crate::model::reload::BEFORE_ALL;
use crate::model::state::State;
use crate::persist::Records;

/// Number of tasks that one query loads.
const CHUNK: i64 = 4_000;

/// Number of chunks after which the lease is renewed, because loading very many tasks takes longer
/// than the lease lasts. Without the renewal, the lease would return under another epoch, and the
/// load would repeat endlessly.
const RENEW_AFTER: usize = 10;

/// Number of tasks up to which an SQLite installation reads its running tasks again periodically.
const MANY: usize = 20_000;

/// Number of tasks that one slice of the periodic reading has.
const SLICE: i64 = 128;

impl Records {
    /// Loads all rows: at the start, and after the lease was lost.
    ///
    /// A previous leader may have crashed during jobs. The requests that those jobs may have sent
    /// are added to the budgets of their accounts.
    pub(crate) async fn load_all(&self, epoch: i64) -> Result<(), JobError> {
        let mut tx = self.db.begin_first().await?;
        if !self.leads_by(&mut tx, epoch).await? {
            return Err(JobError::NotLeading);
        }
        let now = self.portal_time.now();
        store::account_lease::settle_left_over(&mut tx, now).await?;
        let guard = store::timeline::guard(&mut tx, crate::LEASE).await?;
        self.memory.update(|state| {
            state.accounts.clear_leases();
            state.leadership.set_guard(guard);
        });
        // A prepared attempt has sent nothing, and the node that prepared it no longer leads. After
        // a failover that lost commits there is none: the lease's renewal marked all of them as
        // sent.
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
        let answers = read_answers(&mut tx).await?;
        let learned = store::learned::everything(&mut tx).await?;
        let walked = store::learned::walked(&mut tx, &self.host).await?;
        let problems = store::account_problem::list(&mut tx).await?;
        self.memory.update(|state| {
            state.tasks.clear();
            state.poll_plan.forget_plans();
            state.accounts.set_problems(problems.iter().map(|problem| (problem.account, problem.kind)));
            // The previous leader saw later lists, so this node's unwritten changes are dropped.
            state.availability.take_unrecorded();
            calendars.iter().for_each(|stored| state.tasks.restore(stored));
        });
        let mut from = BEFORE_ALL;
        let mut chunks = 0;
        while let Some(to) = self.take_chunk(&mut tx, from, CHUNK).await?.last() {
            from = *to;
            chunks += 1;
            if chunks % RENEW_AFTER == 0 {
                self.keep_lease().await?;
            }
        }
        tx.commit().await?;

        let mut dates = AskedDates::default();
        for question in &asked {
            let (open_until, check_at) = self.question_times(question.seen_at);
            dates.add((question.task, question.facility, question.day), open_until, check_at);
        }
        let asked = asked.iter().map(|question| (question.task, question.facility, question.day));
        self.memory.update(|state| {
            state.reload.begin(newest, now);
            state.questions.load(dates, answers);
            state.notified.clear();
            for (task, facility, day) in asked.chain(alerts) {
                state.notified.add(task, facility, day);
            }
            state.attempts.load(&attempts);
            state.first_walks = match self.config.walks_first {
                true => FirstWalks::needed_except(walked),
                false => FirstWalks::default(),
            };
            for stored in calendars {
                let calendar = state.availability.calendar_mut(&stored.key);
                calendar.days = stored.days;
                calendar.last_poll = stored.last_poll_at;
            }
            state.restore(learned);
        });
        Ok(())
    }

    /// Renews the lease during loading. A lost lease is detected by the next round.
    async fn keep_lease(&self) -> Result<(), JobError> {
        let config = &self.config;
        let mut tx = self.db.begin().await?;
        store::lease::acquire(&mut tx, crate::LEASE, &config.node, config.lease_seconds).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Loads at most `most` running tasks with ids after `from`, and their accounts. Returns the
    /// tasks' ids in order.
    async fn take_chunk(&self, tx: &mut store::Tx, from: TaskId, most: i64) -> Result<Vec<TaskId>, JobError> {
        let tasks = store::task::running(tx, from, most).await?;
        let ids: Vec<_> = tasks.iter().map(|task| task.id).collect();
        let Some(last) = ids.last().copied() else {
            return Ok(ids);
        };
        let accounts = store::portal_account::of_running(tx, (from, last)).await?;
        let now = self.portal_time.now();
        self.memory.update(|state| {
            take_over_accounts(state, accounts, now);
            tasks.into_iter().for_each(|task| state.take_over(task));
        });
        Ok(ids)
    }

    /// Loads changed rows after a nudge from this process. Also loads them at intervals, because
    /// other processes write rows without a nudge.
    pub(crate) async fn reload_if_asked(&self) -> Result<(), JobError> {
        let now = self.wall.now();
        let due = self.memory.read(|state| state.reload.is_due(now));
        // The flag is cleared before the rows are read, so that a later nudge causes another read.
        let asked = self.memory.asked.swap(false, Ordering::AcqRel);
        if !asked && !due {
            return Ok(());
        }
        let reloaded = match !asked && self.nothing_changed().await? {
            true => Ok(()),
            false => self.reload_changed().await,
        };
        match reloaded {
            Ok(()) => self.memory.update(|state| state.reload.mark_queried(now)),
            Err(_) => self.memory.asked.store(true, Ordering::Release),
        }
        reloaded
    }

    /// Returns the time since which changed rows must be read; `None` if nothing is loaded yet.
    fn changed_since(&self) -> Option<Instant> {
        self.memory.read(|state| state.reload.changed_since(self.wall.now()))
    }

    /// Returns `true` if the change marker is the same as before the last read, and no booking is
    /// in progress.
    async fn nothing_changed(&self) -> Result<bool, JobError> {
        let Some(since) = self.changed_since() else { return Ok(false) };
        let marker = store::task::change_marker(&self.db, since).await?;
        Ok(self.memory.update(|state| {
            let same = state.reload.replace_marker(since, marker);
            same && marker.attempts == 0 && state.attempts.is_empty()
        }))
    }

    /// Loads the rows that changed since the last read.
    async fn reload_changed(&self) -> Result<(), JobError> {
        let Some(since) = self.changed_since() else {
            let epoch = self.memory.epoch().ok_or(JobError::NotLeading)?;
            return self.load_all(epoch).await;
        };
        let mut tx = self.db.read().await?;
        let live = store::booking_attempt::live(&mut tx).await?;
        let answers = read_answers(&mut tx).await?;
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
        let left_over = self.memory.update(|state| {
            state.questions.take_answers(answers);
            let accounts = &state.accounts;
            state.attempts.take_over(live, |account| accounts.get(account).busy)
        });
        self.release_left_over(left_over).await
    }

    /// Loads changed tasks, and those of their accounts that have no task in memory yet.
    async fn take_changed(&self, tx: &mut store::Tx, changed: Vec<Outline>) -> Result<(), JobError> {
        let fresh: BTreeSet<PortalAccountId> = self.memory.read(|state| {
            let unknown = |id: &PortalAccountId| state.tasks.of_account(*id).next().is_none();
            changed.iter().map(|task| task.portal_account_id).filter(unknown).collect()
        });
        let mut rows = Vec::new();
        for id in fresh {
            rows.extend(store::portal_account::outline(tx, id).await?);
        }
        let now = self.portal_time.now();
        self.memory.update(|state| {
            take_over_accounts(state, rows, now);
            for task in changed {
                state.reload.see(task.updated_at);
                state.take_over(task);
            }
        });
        Ok(())
    }

    /// Releases prepared attempts that no job works on. After a failover that lost commits, such an
    /// attempt may have been sent. The check of the lease detects that case.
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

    /// Reads every running task again periodically. The search for changed rows misses a row that a
    /// slow clock has given an old timestamp. A small installation is read once a minute, a large
    /// one in slices.
    pub(crate) async fn reload_slice(&self) -> Result<(), JobError> {
        let now = self.portal_time.now();
        let slice = self.memory.update(|state| {
            // On SQLite, a single process writes all timestamps, and it detects changes of its own
            // clock.
            let needed = self.db.is_postgres() || state.tasks.len() <= MANY;
            needed.then(|| state.reload.begin_slice(now)).flatten()
        });
        let Some(from) = slice else { return Ok(()) };
        let mut tx = self.db.read().await?;
        let found = self.take_chunk(&mut tx, from, SLICE).await?;
        tx.commit().await?;
        self.drop_ended(from, &found).await?;
        self.memory.update(|state| state.reload.end_slice(found.last().copied()));
        Ok(())
    }

    /// Reloads known tasks that a slice did not return. Such a task ended with the timestamp of a
    /// slow clock, or began after the slice was read. Each task's own row decides.
    async fn drop_ended(&self, from: TaskId, found: &[TaskId]) -> Result<(), JobError> {
        let unseen = self.memory.read(|state| {
            let within = |id: &TaskId| *id > from && found.last().is_none_or(|last| id <= last);
            let known = state.tasks.values().map(|task| task.id).filter(within);
            known.filter(|id| found.binary_search(id).is_err()).collect::<Vec<_>>()
        });
        for id in unseen {
            self.refresh(id).await?;
        }
        Ok(())
    }

    /// Reads a task's row from the database. Returns `None` if the task does not run.
    pub(crate) async fn task(&self, id: TaskId) -> Result<Option<Task>, JobError> {
        let mut tx = self.db.read().await?;
        let task = store::task::get(&mut tx, id).await?;
        tx.commit().await?;
        Ok(task.filter(|t| t.deleted_at.is_none() && t.status.is_running()))
    }

    /// Returns a running task's row from memory, or reads it if memory has none. It may lag two
    /// seconds behind changes by other nodes.
    ///
    /// Use this only for data that a later step checks again: for polls, and for the first step of
    /// a booking.
    pub(crate) async fn known_task(&self, id: TaskId) -> Result<Option<Task>, JobError> {
        let known = self.memory.read(|state| state.reload.row(id));
        if known.is_some() {
            return Ok(known);
        }
        let task = self.task(id).await?;
        if let Some(task) = &task {
            self.memory.update(|state| state.reload.add_row(task.clone()));
        }
        Ok(task)
    }

    /// Reloads one task into memory after this engine changed it. Returns its row, even if the task
    /// has ended.
    pub(crate) async fn refresh(&self, id: TaskId) -> Result<Option<Task>, JobError> {
        let mut tx = self.db.read().await?;
        let task = store::task::get(&mut tx, id).await?;
        tx.commit().await?;
        if let Some(task) = &task {
            self.memory.take_over(task);
        }
        Ok(task)
    }
}

/// Copies the rows of accounts into the state, with the time of each account's last visit.
fn take_over_accounts(state: &mut State, rows: Vec<AccountOutline>, now: Instant) {
    for row in rows {
        state.visits.restore(row.id, row.visited_at, now);
        state.accounts.take_over(row, now);
    }
}

async fn read_answers(tx: &mut store::Tx) -> Result<Answers, JobError> {
    let approved = store::question::answered(tx).await?;
    Ok(Answers { approved, declined: store::question::declined(tx).await? })
}
