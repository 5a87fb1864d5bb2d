//! Effects of empty lists on accounts and their tasks: cool-downs, recoveries and conditions.

use chrono::{NaiveDate, TimeDelta};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::health::AccountHealth;
use domain::ids::{PortalAccountId, TaskId};
use inference::cause::infer::{AnsweredPoll, BAN_CERTAIN, InferredCause};
use inference::cause::{EmptyCause, ban};
use inference::planner::poll_source::AccountDoubt;
use serde_json::{Value, json};

use crate::model::empty_lists::InferredEffects;
use crate::model::state::State;
use crate::model::task_update::TaskUpdate;

/// Pause of an account after one suspicious answer: it outlasts the other possible causes, then the
/// account polls once more.
const CONFIRMS: TimeDelta = TimeDelta::minutes(25);
/// Pause of an account that is still under suspicion after its cool-down.
const SUSPECTED: TimeDelta = TimeDelta::hours(1);
/// Suspicion from which an empty answer of a cooling account does not prove its recovery.
const SUSPICION: f64 = 0.3;
/// Time during which a list that showed dates is likely to still show some.
const TELLING: TimeDelta = TimeDelta::hours(2);
/// Time during which a doubted account polls no other calendar while such a list is available.
const ELSEWHERE: TimeDelta = TimeDelta::minutes(5);
/// Maximum number of tasks notified by one poll; the others are notified at the next.
const MOST_NOTIFIED: usize = 1_000;

impl State {
    /// Records a portal failure: an empty list near it may be caused by an overload.
    pub(crate) fn troubled(&mut self, now: Instant) {
        self.cause_inference.portal_error(now);
    }

    /// Records the duration of an answered poll: a slow answer is evidence of an overload as well.
    pub(crate) fn answered_after(&mut self, time: TimeDelta, now: Instant) {
        self.cause_inference.took(now, time);
    }

    /// Returns the doubt about an account, and the time from which it may poll `key` if another
    /// calendar is better. Another empty list proves nothing about the account; dates that are seen
    /// again do.
    pub(crate) fn standing(
        &self,
        id: PortalAccountId,
        key: &CalendarKey,
        now: Instant,
    ) -> (AccountDoubt, Option<Instant>) {
        if !self.cause_inference.doubts(id) {
            return (AccountDoubt::Sound, None);
        }
        let shows = |key: &CalendarKey| {
            let hidden = self.cause_inference.is_restricted(key, now);
            let known = self.calendars.get(key).filter(|c| !hidden && !c.days.is_empty());
            known.and_then(|c| c.last_poll).is_some_and(|at| now - at <= TELLING)
        };
        if shows(key) {
            let last = self.accounts.get(&id).and_then(|account| account.budget.last_poll());
            let waited = last.is_none_or(|at| now - at >= CONFIRMS);
            return (if waited { AccountDoubt::ToSettle } else { AccountDoubt::Doubted }, None);
        }
        // A doubt slows polls and stops none: a list that was not answered for long is polled
        // nevertheless.
        let answered = self.calendars.get(key).and_then(|c| c.last_poll);
        if answered.is_none_or(|at| now - at > TELLING) {
            return (AccountDoubt::Doubted, None);
        }
        let mut lists = self.tasks.of_account(id).flat_map(|task| self.tasks.keys(task));
        (AccountDoubt::Doubted, lists.any(|other| shows(&other)).then(|| now + ELSEWHERE))
    }

    /// Takes in the list that an account was shown: infers the cause of an empty list, and
    /// re-evaluates the accounts.
    pub(crate) fn infer_cause(
        &mut self,
        key: &CalendarKey,
        days: &[NaiveDate],
        poller: PortalAccountId,
        now: Instant,
    ) -> InferredEffects {
        let mut inferred = InferredEffects { trusted: true, ..InferredEffects::default() };
        let account = self.accounts.entry(poller).or_default();
        let cooling = account.health == AccountHealth::Cooling;
        let calls = account.budget.polls(now).1;
        if cooling {
            let since = account.soft_banned_since(now);
            self.cause_inference.known_banned(poller, since, now);
        }
        let learned =
            self.cause_inference.observe(&AnsweredPoll { at: now, account: poller, key, days, calls });
        if !days.is_empty() && cooling {
            self.recover(poller, &mut inferred);
        }
        for changed in learned.changed {
            if changed.meaning == EmptyCause::SoftBan
                && self.cause_inference.banned(changed.account) >= BAN_CERTAIN
            {
                self.soft_ban(changed.account, &changed, now, &mut inferred);
            }
            self.inferences.add(changed);
        }
        if let Some(own) = learned.own {
            crate::metrics::empty_list(own.meaning.as_str());
            inferred.trusted = own.trusted;
            self.act_on(key, &own, cooling, now, &mut inferred);
            self.inferences.add(own);
        }
        inferred
    }

