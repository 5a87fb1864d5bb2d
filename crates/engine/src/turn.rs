//! One job's turn with a portal account: serial, metered, and given back whatever happens.

use std::sync::Arc;

use domain::budget::{Calls, Spend};
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use parking_lot::Mutex;
use portal::{Meter, Session};

use crate::{Engine, Fault};

/// A portal account taken for one job.
pub(crate) struct Turn {
    engine: Arc<Engine>,
    pub account: PortalAccountId,
    pub session: Option<Arc<Session>>,
    pub meter: Meter,
    spent: Mutex<Vec<(Calls, Instant)>>,
}

impl Turn {
    /// Takes an account that was marked busy for this job; reads its budget, health and session afresh.
    pub async fn begin(engine: &Arc<Engine>, account: PortalAccountId) -> Result<Self, Fault> {
        let mut tx = engine.ctx.db.read().await?;
        let row = store::portal_account::get(&mut tx, account).await?.ok_or(Fault::Gone)?;
        tx.commit().await?;
        let mut state = engine.state.lock();
        let known = state.accounts.entry(account).or_default();
        known.budget = row.budget.clone();
        known.health.clone_from(&row.health);
        known.not_before = row.not_before;
        let stored = row.session.as_ref().map_or(0, |s| s.2);
        let newer = stored > known.session_version;
        known.session_version = stored.max(known.session_version);
        // A verification may have signed in since ours was forgotten.
        if known.session.is_none() && (newer || !known.imported) {
            known.session = crate::session::import(engine, &row);
        }
        known.imported = true;
        let session = known.session.clone();
        drop(state);
        let spent = Mutex::new(Vec::new());
        Ok(Self { engine: engine.clone(), account, session, meter: Meter::new(), spent })
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
    /// Added, not overwritten: a verification may have spent on the same account meanwhile.
    pub async fn finish(self) -> Result<(), Fault> {
        self.settle_budget(self.engine.ctx.portal_time.now());
        let spent = std::mem::take(&mut *self.spent.lock());
        if spent.is_empty() {
            return Ok(());
        }
        let mut tx = self.engine.ctx.db.begin().await?;
        if let Some(row) = store::portal_account::get(&mut tx, self.account).await? {
            let mut budget = row.budget;
            for (calls, at) in spent {
                budget.spend(calls, at);
            }
            store::portal_account::set_budget(&mut tx, self.account, &budget).await?;
            tx.commit().await?;
            if let Some(account) = self.engine.state.lock().accounts.get_mut(&self.account) {
                account.budget = budget;
            }
        }
        Ok(())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.settle_budget(self.engine.ctx.portal_time.now());
        let mut state = self.engine.state.lock();
        if let Some(account) = state.accounts.get_mut(&self.account) {
            account.busy = false;
            account.session.clone_from(&self.session);
        }
        drop(state);
        self.engine.nudge();
    }
}
