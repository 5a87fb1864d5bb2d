//! Adds the calls of accounts to their stored budgets.

use domain::budget::{Budget, Calls, Spend};
use domain::clock::Instant;
use domain::ids::PortalAccountId;

use crate::JobError;
use crate::persist::Records;

/// Account and number of a lease that has ended, and whose calls are all in the written budgets.
pub(crate) type Over = (PortalAccountId, i64);

/// Calls that leases of one account spent.
pub(crate) type Spent = (PortalAccountId, Vec<store::portal_account::SpentCalls>);

impl Records {
    /// Writes the calls of leases that only polled, at most every [`crate::FLUSH_EVERY`].
    pub(crate) async fn flush_budgets(&self, now: Instant) -> Result<(), JobError> {
        {
            let state = self.memory.lock();
            if state.unspent.is_empty() || state.spent_at.is_some_and(|at| now - at < crate::FLUSH_EVERY) {
                return Ok(());
            }
        }
        let (due, over) = self.take_spent();
        self.write_spent(due, over).await
    }

    /// Adds the spent calls to the stored budgets, in one transaction.
    pub(crate) async fn write_budgets(&self, accounts: &[PortalAccountId]) -> Result<(), JobError> {
        let taken = {
            let mut state = self.memory.lock();
            let mut take = |id: &PortalAccountId| {
                state.unspent.remove(id);
                (*id, std::mem::take(&mut state.accounts.entry(*id).or_default().unspent))
            };
            accounts.iter().map(&mut take).collect()
        };
        self.write_spent(taken, Vec::new()).await
    }

    /// Takes all unwritten calls to be written now, and the leases that end with them.
    pub(crate) fn take_spent(&self) -> (Vec<Spent>, Vec<Over>) {
        let mut state = self.memory.lock();
        state.spent_at = Some(self.portal_time.now());
        let due = std::mem::take(&mut state.unspent);
        let mut take = |id| (id, std::mem::take(&mut state.accounts.entry(id).or_default().unspent));
        let taken = due.into_iter().map(&mut take).collect();
        (taken, state.idle_leases())
    }

    async fn write_spent(&self, taken: Vec<Spent>, over: Vec<Over>) -> Result<(), JobError> {
        let written = async {
            let mut tx = self.db.begin().await?;
            let written = Self::add_to_budgets(&mut tx, &taken).await?;
            store::account_lease::give_back(&mut tx, &over).await?;
            tx.commit().await?;
            Ok(written)
        };
        let written = written.await;
        self.keep_spent(taken, &over, written)
    }

    /// Takes over the written budgets into memory; after a failed write the calls are written the
    /// next time.
    pub(crate) fn keep_spent(
        &self,
        taken: Vec<Spent>,
        over: &[Over],
        written: Result<Vec<(PortalAccountId, Budget)>, JobError>,
    ) -> Result<(), JobError> {
        let mut state = self.memory.lock();
        match written {
            Ok(budgets) => {
                for (id, budget) in budgets {
                    state.accounts.entry(id).or_default().set_budget(budget);
                }
                state.written_leases.given_back(over);
                Ok(())
            }
            Err(error) => {
                for (id, spent) in taken {
                    state.accounts.entry(id).or_default().unspent.extend(spent);
                    state.unspent.insert(id);
                }
                Err(error)
            }
        }
    }

    /// Writes calls down before they are made. Returns [`JobError::Rest`] if the stored budget does
    /// not allow `what`.
    pub(crate) async fn count_before_sending(
        &self,
        account: PortalAccountId,
        what: Spend,
        calls: Calls,
    ) -> Result<(), JobError> {
        let (now, limits) = (self.portal_time.now(), self.config.limits);
        let mut tx = self.db.begin().await?;
        let changed = store::portal_account::change_budget(&mut tx, account, |budget| {
            budget.check(what, &limits, now).map(|()| budget.spend(calls, now))
        });
        let (budget, allowed) = changed.await?.ok_or(JobError::Gone)?;
        tx.commit().await?;
        if let Some(account) = self.memory.lock().accounts.get_mut(&account) {
            account.set_budget(budget);
        }
        allowed.map_err(|rest| JobError::Rest(rest.until))
    }

    /// Adds calls to the budgets instead of overwriting them: a verification may have spent on the
    /// same account meanwhile.
    pub(crate) async fn add_to_budgets(
        tx: &mut store::Tx,
        taken: &[Spent],
    ) -> Result<Vec<(PortalAccountId, Budget)>, JobError> {
        Ok(store::portal_account::spend(tx, taken).await?)
    }
}
