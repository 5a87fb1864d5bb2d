//! One portal account in memory: session, budget, health.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{NaiveDate, TimeDelta};
use domain::budget::{Budget, Calls};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::health::AccountHealth;
use domain::ids::PortalScheduleId;
use inference::cause::ban;
use portal::Session;
use store::keyring::SecretHash;

/// Open session of a portal account.
#[derive(Clone)]
pub(crate) struct HeldSession {
    pub session: Arc<Session>,
    /// Hash of the password that opened the session.
    pub secret: SecretHash,
    /// Version of the session in the account's row.
    pub version: i32,
}

/// State of a portal account.
#[derive(Default)]
pub(crate) struct Account {
    /// `true` while a job uses the account.
    pub busy: bool,
    /// The session, once opened by this process.
    pub session: Option<HeldSession>,
    /// `true` if this process has already tried to use the stored, encrypted session.
    pub imported: bool,
    /// Latest known version of the stored, encrypted session.
    pub session_version: i32,
    pub budget: Budget,
    pub health: AccountHealth,
    pub not_before: Option<Instant>,
    /// Start of the soft ban; `None` if this process found none.
    pub soft_banned_since: Option<Instant>,
    /// Last lists that the portal sent in this session. An "unchanged" answer refers to them, not
    /// to the shared list.
    pub lists: HashMap<(PortalScheduleId, FacilityId), Vec<NaiveDate>>,
    /// Path of the portal's page with the account's groups, found by an earlier session.
    pub home: Option<String>,
    /// Time of the session's sign-in, if known.
    pub signed_in_at: Option<Instant>,
    /// Number of consecutive requests that failed because of the host.
    pub failures: u32,
    /// Calls that the stored budget does not include yet.
    pub unspent: Vec<(Calls, Instant)>,
}

impl Account {
    /// Returns `true` if the account backs off at `now`: no request may use it.
    pub fn backs_off(&self, now: Instant) -> bool {
        self.not_before.is_some_and(|at| at > now)
    }

    /// Extends the back-off of the account to `until`; never shortens it.
    pub fn back_off(&mut self, until: Instant) {
        self.not_before = self.not_before.max(Some(until));
    }

    /// Returns the start of the soft ban, or an estimate if it is unknown.
    pub fn soft_banned_since(&self, now: Instant) -> Instant {
        let rested = ban::cool_down(TimeDelta::zero());
        self.soft_banned_since.unwrap_or_else(|| self.not_before.unwrap_or(now).min(now) - rested)
    }

    /// Replaces the budget by the stored one, and adds the calls that are not written yet.
    pub fn set_budget(&mut self, stored: Budget) {
        self.budget = stored;
        for (calls, at) in &self.unspent {
            self.budget.spend(*calls, *at);
        }
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        self.budget.shift(by);
        for at in
            [&mut self.not_before, &mut self.soft_banned_since, &mut self.signed_in_at].into_iter().flatten()
        {
            *at += by;
        }
        self.unspent.iter_mut().for_each(|(_, at)| *at += by);
    }
}
