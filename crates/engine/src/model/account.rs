//! Portal logins: session, budget, health. A login that was never used here costs nothing.

use domain::health::AccountHealth;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, LazyLock};

use chrono::NaiveDate;
use domain::budget::{Budget, Calls};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{PortalAccountId, PortalScheduleId};
use portal::Session;
use store::keyring::SecretHash;

static FRESH: LazyLock<Account> = LazyLock::new(Account::default);

/// The logins by id. A million logins nobody used for ten hours cost nothing.
#[derive(Default)]
pub(crate) struct Accounts(HashMap<PortalAccountId, Box<Account>>, Vec<PortalAccountId>);

impl Accounts {
    /// What is remembered of a login; of one never used here, that it is fresh.
    pub fn get(&self, id: &PortalAccountId) -> Option<&Account> {
        Some(self.0.get(id).map_or(&*FRESH, |account| account))
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, id: &PortalAccountId) -> Option<&mut Account> {
        Some(self.0.entry(*id).or_default())
    }

    /// The same, in the words of a map.
    pub fn entry(&mut self, id: PortalAccountId) -> Entry<'_, PortalAccountId, Box<Account>> {
        self.0.entry(id)
    }

    /// Whether there is anything to remember of it.
    pub fn is_known(&self, id: PortalAccountId) -> bool {
        self.0.contains_key(&id)
    }

    /// Every login there is anything to remember of.
    pub fn ids(&self) -> Vec<PortalAccountId> {
        self.0.keys().copied().collect()
    }

    /// What is remembered of each of them, to change it.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Account> {
        self.0.values_mut().map(|account| &mut **account)
    }

    /// Logins whose rows have calls stamped ahead of the clock, since this was last asked.
    pub fn take_ahead(&mut self) -> Vec<PortalAccountId> {
        std::mem::take(&mut self.1)
    }

    /// Takes over what the row says of a login no job is using.
    pub fn take(&mut self, row: store::portal_account::AccountOutline, now: Instant) {
        let fresh =
            row.health == AccountHealth::Valid && row.not_before.is_none() && row.budget.requests(now) == 0;
        if fresh && !self.is_known(row.id) {
            return;
        }
        let account = self.0.entry(row.id).or_default();
        if !account.busy {
            account.set_budget(row.budget);
            if account.budget.clamp(now) {
                self.1.push(row.id);
            }
            account.health = row.health;
            account.not_before = row.not_before;
        }
    }
}

/// A session at hand, and whose it is.
#[derive(Clone)]
pub(crate) struct HeldSession {
    pub session: Arc<Session>,
    /// Which password opened it.
    pub secret: SecretHash,
    /// Its version in the account's row.
    pub version: i32,
}

/// A portal login as the engine sees it.
#[derive(Default)]
pub(crate) struct Account {
    /// In the middle of a job.
    pub busy: bool,
    /// The session, once opened here.
    pub session: Option<crate::model::account::HeldSession>,
    /// Whether a sealed session was tried already.
    pub imported: bool,
    /// Version of the latest sealed session known here.
    pub session_version: i32,
    pub budget: Budget,
    pub health: AccountHealth,
    pub not_before: Option<Instant>,
    /// Since when it is held back, once that was found here.
    pub soft_banned_since: Option<Instant>,
    /// What this session last saw: "unchanged" is said against it, not against the shared list.
    pub lists: HashMap<(PortalScheduleId, FacilityId), Vec<NaiveDate>>,
    /// Where the portal shows the account's groups, as an earlier session found it.
    pub home: Option<String>,
    /// Since when the session is signed in, as far as is known.
    pub signed_in_at: Option<Instant>,
    /// How often in a row its requests failed for reasons of the host.
    pub failures: u32,
    /// Calls that the stored budget does not hold yet.
    pub unspent: Vec<(Calls, Instant)>,
}

impl Account {
    /// Nothing is asked of the portal with it before a time that has not come.
    pub fn is_resting(&self, now: Instant) -> bool {
        self.not_before.is_some_and(|at| at > now)
    }
}

impl crate::model::account::Account {
    /// Takes over the stored budget, with what was not written yet on top.
    pub fn set_budget(&mut self, stored: Budget) {
        self.budget = stored;
        for (calls, at) in &self.unspent {
            self.budget.spend(*calls, *at);
        }
    }
}
