//! Lease of a portal account to one job. The lease is exclusive, counts the job's requests, and
//! ends on every exit path.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use domain::budget::{Calls, Spend};
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use parking_lot::Mutex;
use portal::{Meter, Purpose, Session};

use crate::JobError;
use crate::gateway::Gateway;
use crate::model::account::HeldSession;
use crate::model::job::Job;

/// Guard that keeps a portal account busy for one job. Dropping the guard frees the account.
pub(crate) struct LeaseGuard {
    gateway: Arc<Gateway>,
    pub account: PortalAccountId,
    /// `true` if the job writes no rows that memory must read again.
    quiet: bool,
    purpose: Purpose,
    /// Number of request tokens that were drawn for the job and are unused.
    prepaid: u32,
}

impl LeaseGuard {
    /// Creates a guard for an account that was marked busy for `job`. After a `quiet` job, memory
    /// reads no row again.
    pub const fn new(gateway: Arc<Gateway>, job: &Job, quiet: bool) -> Self {
        Self { gateway, account: job.account(), quiet, purpose: job.purpose(), prepaid: job.prepaid() }
    }
}

impl Drop for LeaseGuard {
    fn drop(&mut self) {
        self.gateway.client.pacer().give_back(self.prepaid);
        self.gateway.records.memory.end_job(self.account);
        if self.quiet {
            self.gateway.records.memory.wake();
        } else {
            self.gateway.records.memory.nudge();
        }
    }
}

/// A portal account leased to one job, with its session and its request meter.
pub(crate) struct AccountLease {
    gateway: Arc<Gateway>,
    guard: LeaseGuard,
    pub account: PortalAccountId,
    /// Current session. [`crate::gateway::session::ensure`] checks which secret opened it.
    pub session: Option<Arc<Session>>,
    held: Option<HeldSession>,
    pub meter: Meter,
    /// Calls that were added to the stored budget before they were sent, and that the meter has not
    /// reported yet.
    ahead: Mutex<Calls>,
    /// `true` if calls other than polls are missing in the stored budget.
    unwritten: AtomicBool,
}

impl AccountLease {
    /// Begins the lease of an account that was marked busy for this job. Reads the account's row if
    /// memory holds no session.
    ///
    /// If memory holds a session, no row is read. The write at the end of the lease then returns
    /// the calls that a login verification spent meanwhile.
    pub async fn begin(guard: LeaseGuard) -> Result<Self, JobError> {
        let (gateway, account) = (guard.gateway.clone(), guard.account);
        let session = gateway.records.memory.session(account);
        if session.is_some() {
            return Ok(Self::of(guard, session));
        }
        let mut lease = Self::of(guard, None);
        lease.take_stored().await?;
        Ok(lease)
    }

    fn of(mut guard: LeaseGuard, held: Option<HeldSession>) -> Self {
        let (gateway, account) = (guard.gateway.clone(), guard.account);
        let session = held.as_ref().map(|held| held.session.clone());
        let meter = Meter::prepaid(guard.purpose, std::mem::take(&mut guard.prepaid));
        let (ahead, unwritten) = (Mutex::default(), AtomicBool::new(false));
        Self { gateway, guard, account, session, held, meter, ahead, unwritten }
    }

    /// Reads the account's row, and adopts its session if that is newer than the one in memory. A
    /// login verification may have stored it.
    pub async fn take_stored(&mut self) -> Result<(), JobError> {
        let gateway = self.gateway.clone();
        let mut tx = gateway.records.db.read().await?;
        let row = store::portal_account::get(&mut tx, self.account).await?.ok_or(JobError::Gone)?;
        tx.commit().await?;
        let held = gateway.records.memory.update_account(self.account, |known| {
            known.set_budget(row.budget.clone());
            known.health = row.health;
            known.not_before = row.not_before;
            let newer = row.session_version > known.session_version || !known.imported;
            known.session_version = row.session_version.max(known.session_version);
            known.imported = true;
            let held = if newer { crate::gateway::stored_session::import(&gateway, &row) } else { None };
            if held.is_some() {
                known.signed_in_at = Some(gateway.records.portal_time.now());
            }
            held
        });
        if let Some(held) = held {
            self.hold(held);
        }
        Ok(())
    }

