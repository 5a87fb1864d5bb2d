//! The engine's own state in figures, read when somebody asks.

use domain::budget::{Budget, Limits, Spend};
use domain::clock::Instant;
use domain::health::AccountHealth;

use crate::metrics::ACCOUNT_STATES;
use crate::model::account::Account;
use crate::model::state::State;

/// What an engine has done since it began: for measures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Rounds, idle ones included.
    pub rounds: u64,
    /// Lists asked for.
    pub polls: u64,
}

/// The portal accounts of running tasks, counted by [`ACCOUNT_STATES`], and the polls they have left together.
pub(crate) fn accounts(state: &State, limits: &Limits, now: Instant) -> ([usize; ACCOUNT_STATES.len()], u64) {
    let mut counted = [0; ACCOUNT_STATES.len()];
    let mut left = 0;
    if state.epoch.is_some() {
        for id in state.tasks.accounts() {
            let account = state.accounts.get(&id);
            counted[account.map_or(0, |a| standing(a, limits, now))] += 1;
            left += u64::from(account.map_or_else(
                || polls_left(&Budget::default(), limits, now),
                |a| if a.is_resting(now) { 0 } else { polls_left(&a.budget, limits, now) },
            ));
        }
    }
    (counted, left)
}

/// Which of [`ACCOUNT_STATES`] an account is in.
fn standing(account: &Account, limits: &Limits, now: Instant) -> usize {
    let word: &str = match account.health {
        health if health != AccountHealth::Valid && account.is_resting(now) => health.into(),
        _ if account.is_resting(now) || account.budget.check(Spend::Poll, limits, now).is_err() => "resting",
        _ => "free",
    };
    ACCOUNT_STATES.iter().position(|state| *state == word).unwrap_or(0)
}

/// Looks a budget still allows within the hour, the booking's reserve aside.
#[must_use]
pub fn polls_left(budget: &Budget, limits: &Limits, now: Instant) -> u32 {
    let (hour, ten_hours) = budget.polls(now);
    let open = limits.polls_per_ten_hours.saturating_sub(limits.polls_reserved);
    limits.polls_per_hour.saturating_sub(hour).min(open.saturating_sub(ten_hours))
}
