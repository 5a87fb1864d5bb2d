//! The engine's own state in figures, read when somebody asks, and what it remembers of unreadable pages.

use std::sync::atomic::Ordering;

use chrono::NaiveDate;
use domain::budget::{Budget, Limits, Spend};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use portal::PortalError;

use crate::metrics::ACCOUNT_STATES;
use crate::state::Account;
use crate::{Context, Engine, metrics};

/// What an engine has done since it began: for measures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Rounds, idle ones included.
    pub rounds: u64,
    /// Lists asked for.
    pub polls: u64,
}

impl Engine {
    /// What it has done since it began.
    #[must_use]
    pub fn work(&self) -> Work {
        Work { rounds: self.rounds.load(Ordering::Relaxed), polls: self.polls.load(Ordering::Relaxed) }
    }

    /// What a poll does once its answer is parsed, nothing written: shares the list, matches it, and plans what comes
    /// next. Returns how many jobs that were.
    pub fn rehearse(&self, key: &CalendarKey, days: Vec<NaiveDate>) -> usize {
        let now = self.ctx.portal_time.now();
        let poller = self.state.lock().tasks.poll_sources(key).next().map(|poll_source| poll_source.0);
        if let Some(poller) = poller {
            drop(crate::observe::share(self, key, days, poller));
        }
        let mut round = crate::Round::default();
        let most = self.ctx.config.pace.most;
        self.take_polls(&mut self.state.lock(), &mut round, most, now);
        round.jobs.len()
    }

    /// Sets the figures of what only this process knows: its lease, and the accounts it watches through.
    pub fn show_figures(&self) {
        let now = self.ctx.portal_time.now();
        let limits = &self.ctx.config.limits;
        metrics::outward(self.ctx.client.pacer(), self.ctx.outward.pause().is_some());
        let state = self.state.lock();
        metrics::lease(state.epoch);
        let mut counted = [0; ACCOUNT_STATES.len()];
        let mut left = 0;
        if state.epoch.is_some() {
            for id in state.tasks.accounts() {
                let account = state.accounts.get(&id);
                counted[account.map_or(0, |a| standing(a, limits, now))] += 1;
                left += u64::from(account.map_or_else(
                    || polls_left(&Budget::default(), limits, now),
                    |a| if is_resting(a, now) { 0 } else { polls_left(&a.budget, limits, now) },
                ));
            }
        }
        metrics::calendars_split(state.sharing.split());
        metrics::pages_stopped(&state.layouts.stopped());
        drop(state);
        metrics::accounts(&counted, left);
    }
}

/// Which of [`ACCOUNT_STATES`] an account is in.
fn standing(account: &Account, limits: &Limits, now: Instant) -> usize {
    let word = match account.health.as_str() {
        health @ ("cooling" | "locked" | "captcha") if is_resting(account, now) => health,
        _ if is_resting(account, now) || account.budget.check(Spend::Poll, limits, now).is_err() => "resting",
        _ => "free",
    };
    ACCOUNT_STATES.iter().position(|state| *state == word).unwrap_or(0)
}

fn is_resting(account: &Account, now: Instant) -> bool {
    account.not_before.is_some_and(|at| at > now)
}

/// Looks a budget still allows within the hour, the booking's reserve aside.
#[must_use]
pub fn polls_left(budget: &Budget, limits: &Limits, now: Instant) -> u32 {
    let (hour, ten_hours) = budget.polls(now);
    let open = limits.polls_per_ten_hours.saturating_sub(limits.polls_reserved);
    limits.polls_per_hour.saturating_sub(hour).min(open.saturating_sub(ten_hours))
}

/// Counts and remembers a page that was not as known; any other trouble is nothing to it.
///
/// A row that cannot be written is a line in the log: what the trouble means for the task comes first.
pub(crate) async fn note_layout(ctx: &Context, portal_error: &PortalError) {
    let Some(changed) = portal_error.unread() else { return };
    metrics::parse_failure(changed.page.as_str());
    let written = async {
        let mut tx = ctx.db.begin().await?;
        let now = ctx.wall.now();
        store::parse_failure::note(&mut tx, changed.page.as_str(), changed.what, changed.shape, now).await?;
        tx.commit().await
    };
    if let Err(error) = written.await {
        tracing::warn!(%error, %changed, "an unreadable page was not remembered");
    }
}
