//! Figures about the engine's state, computed on request.

use domain::budget::{Budget, Limits, Spend};
use domain::clock::Instant;
use domain::health::AccountHealth;

use crate::metrics::ACCOUNT_STATES;
use crate::model::account::Account;
use crate::model::state::State;

/// Work of an engine since its start, for measurements.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Number of rounds, idle ones included.
    pub rounds: u64,
    /// Number of requested lists.
    pub polls: u64,
}

/// Counts the portal accounts of running tasks by [`ACCOUNT_STATES`], and sums up the polls that
/// their budgets still allow. All results are zero on a node that does not lead.
pub(crate) fn accounts(state: &State, limits: &Limits, now: Instant) -> ([usize; ACCOUNT_STATES.len()], u64) {
    let mut counted = [0; ACCOUNT_STATES.len()];
    let mut left = 0;
    if state.leadership.leads() {
        for id in state.tasks.accounts() {
            let account = state.accounts.get(id);
            counted[standing(account, limits, now)] += 1;
            if !account.backs_off(now) {
                left += u64::from(polls_left(&account.budget, limits, now));
            }
        }
    }
    (counted, left)
}

/// Returns the index in [`ACCOUNT_STATES`] of an account's state.
fn standing(account: &Account, limits: &Limits, now: Instant) -> usize {
    let word: &str = match account.health {
        health if health != AccountHealth::Valid && account.backs_off(now) => health.into(),
        _ if account.backs_off(now) || account.budget.check(Spend::Poll, limits, now).is_err() => "resting",
        _ => "free",
    };
    ACCOUNT_STATES.iter().position(|state| *state == word).unwrap_or(0)
}

/// Returns the number of polls that a budget still allows within the hour, without the reserve for
/// bookings.
#[must_use]
pub fn polls_left(budget: &Budget, limits: &Limits, now: Instant) -> u32 {
    let (hour, ten_hours) = budget.polls(now);
    let open = limits.polls_per_ten_hours.saturating_sub(limits.polls_reserved);
    limits.polls_per_hour.saturating_sub(hour).min(open.saturating_sub(ten_hours))
}
