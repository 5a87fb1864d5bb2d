//! One job's turn with a portal account: serial, metered, and given back whatever happens.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use domain::budget::{Budget, Calls, Spend};
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use parking_lot::Mutex;
use portal::{Meter, Purpose, Session};

use crate::driver::Job;
use crate::session::Held;
use crate::{Engine, Fault};

/// A portal account marked busy for one job; free again when dropped.
pub(crate) struct Lent {
    engine: Arc<Engine>,
    pub account: PortalAccountId,
    /// The job leaves no row behind that is not known here.
    quiet: bool,
    purpose: Purpose,
    /// Requests whose tokens were drawn for it and that were not sent yet.
    prepaid: u32,
}

impl Lent {
    /// Of an account that was marked busy for the job at hand; after a quiet one no row is read.
    pub const fn new(engine: Arc<Engine>, job: &Job, quiet: bool) -> Self {
        Self { engine, account: job.account(), quiet, purpose: job.purpose(), prepaid: job.prepaid() }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.engine.ctx.client.pacer().give_back(self.prepaid);
        self.engine.tries_no_more(self.account);
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
    /// The session at hand; whose it is is asked of [`crate::session::ensure`].
    pub session: Option<Arc<Session>>,
    held: Option<Held>,
    pub meter: Meter,
    /// Calls that were written down before they were made, and were not metered yet.
    ahead: Mutex<Calls>,
    /// Something else than polls is not written yet.
    unwritten: AtomicBool,
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
        let mut turn = Self::of(lent, None);
        turn.take_stored().await?;
        Ok(turn)
    }

    fn of(mut lent: Lent, held: Option<Held>) -> Self {
        let (engine, account) = (lent.engine.clone(), lent.account);
        let session = held.as_ref().map(|held| held.session.clone());
        let meter = Meter::prepaid(lent.purpose, std::mem::take(&mut lent.prepaid));
        let (ahead, unwritten) = (Mutex::default(), AtomicBool::new(false));
        Self { engine, lent, account, session, held, meter, ahead, unwritten }
    }

    /// Reads the account's row, and takes the session that stands there where it is later than any known here: a
    /// verification may have signed in.
    pub async fn take_stored(&mut self) -> Result<(), Fault> {
        let engine = self.engine.clone();
        let mut tx = engine.ctx.db.read().await?;
        let row = store::portal_account::get(&mut tx, self.account).await?.ok_or(Fault::Gone)?;
        tx.commit().await?;
        let held = {
            let mut state = engine.state.lock();
            let known = state.accounts.entry(self.account).or_default();
            known.set_budget(row.budget.clone());
            known.health.clone_from(&row.health);
            known.not_before = row.not_before;
            let newer = row.session_version > known.session_version || !known.imported;
            known.session_version = row.session_version.max(known.session_version);
            known.imported = true;
            let held = if newer { crate::session::import(&engine, &row) } else { None };
            if held.is_some() {
                known.signed_in_at = Some(engine.ctx.portal_time.now());
            }
            held
        };
        if let Some(held) = held {
            self.hold(held);
        }
        Ok(())
    }

    /// Goes on with another session, in this turn and the next ones: what was fetched with the one before goes with it.
    pub fn hold(&mut self, held: Held) {
        let mut state = self.engine.state.lock();
        let account = state.accounts.entry(self.account).or_default();
        account.lists.clear();
        account.session_version = account.session_version.max(held.version);
        account.session = Some(held.clone());
        drop(state);
        self.session = Some(held.session.clone());
        self.held = Some(held);
    }

    /// The session at hand, and whose it is.
    pub const fn held(&self) -> Option<&Held> {
        self.held.as_ref()
    }

