//! Processing of a polled list: infers its meaning, updates the calendar and its tasks, and queues
//! candidates.

use std::collections::HashSet;

use chrono::NaiveDate;
use domain::booking::Stop;
use domain::budget::{Limits, Spend};
use domain::calendar::{CalendarKey, Change, compare};
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::ids::{PortalAccountId, TaskId};
use domain::journal::GoneReason;
use serde_json::json;

use crate::model::availability::inferred::InferredEffects;
use crate::model::availability::list_agreement::{ModeChange, NEVER_POLLED};
use crate::model::state::State;
use crate::model::task_index::{IndexedTask, PollResult};
use crate::model::task_update::TaskUpdate;

/// Maximum number of tasks notified by one poll; the others are notified at the next.
pub(crate) const MOST_NOTIFIED: usize = 1_000;

/// Effects of an observation that are to be written.
#[derive(Default, PartialEq)]
pub(crate) struct Effects {
    pub change: Option<(Vec<NaiveDate>, Change)>,
    pub alerts: Vec<(TaskId, NaiveDate)>,
    /// Tasks in ask-first mode, and dates about which to ask their users.
    pub questions: Vec<(TaskId, NaiveDate)>,
    /// Tasks whose question is not sent, with the date and the reason. Recorded in the same way as
    /// `stops`.
    pub not_asked: Vec<(TaskId, NaiveDate, GoneReason)>,
    /// Dates that at least one task wants. The planner uses them, and they are not written.
    pub wanted: HashSet<NaiveDate>,
    /// Dates that tasks accept but must not book, each with the rule. They are moved to the missed
    /// openings before anything is written.
    pub stops: Vec<(TaskId, NaiveDate, Stop)>,
    pub gone: Vec<(TaskId, NaiveDate)>,
    /// Conditions to write.
    pub conditions: Vec<TaskUpdate>,
    /// Effects of the poll beyond its dates.
    pub inferred: InferredEffects,
    /// Change of the calendar to split lists, or back to shared ones.
    pub turned: Option<ModeChange>,
}

impl Effects {
    /// Returns the change, if there is no other effect.
    pub fn change_alone(&self) -> Option<&(Vec<NaiveDate>, Change)> {
        self.change.as_ref().filter(|_| self.asks_nothing_else())
    }

    /// Returns `true` if there is nothing to write.
    pub fn is_nothing(&self) -> bool {
        self.change.is_none() && self.asks_nothing_else()
    }

    fn asks_nothing_else(&self) -> bool {
        self.inferred.is_nothing()
            && self.alerts.is_empty()
            && self.questions.is_empty()
            && self.gone.is_empty()
            && self.conditions.is_empty()
            && self.turned.is_none()
    }
}

/// Effects of a processed poll that are not written yet.
pub(crate) struct PendingEffects {
    pub key: CalendarKey,
    pub at: Instant,
    pub effects: Effects,
}

impl PendingEffects {
    /// Removes the condition updates of a task, because its booking sets its condition.
    pub fn leave_to_booking(&mut self, task: TaskId) {
        self.effects.conditions.retain(|update| update.task != task);
    }
}

/// Processes the list that `poller` received, for all tasks to which it applies. Returns the
/// effects to write. Bookings need not wait for the write.
pub(crate) fn share(
    state: &mut State,
    key: &CalendarKey,
    days: Vec<NaiveDate>,
    poller: PortalAccountId,
    limits: &Limits,
    at: Instant,
) -> PendingEffects {
    let effects = state.observe(key, days, poller, limits, at);
    state.pass_turn(key, limits, at);
    PendingEffects { key: key.clone(), at, effects }
}

/// Returns `true` if a booking is in progress. Its outcome then determines the task's condition.
pub(crate) const fn is_booking(task: &IndexedTask) -> bool {
    matches!(task.condition, TaskCondition::Booking | TaskCondition::BookingUnconfirmed)
}

