//! One job's turn with a portal account: serial, metered, and given back whatever happens.

use std::sync::Arc;

use domain::budget::{Budget, Calls, Spend};
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use parking_lot::Mutex;
use portal::{Meter, Session};

use crate::{Engine, Fault};

/// A portal account marked busy for one job; free again when dropped.
pub(crate) struct Lent {
    engine: Arc<Engine>,
    pub account: PortalAccountId,
    /// The job leaves no row behind that is not known here.
    quiet: bool,
}

impl Lent {
    /// Of an account that was marked busy for the job at hand; after a quiet one no row is read.
    pub const fn new(engine: Arc<Engine>, account: PortalAccountId, quiet: bool) -> Self {
        Self { engine, account, quiet }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(account) = self.engine.state.lock().accounts.get_mut(&self.account) {
            account.busy = false;
        }
        if self.quiet {
            self.engine.wake();
        } else {
            self.engine.nudge();
        }
    }
}

/// A portal account taken for one job.
pub(crate) struct Turn {
    engine: Arc<Engine>,
    lent: Lent,
    pub account: PortalAccountId,
    pub session: Option<Arc<Session>>,
    pub meter: Meter,
    spent: Mutex<Vec<(Calls, Instant)>>,
}

impl Turn {
    /// Takes an account that was marked busy for this job; what is not known of it here is read.
    ///
    /// With a session at hand nothing is read: the calls a verification spent meanwhile are seen at the turn's end.
    pub async fn begin(lent: Lent) -> Result<Self, Fault> {
        let (engine, account) = (lent.engine.clone(), lent.account);
        let session = engine.state.lock().accounts.get(&account).and_then(|a| a.session.clone());
        if session.is_some() {
            return Ok(Self::of(lent, session));
        }
        let mut tx = engine.ctx.db.read().await?;
        let row = store::portal_account::get(&mut tx, account).await?.ok_or(Fault::Gone)?;
        tx.commit().await?;
        let mut state = engine.state.lock();
        let known = state.accounts.entry(account).or_default();
        known.set_budget(row.budget.clone());
        known.health.clone_from(&row.health);
        known.not_before = row.not_before;
        let stored = row.session.as_ref().map_or(0, |s| s.2);
        let newer = stored > known.session_version;
        known.session_version = stored.max(known.session_version);
        // A verification may have signed in since ours was forgotten.
        if known.session.is_none() && (newer || !known.imported) {
            known.session = crate::session::import(&engine, &row);
            known.signed_in_at = known.session.as_ref().map(|_| engine.ctx.portal_time.now());
        }
        known.imported = true;
        let session = known.session.clone();
        drop(state);
        Ok(Self::of(lent, session))
    }

    fn of(lent: Lent, session: Option<Arc<Session>>) -> Self {
        let (engine, account) = (lent.engine.clone(), lent.account);
        Self { engine, lent, account, session, meter: Meter::new(), spent: Mutex::new(Vec::new()) }
    }

    /// Rows are written in this turn that have to be read again at its end.
    pub const fn stir(&mut self) {
        self.lent.quiet = false;
    }

    /// Whether the budget allows one more call of this kind.
    pub fn allowed(&self, what: Spend, now: Instant) -> Result<(), Fault> {
        let state = self.engine.state.lock();
        let Some(account) = state.accounts.get(&self.account) else {
            return Err(Fault::Gone);
        };
        let limits = &self.engine.ctx.config.limits;
        account.budget.check(what, limits, now).map_err(|rest| Fault::Rest(rest.until))
    }

    /// Books what was spent so far, in memory.
    pub fn settle_budget(&self, now: Instant) {
        let spent = self.meter.take();
        let calls = Calls { requests: spent.requests, looks: spent.looks, sign_ins: spent.sign_ins };
        if calls == Calls::default() {
            return;
        }
        crate::metrics::requests(calls.requests, calls.looks, calls.sign_ins);
        let mut state = self.engine.state.lock();
        if let Some(account) = state.accounts.get_mut(&self.account) {
            account.budget.spend(calls, now);
        }
        self.spent.lock().push((calls, now));
    }

