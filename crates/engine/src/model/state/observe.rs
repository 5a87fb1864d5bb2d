//! Takes in the list that one account was shown in one calendar.

use chrono::NaiveDate;
use domain::budget::{Limits, Spend};
use domain::calendar::{CalendarKey, Change, compare};
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::facility::FacilityId;
use domain::health::AccountHealth;
use domain::ids::{PortalAccountId, TaskId};
use serde_json::json;

use crate::model::list_agreement::NEVER_POLLED;
use crate::model::observe::{Effects, MOST_NOTIFIED, PendingEffects};
use crate::model::state::State;
use crate::model::task_index::{IndexedTask, PollResult};
use crate::model::task_update::TaskUpdate;

/// Shares the list that one account saw in one calendar through one group. Bookings need not wait
/// until it is written.
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

/// Returns `true` if a booking is under way: its outcome determines the task's condition.
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
        let inferred = self.infer_cause(key, &days, poller, now);
        let mut effects = Effects { inferred, ..Effects::default() };
        if !effects.inferred.trusted {
            self.poll_plan.unproven(key, now);
            self.tasks.note_hour(key, &PollResult::Alone(days.first().copied()), now);
            self.flushed_at.get_or_insert(now);
            return effects;
        }
        let poll = self.list_agreement.of(key).polled(&days, poller, now);
        effects.turned = poll.turned;
        let calendar = self.calendar(key);
        if poll.turned.is_some() {
            // The change of mode invalidates earlier results without times, as they compared lists
            // of different accounts.
            calendar.phantoms.clear();
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
        self.flushed_at.get_or_insert(now);
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
            self.tried_in_vain.remove(&(key.facility, *day));
            self.missed_openings.forget(key.facility, *day);
            let alerted = self.alerted.get(&(key.facility, *day)).into_iter().flatten();
            let is_of = |t: &IndexedTask| answered(t) && self.tasks.is_of(t, key);
            // The current status of the task does not matter; a task that is no longer watched is
            // notified anew when it starts again.
            let ends = |id: &&TaskId| self.tasks.get(id).is_none_or(is_of);
            effects.gone.extend(alerted.filter(ends).map(|id| (*id, *day)));
        }
        let settles = |task: &&IndexedTask| {
            let cools_down = task.condition == TaskCondition::CoolingDown && self.is_held_back(task, now);
            // A page that bookings need cannot be read: a list does not change that.
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
            effects.told.push(TaskUpdate { task: task.id, condition, evidence, next_try_at: None });
        }
    }

    /// Returns `true` if the task's account is unknown, soft-banned or backing off.
    pub(crate) fn is_held_back(&self, task: &IndexedTask, now: Instant) -> bool {
        let Some(account) = self.accounts.get(&task.account) else {
            return true;
        };
        account.health == AccountHealth::Cooling || account.is_resting(now)
    }

    /// Forgets the alert of a date that vanished: when it comes back, the task is notified again.
    pub fn forget_alert(&mut self, task: TaskId, day: (FacilityId, NaiveDate)) {
        self.asked.forget((task, day.0, day.1));
        if let Some(told) = self.alerted.get_mut(&day) {
            told.remove(&task);
            if told.is_empty() {
                self.alerted.remove(&day);
            }
        }
    }
}

impl State {
    /// Gives the next poll of a split calendar to another account: the planner uses the time at
    /// which that account last saw its list.
    fn pass_turn(&mut self, key: &CalendarKey, limits: &Limits, now: Instant) {
        let Some(list_agreement) =
            self.list_agreement.get(key).filter(|list_agreement| list_agreement.is_split())
        else {
            return;
        };
        let may_poll = |id: &PortalAccountId| {
            self.accounts.get(id).is_some_and(|account| {
                !account.is_resting(now) && account.budget.check(Spend::Poll, limits, now).is_ok()
            })
        };
        let pollers = self.poll_plan.pollers(key).filter(may_poll);
        let next = pollers.map(|id| list_agreement.last_own(id).unwrap_or(now - NEVER_POLLED)).min();
        if let Some(next) = next {
            self.poll_plan.last_seen(key, next);
        }
    }
}
