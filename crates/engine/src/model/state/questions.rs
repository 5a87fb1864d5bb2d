//! Conditions that prevent a question, and the queueing of approvals.

use std::collections::{HashSet, VecDeque};

use chrono::{NaiveDate, TimeDelta};
use domain::booking::{Allowance, Stop};
use domain::budget::{Limits, Spend};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::health::AccountHealth;
use domain::ids::{PortalAccountId, TaskId};
use domain::journal::GoneReason;
use domain::question::{YES_LIVES, YesOutcome};
use store::question::StoredQuestion;
use store::task::Task;

use crate::model::attempts::Agreed;
use crate::model::list_agreement::ListOrigin;
use crate::model::openings::{Opening, OpeningQueue};
use crate::model::questions::{Asked, Yes};
use crate::model::state::State;
use crate::model::state::missed_openings::kept_by;
use crate::model::state::openings::PHANTOM;

/// Time without questions for a date that was just found without times, because the list lags.
const NO_TIMES: TimeDelta = TimeDelta::minutes(2);
/// Wait before an approval is queued again after it lost its place without a sent request.
const QUEUED_AGAIN: TimeDelta = TimeDelta::seconds(15);

/// Result of processing an approval.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answered {
    /// The task is queued, waits to be queued, or is trying.
    InLine,
    /// The approval has its outcome.
    Ended(YesOutcome),
}

impl State {
    /// Returns the reason why a date could not be booked for a task now. With a reason, no question
    /// is sent.
    pub(crate) fn hindrance(&self, asked: Asked, limits: &Limits, now: Instant) -> Option<GoneReason> {
        let (task, facility, day) = asked;
        if self.asked.is_resting(task, now) {
            return Some(GoneReason::AskedOften);
        }
        let Some(task) = self.tasks.get(&task) else { return Some(GoneReason::NotReached) };
        let Some(account) = self.accounts.get(&task.account) else { return Some(GoneReason::NotReached) };
        let no_session =
            account.session.is_none() && account.budget.check(Spend::SignIn, limits, now).is_err();
        let held_back = account.is_resting(now) || account.health == AccountHealth::Cooling;
        if no_session || held_back || account.budget.check(Spend::BookingPoll, limits, now).is_err() {
            return Some(if no_session { GoneReason::NoBudget } else { kept_by(account, limits, now) });
        }
        let key = CalendarKey { kind: self.tasks.kind(task).clone(), facility };
        let empty = self.calendars.get(&key).and_then(|calendar| calendar.phantoms.get(&day));
        if empty.is_some_and(|(_, until)| *until - PHANTOM + NO_TIMES > now) {
            return Some(GoneReason::NoTimes);
        }
        let stopped = self.page_breakers.stops_bookings(key.kind.country);
        let busy = self.has_live_attempt(task.account) || self.is_quiet(now);
        (stopped || busy).then_some(GoneReason::NotReached)
    }