    /// Adds what was spent to the stored budget; the account is given back when the turn is dropped.
    ///
    /// A turn of looks alone is written with others' within [`crate::FLUSH_EVERY`].
    pub async fn finish(self) -> Result<(), Fault> {
        self.settle_budget(self.engine.ctx.portal_time.now());
        let spent = std::mem::take(&mut *self.spent.lock());
        if spent.is_empty() {
            return Ok(());
        }
        let looks_alone = spent.iter().all(|(calls, _)| calls.requests == calls.looks);
        {
            let mut state = self.engine.state.lock();
            state.accounts.entry(self.account).or_default().unspent.extend(spent);
            state.unspent.insert(self.account);
        }
        if looks_alone { Ok(()) } else { self.engine.write_budgets(&[self.account]).await }
    }
}

/// What turns of one account spent.
pub(crate) type Spent = (PortalAccountId, Vec<store::portal_account::Spent>);

impl crate::state::Account {
    /// Takes over the stored budget, with what was not written yet on top.
    pub fn set_budget(&mut self, stored: Budget) {
        self.budget = stored;
        for (calls, at) in &self.unspent {
            self.budget.spend(*calls, *at);
        }
    }
}

impl Engine {
    /// Writes the calls of turns that only looked, at most every [`crate::FLUSH_EVERY`].
    pub(crate) async fn flush_budgets(&self, now: Instant) -> Result<(), Fault> {
        {
            let state = self.state.lock();
            if state.unspent.is_empty() || state.spent_at.is_some_and(|at| now - at < crate::FLUSH_EVERY) {
                return Ok(());
            }
        }
        let due = self.take_spent();
        self.write_spent(due).await
    }

    /// Adds what was spent to the stored budgets, in one transaction.
    pub(crate) async fn write_budgets(&self, accounts: &[PortalAccountId]) -> Result<(), Fault> {
        let taken = {
            let mut state = self.state.lock();
            let mut take = |id: &PortalAccountId| {
                state.unspent.remove(id);
                (*id, std::mem::take(&mut state.accounts.entry(*id).or_default().unspent))
            };
            accounts.iter().map(&mut take).collect()
        };
        self.write_spent(taken).await
    }

    /// Everything that was spent and is not written, taken to be written now.
    pub(crate) fn take_spent(&self) -> Vec<Spent> {
        let mut state = self.state.lock();
        state.spent_at = Some(self.ctx.portal_time.now());
        let due = std::mem::take(&mut state.unspent);
        let mut take = |id| (id, std::mem::take(&mut state.accounts.entry(id).or_default().unspent));
        due.into_iter().map(&mut take).collect()
    }

    async fn write_spent(&self, taken: Vec<Spent>) -> Result<(), Fault> {
        let written = async {
            let mut tx = self.ctx.db.begin().await?;
            let written = Self::add_to_budgets(&mut tx, &taken).await?;
            tx.commit().await?;
            Ok(written)
        };
        let written = written.await;
        self.keep_spent(taken, written)
    }

    /// Takes the stored budgets over as they were written; what was not is written the next time.
    pub(crate) fn keep_spent(
        &self,
        taken: Vec<Spent>,
        written: Result<Vec<(PortalAccountId, Budget)>, Fault>,
    ) -> Result<(), Fault> {
        let mut state = self.state.lock();
        match written {
            Ok(budgets) => {
                for (id, budget) in budgets {
                    state.accounts.entry(id).or_default().set_budget(budget);
                }
                Ok(())
            }
            Err(fault) => {
                for (id, spent) in taken {
                    state.accounts.entry(id).or_default().unspent.extend(spent);
                    state.unspent.insert(id);
                }
                Err(fault)
            }
        }
    }

    /// Added, not overwritten: a verification may have spent on the same account meanwhile.
    pub(crate) async fn add_to_budgets(
        tx: &mut store::Tx,
        taken: &[Spent],
    ) -> Result<Vec<(PortalAccountId, Budget)>, Fault> {
        Ok(store::portal_account::spend(tx, taken).await?)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.settle_budget(self.engine.ctx.portal_time.now());
        let mut state = self.engine.state.lock();
        if let Some(account) = state.accounts.get_mut(&self.account) {
            account.session.clone_from(&self.session);
        }
    }
}
