//! Schedule of visits, which regularly read an account's appointments. [`domain::visit`] has the
//! rule.

use std::collections::{BTreeSet, HashMap};

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use domain::visit::{PER_SECOND, VisitFacts};

use crate::model::account::Account;

/// Capacity of the token bucket for visits: the number that may begin at once after an idle time.
const BURST: f64 = 2.0;

/// First delay before an unanswered visit is repeated. It doubles up to [`LONGEST_RETRY`].
const SHORTEST_RETRY: TimeDelta = TimeDelta::minutes(10);
const LONGEST_RETRY: TimeDelta = TimeDelta::hours(3);

/// The last visit of each account, and the accounts whose next visit is due.
#[derive(Default)]
pub(crate) struct Visits {
    answered: HashMap<PortalAccountId, Instant>,
    /// Accounts to visit at a fixed time, regardless of the rule.
    again: HashMap<PortalAccountId, Instant>,
    /// Accounts that are not visited before that time.
    not_before: HashMap<PortalAccountId, Instant>,
    /// Number of consecutive unanswered visits.
    failures: HashMap<PortalAccountId, u32>,
    /// Accounts that the last sweep found, the longest overdue first.
    due: BTreeSet<(Instant, PortalAccountId)>,
    /// Time at which the next account is due, as of the last sweep.
    next: Option<Instant>,
    tokens: f64,
    filled_at: Option<Instant>,
}

impl Visits {
    /// Restores the stored time of an account's last visit.
    pub fn restore(&mut self, account: PortalAccountId, visited_at: Option<Instant>, now: Instant) {
        if let Some(at) = visited_at {
            let known = self.answered.entry(account).or_insert(at);
            *known = at.min(now).max(*known);
        }
    }

    /// Records a successful visit: the account's groups page was read and stored.
    pub fn answered(&mut self, account: PortalAccountId, at: Instant) {
        self.answered.insert(account, at);
        self.again.remove(&account);
        self.not_before.remove(&account);
        self.failures.remove(&account);
        self.due.retain(|(_, due)| *due != account);
    }

    /// Schedules another read of an account's page at `at`, regardless of the rule.
    pub fn again(&mut self, account: PortalAccountId, at: Instant) {
        self.again.insert(account, at);
        self.next = Some(self.next.map_or(at, |next| next.min(at)));
    }

    /// Records that a visit begins, and delays the next one. The delay doubles with each visit
    /// without an answer.
    ///
    /// A failed visit pauses its account. The delay leaves the account time for polls.
    pub fn begin(&mut self, account: PortalAccountId, now: Instant) {
        let failures = self.failures.entry(account).or_default();
        let retry = (SHORTEST_RETRY * 2_i32.pow((*failures).min(9))).min(LONGEST_RETRY);
        *failures = failures.saturating_add(1);
        self.not_before.insert(account, now + retry);
    }

    /// Prevents a visit of an account before `at`.
    pub fn postpone(&mut self, account: PortalAccountId, at: Instant) {
        self.not_before.insert(account, at);
    }

    /// Returns the time of an account's next visit.
    pub fn due_at(&self, id: PortalAccountId, account: &Account, now: Instant) -> Instant {
        let session = account.session.as_ref();
        let facts = VisitFacts {
            answered: self.answered.get(&id).copied(),
            signed_in_at: session.and(account.signed_in_at),
            place: place(id),
        };
        let due = self.again.get(&id).copied().unwrap_or_else(|| facts.due_at(now));
        self.not_before.get(&id).map_or(due, |at| due.max(*at))
    }

    /// Adds the due visits that a sweep found. [`SweepPart::First`] first removes those of the
    /// previous sweep.
    pub fn found(&mut self, found: FoundVisits, part: SweepPart) {
        if part == SweepPart::First {
            self.due.clear();
            self.next = None;
        }
        self.due.extend(found.due);
        self.next = self.next.into_iter().chain(found.next).min();
    }

    /// Returns the accounts whose visit is due, the longest overdue first.
    pub fn due(&self) -> Vec<(Instant, PortalAccountId)> {
        self.due.iter().copied().collect()
    }

    /// Returns the time at which the next account is due, as of the last sweep.
    pub fn next(&self) -> Option<Instant> {
        self.next
    }

    /// Returns the time until a visit may begin; `None` if one may begin now.
    pub fn opens_in(&mut self, now: Instant) -> Option<TimeDelta> {
        let passed = self.filled_at.map_or(BURST, |at| (now - at).num_milliseconds() as f64 / 1000.0);
        self.tokens = (self.tokens + passed.max(0.0) * PER_SECOND).min(BURST);
        self.filled_at = Some(now);
        let wait = (1.0 - self.tokens) / PER_SECOND;
        (wait > 0.0).then(|| TimeDelta::milliseconds((wait * 1000.0).ceil() as i64))
    }

    /// Spends a token for an account's visit, and removes the visit from the due ones. It was due
    /// at `due`.
    pub fn draw(&mut self, due: Instant, account: PortalAccountId) {
        self.tokens -= 1.0;
        self.due.remove(&(due, account));
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        for at in [&mut self.answered, &mut self.again, &mut self.not_before]
            .into_iter()
            .flat_map(HashMap::values_mut)
        {
            *at += by;
        }
        self.due.clear();
        self.next = self.next.map(|at| at + by);
        self.filled_at = self.filled_at.map(|at| at + by);
    }
}

/// Part of a sweep over all running tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SweepPart {
    /// The first tasks of a sweep.
    First,
    /// Any later tasks.
    Later,
}

/// Due visits among the accounts of some tasks, and the time of the next visit that is not due yet.
#[derive(Debug, Default)]
pub(crate) struct FoundVisits {
    pub due: BTreeSet<(Instant, PortalAccountId)>,
    pub next: Option<Instant>,
}

impl FoundVisits {
    /// Adds an account whose visit is due at `at`.
    pub fn add(&mut self, account: PortalAccountId, at: Instant, now: Instant) {
        if at <= now {
            self.due.insert((at, account));
        } else {
            self.next = Some(self.next.map_or(at, |next| next.min(at)));
        }
    }
}

/// Maps an account to a number from 0 to 1, which spreads visits over time. Ids end in random bits.
fn place(account: PortalAccountId) -> f64 {
    f64::from((account.0.as_u128() & 0xffff) as u16) / f64::from(u16::MAX)
}