    /// Goes on without a session; returns the one it had.
    pub fn let_go(&mut self) -> Option<Held> {
        self.session = None;
        if let Some(account) = self.engine.state.lock().accounts.get_mut(&self.account) {
            account.session = None;
        }
        self.held.take()
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

    /// Books what was spent so far, in memory; it is written with [`Turn::finish`], or, where a fault ends the turn
    /// before, by whoever writes budgets next.
    pub fn settle_budget(&self, now: Instant) {
        let spent = self.meter.take();
        let calls = Calls { requests: spent.requests, polls: spent.polls, sign_ins: spent.sign_ins };
        if calls == Calls::default() {
            return;
        }
        crate::metrics::requests(calls.requests, calls.polls, calls.sign_ins);
        let calls = self.ahead.lock().cover(calls);
        if calls == Calls::default() {
            return;
        }
        if calls.requests != calls.polls {
            self.unwritten.store(true, Ordering::Relaxed);
        }
        let mut state = self.engine.state.lock();
        state.unspent.insert(self.account);
        let account = state.accounts.entry(self.account).or_default();
        account.budget.spend(calls, now);
        account.unspent.push((calls, now));
    }

    /// Writes calls down before they are made, so that no end of this process forgets them; refused where the budget,
    /// as it is stored, does not allow `what`.
    pub async fn count_ahead(&self, what: Spend, calls: Calls) -> Result<(), Fault> {
        let now = self.engine.ctx.portal_time.now();
        let limits = self.engine.ctx.config.limits;
        let mut tx = self.engine.ctx.db.begin().await?;
        let changed = store::portal_account::change_budget(&mut tx, self.account, |budget| {
            budget.check(what, &limits, now).map(|()| budget.spend(calls, now))
        });
        let (budget, allowed) = changed.await?.ok_or(Fault::Gone)?;
        tx.commit().await?;
        if let Some(account) = self.engine.state.lock().accounts.get_mut(&self.account) {
            account.set_budget(budget);
        }
        allowed.map_err(|rest| Fault::Rest(rest.until))?;
        self.ahead.lock().add(calls);
        Ok(())
    }

    /// Adds what was spent to the stored budget; the account is given back when the turn is dropped.
    ///
    /// A turn of polls alone is written with others' within [`crate::FLUSH_EVERY`].
    pub async fn finish(self) -> Result<(), Fault> {
        self.settle_budget(self.engine.ctx.portal_time.now());
        match self.unwritten.load(Ordering::Relaxed) {
            true => self.engine.write_budgets(&[self.account]).await,
            false => Ok(()),
        }
    }
}

/// A turn that is over, with everything it spent.
pub(crate) type Over = (PortalAccountId, i64);

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
        let (due, over) = self.take_spent();
        self.write_spent(due, over).await
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
        self.write_spent(taken, Vec::new()).await
    }

    /// Everything that was spent and is not written, taken to be written now, and the turns that are over with it.
    pub(crate) fn take_spent(&self) -> (Vec<Spent>, Vec<Over>) {
        let mut state = self.state.lock();
        state.spent_at = Some(self.ctx.portal_time.now());
        let due = std::mem::take(&mut state.unspent);
        let mut take = |id| (id, std::mem::take(&mut state.accounts.entry(id).or_default().unspent));
        let taken = due.into_iter().map(&mut take).collect();
        (taken, state.idle_turns())
    }

    async fn write_spent(&self, taken: Vec<Spent>, over: Vec<Over>) -> Result<(), Fault> {
        let written = async {
            let mut tx = self.ctx.db.begin().await?;
            let written = Self::add_to_budgets(&mut tx, &taken).await?;
            store::account_lease::give_back(&mut tx, &over).await?;
            tx.commit().await?;
            Ok(written)
        };
        let written = written.await;
        self.keep_spent(taken, &over, written)
    }

    /// Takes the stored budgets over as they were written; what was not is written the next time.
    pub(crate) fn keep_spent(
        &self,
        taken: Vec<Spent>,
        over: &[Over],
        written: Result<Vec<(PortalAccountId, Budget)>, Fault>,
    ) -> Result<(), Fault> {
        let mut state = self.state.lock();
        match written {
            Ok(budgets) => {
                for (id, budget) in budgets {
                    state.accounts.entry(id).or_default().set_budget(budget);
                }
                state.turns.given_back(over);
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
        self.engine.ctx.client.pacer().give_back(self.meter.take_unused());
        let mut state = self.engine.state.lock();
        // Its calls may be written already, while it was under way: the next writing gives its row back all the same.
        state.unspent.insert(self.account);
        if let Some(account) = state.accounts.get_mut(&self.account) {
            account.session.clone_from(&self.held);
        }
    }
}
