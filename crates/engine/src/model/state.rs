//! The engine's state in memory: its components, and the changes that concern several of them.
//!
//! All of it can be rebuilt from the database.

use chrono::{NaiveDate, TimeDelta};
use domain::budget::Limits;
use domain::calendar::Kind;
use domain::clock::Instant;
use domain::country::CountryCode;
use domain::criteria::BookingMode;
use domain::facility::FacilityId;
use domain::health::AccountHealth;
use domain::ids::{PortalAccountId, TaskId};
use domain::journal::GoneReason;
use domain::task::TaskStatus;
use portal::PageKind;
use serde_json::Value;
use store::task::{Outline, Task};

use crate::JobError;
use crate::model::accounts::Accounts;
use crate::model::attempts::Attempts;
use crate::model::availability::Availability;
use crate::model::backoff::Backoffs;
use crate::model::first_walk::FirstWalks;
use crate::model::housekeeping::Housekeeping;
use crate::model::job::Job;
use crate::model::leadership::Leadership;
use crate::model::missed_openings::{MissReason, MissedOpening, reason_not_tried};
use crate::model::notified::Notified;
use crate::model::openings::{LOSERS_NOTIFIED, Opening, Openings, TryOutcome};
use crate::model::page_breaker::PageBreakers;
use crate::model::page_breaker::effects::PausedAccounts;
use crate::model::poll_plan::{PlanInput, PollPlan};
use crate::model::questions::{Asked, Questions};
use crate::model::reload::Reload;
use crate::model::task_index::TaskIndex;
use crate::model::task_index::overdue::Overdue;
use crate::model::visits::Visits;

/// All components of the engine's state.
#[derive(Default)]
pub(crate) struct State {
    pub leadership: Leadership,
    pub tasks: TaskIndex,
    pub accounts: Accounts,
    pub visits: Visits,
    pub availability: Availability,
    pub openings: Openings,
    pub attempts: Attempts,
    pub questions: Questions,
    pub notified: Notified,
    pub page_breakers: PageBreakers,
    pub first_walks: FirstWalks,
    pub poll_plan: PollPlan,
    pub backoffs: Backoffs,
    pub reload: Reload,
    pub housekeeping: Housekeeping,
}

impl State {
    /// Returns the number of portal accounts with running tasks. Stops counting early, because the
    /// host's health needs only a small number.
    pub fn active_accounts(&self) -> usize {
        self.tasks.accounts().take(4).count()
    }

    /// Returns `true` if polls produced data that is not written yet.
    pub fn has_unwritten(&self) -> bool {
        self.tasks.has_uncounted()
            || self.availability.has_unrecorded()
            || self.openings.missed.has_unwritten()
    }

    /// Returns the time at which counters must be written; `None` if there is nothing to write.
    pub fn flush_due(&self) -> Option<Instant> {
        self.housekeeping.flush_at().filter(|_| self.has_unwritten())
    }

