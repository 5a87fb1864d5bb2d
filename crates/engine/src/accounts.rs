//! Portal logins the engine has something to remember of; any other login is fresh.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::LazyLock;

use domain::clock::Instant;
use domain::ids::PortalAccountId;

use crate::state::Account;

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
        let fresh = row.health == "valid" && row.not_before.is_none() && row.budget.requests(now) == 0;
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
