//! Takes over rows: a running task is kept, any other forgotten.

use std::collections::HashMap;

use domain::booking::AttemptState;
use domain::ids::{AttemptId, TaskId};
use domain::task::TaskStatus;
use store::booking_attempt::BookingAttempt;
use store::task::Outline;

use crate::model::attempts::LiveAttempt;

impl crate::model::state::State {
    /// Takes over the live attempts from the rows; attempts of a job under way are left to that
    /// job. Returns the prepared attempts that no job works on.
    pub fn take_over_attempts(&mut self, live: Vec<BookingAttempt>) -> Vec<AttemptId> {
        let mut fresh = HashMap::new();
        let mut left_over = Vec::new();
        let is_busy = |state: &Self, account| state.accounts.get(&account).is_some_and(|a| a.busy);
        for (id, known) in std::mem::take(&mut self.attempts) {
            if is_busy(self, known.account) {
                fresh.insert(id, known);
            }
        }
        for attempt in live {
            if is_busy(self, attempt.portal_account_id) {
                continue;
            }
            if attempt.state == AttemptState::Prepared {
                left_over.push(attempt.id);
                continue;
            }
            let live = LiveAttempt {
                task: attempt.task_id,
                account: attempt.portal_account_id,
                target: attempt.target.filter(|_| !attempt.passed_on),
                next_read_at: attempt.next_read_at,
            };
            fresh.insert(attempt.id, live);
        }
        self.attempts = fresh;
        self.forget_settled();
        left_over
    }

    /// Forgets the kept data of attempts that are no longer open.
    pub fn forget_settled(&mut self) {
        let open = &self.attempts;
        self.kept.retain(|id, _| open.contains_key(id));
        self.read_not_before.retain(|id, _| open.contains_key(id));
    }

    /// Forgets the dates that a task asked or notified of.
    fn forget_notified(&mut self, task: TaskId) {
        self.asked.forget_task(task);
        self.alerted.values_mut().for_each(|tasks| {
            tasks.remove(&task);
        });
        self.alerted.retain(|_, tasks| !tasks.is_empty());
    }

    /// Takes over a running task, and forgets any other.
    pub fn take_over(&mut self, task: Outline) {
        let (id, status, next_try_at) = (task.id, task.status, task.next_try_at);
        if self.rows.get(&id).is_some_and(|row| row.updated_at != task.updated_at) {
            self.rows.remove(&id);
        }
        let criteria = |state: &Self| state.tasks.get(&id).map(|row| row.criteria.clone());
        let changed = criteria(self).is_some_and(|known| Some(&known) != task.criteria.as_ref());
        if changed || task.deleted || !status.is_running() {
            self.forget_notified(id);
        }
        if task.deleted || !status.is_running() {
            self.tasks.forget(&id);
            self.start_not_before.remove(&id);
            self.rows.remove(&id);
            return;
        }
        let before = self.tasks.take(task);
        if before != Some(status) && status != TaskStatus::Active {
            // An announced wait persists across restarts.
            match next_try_at {
                Some(at) => self.start_not_before.insert(id, at),
                None => self.start_not_before.remove(&id),
            };
        }
    }
}