    /// Returns the components that the planner reads.
    pub const fn plan_input(&self) -> PlanInput<'_> {
        PlanInput { tasks: &self.tasks, availability: &self.availability, accounts: &self.accounts }
    }

    /// Stores a running task in memory. Removes a task that is deleted or no longer runs.
    pub fn take_over(&mut self, task: Outline) {
        let (id, status, next_try_at) = (task.id, task.status, task.next_try_at);
        self.reload.forget_other_version(id, task.updated_at);
        let ends = task.deleted || !status.is_running();
        let known = self.tasks.get(&id).map(|row| &row.criteria);
        if ends || known.is_some_and(|known| Some(known) != task.criteria.as_ref()) {
            self.questions.asked.forget_task(id);
            self.notified.forget_task(id);
            self.openings.criteria_changed(id);
        }
        if ends {
            self.tasks.forget(&id);
            self.backoffs.end_delay(id);
            self.reload.forget_row(id);
            return;
        }
        let before = self.tasks.take(task);
        if before != Some(status) && status != TaskStatus::Active {
            // The row has the end of the wait, so the wait survives a restart.
            match next_try_at {
                Some(at) => self.backoffs.delay_start(id, at),
                None => self.backoffs.end_delay(id),
            }
        }
    }

    /// Finds overdue tasks and due visits among the next slice of running tasks.
    pub fn check_overdue(&mut self, now: Instant) -> Overdue {
        let Self { tasks, accounts, visits, .. } = self;
        let mut found = tasks.overdue(now, |id| visits.due_at(id, accounts.get(id), now));
        visits.found(std::mem::take(&mut found.visits), found.part);
        if found.is_last {
            self.housekeeping.end_sweep();
        }
        found
    }

    /// Ends the back-off of accounts that paused because of an unreadable page, and of their tasks.
    /// `freed` has the end of each pause, if known. Returns the accounts whose back-off ended.
    pub fn free_accounts(&mut self, freed: &PausedAccounts, now: Instant) -> Vec<PortalAccountId> {
        let mut ended = Vec::new();
        for (id, paused_until) in freed {
            self.tasks.of_account(*id).for_each(|task| self.backoffs.end_delay(task.id));
            let account = self.accounts.get_mut(*id);
            // A longer back-off has another cause.
            let is_pause = |at: Instant| at > now && paused_until.is_none_or(|until| at <= until);
            if account.health == AccountHealth::Valid && account.not_before.is_some_and(is_pause) {
                account.not_before = None;
                ended.push(*id);
            }
        }
        ended
    }

    /// Restores the values that were learned before a restart.
    pub fn restore(&mut self, learned: Vec<(String, Value)>) {
        self.availability.restore(&learned);
        self.page_breakers.restore(&learned);
        self.poll_plan.restore(learned);
    }

    /// Cancels jobs that were dispatched and do not begin. Frees their accounts, and returns
    /// candidates to the front of their queues and tokens to the poll limit. The planner delays a
    /// cancelled poll only briefly.
    pub fn take_back(&mut self, jobs: &[Job]) {
        // Jobs are returned in reverse order, to preserve the ranks of candidates.
        for job in jobs.iter().rev() {
            self.accounts.free(job.account());
            match job {
                Job::Book { task, opening, .. } => self.openings.requeue(*task, opening),
                Job::Poll { .. } => self.poll_plan.limit.give_back_poll(),
                Job::WarmUp { .. } | Job::Prewarm { .. } => {
                    self.poll_plan.limit.give_back_sign_in(job.prepaid());
                }
                _ => {}
            }
        }
    }

    /// Adds `by` to every stored time from which a wait is computed. `now` is the new portal time.
    pub fn shift(&mut self, by: TimeDelta, now: Instant) {
        self.leadership.shift(by);
        self.accounts.shift(by);
        self.visits.shift(by);
        self.availability.shift(by);
        self.openings.shift(by);
        self.attempts.shift(by);
        self.questions.shift(by);
        self.page_breakers.shift(by);
        self.poll_plan.limit.shift(by);
        self.backoffs.shift(by);
        self.reload.restart();
        self.housekeeping.shift(by, now);
    }
}

/// Missed openings.
impl State {
    /// Drops openings that have expired, and records a missed opening for the candidates that were
    /// still queued.
    pub fn drop_openings(&mut self, limits: &Limits, now: Instant) {
        for opening in self.openings.take_expired(now) {
            for task in opening.candidates.into_iter().take(LOSERS_NOTIFIED) {
                let why = self.tasks.get(&task).map_or(GoneReason::NotReached, |row| {
                    reason_not_tried(self.accounts.get(row.account), limits, now)
                });
                self.miss((task, opening.key.facility, opening.date), MissReason::Gone(why), now);
            }
        }
    }