    /// Applies the effects of the polling account's own empty list.
    fn act_on(
        &mut self,
        key: &CalendarKey,
        own: &InferredCause,
        cooling: bool,
        now: Instant,
        inferred: &mut InferredEffects,
    ) {
        if own.banned >= BAN_CERTAIN || (cooling && own.banned >= SUSPICION) {
            return self.soft_ban(own.account, own, now, inferred);
        }
        if cooling && own.meaning == EmptyCause::NoAvailability {
            self.recover(own.account, inferred);
        }
        let condition = match own.meaning {
            EmptyCause::NoAvailability | EmptyCause::SoftBan => return,
            EmptyCause::RestrictedHours => TaskCondition::RestrictedHours,
            EmptyCause::Overload => TaskCondition::Overloaded,
        };
        let calendar = self.calendar(key);
        calendar.last_poll = Some(now);
        if condition == TaskCondition::RestrictedHours {
            calendar.restricted_at = Some(now);
        }
        let evidence = evidence(own);
        let concerned = self.tasks.of_calendar(key).filter(|task| {
            let busy = matches!(task.condition, TaskCondition::Booking | TaskCondition::BookingUnconfirmed);
            let is_said = task.condition == condition
                || matches!(task.condition, TaskCondition::CoolingDown | TaskCondition::DeadlinePassed);
            !busy && !is_said
        });
        let concerned: Vec<TaskId> = concerned.take(MOST_NOTIFIED).map(|t| t.id).collect();
        for task in concerned {
            inferred.told.push(TaskUpdate { task, condition, evidence: evidence.clone(), next_try_at: None });
        }
    }

    /// Puts an account into cool-down: three hours at first, longer each time it is still banned
    /// afterwards.
    fn soft_ban(
        &mut self,
        id: PortalAccountId,
        why: &InferredCause,
        now: Instant,
        inferred: &mut InferredEffects,
    ) {
        let account = self.accounts.entry(id).or_default();
        let again = account.health == AccountHealth::Cooling;
        if !matches!(account.health, AccountHealth::Valid | AccountHealth::Cooling)
            || (again && account.is_resting(now))
        {
            return;
        }
        let since = if again { account.soft_banned_since(now) } else { now };
        let rest = match () {
            () if again && why.banned < BAN_CERTAIN => SUSPECTED,
            () if !again && why.evidence.empty_in_a_row == 1 => CONFIRMS,
            () => ban::cool_down(now - since),
        };
        let confirmed = rest > SUSPECTED && (!again || now - since <= SUSPECTED);
        let until = self.first_open(id, now + rest);
        let account = self.accounts.entry(id).or_default();
        account.soft_banned_since = Some(since);
        account.health = AccountHealth::Cooling;
        account.not_before = Some(until);
        if confirmed {
            account.budget.held_back(now);
        }
        inferred.soft_banned.push((id, until, confirmed));
        let mut evidence = evidence(why);
        evidence["until"] = json!(until);
        let concerned: Vec<TaskId> = self.tasks.of_account(id).map(|t| t.id).collect();
        for task in concerned {
            inferred.told.push(TaskUpdate {
                task,
                condition: TaskCondition::CoolingDown,
                evidence: evidence.clone(),
                next_try_at: Some(until),
            });
        }
    }

    /// Ends the cool-down of an account. The next poll that answers its tasks updates their
    /// conditions.
    fn recover(&mut self, id: PortalAccountId, inferred: &mut InferredEffects) {
        let account = self.accounts.entry(id).or_default();
        account.health = AccountHealth::Valid;
        account.not_before = None;
        account.soft_banned_since = None;
        inferred.recovered.push(id);
    }

    /// Returns the first hour from `at` on in which a poll of the account could show that the ban
    /// has ended.
    fn first_open(&self, id: PortalAccountId, at: Instant) -> Instant {
        let open = |at: Instant| {
            let mut tasks = self.tasks.of_account(id).peekable();
            tasks.peek().is_none()
                || tasks.any(|task| {
                    self.tasks.keys(task).any(|key| !self.cause_inference.is_restricted(&key, at))
                })
        };
        (0..16).map(|hours| at + TimeDelta::hours(hours)).find(|at| open(*at)).unwrap_or(at)
    }
}

/// Returns the evidence of an inference, as users and operators may see it.
fn evidence(judgement: &InferredCause) -> Value {
    let mut data = json!(judgement.evidence);
    data["facility"] = json!(judgement.key.facility.name());
    data["meaning"] = json!(judgement.meaning.as_str());
    data["confidence"] = json!((judgement.confidence * 100.0).round());
    data
}