    /// Decides whether a date may be booked for a task. It is called for the row before anything is
    /// read, and for the read pages before anything is sent. The transaction that commits to
    /// sending checks the user's approval again.
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
            booked: agreed.shown.as_ref(),
            change_deadline: agreed.deadline,
            attempts: agreed.attempts,
        };
        let facility = opening.key.facility;
        let own = allowance.may_book(facility, opening.date, now);
        match self.first_walks.judge(opening.key.kind.country, own) {
            Err(Stop::Unanswered) if self.has_yes((task.id, facility, opening.date)) => Ok(()),
            judged => judged,
        }
    }

    /// Stores the approvals whose outcome is still open.
    pub(crate) fn take_answers(&mut self, answered: Vec<StoredQuestion>) {
        let mut known = std::mem::take(&mut self.answers);
        for StoredQuestion { id, question, .. } in answered {
            let asked = (question.task, question.facility, question.day);
            let Some(at) = question.answered_at else { continue };
            let same = known.remove(&asked).filter(|yes| yes.question == id);
            let (until, sent) = (at + YES_LIVES, question.sent_at.is_some());
            let mut yes = same.unwrap_or(Yes { question: id, until, sent, ended: false, not_before: None });
            yes.sent |= sent;
            self.answers.insert(asked, yes);
        }
    }

    /// Returns `true` if the user approved this date and the approval has no outcome yet.
    fn has_yes(&self, asked: Asked) -> bool {
        self.answers.get(&asked).is_some_and(Yes::counts)
    }

    /// Queues a task whose user approved the date by its rank, unless it is queued or trying. A
    /// task that lost its place is queued again. If its account backs off, the task waits as long
    /// as the approval lives.
    pub(crate) fn act_on_answer(&mut self, asked: Asked, wall: Instant, now: Instant) -> Answered {
        let (task, facility, day) = asked;
        let Some(yes) = self.answers.get(&asked).filter(|yes| !yes.ended).cloned() else {
            return Answered::InLine;
        };
        let (lives, tries) = (wall < yes.until, self.attempts.values().any(|attempt| attempt.task == task));
        if yes.sent {
            // The portal decides the outcome.
            return if lives && tries { Answered::InLine } else { Answered::Ended(YesOutcome::Unknown) };
        }
        let key = self.tasks.get(&task).and_then(|row| {
            self.tasks.keys(row).find(|key| key.facility == facility && self.tasks.is_of(row, key))
        });
        let of_day = |opening: &&mut OpeningQueue| opening.date == day && opening.key.facility == facility;
        let Some(key) = key.filter(|_| lives) else {
            for opening in self.openings.iter_mut().filter(of_day) {
                opening.candidates.retain(|one| *one != task);
            }
            return Answered::Ended(YesOutcome::NotBooked);
        };
        let in_line =
            self.openings.iter_mut().filter(of_day).any(|opening| opening.candidates.contains(&task));
        let waits = yes.not_before.is_some_and(|at| now < at);
        if in_line || tries || waits || !self.may_stand_in_line(task, now) {
            return Answered::InLine;
        }
        if !self.is_listed(task, &key, day, now) {
            return Answered::Ended(YesOutcome::Gone);
        }
        if let Some(yes) = self.answers.get_mut(&asked) {
            yes.not_before = Some(now + QUEUED_AGAIN);
        }
        self.queue_answered(task, &key, day, now);
        Answered::InLine
    }

    /// Returns an approved task that may poll now, with its account and calendar.
    pub(crate) fn first_yes(
        &self,
        limits: &Limits,
        now: Instant,
    ) -> Option<(TaskId, PortalAccountId, CalendarKey)> {
        let mut counting = self.answers.iter().filter(|(_, yes)| yes.counts());
        counting.find_map(|((task, facility, _), _)| {
            let row = self.tasks.get(task)?;
            let account = self.accounts.get(&row.account)?;
            let may = account.session.is_some() && account.budget.check(Spend::Poll, limits, now).is_ok();
            let of_facility = |key: &CalendarKey| key.facility == *facility && self.tasks.is_of(row, key);
            let key = self.tasks.keys(row).find(of_facility)?;
            (may && self.may_stand_in_line(*task, now)).then_some((*task, row.account, key))
        })
    }

    /// Returns the next time at which an approved task may be queued, if it lies in the future.
    pub(crate) fn next_answer(&self, now: Instant) -> Option<Instant> {
        let counting = self.answers.iter().filter(|(_, yes)| yes.counts());
        let waits = counting.filter_map(|((task, ..), yes)| {
            let account = self.tasks.get(task).and_then(|row| self.accounts.get(&row.account));
            yes.not_before.max(account.and_then(|account| account.not_before))
        });
        waits.filter(|at| *at > now).min()
    }

    /// Returns `true` if a date is listed for a task, as far as known. If accounts get different
    /// lists, the list of the task's own account counts. If that account has no list yet, the
    /// user's approval counts.
    fn is_listed(&mut self, task: TaskId, key: &CalendarKey, day: NaiveDate, now: Instant) -> bool {
        let account = self.tasks.get(&task).map(|row| row.account);
        let list_agreement = self.list_agreement.of(key);
        if list_agreement.is_split() {
            let own = account.and_then(|account| list_agreement.own_days(account));
            return own.is_none_or(|days| days.contains(&day));
        }
        self.calendar(key).usable(now).contains(&day)
    }

    /// Returns the account and time of the list that shows a date to a task.
    fn list_for(&mut self, task: TaskId, key: &CalendarKey) -> ListOrigin {
        let by = self.tasks.get(&task).map(|row| row.account);
        let list_agreement = self.list_agreement.of(key);
        if !list_agreement.is_split() {
            return list_agreement.seen;
        }
        ListOrigin { by, at: by.and_then(|account| list_agreement.last_own(account)) }
    }

    /// Returns the dates of a facility that are in cool-down for a task, after a failed try or
    /// question.
    pub(super) fn left_alone(&self, facility: FacilityId) -> HashSet<(TaskId, NaiveDate)> {
        let tried = self.cool_offs.keys().filter(|(_, at, _)| *at == facility);
        tried.map(|(task, _, day)| (*task, *day)).chain(self.asked.in_vain(facility)).collect()
    }

    /// Returns `true` if the account of a task may be used for a booking and no job uses it.
    fn may_stand_in_line(&self, task: TaskId, now: Instant) -> bool {
        let Some(row) = self.tasks.get(&task) else { return false };
        let busy = self.accounts.get(&row.account).is_none_or(|account| account.busy);
        !busy && !self.is_held_back(row, now)
    }

    fn queue_answered(&mut self, task: TaskId, key: &CalendarKey, date: NaiveDate, now: Instant) {
        let known = self.openings.iter().position(|opening| opening.key == *key && opening.date == date);
        let mut line = known.map(|at| std::mem::take(&mut self.openings[at].candidates)).unwrap_or_default();
        self.enter(&mut line, task);
        if let Some(at) = known {
            let opening = &mut self.openings[at];
            // The date counts as available again, whatever the outcome of the earlier candidates.
            (opening.candidates, opening.seen_at) = (line, now);
            opening.capacity = opening.capacity.max(1);
            return;
        }
        let seen = self.list_for(task, key);
        self.openings.push(OpeningQueue {
            key: key.clone(),
            date,
            seen_at: now,
            seen,
            candidates: line,
            trying: 0,
            capacity: 1,
            not_before: now,
        });
    }

    /// Keeps the places of tasks with an approval for the date when its queue is matched again.
    pub(super) fn keep_answered(
        &self,
        facility: FacilityId,
        replaced: &OpeningQueue,
        line: &mut VecDeque<TaskId>,
        now: Instant,
    ) {
        let rests = |task: &TaskId| self.tasks.get(task).is_none_or(|row| self.is_held_back(row, now));
        let answered = |task: &&TaskId| self.has_yes((**task, facility, replaced.date)) && !rests(task);
        for task in replaced.candidates.iter().filter(answered) {
            self.enter(line, *task);
        }
    }

    /// Inserts a task into a queue by rank, at most once.
    fn enter(&self, line: &mut VecDeque<TaskId>, task: TaskId) {
        if line.contains(&task) {
            return;
        }
        let rank = |task: &TaskId| self.tasks.get(task).map(|row| row.rank());
        let own = rank(&task);
        let at = line.iter().position(|other| rank(other) > own).unwrap_or(line.len());
        line.insert(at, task);
    }
}