    /// Applies the outcome of one booking try. Returns the queued candidates that lost the date, if
    /// the try booked its last slot.
    pub fn tried(
        &mut self,
        task: TaskId,
        opening: &Opening,
        outcome: &Result<TryOutcome, JobError>,
        now: Instant,
    ) -> Vec<TaskId> {
        let account = self.tasks.get(&task).map(|row| row.account);
        if let (Some(account), true) = (account, outcome.as_ref().is_ok_and(TryOutcome::is_vain)) {
            let date = (task, opening.key.facility, opening.date);
            self.openings.add_vain_try(account, date, now);
        }
        self.openings.tried(task, opening, outcome, &mut self.backoffs, now)
    }

    /// Returns `true` if an account leaves its requests to polls instead of trying for a date. An
    /// approved date is always tried.
    pub fn leaves_requests_to_polls(&self, asked: Asked, account: PortalAccountId, now: Instant) -> bool {
        self.openings.tried_often(account, asked, now) && !self.questions.is_approved(asked)
    }

    /// Records the number of times that an account found for a date. This number limits the
    /// concurrent tries. Zero is evidence that the date is not bookable or that the account cannot
    /// book.
    pub fn set_times(&mut self, opening: &Opening, account: PortalAccountId, times: usize, now: Instant) {
        self.availability.set_times(opening, account, times, now);
        self.openings.set_times(opening, times);
        if times == 0 {
            self.accounts.add_no_times(account, opening.key.facility, opening.date, now);
        }
    }

    /// Records a date that a task accepts but that is not booked for it, with the reason.
    pub fn miss(&mut self, (task, facility, day): Asked, why: MissReason, now: Instant) {
        let miss = MissedOpening { task, facility, day, why, at: now };
        self.openings.missed.add(miss, &mut self.housekeeping);
    }

    /// Records why a question is not sent now. The question is sent later if the date is still
    /// listed when the reason no longer applies.
    pub fn postpone_question(&mut self, asked: Asked, why: GoneReason, now: Instant) {
        self.miss(asked, MissReason::NotAsked(why), now);
        if self.questions.asked.is_repeatable(asked) {
            // The next poll that lists the date tries again.
            return;
        }
        let (task, facility, day) = asked;
        self.forget_alert(task, facility, day);
    }

    /// Forgets the alert of a date that vanished: when it comes back, the task is notified again.
    pub fn forget_alert(&mut self, task: TaskId, facility: FacilityId, day: NaiveDate) {
        self.questions.asked.forget((task, facility, day));
        self.notified.forget(task, facility, day);
    }
}

/// Pages that were read.
impl State {
    /// Records that pages could be read, and resumes the accounts that waited for them.
    pub fn parsed(&mut self, country: CountryCode, pages: &[PageKind], now: Instant) {
        if self.first_walks.read(country, pages, now) {
            self.forget_questions_of_automatic(country);
        }
        for page in pages {
            if let Some(since) = self.page_breakers.parsed(country, *page, now) {
                tracing::warn!(%country, ?page, %since, "portal page is readable again; resuming all accounts of its country");
                // The saved tokens are discarded, so that the resumed work does not begin with a
                // burst.
                self.poll_plan.limit.empty();
            }
        }
    }

    /// Forgets the questions of automatic tasks, which book without a question from now on.
    /// Otherwise a date whose question was not approved would stay in cool-down.
    fn forget_questions_of_automatic(&mut self, country: CountryCode) {
        let Self { tasks, questions, .. } = self;
        let of_country = tasks.values().filter(|task| tasks.kind(task).country == country);
        let automatic = of_country.filter(|task| task.criteria.mode == BookingMode::Auto);
        automatic.for_each(|task| questions.asked.forget_task(task.id));
    }
}

/// Returns the kind of applicant of a task.
pub(crate) fn kind_of(task: &Task) -> Kind {
    Kind::of(task.country, task.visa_type, &task.group, task.booked.is_some())
}
