//! Conditions that prevent a question or a booking, and the queueing of tasks with an approval.

use std::collections::{HashSet, VecDeque};

use chrono::{NaiveDate, TimeDelta};
use domain::booking::{Allowance, Stop};
use domain::budget::{Limits, Spend};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{PortalAccountId, TaskId};
use domain::journal::GoneReason;
use domain::question::YesOutcome;
use store::task::Task;

use crate::model::attempts::Agreed;
use crate::model::missed_openings::reason_not_tried;
use crate::model::openings::{ListOrigin, Opening, OpeningQueue};
use crate::model::questions::Asked;
use crate::model::state::State;

/// Delay before an approved task is queued again, if it left its queue without a booking request.
const QUEUED_AGAIN: TimeDelta = TimeDelta::seconds(15);

/// Result of processing an approval.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ApprovalStep {
    /// The task is queued, waits to be queued, or tries to book.
    Waits,
    /// The approval has its outcome.
    Ended(YesOutcome),
}

impl State {
    /// Returns the reason why a date cannot be booked for a task now; `None` if it can. The engine
    /// sends no question if there is a reason.
    pub(crate) fn hindrance(&self, asked: Asked, limits: &Limits, now: Instant) -> Option<GoneReason> {
        let (task, facility, day) = asked;
        if self.questions.asked.is_paused(task, now) {
            return Some(GoneReason::AskedOften);
        }
        let Some(task) = self.tasks.get(&task) else { return Some(GoneReason::NotReached) };
        let account = self.accounts.get(task.account);
        let no_session =
            account.session.is_none() && account.budget.check(Spend::SignIn, limits, now).is_err();
        if no_session
            || self.accounts.is_held_back(task.account, now)
            || account.budget.check(Spend::BookingPoll, limits, now).is_err()
        {
            return Some(if no_session {
                GoneReason::NoBudget
            } else {
                reason_not_tried(account, limits, now)
            });
        }
        let key = CalendarKey { kind: self.tasks.kind(task).clone(), facility };
        if self.availability.calendar(&key).is_some_and(|calendar| calendar.had_no_times(day, now)) {
            return Some(GoneReason::NoTimes);
        }
        let stopped = self.page_breakers.stops_bookings(key.kind.country);
        let busy = self.attempts.holds_account(task.account) || self.leadership.is_quiet(now);
        (stopped || busy).then_some(GoneReason::NotReached)
    }

    /// Checks if a date may be booked for a task. Callers check the task's row before they read the
    /// portal. They check the read pages before they send the booking request. The transaction that
    /// commits to sending checks the user's approval again.
    ///
    /// # Errors
    /// Returns the rule that forbids the booking.
    pub(crate) fn may_book(
        &self,
        task: &Task,
        agreed: &Agreed,
        opening: &Opening,
        now: Instant,
    ) -> Result<(), Stop> {
        let Some(criteria) = &task.criteria else { return Err(Stop::NotifyOnly) };
        let allowance = Allowance {
            criteria,
            booked: agreed.shown.as_ref().map(|shown| &shown.consular),
            change_deadline: agreed.deadline,
            attempts: agreed.attempts,
        };
        let facility = opening.key.facility;
        let own = allowance.may_book(facility, opening.date, now);
        match self.first_walks.judge(opening.key.kind.country, own) {
            Err(Stop::Unanswered) if self.questions.is_approved((task.id, facility, opening.date)) => Ok(()),
            judged => judged,
        }
    }

    /// Queues by rank a task whose user approved the date, unless it is already queued or tries to
    /// book. A task that left its queue without a booking is queued again. A task whose account
    /// backs off waits until the approval expires.
    pub(crate) fn act_on_approval(&mut self, asked: Asked, wall: Instant, now: Instant) -> ApprovalStep {
        let (task, facility, day) = asked;
        let Some(approval) = self.questions.open(asked).cloned() else { return ApprovalStep::Waits };
        let (lives, tries) = (wall < approval.until, self.attempts.holds_task(task));
        if approval.sent {
            // Only the portal shows the outcome of a sent request.
            return if lives && tries {
                ApprovalStep::Waits
            } else {
                ApprovalStep::Ended(YesOutcome::Unknown)
            };
        }
        let key = self.tasks.get(&task).and_then(|row| {
            self.tasks.keys(row).find(|key| key.facility == facility && self.tasks.is_of(row, key))
        });
        let Some(key) = key.filter(|_| lives) else {
            self.openings.unqueue(task, facility, day);
            return ApprovalStep::Ended(YesOutcome::NotBooked);
        };
        let is_queued = self.openings.is_queued(task, facility, day);
        let waits = approval.not_before.is_some_and(|at| now < at);
        if is_queued || tries || waits || !self.may_queue(task, now) {
            return ApprovalStep::Waits;
        }
        if !self.is_listed(task, &key, day, now) {
            return ApprovalStep::Ended(YesOutcome::Gone);
        }
        self.questions.delay(asked, now + QUEUED_AGAIN);
        self.queue_approved(task, &key, day, now);
        ApprovalStep::Waits
    }

