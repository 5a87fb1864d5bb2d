//! Cool-down of a soft-banned account, and its recovery.
//!
//! A soft ban means that the portal shows an account only empty lists. Such an account backs off.
//! The first suspicious answer pauses it for [`CONFIRMS`], then it polls once more. A ban that
//! seems certain pauses it for `inference::cause::ban::cool_down`: hours, and longer each time that
//! it is still banned.

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::health::AccountHealth;
use domain::ids::PortalAccountId;
use inference::cause::ban;
use inference::cause::infer::{BAN_CERTAIN, InferredCause};
use serde_json::json;

use crate::model::accounts::Accounts;
use crate::model::availability::Availability;
use crate::model::availability::inferred::{InferredEffects, evidence};
use crate::model::task_index::TaskIndex;
use crate::model::task_update::TaskUpdate;

/// Pause of an account after one suspicious answer: it outlasts the other possible causes, then the
/// account polls once more.
pub(super) const CONFIRMS: TimeDelta = TimeDelta::minutes(25);
/// Pause of an account that is still under suspicion after its cool-down.
const SUSPECTED: TimeDelta = TimeDelta::hours(1);

impl Availability {
    /// Puts an account into cool-down. The cool-down is longer each time the account is still
    /// banned afterwards.
    pub(super) fn soft_ban(
        &self,
        cause: &InferredCause,
        tasks: &TaskIndex,
        accounts: &mut Accounts,
        inferred: &mut InferredEffects,
        now: Instant,
    ) {
        let id = cause.account;
        let account = accounts.get_mut(id);
        let again = account.health == AccountHealth::Cooling;
        if !matches!(account.health, AccountHealth::Valid | AccountHealth::Cooling)
            || (again && account.backs_off(now))
        {
            return;
        }
        let since = if again { account.soft_banned_since(now) } else { now };
        let pause = match () {
            () if again && cause.banned < BAN_CERTAIN => SUSPECTED,
            () if !again && cause.evidence.empty_in_a_row == 1 => CONFIRMS,
            () => ban::cool_down(now - since),
        };
        let confirmed = pause > SUSPECTED && (!again || now - since <= SUSPECTED);
        let until = self.first_open_hour(id, tasks, now + pause);
        account.soft_banned_since = Some(since);
        account.health = AccountHealth::Cooling;
        account.not_before = Some(until);
        if confirmed {
            account.budget.held_back(now);
        }
        inferred.soft_banned.push((id, until, confirmed));
        let mut evidence = evidence(cause);
        evidence["until"] = json!(until);
        inferred.conditions.extend(tasks.of_account(id).map(|task| TaskUpdate {
            task: task.id,
            condition: TaskCondition::CoolingDown,
            evidence: evidence.clone(),
            next_try_at: Some(until),
        }));
    }

    /// Returns the first hour from `at` on in which a poll of the account could show that the ban
    /// has ended.
    fn first_open_hour(&self, id: PortalAccountId, tasks: &TaskIndex, at: Instant) -> Instant {
        let open = |at: Instant| {
            let mut own = tasks.of_account(id).peekable();
            let restricted = |key| self.cause_inference.is_restricted(&key, at);
            own.peek().is_none() || own.any(|task| tasks.keys(task).any(|key| !restricted(key)))
        };
        (0..16).map(|hours| at + TimeDelta::hours(hours)).find(|at| open(*at)).unwrap_or(at)
    }
}

/// Ends the cool-down of an account. The next poll that answers its tasks updates their conditions.
pub(super) fn recover(id: PortalAccountId, accounts: &mut Accounts, inferred: &mut InferredEffects) {
    let account = accounts.get_mut(id);
    account.health = AccountHealth::Valid;
    account.not_before = None;
    account.soft_banned_since = None;
    inferred.recovered.push(id);
}
