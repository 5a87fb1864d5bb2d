//! Portal accounts in memory: their sessions and budgets, leases of jobs, unwritten calls,
//! problems, and the accounts that are prewarmed.
//!
//! The row of an account without recent requests, back-off or ban creates no entry in memory.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use chrono::{NaiveDate, TimeDelta};
use domain::account_problem::ProblemKind;
use domain::budget::{Budget, Calls};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::health::AccountHealth;
use domain::ids::PortalAccountId;
use store::account_lease::StoredLease;
use store::portal_account::{AccountOutline, SpentCalls};

use crate::FLUSH_EVERY;
use crate::model::account::Account;
use crate::model::job::Job;
use crate::model::leases::WrittenLeases;
use crate::model::no_times::NoTimes;

/// Interval at which the prewarmed accounts are checked.
const PREWARM_EVERY: TimeDelta = TimeDelta::seconds(30);

static FRESH: LazyLock<Account> = LazyLock::new(Account::default);

/// Account and number of a lease that has ended, and whose calls are all in the written budgets.
pub(crate) type EndedLease = (PortalAccountId, i64);

/// Calls that leases of one account spent.
pub(crate) type Spent = (PortalAccountId, Vec<SpentCalls>);

/// Portal accounts by id.
#[derive(Default)]
pub(crate) struct Accounts {
    states: HashMap<PortalAccountId, Box<Account>>,
    /// Accounts whose rows have calls with times in the future.
    ahead: Vec<PortalAccountId>,
    leases: WrittenLeases,
    /// Accounts with calls that are not written yet.
    unspent: BTreeSet<PortalAccountId>,
    /// Time of the last write of calls.
    spent_at: Option<Instant>,
    /// Accounts with evidence that they cannot book, by kind.
    problems: BTreeSet<(PortalAccountId, ProblemKind)>,
    no_times: NoTimes,
    /// Next time at which the prewarmed accounts are checked.
    prewarm_at: Option<Instant>,
    /// Calendars for which an account is prewarmed.
    prewarmed: HashSet<CalendarKey>,
}

impl Accounts {
    /// Returns the state of an account; a fresh one if the account was never used.
    pub fn get(&self, id: PortalAccountId) -> &Account {
        self.states.get(&id).map_or(&*FRESH, |account| account)
    }

    /// Returns the state of an account for modification.
    pub fn get_mut(&mut self, id: PortalAccountId) -> &mut Account {
        self.states.entry(id).or_default()
    }

    /// Returns the ids of all accounts with state in memory.
    pub fn ids(&self) -> Vec<PortalAccountId> {
        self.states.keys().copied().collect()
    }

    /// Returns `true` if an account is soft-banned or backs off.
    pub fn is_held_back(&self, id: PortalAccountId, now: Instant) -> bool {
        let account = self.get(id);
        account.health == AccountHealth::Cooling || account.backs_off(now)
    }

    /// Stores the row of an account in memory, unless a job uses the account.
    pub fn take_over(&mut self, row: AccountOutline, now: Instant) {
        let fresh =
            row.health == AccountHealth::Valid && row.not_before.is_none() && row.budget.requests(now) == 0;
        if fresh && !self.states.contains_key(&row.id) {
            return;
        }
        let account = self.states.entry(row.id).or_default();
        if !account.busy {
            account.set_budget(row.budget);
            if account.budget.clamp(now) {
                self.ahead.push(row.id);
            }
            account.health = row.health;
            account.not_before = row.not_before;
        }
    }

    /// Takes the accounts found since the last call whose rows have calls with times in the future.
    pub fn take_ahead(&mut self) -> Vec<PortalAccountId> {
        std::mem::take(&mut self.ahead)
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        self.states.values_mut().for_each(|account| account.shift(by));
        for at in [&mut self.prewarm_at, &mut self.spent_at].into_iter().flatten() {
            *at += by;
        }
    }
}

/// Leases of jobs.
impl Accounts {
    /// Returns `true` if a job uses any account.
    pub fn any_busy(&self) -> bool {
        self.states.values().any(|account| account.busy)
    }

    /// Marks the accounts of these jobs as busy.
    pub fn mark_busy(&mut self, jobs: &[Job]) {
        for job in jobs {
            self.get_mut(job.account()).busy = true;
        }
    }

    /// Marks an account as free, because its job has ended.
    pub fn free(&mut self, id: PortalAccountId) {
        self.get_mut(id).busy = false;
    }

    /// Numbers the leases of these jobs, which are to be written. `wall` is the wall time.
    pub fn number_leases(&mut self, jobs: &[Job], wall: Instant) -> Vec<StoredLease> {
        self.leases.number(jobs, wall)
    }

    /// Records that the rows of leases are written.
    pub fn add_leases(&mut self, written: Vec<StoredLease>) {
        self.leases.add(written);
    }

    /// Forgets all leases, after the node that took over the engine's lease deleted their rows.
    pub fn clear_leases(&mut self) {
        self.leases.clear();
    }

