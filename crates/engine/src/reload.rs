//! Rows into memory: everything at the start, then only what changed.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::TimeDelta;
use domain::booking::IntentState;
use domain::ids::IntentId;
use domain::task::TaskStatus;
use store::intent::Intent;
use store::task::Task;

use crate::state::LiveIntent;
use crate::{Engine, Fault};

/// Commits may land a little after their stamp: a reload looks back this far.
const LATE_COMMITS: TimeDelta = TimeDelta::seconds(5);

impl Engine {
    /// Loads everything: at the start, and whenever the lease was lost in between.
    pub(crate) async fn load_all(self: &Arc<Self>) -> Result<(), Fault> {
        let mut tx = self.ctx.db.begin().await?;
        let now = self.ctx.portal_time.now();
        // Armed means nothing was sent: whoever armed it is gone.
        for intent in store::intent::live(&mut tx).await? {
            if intent.state == IntentState::Armed {
                store::intent::release(&mut tx, intent.id, now).await?;
            }
        }
        let tasks = store::task::running(&mut tx).await?;
        let intents = store::intent::live(&mut tx).await?;
        let accounts = store::portal_account::in_use(&mut tx).await?;
        let calendars = store::observation::calendars(&mut tx).await?;
        tx.commit().await?;

        let mut state = self.state.lock();
        state.reloaded = tasks.iter().map(|t| t.updated_at).max();
        state.tasks.clear();
        for task in tasks {
            state.take_over(task);
        }
        state.intents.clear();
        for intent in intents {
            let live = LiveIntent {
                task: intent.task_id,
                account: intent.portal_account_id,
                next_read_at: intent.next_read_at,
            };
            state.intents.insert(intent.id, live);
        }
        for row in accounts {
            let account = state.accounts.entry(row.id).or_default();
            account.budget = row.budget;
            account.health = row.health;
            account.not_before = row.not_before;
            account.session_version = row.session.map_or(0, |s| s.2);
        }
        for stored in calendars {
            let calendar = state.calendar(&stored.key);
            calendar.days = stored.days;
            calendar.last_look = stored.last_look_at;
            calendar.last_try = stored.last_look_at;
        }
        Ok(())
    }

    /// Takes over rows that changed since the last time.
    pub(crate) async fn reload_changed(self: &Arc<Self>) -> Result<(), Fault> {
        let Some(since) = self.state.lock().reloaded else {
            return self.load_all().await;
        };
        let mut tx = self.ctx.db.read().await?;
        let changed = store::task::changed(&mut tx, since - LATE_COMMITS).await?;
        let live = store::intent::live(&mut tx).await?;
        let fresh: Vec<_> = {
            let state = self.state.lock();
            changed
                .iter()
                .map(|t| t.portal_account_id)
                .filter(|id| !state.accounts.contains_key(id))
                .collect()
        };
        let mut rows = Vec::new();
        for id in fresh {
            rows.extend(store::portal_account::get(&mut tx, id).await?);
        }
        tx.commit().await?;
        let left_over = {
            let mut state = self.state.lock();
            state.take_over_intents(live)
        };
        self.release_left_over(left_over).await?;
        let mut state = self.state.lock();
        for row in rows {
            let account = state.accounts.entry(row.id).or_default();
            account.budget = row.budget;
            account.health = row.health;
            account.not_before = row.not_before;
            account.session_version = row.session.map_or(0, |s| s.2);
        }
        for task in changed {
            state.reloaded = state.reloaded.max(Some(task.updated_at));
            state.take_over(task);
        }
        Ok(())
    }

    /// Gives up intents that were armed and then left: no job is under way for them.
    async fn release_left_over(&self, left_over: Vec<IntentId>) -> Result<(), Fault> {
        if left_over.is_empty() {
            return Ok(());
        }
        let mut tx = self.ctx.db.begin().await?;
        for id in left_over {
            store::intent::release(&mut tx, id, self.ctx.portal_time.now()).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Once a minute every running task is read again, so that a row stamped by a slow clock is not missed.
    pub(crate) async fn reload_running(self: &Arc<Self>) -> Result<(), Fault> {
        let mut tx = self.ctx.db.read().await?;
        let running = store::task::running(&mut tx).await?;
        let accounts = store::portal_account::in_use(&mut tx).await?;
        tx.commit().await?;
        let mut state = self.state.lock();
        for row in accounts {
            let account = state.accounts.entry(row.id).or_default();
            if !account.busy {
                account.budget = row.budget;
                account.health = row.health;
                account.not_before = row.not_before;
            }
        }
        for task in running {
            state.take_over(task);
        }
        Ok(())
    }

    /// Reads one task again, after this engine changed it.
    pub(crate) async fn refresh(self: &Arc<Self>, id: domain::ids::TaskId) -> Result<Option<Task>, Fault> {
        let mut tx = self.ctx.db.read().await?;
        let task = store::task::get(&mut tx, id).await?;
        tx.commit().await?;
        if let Some(task) = &task {
            self.state.lock().take_over(task.clone());
        }
        Ok(task)
    }
}

impl crate::state::State {
    /// The rows decide which intents live; those of a job under way are left to it. Answers the armed ones nobody
    /// works on.
    fn take_over_intents(&mut self, live: Vec<Intent>) -> Vec<IntentId> {
        let mut fresh = HashMap::new();
        let mut left_over = Vec::new();
        let is_busy = |state: &Self, account| state.accounts.get(&account).is_some_and(|a| a.busy);
        for (id, known) in std::mem::take(&mut self.intents) {
            if is_busy(self, known.account) {
                fresh.insert(id, known);
            }
        }
        for intent in live {
            if is_busy(self, intent.portal_account_id) {
                continue;
            }
            if intent.state == IntentState::Armed {
                left_over.push(intent.id);
                continue;
            }
            let live = LiveIntent {
                task: intent.task_id,
                account: intent.portal_account_id,
                next_read_at: intent.next_read_at,
            };
            fresh.insert(intent.id, live);
        }
        self.intents = fresh;
        left_over
    }

    /// Keeps a running task, forgets any other.
    fn take_over(&mut self, task: Task) {
        let id = task.id;
        if task.deleted_at.is_some() || !task.status.is_running() {
            self.tasks.remove(&id);
            self.unwritten.remove(&id);
            self.start_not_before.remove(&id);
            return;
        }
        let moved = self.tasks.get(&id).is_none_or(|old| old.status != task.status);
        if moved && task.status != TaskStatus::Active {
            // A wait that was announced holds across restarts too.
            match task.next_try_at {
                Some(at) => self.start_not_before.insert(id, at),
                None => self.start_not_before.remove(&id),
            };
        }
        self.tasks.insert(id, task);
    }
}
