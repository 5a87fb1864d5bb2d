//! What keeps a task from asking, and how a yes enters the line.

use std::collections::VecDeque;

use chrono::{NaiveDate, TimeDelta};
use domain::booking::{Allowance, Stop};
use domain::budget::{Limits, Spend};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::health::AccountHealth;
use domain::ids::TaskId;
use domain::journal::GoneReason;
use domain::question::{YES_LIVES, YesOutcome};
use store::question::Kept;
use store::task::Task;

use crate::model::attempts::Agreed;
use crate::model::openings::{Opening, OpeningQueue};
use crate::model::questions::{Asked, Yes};
use crate::model::state::State;
use crate::model::state::missed_openings::kept_by;
use crate::model::state::openings::PHANTOM;

/// A day that somebody has just found without times is not asked of for so long: the list lags.
const NO_TIMES: TimeDelta = TimeDelta::minutes(2);

/// What is to be done about a yes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answered {
    /// Its task stands in line, or tries.
    InLine,
    /// Nothing comes of it, or all of it came.
    Ended(YesOutcome),
}

impl State {
    /// What would keep a day from being booked for a task right now: then nobody is asked.
    pub(crate) fn hindrance(&self, asked: Asked, limits: &Limits, now: Instant) -> Option<GoneReason> {
        let (task, facility, day) = asked;
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

    /// Whether a day may be booked for a task: asked of the row before anything is read, and of what was read before anything
    /// is sent. That a user's word still stands is asked again in the transaction that commits to sending.
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
        match allowance.may_book(facility, opening.date, now) {
            Err(Stop::Unanswered) if self.answers.contains_key(&(task.id, facility, opening.date)) => Ok(()),
            judged => judged,
        }
    }

    /// Takes over the words that something is still to come of.
    pub(crate) fn take_answers(&mut self, answered: Vec<Kept>) {
        let mut known = std::mem::take(&mut self.answers);
        for Kept { id, question, .. } in answered {
            let asked = (question.task, question.facility, question.day);
            let Some(at) = question.answered_at else { continue };
            let same = known.remove(&asked).filter(|yes| yes.question == id);
            let fresh = Yes { question: id, until: at + YES_LIVES, queued: false };
            self.answers.insert(asked, same.unwrap_or(fresh));
        }
    }

    /// Puts a task whose user said yes in line for the day, by its rank, unless it is there.
    pub(crate) fn act_on_answer(&mut self, asked: Asked, wall: Instant, now: Instant) -> Answered {
        let (task, facility, day) = asked;
        let Some(yes) = self.answers.get(&asked).cloned() else { return Answered::InLine };
        let of_task = |opening: &&mut OpeningQueue| opening.date == day && opening.key.facility == facility;
        if yes.queued && wall < yes.until {
            return Answered::InLine;
        }
        if self.attempts.values().any(|attempt| attempt.task == task) {
            // Of the engine that was here before: what the portal shows decides.
            return if yes.queued { Answered::InLine } else { Answered::Ended(YesOutcome::Unknown) };
        }
        let key = self.tasks.get(&task).and_then(|row| {
            self.tasks.keys(row).find(|key| key.facility == facility && self.tasks.is_of(row, key))
        });
        let Some(key) = key.filter(|_| wall < yes.until) else {
            for opening in self.openings.iter_mut().filter(of_task) {
                opening.candidates.retain(|one| *one != task);
            }
            return Answered::Ended(YesOutcome::NotBooked);
        };
        if !self.calendar(&key).usable(now).contains(&day) {
            return Answered::Ended(YesOutcome::Gone);
        }
        if let Some(yes) = self.answers.get_mut(&asked) {
            yes.queued = true;
        }
        self.queue_answered(task, &key, day, now);
        Answered::InLine
    }

    fn queue_answered(&mut self, task: TaskId, key: &CalendarKey, date: NaiveDate, now: Instant) {
        let known = self.openings.iter().position(|opening| opening.key == *key && opening.date == date);
        let mut line = known.map(|at| std::mem::take(&mut self.openings[at].candidates)).unwrap_or_default();
        self.enter(&mut line, task);
        if let Some(at) = known {
            self.openings[at].candidates = line;
            return;
        }
        let seen = self.list_agreement.of(key).seen;
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

    /// The tasks of a line that is matched anew whose users said yes to the day keep their places in it.
    pub(super) fn keep_answered(
        &self,
        facility: FacilityId,
        replaced: &OpeningQueue,
        line: &mut VecDeque<TaskId>,
    ) {
        let answered = |task: &&TaskId| self.answers.contains_key(&(**task, facility, replaced.date));
        for task in replaced.candidates.iter().filter(answered) {
            self.enter(line, *task);
        }
    }

    /// Enters a line by rank, once.
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
