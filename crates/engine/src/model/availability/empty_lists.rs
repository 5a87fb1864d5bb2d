//! Effects of empty lists: the doubt about accounts, and the conditions of tasks.
//!
//! The inference itself is `inference::cause::infer`. `soft_ban.rs` has the cool-downs.

use chrono::{NaiveDate, TimeDelta};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::health::AccountHealth;
use domain::ids::PortalAccountId;
use inference::cause::EmptyCause;
use inference::cause::infer::{AnsweredPoll, BAN_CERTAIN, InferredCause};
use inference::planner::poll_source::AccountDoubt;

use crate::model::accounts::Accounts;
use crate::model::availability::Availability;
use crate::model::availability::inferred::{InferredEffects, evidence};
use crate::model::availability::soft_ban::{CONFIRMS, recover};
use crate::model::task_index::TaskIndex;
use crate::model::task_update::TaskUpdate;

/// Probability of a ban from which an empty list does not prove the recovery of an account in
/// cool-down.
const SUSPICION: f64 = 0.3;
/// Maximum age of a list with dates that is likely to still show some.
const TELLING: TimeDelta = TimeDelta::hours(2);
/// Delay of a doubted account's polls of other calendars while such a list is available.
const ELSEWHERE: TimeDelta = TimeDelta::minutes(5);
/// Maximum number of tasks notified by one poll; the others are notified at the next.
const MOST_NOTIFIED: usize = 1_000;

impl Availability {
    /// Returns the suspicion that an account is banned. Also returns the time from which the
    /// account may poll `key`, if another calendar is a better test. Only a calendar that likely
    /// has dates can show if the account is banned.
    pub fn doubt_about(
        &self,
        id: PortalAccountId,
        key: &CalendarKey,
        tasks: &TaskIndex,
        accounts: &Accounts,
        now: Instant,
    ) -> (AccountDoubt, Option<Instant>) {
        if !self.cause_inference.doubts(id) {
            return (AccountDoubt::Sound, None);
        }
        let shows = |key: &CalendarKey| {
            let hidden = self.cause_inference.is_restricted(key, now);
            let known = self.calendar(key).filter(|c| !hidden && !c.days.is_empty());
            known.and_then(|c| c.last_poll).is_some_and(|at| now - at <= TELLING)
        };
        if shows(key) {
            let last = accounts.get(id).budget.last_poll();
            let waited = last.is_none_or(|at| now - at >= CONFIRMS);
            return (if waited { AccountDoubt::ToSettle } else { AccountDoubt::Doubted }, None);
        }
        // A doubt slows polls but does not stop them, so a calendar without a recent answer is
        // polled.
        let answered = self.calendar(key).and_then(|c| c.last_poll);
        if answered.is_none_or(|at| now - at > TELLING) {
            return (AccountDoubt::Doubted, None);
        }
        let mut lists = tasks.of_account(id).flat_map(|task| tasks.keys(task));
        (AccountDoubt::Doubted, lists.any(|other| shows(&other)).then(|| now + ELSEWHERE))
    }

    /// Processes the list that an account received: infers the cause of an empty list, and updates
    /// the health of accounts.
    pub fn infer_cause(
        &mut self,
        key: &CalendarKey,
        days: &[NaiveDate],
        poller: PortalAccountId,
        tasks: &TaskIndex,
        accounts: &mut Accounts,
        now: Instant,
    ) -> InferredEffects {
        let mut inferred = InferredEffects { trusted: true, ..InferredEffects::default() };
        let account = accounts.get_mut(poller);
        let before = account.health;
        let cooling = before == AccountHealth::Cooling;
        let calls = account.budget.polls(now).1;
        if cooling {
            let since = account.soft_banned_since(now);
            self.cause_inference.known_banned(poller, since, now);
        }
        let learned =
            self.cause_inference.observe(&AnsweredPoll { at: now, account: poller, key, days, calls });
        if !days.is_empty() && cooling {
            recover(poller, accounts, &mut inferred);
        }
        for changed in learned.changed {
            if changed.meaning == EmptyCause::SoftBan
                && self.cause_inference.banned(changed.account) >= BAN_CERTAIN
            {
                self.soft_ban(&changed, tasks, accounts, &mut inferred, now);
            }
            self.inferences.add(changed);
        }
        if let Some(own) = learned.own {
            crate::metrics::empty_list(own.meaning.as_str());
            inferred.trusted = own.trusted;
            self.act_on(&own, tasks, accounts, before, &mut inferred, now);
            self.inferences.add(own);
        }
        inferred
    }

    /// Applies the effects of the polling account's own empty list. `before` is the health that the
    /// account had before the poll.
    fn act_on(
        &mut self,
        own: &InferredCause,
        tasks: &TaskIndex,
        accounts: &mut Accounts,
        before: AccountHealth,
        inferred: &mut InferredEffects,
        now: Instant,
    ) {
        let cooling = before == AccountHealth::Cooling;
        if own.banned >= BAN_CERTAIN || (cooling && own.banned >= SUSPICION) {
            return self.soft_ban(own, tasks, accounts, inferred, now);
        }
        if cooling && own.meaning == EmptyCause::NoAvailability {
            recover(own.account, accounts, inferred);
        }
        let condition = match own.meaning {
            EmptyCause::NoAvailability | EmptyCause::SoftBan => return,
            EmptyCause::RestrictedHours => TaskCondition::RestrictedHours,
            EmptyCause::Overload => TaskCondition::Overloaded,
        };
        let calendar = self.calendar_mut(&own.key);
        calendar.last_poll = Some(now);
        if condition == TaskCondition::RestrictedHours {
            calendar.restricted_at = Some(now);
        }
        let evidence = evidence(own);
        let concerned = tasks.of_calendar(&own.key).filter(|task| {
            let busy = matches!(task.condition, TaskCondition::Booking | TaskCondition::BookingUnconfirmed);
            let is_shown = task.condition == condition
                || matches!(task.condition, TaskCondition::CoolingDown | TaskCondition::DeadlinePassed);
            !busy && !is_shown
        });
        inferred.conditions.extend(concerned.take(MOST_NOTIFIED).map(|task| TaskUpdate {
            task: task.id,
            condition,
            evidence: evidence.clone(),
            next_try_at: None,
        }));
    }
}