    /// Returns the leases that have ended and have no calls left to write.
    pub fn ended_leases(&self) -> Vec<EndedLease> {
        let ended = |id: PortalAccountId| !self.get(id).busy && self.get(id).unspent.is_empty();
        self.leases.written().filter(|(id, _)| ended(*id)).collect()
    }
}

/// Calls that are not written yet.
impl Accounts {
    /// Adds calls to the budget of an account. They are written later.
    pub fn spend(&mut self, id: PortalAccountId, calls: Calls, now: Instant) {
        self.unspent.insert(id);
        let account = self.get_mut(id);
        account.budget.spend(calls, now);
        account.unspent.push((calls, now));
    }

    /// Schedules the deletion of an account's lease row with the next write of calls, even if no
    /// call is unwritten. Returns the account, which stays busy.
    pub fn end_lease(&mut self, id: PortalAccountId) -> &mut Account {
        self.unspent.insert(id);
        self.get_mut(id)
    }

    /// Returns `true` if unwritten calls are to be written now.
    pub fn is_write_due(&self, now: Instant) -> bool {
        !self.unspent.is_empty() && self.spent_at.is_none_or(|at| now - at >= FLUSH_EVERY)
    }

    /// Makes the next flush write the calls at once.
    pub const fn write_at_once(&mut self) {
        self.spent_at = None;
    }

    /// Takes the unwritten calls of these accounts.
    pub fn take_calls_of(&mut self, ids: &[PortalAccountId]) -> Vec<Spent> {
        let mut take = |id: &PortalAccountId| {
            self.unspent.remove(id);
            (*id, std::mem::take(&mut self.get_mut(*id).unspent))
        };
        ids.iter().map(&mut take).collect()
    }

    /// Takes all unwritten calls to be written at `now`, and the leases that end with them.
    pub fn take_calls(&mut self, now: Instant) -> (Vec<Spent>, Vec<EndedLease>) {
        self.spent_at = Some(now);
        let due = std::mem::take(&mut self.unspent);
        let taken = due.into_iter().map(|id| (id, std::mem::take(&mut self.get_mut(id).unspent))).collect();
        (taken, self.ended_leases())
    }

    /// Stores the budgets as written, and removes the leases whose rows were deleted.
    pub fn mark_written(&mut self, budgets: Vec<(PortalAccountId, Budget)>, ended: &[EndedLease]) {
        for (id, budget) in budgets {
            self.get_mut(id).set_budget(budget);
        }
        self.leases.given_back(ended);
    }

    /// Puts back calls whose write failed, to be written the next time.
    pub fn restore_calls(&mut self, taken: Vec<Spent>) {
        for (id, spent) in taken {
            self.get_mut(id).unspent.extend(spent);
            self.unspent.insert(id);
        }
    }
}

/// Evidence that accounts cannot book.
impl Accounts {
    /// Replaces the problems by those of the rows.
    pub fn set_problems(&mut self, problems: impl Iterator<Item = (PortalAccountId, ProblemKind)>) {
        self.problems = problems.collect();
    }

    /// Records a problem of an account.
    pub fn add_problem(&mut self, id: PortalAccountId, kind: ProblemKind) {
        self.problems.insert((id, kind));
    }

    /// Records that a problem of an account has ended.
    pub fn end_problem(&mut self, id: PortalAccountId, kind: ProblemKind) {
        self.problems.remove(&(id, kind));
    }

    /// Returns `true` if an account has this problem.
    pub fn has_problem(&self, id: PortalAccountId, kind: ProblemKind) -> bool {
        self.problems.contains(&(id, kind))
    }

    /// Returns `true` if any account has a problem.
    pub fn any_problem(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Records that an account found no times for a date.
    pub fn add_no_times(&mut self, id: PortalAccountId, facility: FacilityId, date: NaiveDate, now: Instant) {
        self.no_times.add(facility, date, id, now);
    }

    /// Takes the accounts that recently found no times for a date, each once.
    pub fn take_no_times(
        &mut self,
        facility: FacilityId,
        date: NaiveDate,
        now: Instant,
    ) -> Vec<PortalAccountId> {
        self.no_times.take(facility, date, now)
    }
}

/// Prewarmed accounts.
impl Accounts {
    /// Returns `true` if the prewarmed accounts are to be checked.
    pub fn is_prewarm_due(&self, now: Instant) -> bool {
        self.prewarm_at.is_none_or(|at| at <= now)
    }

    /// Makes the next round check the prewarmed accounts.
    pub const fn prewarm_at_once(&mut self) {
        self.prewarm_at = None;
    }

    /// Stores the calendars for which an account is prewarmed, and schedules the next check.
    pub fn set_prewarmed(&mut self, calendars: HashSet<CalendarKey>, now: Instant) {
        self.prewarmed = calendars;
        self.prewarm_at = Some(now + PREWARM_EVERY);
    }

    /// Returns `true` if an account is prewarmed for a calendar.
    pub fn is_prewarmed(&self, key: &CalendarKey) -> bool {
        self.prewarmed.contains(key)
    }
}
