//! Writes to the stored budgets of accounts. Calls are added, and stored values are never
//! overwritten.

use domain::budget::{Budget, Calls, Spend};
use domain::clock::Instant;
use domain::ids::PortalAccountId;

use crate::JobError;
use crate::model::accounts::{EndedLease, Spent};
use crate::persist::Records;

impl Records {
    /// Writes the calls of leases that only polled, at most once every [`crate::FLUSH_EVERY`].
    pub(crate) async fn flush_budgets(&self, now: Instant) -> Result<(), JobError> {
        let due = self.memory.update(|state| {
            state.accounts.is_write_due(now).then(|| state.accounts.take_calls(self.portal_time.now()))
        });
        match due {
            Some((spent, ended)) => self.write_spent(spent, ended).await,
            None => Ok(()),
        }
    }

    /// Adds the spent calls of these accounts to their stored budgets, in one transaction.
    pub(crate) async fn write_budgets(&self, accounts: &[PortalAccountId]) -> Result<(), JobError> {
        let taken = self.memory.update(|state| state.accounts.take_calls_of(accounts));
        self.write_spent(taken, Vec::new()).await
    }

    async fn write_spent(&self, taken: Vec<Spent>, ended: Vec<EndedLease>) -> Result<(), JobError> {
        let written = async {
            let mut tx = self.db.begin().await?;
            let written = Self::add_to_budgets(&mut tx, &taken).await?;
            store::account_lease::give_back(&mut tx, &ended).await?;
            tx.commit().await?;
            Ok(written)
        };
        let written = written.await;
        self.keep_spent(taken, &ended, written)
    }

    /// Copies written budgets into memory. After a failed write, restores the calls, so that the
    /// next write includes them.
    ///
    /// # Errors
    /// The error of the write.
    pub(crate) fn keep_spent(
        &self,
        taken: Vec<Spent>,
        ended: &[EndedLease],
        written: Result<Vec<(PortalAccountId, Budget)>, JobError>,
    ) -> Result<(), JobError> {
        self.memory.update(|state| match written {
            Ok(budgets) => {
                state.accounts.mark_written(budgets, ended);
                Ok(())
            }
            Err(error) => {
                state.accounts.restore_calls(taken);
                Err(error)
            }
        })
    }

    /// Adds calls to the stored budget before they are sent.
    ///
    /// # Errors
    /// [`JobError::Rest`] if the stored budget does not allow `what`, and [`JobError::Gone`] if
    /// there is no such account.
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
        self.memory.update_account(account, |account| account.set_budget(budget));
        allowed.map_err(|rest| JobError::Rest(rest.until))
    }

    /// Adds calls to the stored budgets, and returns the new budgets. A login verification may have
    /// spent calls of the same account meanwhile, so memory's budgets may be outdated.
    pub(crate) async fn add_to_budgets(
        tx: &mut store::Tx,
        taken: &[Spent],
    ) -> Result<Vec<(PortalAccountId, Budget)>, JobError> {
        Ok(store::portal_account::spend(tx, taken).await?)
    }
}