    /// Returns an approved task that may poll now, with its account and calendar.
    pub(crate) fn first_approved(
        &self,
        limits: &Limits,
        now: Instant,
    ) -> Option<(TaskId, PortalAccountId, CalendarKey)> {
        self.questions.usable().find_map(|((task, facility, _), _)| {
            let row = self.tasks.get(&task)?;
            let account = self.accounts.get(row.account);
            let may = account.session.is_some() && account.budget.check(Spend::Poll, limits, now).is_ok();
            let of_facility = |key: &CalendarKey| key.facility == facility && self.tasks.is_of(row, key);
            let key = self.tasks.keys(row).find(of_facility)?;
            (may && self.may_queue(task, now)).then_some((task, row.account, key))
        })
    }

    /// Returns the next time at which an approved task may be queued, if it lies in the future.
    pub(crate) fn next_approved(&self, now: Instant) -> Option<Instant> {
        let waits = self.questions.usable().filter_map(|((task, ..), approval)| {
            let row = self.tasks.get(&task);
            approval.not_before.max(row.and_then(|row| self.accounts.get(row.account).not_before))
        });
        waits.filter(|at| *at > now).min()
    }

    /// Returns `true` if the last known list shows a date to a task. If accounts get different
    /// lists, only the list of the task's own account is used. If that account has no list yet, the
    /// date counts as listed.
    fn is_listed(&mut self, task: TaskId, key: &CalendarKey, day: NaiveDate, now: Instant) -> bool {
        let account = self.tasks.get(&task).map(|row| row.account);
        let list_agreement = self.availability.agreement_mut(key);
        if list_agreement.is_split() {
            let own = account.and_then(|account| list_agreement.own_days(account));
            return own.is_none_or(|days| days.contains(&day));
        }
        self.availability.calendar_mut(key).usable(now).contains(&day)
    }

    /// Returns the origin of the list that a task uses: its account and its time.
    fn list_for(&mut self, task: TaskId, key: &CalendarKey) -> ListOrigin {
        let by = self.tasks.get(&task).map(|row| row.account);
        let list_agreement = self.availability.agreement_mut(key);
        if !list_agreement.is_split() {
            return list_agreement.seen;
        }
        ListOrigin { by, at: by.and_then(|account| list_agreement.last_own(account)) }
    }

    /// Returns the dates of a facility that are in cool-down for a task, after a failed try or
    /// question.
    pub(super) fn cooling_dates(&self, facility: FacilityId, now: Instant) -> HashSet<(TaskId, NaiveDate)> {
        self.openings.cooling(facility, now).chain(self.questions.asked.in_vain(facility)).collect()
    }

    /// Returns `true` if the account of a task may be used for a booking and no job uses it.
    fn may_queue(&self, task: TaskId, now: Instant) -> bool {
        let account = self.tasks.get(&task).map(|row| row.account);
        let is_free = |id| !self.accounts.get(id).busy && !self.accounts.is_held_back(id, now);
        account.is_some_and(is_free)
    }

    /// Queues an approved task for a date by its rank.
    fn queue_approved(&mut self, task: TaskId, key: &CalendarKey, date: NaiveDate, now: Instant) {
        let known = self.openings.queue_mut(key, date);
        let mut candidates = known.map(|queue| std::mem::take(&mut queue.candidates)).unwrap_or_default();
        self.enter(&mut candidates, task);
        if let Some(queue) = self.openings.queue_mut(key, date) {
            // The date counts as available again, whatever the outcome of the earlier candidates.
            (queue.candidates, queue.seen_at) = (candidates, now);
            queue.capacity = queue.capacity.max(1);
            return;
        }
        let seen = self.list_for(task, key);
        self.openings.push(OpeningQueue::new(key.clone(), date, seen, candidates, now));
    }

    /// Inserts the approved tasks of a replaced queue into the new `candidates`. Skips tasks whose
    /// account is banned or backs off.
    pub(super) fn keep_approved(
        &self,
        replaced: &OpeningQueue,
        candidates: &mut VecDeque<TaskId>,
        now: Instant,
    ) {
        let facility = replaced.key.facility;
        let held_back = |task: &TaskId| {
            self.tasks.get(task).is_none_or(|row| self.accounts.is_held_back(row.account, now))
        };
        let approved = |task: &&TaskId| {
            self.questions.is_approved((**task, facility, replaced.date)) && !held_back(task)
        };
        for task in replaced.candidates.iter().filter(approved) {
            self.enter(candidates, *task);
        }
    }

    /// Inserts a task into a queue by rank, at most once.
    fn enter(&self, candidates: &mut VecDeque<TaskId>, task: TaskId) {
        if candidates.contains(&task) {
            return;
        }
        let rank = |task: &TaskId| self.tasks.get(task).map(|row| row.rank());
        let own = rank(&task);
        let at = candidates.iter().position(|other| rank(other) > own).unwrap_or(candidates.len());
        candidates.insert(at, task);
    }
}