impl State {
    fn observe(
        &mut self,
        key: &CalendarKey,
        days: Vec<NaiveDate>,
        poller: PortalAccountId,
        limits: &Limits,
        now: Instant,
    ) -> Effects {
        let Self { availability, tasks, accounts, .. } = self;
        let inferred = availability.infer_cause(key, &days, poller, tasks, accounts, now);
        let mut effects = Effects { inferred, ..Effects::default() };
        if !effects.inferred.trusted {
            self.poll_plan.unproven(key, now);
            self.tasks.note_hour(key, &PollResult::Alone(days.first().copied()), now);
            self.housekeeping.begin_flush_interval(now);
            return effects;
        }
        let poll = self.availability.agreement_mut(key).polled(&days, poller, now);
        effects.turned = poll.turned;
        let calendar = self.availability.calendar_mut(key);
        if poll.turned.is_some() {
            // The change of mode invalidates earlier results without times, as they compared lists
            // of different accounts.
            calendar.forget_empty_times();
        }
        let first = calendar.last_poll.is_none();
        let fresh = first || calendar.days != days;
        // In a split calendar, a list is compared with the previous list of the same account.
        let change = match &poll.before {
            Some((before, _)) => compare(before, &days),
            None => compare(&calendar.days, &days),
        };
        let comparable = !first && (poll.alone.is_none() || poll.before.is_some());
        calendar.last_poll = Some(now);
        if !days.is_empty() {
            calendar.restricted_at = None;
        }
        if comparable {
            calendar.activity.add(change.appeared.len(), now);
        }
        if fresh {
            calendar.days.clone_from(&days);
        }
        let usable = calendar.usable(now);
        self.answer_all(key, &days, &change, poll.alone, now, &mut effects);
        let wanted = self.queue_openings(key, &usable, limits, now, &mut effects);
        if let Some((_, at)) = poll.before {
            self.poll_plan.last_seen(key, at);
        }
        self.poll_plan.answered(key, (&days, &change), &wanted, !comparable, now);
        if fresh {
            effects.change = Some((days, change));
        }
        effects
    }

    /// Counts the poll for every task that it answers, and updates their conditions.
    fn answer_all(
        &mut self,
        key: &CalendarKey,
        days: &[NaiveDate],
        change: &Change,
        alone: Option<PortalAccountId>,
        now: Instant,
        effects: &mut Effects,
    ) {
        let answered = |task: &IndexedTask| alone.is_none_or(|poller| task.account == poller);
        self.housekeeping.begin_flush_interval(now);
        let (earliest, appeared) = (days.first().copied(), change.appeared.len());
        let came = if alone.is_none() {
            PollResult::Shared(earliest, appeared)
        } else {
            PollResult::Alone(earliest)
        };
        self.tasks.note_hour(key, &came, now);
        match alone {
            None => self.tasks.count_poll(key, appeared, now),
            Some(poller) => self.tasks.count_own_poll(poller, key, appeared, now),
        }
        for day in &change.vanished {
            self.openings.forget_date(key.facility, *day);
            let is_of = |t: &IndexedTask| answered(t) && self.tasks.is_of(t, key);
            // The current status of the task does not matter; a task that is no longer watched is
            // notified anew when it starts again.
            let ends = |id: &TaskId| self.tasks.get(id).is_none_or(is_of);
            let notified = self.notified.of_date(key.facility, *day);
            effects.gone.extend(notified.filter(ends).map(|id| (id, *day)));
        }
        let settles = |task: &&IndexedTask| {
            let cools_down =
                task.condition == TaskCondition::CoolingDown && self.accounts.is_held_back(task.account, now);
            // A list does not change that a page needed for bookings cannot be read.
            let stopped = task.condition == TaskCondition::LayoutChanged
                && task.criteria.mode.changes()
                && self.page_breakers.stops_bookings(key.kind.country);
            !is_booking(task)
                && !cools_down
                && !stopped
                && answered(task)
                && task.condition != task.default_condition(now)
        };
        // Tasks beyond the limit stay unsettled, and are notified at the next poll.
        for task in self.tasks.unsettled(key).filter(settles).take(MOST_NOTIFIED) {
            let condition = task.default_condition(now);
            let evidence = match condition {
                TaskCondition::DeadlinePassed => crate::model::task_update::evidence(task.change_deadline),
                _ => json!({ "facility": key.facility.name(), "days": days.len() }),
            };
            effects.conditions.push(TaskUpdate { task: task.id, condition, evidence, next_try_at: None });
        }
    }

    /// Prepares the next poll of a split calendar by the account whose last list is oldest. The
    /// planner gets the time of that list.
    fn pass_turn(&mut self, key: &CalendarKey, limits: &Limits, now: Instant) {
        let Some(list_agreement) =
            self.availability.agreement(key).filter(|list_agreement| list_agreement.is_split())
        else {
            return;
        };
        let may_poll = |id: &PortalAccountId| {
            let account = self.accounts.get(*id);
            !account.backs_off(now) && account.budget.check(Spend::Poll, limits, now).is_ok()
        };
        let pollers = self.poll_plan.pollers(key).filter(may_poll);
        let next = pollers.map(|id| list_agreement.last_own(id).unwrap_or(now - NEVER_POLLED)).min();
        if let Some(next) = next {
            self.poll_plan.last_seen(key, next);
        }
    }
}
