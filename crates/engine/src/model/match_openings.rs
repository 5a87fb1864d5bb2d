//! Matching of a list's dates against the tasks of its calendar. Candidates are queued in rank
//! order.

use std::collections::{HashSet, VecDeque};

use chrono::NaiveDate;
use domain::booking::Stop;
use domain::budget::Limits;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use domain::matching::match_days;

use crate::model::missed_openings::MissReason;
use crate::model::observe::{Effects, MOST_NOTIFIED};
use crate::model::openings::OpeningQueue;
use crate::model::questions::Asked;
use crate::model::state::State;
use crate::model::task_index::IndexedTask;

/// Maximum number of candidates queued for one date: far more than can try before the date is
/// matched again.
const MOST_CANDIDATES: usize = 64;

impl State {
    /// Matches the list against the criteria of every task of the calendar, and queues the
    /// candidates. If the calendar is split, only tasks of the account that got the list are
    /// matched.
    ///
    /// Returns the dates that a task wants.
    pub(crate) fn queue_openings(
        &mut self,
        key: &CalendarKey,
        days: &[NaiveDate],
        limits: &Limits,
        now: Instant,
        effects: &mut Effects,
    ) -> HashSet<NaiveDate> {
        let today = key.facility.today(now);
        let list_agreement = self.availability.agreement_mut(key);
        let (alone, seen) = (list_agreement.alone(), list_agreement.seen);
        self.openings.end_cool_offs(now);
        self.tasks.turn(key, today);
        let queues = match alone {
            Some(poller) => self.candidates_alone(key, (days, today), poller, limits, now, effects),
            None => self.candidates_of_all(key, (days, today), limits, now, effects),
        };
        for (task, day, stop) in std::mem::take(&mut effects.stops) {
            self.miss((task, key.facility, day), MissReason::Stopped(stop), now);
        }
        for (task, day, why) in std::mem::take(&mut effects.not_asked) {
            self.miss((task, key.facility, day), MissReason::NotAsked(why), now);
        }
        // The tasks are marked now, before the write, so that the next poll does not notify them
        // again.
        for (task, day) in effects.alerts.iter().chain(&effects.questions) {
            self.notified.add(*task, key.facility, *day);
        }
        for (date, mut candidates) in queues {
            crate::metrics::opening("queued");
            for replaced in self.openings.take_idle(key, date) {
                self.keep_approved(&replaced, &mut candidates, now);
            }
            self.openings.push(OpeningQueue::new(key.clone(), date, seen, candidates, now));
        }
        std::mem::take(&mut effects.wanted)
    }

    /// Matches all tasks against a list that all accounts share.
    fn candidates_of_all(
        &self,
        key: &CalendarKey,
        (days, today): (&[NaiveDate], NaiveDate),
        limits: &Limits,
        now: Instant,
        effects: &mut Effects,
    ) -> Vec<(NaiveDate, VecDeque<TaskId>)> {
        let cooling = self.cooling_dates(key.facility, now);
        let alone = |task, date| cooling.contains(&(task, date));
        let apart = cooling.iter().map(|(task, _)| *task);
        let Some(matching) = self.tasks.matching(key, (days, today), apart, &alone) else {
            return Vec::new();
        };
        let mut queues = Vec::new();
        for (at, day) in days.iter().enumerate() {
            let candidates = matching.candidates(at).filter_map(|slot| self.tasks.at(slot));
            let queue = self.queue_for(key, *day, candidates, limits, now, effects);
            queues.extend(queue.map(|queue| (*day, queue)));
        }
        queues
    }

