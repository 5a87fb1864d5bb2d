//! Queries and changes of the state for jobs, the gateway and `persist`. Each method locks the
//! state once.

use domain::account_problem::ProblemKind;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::country::CountryCode;
use domain::criteria::SearchCriteria;
use domain::ids::{PortalAccountId, TaskId};
use store::task::{Outline, Task};
use uuid::Uuid;

use crate::JobError;
use crate::memory::Memory;
use crate::model::account::{Account, HeldSession};
use crate::model::backoff::Work;
use crate::model::openings::{Opening, TryOutcome};

/// Queries.
impl Memory {
    /// Returns the epoch of the lease that this node believes it holds.
    pub fn epoch(&self) -> Option<i64> {
        self.read(|state| state.leadership.epoch())
    }

    /// Returns `true` if automatic tasks of a country may book without a question to the user.
    pub fn is_walked(&self, country: CountryCode) -> bool {
        self.read(|state| state.first_walks.is_walked(country))
    }

    /// Applies `fact` to an account, and returns the result.
    pub fn account<T>(&self, id: PortalAccountId, fact: impl FnOnce(&Account) -> T) -> T {
        self.read(|state| fact(state.accounts.get(id)))
    }

    /// Returns the session of an account, with the hash of the password that opened it.
    pub fn session(&self, id: PortalAccountId) -> Option<HeldSession> {
        self.account(id, |account| account.session.clone())
    }

    /// Returns `true` if an account has this problem.
    pub fn has_problem(&self, id: PortalAccountId, kind: ProblemKind) -> bool {
        self.read(|state| state.accounts.has_problem(id, kind))
    }

    /// Returns the running tasks of an account, each with its condition, in the order of their ids.
    pub fn tasks_of(&self, id: PortalAccountId) -> Vec<(TaskId, TaskCondition)> {
        let of_account = |task: &crate::model::task_index::IndexedTask| (task.id, task.condition);
        let mut tasks: Vec<_> = self.read(|state| state.tasks.of_account(id).map(of_account).collect());
        tasks.sort_unstable_by_key(|(task, _)| *task);
        tasks
    }

    /// Returns the end of a subject's back-off for a kind of work; `None` if it does not back off
    /// at `now`.
    pub fn backs_off_until(&self, work: Work, subject: Uuid, now: Instant) -> Option<Instant> {
        self.read(|state| state.backoffs.until(work, subject, now))
    }
}

/// Changes.
impl Memory {
    /// Applies `change` to an account, and returns the result.
    pub fn update_account<T>(&self, id: PortalAccountId, change: impl FnOnce(&mut Account) -> T) -> T {
        self.update(|state| change(state.accounts.get_mut(id)))
    }

    /// Removes the date lists cached for an account's session.
    pub fn forget_lists(&self, id: PortalAccountId) {
        self.update_account(id, |account| account.lists.clear());
    }

    /// Sets the condition of a task.
    pub fn set_condition(&self, task: TaskId, condition: TaskCondition) {
        self.update(|state| state.tasks.set_condition(task, condition));
    }

    /// Delays the start of a task until `until`.
    pub fn delay_start(&self, task: TaskId, until: Instant) {
        self.update(|state| state.backoffs.delay_start(task, until));
    }

    /// Records a failure of work; returns the time from which the subject may be tried again.
    pub fn add_failure(&self, work: Work, subject: Uuid, now: Instant) -> Instant {
        self.update(|state| state.backoffs.failed(work, subject, now))
    }

    /// Forgets the failures of a subject.
    pub fn end_failures(&self, work: Work, subject: Uuid) {
        self.update(|state| state.backoffs.succeeded(work, subject));
    }

    /// Applies the outcome of one booking try to its opening. Returns the queued candidates that
    /// lost the date, if the try booked its last slot.
    pub fn tried(
        &self,
        task: TaskId,
        opening: &Opening,
        outcome: &Result<TryOutcome, JobError>,
        now: Instant,
    ) -> Vec<TaskId> {
        self.update(|state| state.tried(task, opening, outcome, now))
    }

    /// Ends the cool-downs of a task that a try with `criteria` caused, if the criteria were edited
    /// during the try.
    pub fn end_outdated_cool_offs(&self, task: TaskId, criteria: Option<&SearchCriteria>) {
        self.update(|state| {
            let current = state.tasks.get(&task).map(|indexed| &indexed.criteria);
            if current.is_some() && current != criteria {
                state.openings.criteria_changed(task);
            }
        });
    }

    /// Stores in memory the row of a task that was just read.
    pub fn take_over(&self, task: &Task) {
        self.update(|state| {
            state.take_over(Outline::from(task));
            state.reload.replace_row(task);
        });
    }
}
