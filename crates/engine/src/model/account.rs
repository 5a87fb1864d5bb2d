//! Portal accounts: session, budget, health. An account that the engine never used takes no memory.

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

/// Portal accounts by id. Accounts that were not used for ten hours take no memory, even a million
/// of them.
#[derive(Default)]
pub(crate) struct Accounts(HashMap<PortalAccountId, Box<Account>>, Vec<PortalAccountId>);

impl Accounts {
    /// Returns the state of an account; a fresh one if the account was never used.
    pub fn get(&self, id: &PortalAccountId) -> Option<&Account> {
        Some(self.0.get(id).map_or(&*FRESH, |account| account))
    }

    /// Returns the state of an account for modification.
    pub fn get_mut(&mut self, id: &PortalAccountId) -> Option<&mut Account> {
        Some(self.0.entry(*id).or_default())
    }

    /// Returns the map entry of an account.
    pub fn entry(&mut self, id: PortalAccountId) -> Entry<'_, PortalAccountId, Box<Account>> {
        self.0.entry(id)
    }

    /// Returns `true` if any state of the account is in memory.
    pub fn is_known(&self, id: PortalAccountId) -> bool {
        self.0.contains_key(&id)
    }

    /// Returns the ids of all accounts with state in memory.
    pub fn ids(&self) -> Vec<PortalAccountId> {
        self.0.keys().copied().collect()
    }

    /// Returns the states of all accounts in memory for modification.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Account> {
        self.0.values_mut().map(|account| &mut **account)
    }

    /// Takes the accounts whose rows have calls stamped ahead of the clock, since the last call of
    /// this function.
    pub fn take_ahead(&mut self) -> Vec<PortalAccountId> {
        std::mem::take(&mut self.1)
    }

    /// Takes over the row of an account that no job is using.
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

/// A session at hand, with its owner.
#[derive(Clone)]
pub(crate) struct HeldSession {
    pub session: Arc<Session>,
    /// Hash of the password that opened the session.
    pub secret: SecretHash,
    /// Version of the session in the account's row.
    pub version: i32,
}

/// A portal account as the engine sees it.
#[derive(Default)]
pub(crate) struct Account {
    /// `true` while a job uses the account.
    pub busy: bool,
    /// The session, once opened by this process.
    pub session: Option<crate::model::account::HeldSession>,
    /// `true` if a sealed session was tried already.
    pub imported: bool,
    /// Version of the latest sealed session in memory.
    pub session_version: i32,
    pub budget: Budget,
    pub health: AccountHealth,
    pub not_before: Option<Instant>,
    /// Start of the soft ban, once this process found one.
    pub soft_banned_since: Option<Instant>,
    /// Lists that this session saw last: an "unchanged" answer refers to them, not to the shared
    /// list.
    pub lists: HashMap<(PortalScheduleId, FacilityId), Vec<NaiveDate>>,
    /// Path under which the portal shows the account's groups, as an earlier session found it.
    pub home: Option<String>,
    /// Time of the session's sign-in, as far as it is known.
    pub signed_in_at: Option<Instant>,
    /// Number of consecutive requests that failed because of the host.
    pub failures: u32,
    /// Calls that the stored budget does not include yet.
    pub unspent: Vec<(Calls, Instant)>,
}

impl Account {
    /// Returns `true` if the account backs off: no request is made with it before a time in the
    /// future.
    pub fn is_resting(&self, now: Instant) -> bool {
        self.not_before.is_some_and(|at| at > now)
    }
}

impl crate::model::account::Account {
    /// Takes over the stored budget, and adds the calls that are not written yet.
    pub fn set_budget(&mut self, stored: Budget) {
        self.budget = stored;
        for (calls, at) in &self.unspent {
            self.budget.spend(*calls, *at);
        }
    }
}