    /// Replaces the session, in this lease and in memory. Lists fetched with the previous session
    /// are discarded.
    pub fn hold(&mut self, held: HeldSession) {
        self.gateway.records.memory.update_account(self.account, |account| {
            account.lists.clear();
            account.session_version = account.session_version.max(held.version);
            account.session = Some(held.clone());
        });
        self.session = Some(held.session.clone());
        self.held = Some(held);
    }

    /// Returns the current session, with the secret that opened it.
    pub const fn held(&self) -> Option<&HeldSession> {
        self.held.as_ref()
    }

    /// Removes the session from the lease and from memory; returns the removed one.
    pub fn drop_session(&mut self) -> Option<HeldSession> {
        self.session = None;
        self.gateway.records.memory.update_account(self.account, |account| account.session = None);
        self.held.take()
    }

    /// Marks that the job wrote rows that memory must read again after the lease.
    pub const fn mark_dirty(&mut self) {
        self.guard.quiet = false;
    }

    /// Checks that the account's budget in memory allows one more call of this kind.
    ///
    /// # Errors
    /// [`JobError::Rest`] with the end of the wait if the budget does not allow it.
    pub fn allowed(&self, what: Spend, now: Instant) -> Result<(), JobError> {
        let limits = &self.gateway.records.config.limits;
        let checked = self
            .gateway
            .records
            .memory
            .account(self.account, |account| account.budget.check(what, limits, now));
        checked.map_err(|rest| JobError::Rest(rest.until))
    }

    /// Checks that the account may make this many polls for a booking at `now`.
    ///
    /// # Errors
    /// Returns [`JobError::Rest`] until the time at which it may.
    pub fn allowed_polls(&self, polls: u32, now: Instant) -> Result<(), JobError> {
        let limits = &self.gateway.records.config.limits;
        let checked = self.gateway.records.memory.account(self.account, |account| {
            let mut budget = account.budget.clone();
            budget.spend(Calls { requests: polls - 1, polls: polls - 1, sign_ins: 0 }, now);
            budget.check(Spend::BookingPoll, limits, now)
        });
        checked.map_err(|rest| JobError::Rest(rest.until))
    }

    /// Adds the calls spent so far to the budget in memory. [`AccountLease::finish`] writes them.
    /// If an error ends the lease earlier, the next write of budgets includes them.
    pub fn settle_budget(&self, now: Instant) {
        let spent = self.meter.drain();
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
        self.gateway.records.memory.update(|state| state.accounts.spend(self.account, calls, now));
    }

    /// Adds calls to the stored budget before they are sent, so that a crash of this process cannot
    /// lose them.
    ///
    /// # Errors
    /// [`JobError::Rest`] if the stored budget does not allow `what`.
    pub async fn count_before_sending(&self, what: Spend, calls: Calls) -> Result<(), JobError> {
        self.gateway.records.count_before_sending(self.account, what, calls).await?;
        self.ahead.lock().add(calls);
        Ok(())
    }

    /// Writes the spent calls to the stored budget. Dropping the lease then frees the account.
    ///
    /// If the lease only polled, a later batch writes its calls, within [`crate::FLUSH_EVERY`].
    pub async fn finish(self) -> Result<(), JobError> {
        self.settle_budget(self.gateway.records.portal_time.now());
        match self.unwritten.load(Ordering::Relaxed) {
            true => self.gateway.records.write_budgets(&[self.account]).await,
            false => Ok(()),
        }
    }
}

impl Drop for AccountLease {
    fn drop(&mut self) {
        self.settle_budget(self.gateway.records.portal_time.now());
        self.gateway.client.pacer().give_back(self.meter.take_unused());
        self.gateway.records.memory.update(|state| {
            state.accounts.end_lease(self.account).session.clone_from(&self.held);
        });
    }
}