    /// Matches the tasks of the polling account against its own list.
    fn candidates_alone(
        &self,
        key: &CalendarKey,
        (days, today): (&[NaiveDate], NaiveDate),
        poller: Option<PortalAccountId>,
        limits: &Limits,
        now: Instant,
        effects: &mut Effects,
    ) -> Vec<(NaiveDate, VecDeque<TaskId>)> {
        let own = poller.into_iter().flat_map(|poller| self.tasks.of_account(poller));
        let own: Vec<_> = own.filter(|task| self.tasks.is_of(task, key)).map(IndexedTask::seeker).collect();
        let cooling = self.cooling_dates(key.facility, now);
        let alone = |task, date| cooling.contains(&(task, date));
        let mut queues = Vec::new();
        for opening in match_days(key.facility, days, &own, today, &alone) {
            let candidates = opening.candidates.iter().filter_map(|id| self.tasks.get(id));
            let queue = self.queue_for(key, opening.date, candidates, limits, now, effects);
            queues.extend(queue.map(|queue| (opening.date, queue)));
        }
        queues
    }

    /// Returns the tasks that may try for one date, in rank order; `None` if there are none.
    /// `candidates` are the tasks that prefer this date to all others. Adds notifications and
    /// questions to `effects`.
    fn queue_for<'a>(
        &self,
        key: &CalendarKey,
        day: NaiveDate,
        candidates: impl Iterator<Item = &'a IndexedTask>,
        limits: &Limits,
        now: Instant,
        effects: &mut Effects,
    ) -> Option<VecDeque<TaskId>> {
        let booking = self.attempts.tasks();
        let mut attempted = self.attempts.targets_date(key.facility, day);
        let list_agreement = self.availability.agreement(key);
        let polls_first =
            |account| list_agreement.is_some_and(|list_agreement| list_agreement.polls_first(account));
        // No task books while a page that bookings need cannot be read. Notify-only tasks need not
        // wait then.
        let stopped = self.page_breakers.stops_bookings(key.kind.country);
        let mut queue = VecDeque::new();
        for task in candidates {
            if booking.contains(&task.id) {
                // Tasks ranked below an attempt are notified once it has settled, if the date is
                // still listed.
                effects.wanted.insert(day);
                attempted = true;
                continue;
            }
            let may = self.first_walks.judge(key.kind.country, task.allowance().allows(day, now));
            if let Err(stop) = may
                && !matches!(stop, Stop::NotifyOnly | Stop::Unanswered)
            {
                effects.stops.push((task.id, day, stop));
            }
            if matches!(may, Err(Stop::DeadlinePassed | Stop::ReschedulesUsed)) {
                // The date is of no use to this task. The task is not queued or notified, and the
                // engine does not poll for the date on its behalf.
                continue;
            }
            effects.wanted.insert(day);
            if may.is_err() {
                // The task is notified or sent a question only about a date that no task ranked
                // above it books automatically.
                let ahead = queue.is_empty() || self.openings.was_tried_in_vain(key.facility, day);
                let notified = self.notified.contains(task.id, key.facility, day)
                    && !self.questions.asked.is_repeatable((task.id, key.facility, day));
                let first = ahead && !attempted && !notified;
                if first && may == Err(Stop::Unanswered) {
                    self.ask_or_say_why((task.id, key.facility, day), limits, now, effects);
                } else if first {
                    effects.alerts.push((task.id, day));
                }
            } else if !stopped && !self.accounts.is_held_back(task.account, now) && !polls_first(task.account)
            {
                // An account in cool-down never books.
                queue.push_back(task.id);
            }
            if queue.len() == MOST_CANDIDATES
                || effects.alerts.len() + effects.questions.len() >= MOST_NOTIFIED
            {
                break;
            }
        }
        (!queue.is_empty()).then_some(queue)
    }

    /// Queues a question for the user, or records the reason why the date could not be booked. This
    /// is decided before anything is written.
    fn ask_or_say_why(&self, asked: Asked, limits: &Limits, now: Instant, effects: &mut Effects) {
        let (task, _, day) = asked;
        match self.hindrance(asked, limits, now) {
            Some(why) => effects.not_asked.push((task, day, why)),
            None => effects.questions.push((task, day)),
        }
    }
}
